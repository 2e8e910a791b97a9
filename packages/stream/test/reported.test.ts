import { assert, describe, it } from "@effect/vitest"
import { Contacts, Mailstream, Topics, Transport } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { merged, tableOf } from "@mailstream/testing/Reported"
import { spansOf } from "@mailstream/testing/Spans"
import { Effect, Layer, Metric, Redacted, Schedule } from "effect"

/** The transport on undici, except that every second create finds no connection. */
const flaky = Layer.effect(
  Transport.Transport,
  Effect.map(Transport.Transport, (transport) => {
    let creates = 0
    return {
      open: transport.open,
      send: (request) =>
        request.method === "POST" && creates++ % 2 === 0
          ? Effect.fail(Transport.Failure.Connect({ description: "refused" }))
          : transport.send(request)
    }
  })
).pipe(Layer.provide(UndiciTransport.layer))

/** Every way to send a request. */
const requests = Effect.gen(function*() {
  const contacts = yield* Contacts
  const topics = yield* Topics
  const [id] = (yield* contacts.list({ limit: 1 })).data.map(({ id }) => id)
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

/** What calls report against a server, with its key and with another one. */
const reported = Effect.gen(function*() {
  yield* SampleData.insert({ contacts: 3 })
  const { apiKey, baseUrl } = yield* Server.TestServer
  const services = (apiKey: Redacted.Redacted) =>
    Layer.provide(Mailstream.layer({ baseUrl, apiKey, rateLimit: false }), flaky)
  const good = Effect.provide(requests, services(apiKey))
  const bad = Effect.provide(refusals, services(Redacted.make("re_wrong")))
  const spans = yield* spansOf(Effect.zipRight(good, bad))
  const names = new Set(spans.map(({ name }) => name))
  // Metrics belong to the process, in which other tests run as well.
  const metrics = (yield* Metric.snapshot).map(({ metricKey: { name, tags } }) => ({ name, tags }))
    .filter(({ tags }) => tags.some(({ key, value }) => key === "operation" && names.has(value)))
  for (const { status } of spans) assert.strictEqual(status._tag, "Ended")
  return {
    spans: merged(spans.map(({ attributes, name }) => [name, attributes.keys()])),
    metrics: merged(metrics.map(({ name, tags }) => [name, tags.map(({ key }) => key)]))
  }
}).pipe(Effect.provide(Server.layerTest()))

describe("the page about telemetry", () => {
  it.scopedLive("is what is reported, and nothing else", () =>
    Effect.gen(function*() {
      const { metrics, spans } = yield* reported
      assert.deepStrictEqual(spans, tableOf("Requests", "span", "attributes"))
      assert.deepStrictEqual(metrics, tableOf("Requests", "metric", "tags"))
    }))

  it("explains attributes that spans have", () => {
    for (const section of ["Requests", "Walks"]) {
      const known = Object.values(tableOf(section, "span", "attributes")).flat()
      for (const name of Object.keys(tableOf(section, "attribute", "attribute"))) assert.include(known, name)
    }
  })
})
