import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as LockFile from "@mailstream/cli/output/LockFile"
import * as Lock from "@mailstream/stream/Lock"
import { Dice } from "@mailstream/testing/Dice"
import * as Process from "@mailstream/testing/Process"
import { Deferred, Effect, TestClock } from "effect"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { dirname, join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { directory, jsonLines, run, slow, start } from "../support/program.ts"
import { contacts, paging, type Response, serving } from "../support/service.ts"

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

describe("a file that is written with --resume", () => {
  it.scoped("is not replaced by a run without it", () =>
    Effect.gen(function*() {
      const { file, home, reached, resume, service } = yield* setting
      const first = yield* start(args(file), service)
      yield* reached
      const plain = ["contacts", "list", "--output", file]
      const refused = yield* run(plain, service)
      assert.strictEqual(refused.code, 1)
      assert.match(
        refused.stderr,
        /^OutputError: .+ was written with --resume; to replace it, remove .+-resume first \(mailstream explain OutputError\)\n$/
      )
      resume()
      assert.strictEqual((yield* first.finished).code, 0)
      assertComplete(home, file)
      assert.strictEqual((yield* run(plain, service)).code, 1)
      rmSync(`${file}.mailstream-resume`)
      assert.strictEqual((yield* run(plain, service)).code, 0)
    }), slow)

  for (
    const [what, change] of [
      ["removed", (file: string) => rmSync(file)],
      ["replaced", (file: string) => {
        rmSync(file)
        writeFileSync(file, "")
      }]
    ] as const
  ) {
    it.scoped(`is missed if it is ${what} meanwhile`, () =>
      Effect.gen(function*() {
        const { file, reached, resume, service } = yield* setting
        const first = yield* start(args(file), service)
        yield* reached
        change(file)
        resume()
        const { code, stderr } = yield* first.finished
        assert.strictEqual(code, 1)
        assert.match(stderr, /^OutputError: .+ removed or replaced while it was written; to start over, .+\n$/)
      }), slow)
  }
})

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
        const lock = "contacts.mailstream-resume.lock"
        const left = signal === "SIGKILL" ? [lock, `${lock}.renewed`] : []
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
        const delayed = (index: number) =>
          Effect.gen(function*() {
            const { finished, pid } = yield* Effect.delay(start(args(file), service), index * dice.below(30))
            return { pid, ...(yield* finished) }
          })
        const ended = yield* Effect.forEach([0, 1, 2], delayed, { concurrency: "unbounded" })
        // One that comes when the first one is done finds a complete file.
        assert.isTrue(ended.some(({ code }) => code === 0))
        for (const { code, pid, stderr } of ended) {
          assert.match(stderr, code === 0 ? /^(.+ is already complete\..+\n)?$/ : /^LockError: .+\n$/)
          assert.notInclude(stderr, `process ${pid} `)
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
      assert.match(stderr, /^LockError: .+ its lock was removed; run again \(mailstream explain LockError\)\n$/)
      assert.strictEqual((yield* run(args(file), service)).code, 0)
      assertComplete(home, file)
    }), slow)
})

describe("the lock of a file", () => {
  const key = Effect.map(directory, (home) => join(home, "lock"))

  it.scopedLive("is acquired by one of many, also if a process that is gone has left it", () =>
    Effect.gen(function*() {
      for (let round = 0; round < 20; round++) {
        const path = yield* key
        // Each is watched for 15 seconds: it may be alive on another machine.
        if (round % 10 === 1) writeFileSync(path, JSON.stringify({ id: "gone", since: 0 }))
        const attempts = yield* Effect.forEach(
          Array.from({ length: 10 }),
          () => Effect.either(LockFile.acquire("file", path)),
          { concurrency: "unbounded" }
        )
        const refused = attempts.flatMap((attempt) => attempt._tag === "Left" ? [attempt.left.reason] : [])
        assert.deepStrictEqual(refused.filter((reason) => reason !== "Held"), [])
        const verified = yield* Effect.forEach(
          attempts.flatMap((attempt) => attempt._tag === "Right" ? [attempt.right] : []),
          ({ verify }) => Effect.isSuccess(verify)
        )
        assert.deepStrictEqual(verified.filter((isHeld) => isHeld), [true])
        assert.deepStrictEqual(readdirSync(dirname(path)), ["lock", "lock.renewed"])
      }
    }).pipe(Effect.provide(NodeFileSystem.layer)), slow)

  it.scopedLive(
    "is cleared of the drafts of killed processes, and of no others, by the next process that acquires it",
    () =>
      Effect.gen(function*() {
        const path = yield* key
        const home = dirname(path)
        const child = join(import.meta.dirname, "../support/dying.ts")
        const drafts = () => readdirSync(home).filter((name) => /^lock\.[\da-f]{8}-\d+-\d*-[\da-f]{8}$/.test(name))
        const locked = Effect.tap(
          Process.start([child, path, "none"]),
          ({ line }) => Effect.map(line, (text) => assert.strictEqual(text, "locked"))
        )
        const killed = Effect.gen(function*() {
          const { finished, kill } = yield* locked
          yield* kill("SIGKILL")
          yield* finished
          const before = drafts().length
          // Before the entry of a process that is gone is taken away, afterwards, and if there is none.
          for (const method of ["rename", "link", "link"]) {
            assert.strictEqual((yield* Process.run([child, path, method])).code, "SIGKILL")
          }
          assert.strictEqual(drafts().length, before + 4)
        })
        const elsewhere = "lock.12345678-1--12345678"
        const own = `lock.${Lock.draftName()}`
        const others = [elsewhere, own, "lock.mine", "lock.renewed-1", "other.lock"]
        for (const name of others) writeFileSync(join(home, name), "")
        yield* killed
        yield* Effect.scoped(locked)
        assert.sameMembers(drafts(), [elsewhere, own])
        yield* killed
        // Two at the same moment: one of them acquires it, and neither removes what the other needs.
        const both = yield* Effect.forEach([1, 2], () => Process.start([child, path, "none"]), { concurrency: 2 })
        const results = yield* Effect.forEach(
          both,
          ({ finished, line }) =>
            Effect.raceFirst(line, Effect.map(finished, ({ stderr }) => /is in use by process \d+/.exec(stderr)?.[0])),
          { concurrency: 2 }
        )
        assert.match([...results].sort().join(), /^is in use by process \d+,locked$/)
        assert.sameMembers(readdirSync(home), [...others, "lock", "lock.renewed"])
      }).pipe(Effect.provide(NodeFileSystem.layer)),
    slow
  )

  it.scoped("stays with its holder when it is renewed, and is removed at the end", () =>
    Effect.gen(function*() {
      const path = yield* key
      yield* Effect.gen(function*() {
        const { verify } = yield* LockFile.acquire("file", path)
        yield* TestClock.adjust("10 seconds")
        yield* Effect.repeat(Effect.promise(() => setImmediate()), { until: () => existsSync(`${path}.renewed`) })
        yield* verify
      }).pipe(Effect.scoped)
      assert.deepStrictEqual(readdirSync(dirname(path)), [])
    }).pipe(Effect.provide(NodeFileSystem.layer)))
})
