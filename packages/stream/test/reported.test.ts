import { KeyValueStore } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Contacts, Mailstream, Topics, Transport } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { contacts, Position, RetryPolicy } from "@mailstream/stream"
import * as TelemetryPage from "@mailstream/testing/TelemetryPage"
import { Effect, Layer, Redacted, Schedule, Stream } from "effect"

/** A response whose first item comes twice. */
const repeating = (response: Transport.Response): Transport.Response => {
  const page = JSON.parse(response.body)
  return { ...response, body: JSON.stringify({ ...page, data: [page.data[0], ...page.data] }) }
}

/** The transport on undici, except that every second create finds no connection, nor does every second page of one item. */
const flaky = Layer.effect(
  Transport.Transport,
  Effect.map(Transport.Transport, (transport) => {
    const sent = { DELETE: 0, GET: 0, PATCH: 0, POST: 0 }
    return {
      open: transport.open,
      send: (request) =>
        (request.method === "POST" || /limit=1\b/.test(request.path)) && sent[request.method]++ % 2 === 0
          ? Effect.fail(Transport.Failure.Connect({ description: "refused" }))
          : /limit=2\b/.test(request.path)
          ? Effect.map(transport.send(request), repeating)
          : transport.send(request)
    }
  })
).pipe(Layer.provide(UndiciTransport.layer))

/** Every way to send a request. */
const requests = Effect.gen(function*() {
  const contacts = yield* Contacts
  const topics = yield* Topics
  const [id] = (yield* contacts.list({ limit: 3 })).data.map(({ id }) => id)
  yield* contacts.list({ after: id })
  yield* contacts.list({ before: id })
  yield* Effect.scoped(contacts.open(undefined))
  yield* topics.create({ name: "News" }, { retry: Schedule.recurs(1) })
})

/** The same calls, each of which fails. */
const refusals = Effect.gen(function*() {
  const contacts = yield* Contacts
  const topics = yield* Topics
  yield* Effect.flip(contacts.list())
  yield* Effect.flip(Effect.scoped(contacts.open(undefined)))
  yield* Effect.flip(topics.create({ name: "News" }, { retry: Schedule.recurs(1) }))
})

/** Every way to walk, with a retry and with items that the API repeats. */
const walks = Effect.gen(function*() {
  const retry = Schedule.recurs(1)
  const [, middle] = yield* Stream.runCollect(contacts.items({ pageSize: 1, retry }))
  assert.isDefined(middle)
  yield* Stream.runDrain(contacts.pages({ pageSize: 2 }))
  yield* Stream.runDrain(contacts.pages({ from: Position.before(middle!.id) }))
  yield* contacts.process("items", () => Effect.void)
  yield* contacts.processPages("pages", Stream.runForEach(({ commit }) => commit))
  yield* Stream.runHead(contacts.follow({ since: middle!.id }))
  yield* Stream.runDrain(contacts.whole())
})

/** The same walks, each of which fails. */
const failures = Effect.gen(function*() {
  const retry = RetryPolicy.none
  yield* Effect.flip(Stream.runDrain(contacts.items({ retry })))
  yield* Effect.flip(Stream.runDrain(contacts.pages({ retry })))
  yield* Effect.flip(contacts.process("failing", () => Effect.void, { retry }))
  yield* Effect.flip(Stream.runDrain(contacts.follow({ retry })))
  yield* Effect.flip(Stream.runDrain(contacts.whole({ retry })))
})

/** What calls report against a server, with its key and with another one. */
const reported = Effect.gen(function*() {
  yield* SampleData.insert({ contacts: 3 })
  const { apiKey, baseUrl } = yield* Server.TestServer
  const services = (apiKey: Redacted.Redacted) =>
    Layer.merge(
      Layer.provide(Mailstream.layer({ baseUrl, apiKey, rateLimit: false }), flaky),
      KeyValueStore.layerMemory
    )
  const good = Effect.provide(Effect.zipRight(requests, walks), services(apiKey))
  const bad = Effect.provide(Effect.zipRight(refusals, failures), services(Redacted.make("re_wrong")))
  const { metrics, spans } = yield* TelemetryPage.reportedBy(Effect.zipRight(good, bad))
  for (const { name, status } of spans) assert.strictEqual(status._tag, "Ended", name)
  return { spans: TelemetryPage.reportedSpans(spans), metrics }
}).pipe(Effect.provide(Server.layerTest()))

const sections = ["Requests", "Walks"]

/** The tables of both sections: a walk also reports its requests. */
const tables = (of: (section: string) => TelemetryPage.Named): TelemetryPage.Named =>
  Object.assign({}, ...sections.map(of))

describe("the page about telemetry", () => {
  it.scopedLive("is what is reported, and nothing else", () =>
    Effect.gen(function*() {
      const { metrics, spans } = yield* reported
      assert.deepStrictEqual(spans, tables(TelemetryPage.spansIn))
      assert.deepStrictEqual(metrics, tables(TelemetryPage.metricsIn))
    }))

  it("explains attributes that spans have, and all that are our own", () => {
    const known = Object.values(tables(TelemetryPage.spansIn)).flat()
    const explained = sections.flatMap(TelemetryPage.attributesIn)
    assert.deepStrictEqual(explained.filter((name) => !known.includes(name)), [])
    assert.deepStrictEqual(known.filter((name) => name.startsWith("mailstream.") && !explained.includes(name)), [])
  })
})
