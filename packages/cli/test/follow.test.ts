import { assert, describe, it } from "@effect/vitest"
import { ContactId, Resource } from "@mailstream/core"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Array, Deferred, Effect, Redacted } from "effect"
import { run, slow, start } from "./support/program.ts"
import { apiKey, contacts, paging, serving } from "./support/service.ts"

const environment = Effect.map(Server.TestServer, ({ apiKey, baseUrl }) => ({
  MAILSTREAM_BASE_URL: baseUrl,
  MAILSTREAM_API_KEY: Redacted.value(apiKey)
}))

const insert = (...numbers: ReadonlyArray<number>) =>
  Effect.flatMap(Store, (store) => store.insert(Resource.contacts, numbers.map((number) => SampleData.contact(number))))

describe("follow", () => {
  it.scoped("prints items created after --since as they arrive, until it is interrupted", () =>
    Effect.gen(function*() {
      const env = yield* environment
      yield* insert(...Array.range(0, 4))
      const since = SampleData.contact(2).id
      const program = yield* start(["contacts", "follow", "--since", since, "--every", "50ms"], { env })
      const next = Effect.map(program.line, (line) => JSON.parse(line))
      assert.deepStrictEqual(yield* next, SampleData.contact(3))
      assert.deepStrictEqual(yield* next, SampleData.contact(4))
      yield* insert(5, 6)
      assert.deepStrictEqual(yield* next, SampleData.contact(5))
      assert.deepStrictEqual(yield* next, SampleData.contact(6))
      yield* insert(7)
      assert.deepStrictEqual(yield* next, SampleData.contact(7))
      yield* program.kill("SIGINT")
      const { code, stderr } = yield* program.finished
      assert.deepStrictEqual([code, stderr], [0, ""])
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scopedLive(
    "starts now without --since, and prints in the given format",
    () =>
      Effect.gen(function*() {
        const list = contacts(3)
        const isFollowing = yield* Deferred.make<void>()
        const service = yield* serving((url) => {
          // The second request means that the first items have been seen.
          if (service.requests.length === 2) Effect.runSync(Deferred.succeed(isFollowing, undefined))
          return paging(list)(url)
        })
        const program = yield* start(["contacts", "follow", "--every", "20ms", "--format", "csv"], service)
        yield* Deferred.await(isFollowing)
        list.unshift({ ...contacts(1)[0]!, id: ContactId.make("00000000-0000-4000-8000-000000000009") })
        assert.match(yield* program.line, /^id,email,/)
        assert.match(yield* program.line, /^00000000-0000-4000-8000-000000000009,/)
        yield* program.kill("SIGTERM")
        assert.strictEqual((yield* program.finished).code, 0)
      }),
    slow
  )

  it.scopedLive("logs an outage once, without a terminal", () =>
    Effect.gen(function*() {
      const list = contacts(3)
      let requests = 0
      const service = yield* serving((url) => {
        requests++
        if (requests === 5) list.unshift({ ...list[0]!, id: ContactId.make("00000000-0000-4000-8000-000000000009") })
        return requests === 3 || requests === 4
          ? { status: 503, body: { name: "service_unavailable", statusCode: 503, message: "Down." } }
          : paging(list)(url)
      })
      const program = yield* start(["contacts", "follow", "--every", "20ms"], service)
      assert.include(yield* program.line, "00000000-0000-4000-8000-000000000009")
      yield* program.kill("SIGTERM")
      const { stderr } = yield* program.finished
      assert.match(
        stderr,
        /^warning: follow: contacts: retrying in [\w ]+: GET \S+: Down\.\ninfo: follow: contacts: responding again after [\w ]+\n$/
      )
    }), slow)

  it.scoped("fails at once if the service has never responded", () =>
    Effect.gen(function*() {
      const { code, stderr } = yield* run(["emails", "follow", "--base-url", "http://127.0.0.1:1"], {
        env: { MAILSTREAM_API_KEY: apiKey }
      })
      assert.strictEqual(code, 1)
      assert.match(stderr, /^TransportError: /)
    }), slow)
})
