import { assert, describe, it } from "@effect/vitest"
import { eventually } from "@mailstream/testing/Eventually"
import * as Process from "@mailstream/testing/Process"
import { Effect, type Scope } from "effect"
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { places } from "../support/copies.ts"
import { directory, program, run } from "../support/program.ts"
import { contacts, paging, serving } from "../support/service.ts"

const hook = fileURLToPath(new URL("../support/signalling.ts", import.meta.url))

/** A command that runs until it is stopped, and something that completes once it has started. */
interface Endless {
  readonly args: ReadonlyArray<string>
  readonly env: Record<string, string>
  readonly isReady: (running: Process.Running) => Effect.Effect<unknown>
}

const [[, sqlite], [, postgres]] = [places[0]!, places[1]!]

const aLine = (running: Process.Running) => running.line

const service = serving((url) => paging(url.pathname === "/contacts" ? contacts(2) : [])(url))

/** A copy of the service, in a file. */
const copied = Effect.gen(function*() {
  const { env, requests } = yield* service
  const withCopy = { ...env, MAILSTREAM_DATABASE_URL: (yield* sqlite).url }
  yield* run(["sync", "--lists", "contacts"], { env: withCopy })
  return { env: withCopy, requests }
})

const worker = Effect.gen(function*() {
  const { env } = yield* service
  const file = join(yield* directory, "accounts.json")
  const { MAILSTREAM_API_KEY: apiKey, MAILSTREAM_BASE_URL: baseUrl } = env
  writeFileSync(file, JSON.stringify([{ id: "acme", baseUrl, apiKey }]))
  return {
    args: ["worker", "--accounts", file, "--lists", "contacts"],
    env: { ...env, MAILSTREAM_DATABASE_URL: (yield* postgres).url },
    isReady: aLine
  }
})

const commands: Record<string, Effect.Effect<Endless, never, Scope.Scope>> = {
  follow: Effect.map(service, ({ env, requests }) => ({
    args: ["contacts", "follow"],
    env,
    isReady: () => eventually("a request", () => requests.length > 0)
  })),
  serve: Effect.succeed({ args: ["serve", "--port", "0", "--items", "1"], env: {}, isReady: aLine }),
  "sync --every": Effect.map(
    copied,
    ({ env }) => ({ args: ["sync", "--lists", "contacts", "--every", "1h"], env, isReady: aLine })
  ),
  "changes --follow": Effect.map(
    copied,
    ({ env }) => ({ args: ["changes", "contacts", "--follow"], env, isReady: aLine })
  ),
  worker
}

const signals = ["SIGTERM", "SIGINT", "SIGHUP"] as const

describe("a signal while the program starts", () => {
  it.scopedLive.each(Object.entries(commands))(
    "ends %s with exit code 0, whatever has been loaded",
    ([, command]) =>
      Effect.gen(function*() {
        const { args, env, isReady } = yield* command
        const loads = join(yield* directory, "loads")
        writeFileSync(loads, "")
        const start = (more: Record<string, string>) =>
          Process.start(["--import", hook, program(), ...args], { env: { ...env, LOADS: loads, ...more } })
        const running = yield* start({})
        yield* isReady(running)
        const urls = readFileSync(loads, "utf8").trim().split("\n")
        yield* running.kill("SIGTERM")
        assert.strictEqual((yield* running.finished).code, 0)

        // Until its first lines run, Node has not started the program: that is a matter of a few kilobytes.
        const first = urls.findIndex((url) => /\/Start-[^/]+$/.test(url))
        const early = urls.slice(0, first).map((url) => statSync(fileURLToPath(url)).size)
        assert.isAtMost(early.reduce((sum, size) => sum + size, 0), 8000, urls.slice(0, first).join("\n"))

        const points = Array.from({ length: urls.length - first }, (_, index) => first + 1 + index)
          .filter((_, index) => index % 3 === 0)
        yield* Effect.forEach(points, (at, index) =>
          Effect.gen(function*() {
            const signal = signals[index % signals.length]!
            const { code, stderr } = yield* Effect.scoped(
              Effect.flatMap(start({ SIGNAL: signal, SIGNAL_AT: String(at) }), ({ finished }) => finished)
            )
            assert.strictEqual(code, 0, `${signal} at ${urls[at - 1]}: ${stderr}`)
          }), { concurrency: 2 })
      }),
    300_000
  )

  it.scopedLive.each([["SIGTERM", 143], ["SIGINT", 130], ["SIGHUP", 129]] as const)(
    "ends other commands with its own code: %s",
    ([signal, expected]) =>
      Effect.gen(function*() {
        const { env } = yield* service
        const loads = join(yield* directory, "loads")
        for (const at of [6, 12, 20]) {
          const { code, stderr, stdout } = yield* Process.run(["--import", hook, program(), "contacts", "list"], {
            env: { ...env, LOADS: loads, SIGNAL: signal, SIGNAL_AT: String(at) }
          })
          assert.deepStrictEqual([code, stdout, stderr], [expected, "", ""])
        }
      }),
    120_000
  )
})
