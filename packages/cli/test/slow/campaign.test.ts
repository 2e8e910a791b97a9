import { assert, describe, it } from "@effect/vitest"
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { forward } from "@mailstream/testing/HttpServer"
import * as Tcp from "@mailstream/testing/Tcp"
import { Deferred, Effect, Layer } from "effect"
import { content, environment, received, subscribed } from "../support/campaigns.ts"
import { places } from "../support/copies.ts"
import { jsonLines, program, run, slow, start } from "../support/program.ts"
import { hasTerminals, session } from "../support/terminal.ts"

const service = Layer.provideMerge(
  Layer.orDie(Layer.effectDiscard(SampleData.insert({ contacts: 900 }))),
  Layer.orDie(Server.layerTest({
    rateLimit: { requests: 1000, per: "1 second" },
    faults: { latency: { rate: 1, delay: "100 millis" } }
  }))
)

const args = ["campaign", "run", "news", ...content, "--yes"]

/** A database of the first kind, the service, and what happens when the n-th batch is about to reach it. */
const setup = (make: typeof places[number][1]) =>
  Effect.gen(function*() {
    const place = yield* make
    const known = yield* environment
    const reached = yield* Deferred.make<void>()
    let batches = 0
    const baseUrl = yield* forward(known["MAILSTREAM_BASE_URL"] ?? "", (request) => {
      if (request === "POST /emails/batch" && ++batches === 4) Effect.runSync(Deferred.succeed(reached, undefined))
    })
    const env = { ...known, MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_DATABASE_URL: place.url }
    const status = Effect.map(run(["campaign", "status", "news"], { env }), ({ stdout }) => jsonLines(stdout)[0] ?? {})
    return { env, everybody: yield* subscribed, reached: Deferred.await(reached), status }
  })

describe.each(places)("a campaign on %s", (_, make) => {
  it.scopedLive("that was killed is continued, and writes to nobody twice", () =>
    Effect.gen(function*() {
      const { env, everybody, reached, status } = yield* setup(make)
      const killed = yield* start(args, { env })
      yield* reached
      yield* killed.kill("SIGKILL")
      assert.strictEqual((yield* killed.finished).code, "SIGKILL")
      assert.deepInclude(yield* status, { state: "unresponsive", ended_at: null })
      const { code, stderr, stdout } = yield* run(args, { env })
      assert.strictEqual(code, 0, stderr)
      assert.match(
        stderr,
        /^Continuing the campaign "news": \d+ accepted, .* stored to be sent\.\n.*The campaign "news" is being run by another process, or was when that was killed/
      )
      assert.deepInclude(jsonLines(stdout)[0], { state: "complete", accepted: everybody.length })
      assert.deepStrictEqual(yield* received, everybody)
    }).pipe(Effect.provide(service)), 3 * slow)
})

const [[, sqlite], [, postgres]] = [places[0]!, places[1]!]

describe("a campaign", () => {
  it.scopedLive("ends cleanly at a signal, with the command that continues it", () =>
    Effect.gen(function*() {
      for (const [signal, expected] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
        yield* Effect.gen(function*() {
          const { env, everybody, reached, status } = yield* setup(sqlite)
          const stopped = yield* start(args, { env })
          yield* reached
          yield* stopped.kill(signal)
          const { code, stderr, stdout } = yield* stopped.finished
          assert.deepStrictEqual([code, stdout], [expected, ""])
          assert.match(
            stderr,
            /\nStopped: \d+ accepted, 0 rejected, \d+ skipped, \d+ stored to be sent so far\. To continue, run: mailstream campaign run news --from 'Ada <ada@example\.com>' --subject News --text Hello --yes\n$/
          )
          assert.deepInclude(yield* status, { state: "stopped" })
          const again = yield* run(args, { env })
          assert.strictEqual(again.code, 0, again.stderr)
          // Nobody waits for a process that has ended.
          assert.notInclude(again.stderr, "Another process")
          assert.deepStrictEqual(yield* received, everybody)
        }).pipe(Effect.scoped, Effect.provide(service))
      }
    }), 3 * slow)

  it.scopedLive(
    "ends at a signal if the network loses everything that goes to the database",
    () =>
      Effect.gen(function*() {
        const { env, everybody, reached } = yield* setup(postgres)
        const url = env["MAILSTREAM_DATABASE_URL"] ?? ""
        const tcp = yield* Tcp.make("127.0.0.1", Number(new URL(url).port))
        const through = Object.assign(new URL(url), { port: String(tcp.port) }).href
        const stopped = yield* start(args, { env: { ...env, MAILSTREAM_DATABASE_URL: through } })
        yield* reached
        yield* tcp.freeze
        yield* stopped.kill("SIGTERM")
        const { code, stderr } = yield* stopped.finished
        assert.strictEqual(code, 143)
        assert.match(stderr, /\nStopped\. To continue, run: mailstream campaign run news [^\n]+\n$/, stderr)
        yield* tcp.thaw
        const again = yield* run(args, { env })
        assert.strictEqual(again.code, 0, again.stderr)
        assert.deepStrictEqual(yield* received, everybody)
      }).pipe(Effect.provide(service)),
    3 * slow
  )

  it.scopedLive("is run by one process at a time", () =>
    Effect.gen(function*() {
      const { env, everybody, reached } = yield* setup(sqlite)
      const first = yield* start([...args, "--rate-limit", "1/1s"], { env })
      yield* reached
      const second = yield* run(args, { env })
      assert.strictEqual(second.code, 1)
      assert.match(
        second.stderr,
        /\nTo see how far it is, run: mailstream campaign status news\nCampaignBusy: [^\n]+ \(mailstream explain CampaignBusy\)\n$/
      )
      yield* first.kill("SIGINT")
      assert.strictEqual((yield* first.finished).code, 130)
      assert.strictEqual((yield* run(args, { env })).code, 0)
      assert.deepStrictEqual(yield* received, everybody)
    }).pipe(Effect.provide(service)), 3 * slow)

  it.scopedLive.skipIf(!hasTerminals)(
    "asks first on a terminal, shows how far it is, and stops at Ctrl+C",
    () =>
      Effect.gen(function*() {
        const { env, everybody, status } = yield* setup(sqlite)
        const line =
          `"${process.execPath}" "${program()}" campaign run news --from ada@example.com --subject News --text Hello`
        const declined = yield* session(`${line}; echo code $?`, { env })
        yield* declined.until(
          /Begin the campaign "news" at http:[^ ]+, and send an email from ada@example\.com to all contacts \(more than 100\), except those who have unsubscribed\? \[y\/N\] /
        )
        yield* declined.type("n\r")
        assert.match(yield* declined.ended, /Nothing was changed\.\r\ncode 1\r\n$/)
        assert.deepStrictEqual(yield* received, [])

        const shown = yield* session(`${line} --rate-limit 2/1s; echo code $?`, { env })
        yield* Effect.zipRight(shown.until(/\[y\/N\] /), shown.type("y\r"))
        yield* shown.until(/ [1-9]\d* accepted · 0 rejected · \d+ skipped · [\d.,]+ emails\/s · Ctrl\+C to stop/)
        yield* shown.type("\u0003")
        assert.match(
          yield* shown.ended,
          /Stopped: [1-9]\d* accepted, [^\n]+ To continue, run: mailstream campaign run news [^\n]+\ncode 130\r\n$/
        )
        assert.deepInclude(yield* status, { state: "stopped" })

        const counted = yield* session(`${line} --count --yes; echo code $?`, { env })
        yield* counted.until(/emails\/s · [\d.]+ s left · Ctrl\+C to stop/)
        assert.match(yield* counted.ended, /complete[^]*code 0\r\n$/)
        assert.deepStrictEqual(yield* received, everybody)
      }).pipe(Effect.provide(service)),
    3 * slow
  )
})
