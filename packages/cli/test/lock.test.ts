import { assert, describe, it } from "@effect/vitest"
import { Dice } from "@mailstream/testing/Dice"
import type * as Process from "@mailstream/testing/Process"
import { Deferred, Effect } from "effect"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { directory, jsonLines, run, slow, start } from "./support/program.ts"
import { contacts, paging, type Response, serving } from "./support/service.ts"

const items = contacts(30)
const page = paging(items)

const args = (file: string) => ["contacts", "list", "--page-size", "5", "--output", file, "--resume", "k"]

/** A service that responds to the second page only when the test says so, and to everything else at once. */
const setting = Effect.gen(function*() {
  const reached = yield* Deferred.make<void>()
  let resume = () => {}
  const held = new Promise<void>((resolve) => {
    resume = resolve
  })
  const service = yield* serving((url): Response | Promise<Response> => {
    if (url.searchParams.get("after") !== items[4]!.id) return page(url)
    Deferred.unsafeDone(reached, Effect.void)
    return held.then(() => page(url))
  })
  const home = yield* directory
  const file = join(home, "contacts")
  return { file, home, service, reached: Deferred.await(reached), resume }
})

/** The error of a run that was refused, which names the one that was not. */
const assertRefused = (refused: Process.Finished, holder: number) => {
  assert.strictEqual(refused.code, 1)
  const since = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`
  assert.match(
    refused.stderr,
    new RegExp(`^LockError: .+ is in use by process ${holder} on ${hostname()} since ${since}; wait until .+\n$`)
  )
}

const assertComplete = (home: string, file: string) => {
  assert.deepStrictEqual(jsonLines(readFileSync(file, "utf8")), items)
  assert.sameMembers(readdirSync(home), ["contacts", "contacts.mailstream-resume"])
}

describe("two programs with the same file and --resume", () => {
  it.scoped("do not disturb each other: the second one is refused at once", () =>
    Effect.gen(function*() {
      const { file, home, reached, resume, service } = yield* setting
      const first = yield* start(args(file), service)
      yield* reached
      assertRefused(yield* run(args(file), service), first.pid)
      // A suspended process still holds its lock.
      yield* first.kill("SIGSTOP")
      assertRefused(yield* run(args(file), service), first.pid)
      yield* first.kill("SIGCONT")
      resume()
      assert.strictEqual((yield* first.finished).code, 0)
      assertComplete(home, file)
    }), slow)

  it.scoped("may follow each other immediately, however the first one ended", () =>
    Effect.gen(function*() {
      for (const signal of ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"] as const) {
        const { file, home, reached, resume, service } = yield* setting
        const first = yield* start(args(file), service)
        yield* reached
        yield* first.kill(signal)
        yield* first.finished
        const left = signal === "SIGKILL" ? ["contacts.mailstream-resume.lock"] : []
        assert.sameMembers(readdirSync(home), ["contacts", "contacts.mailstream-resume", ...left])
        resume()
        assert.strictEqual((yield* run(args(file), service)).code, 0)
        assertComplete(home, file)
      }
    }), slow)

  it.scopedLive("started at the same moment, one succeeds and the others are refused", () =>
    Effect.gen(function*() {
      const dice = new Dice(1, 0)
      let reached: (() => void) | undefined
      const service = yield* serving((url): Response | Promise<Response> => {
        if (reached === undefined || !url.searchParams.has("after")) return page(url)
        reached()
        return new Promise(() => {})
      })
      const killed = (file: string) =>
        Effect.scoped(Effect.gen(function*() {
          const stuck = Effect.async<void>((resume) => {
            reached = () => resume(Effect.void)
          })
          yield* start(args(file), service)
          yield* stuck
          reached = undefined
        }))
      for (let round = 0; round < 4; round++) {
        const home = yield* directory
        const file = join(home, "contacts")
        // In every second round, a killed process has left its lock.
        if (round % 2 === 1) yield* killed(file)
        const ended = yield* Effect.forEach([0, 1, 2], (index) =>
          Effect.delay(run(args(file), service), index * dice.below(30)), { concurrency: "unbounded" })
        // One that comes when the first one is done finds a complete file.
        assert.isAtLeast(
          ended.filter(({ code }) =>
            code === 0
          ).length,
          1
        )
        for (const { code, stderr } of ended) {
          assert.match(stderr, code === 0 ? /^(.+ is already complete\..+\n)?$/ : /^LockError: .+\n$/)
        }
        assertComplete(home, file)
      }
    }), slow)

  it.scoped("stop when their lock is removed, and lose nothing", () =>
    Effect.gen(function*() {
      const { file, home, reached, resume, service } = yield* setting
      const first = yield* start(args(file), service)
      yield* reached
      rmSync(`${file}.mailstream-resume.lock`)
      resume()
      const { code, stderr } = yield* first.finished
      assert.strictEqual(code, 1)
      assert.match(stderr, /^LockError: .+ its lock was removed; run again\n$/)
      assert.strictEqual((yield* run(args(file), service)).code, 0)
      assertComplete(home, file)
    }), slow)
})
