import { assert, describe, it } from "@effect/vitest"
import { ContactId, SegmentId } from "@mailstream/core"
import { Contacts, Telemetry, Topics, Transport } from "@mailstream/http"
import { spansOf } from "@mailstream/testing/Spans"
import { Effect, Exit, Layer, Metric, Option, Schedule } from "effect"
import { emptyList, json, mailstream, serve, text } from "./support/wire.ts"

const id = ContactId.make("e169aa45-1ecf-4183-9955-b1499d5701d3")

const contact = {
  id,
  email: "jane@example.com",
  first_name: null,
  last_name: null,
  created_at: "2023-10-06 23:47:56.678+00",
  unsubscribed: false
}

describe("spans", () => {
  it.scopedLive("are created for each call, with counts and ids", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serve(json(200, { ...emptyList, has_more: true, data: [contact] }))
      const [span, ...others] = yield* spansOf(
        Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 1, after: id })).pipe(
          Effect.provide(mailstream(baseUrl))
        )
      )
      assert.deepStrictEqual(others, [])
      assert(span !== undefined)
      assert.strictEqual(span.name, "Contacts.list")
      assert.strictEqual(span.kind, "client")
      const { hostname, port } = new URL(baseUrl)
      assert.deepStrictEqual(Object.fromEntries(span.attributes), {
        "http.request.method": "GET",
        "http.response.status_code": 200,
        "server.address": hostname,
        "server.port": Number(port),
        "url.full": `${baseUrl}/contacts?limit=1&after=${id}`,
        "url.template": "/contacts",
        "mailstream.limit": 1,
        "mailstream.after": id,
        "mailstream.items": 1,
        "mailstream.has_more": true
      })
      assert.notInclude(JSON.stringify([...span.attributes]), "jane")
    }))

  it.scopedLive("describe a create and a failure", () =>
    Effect.gen(function*() {
      const created = yield* serve(json(201, { object: "topic", id }))
      const create = Effect.flatMap(Topics, (topics) => topics.create({ name: "Secret plans" }))
      const [span] = yield* spansOf(Effect.provide(create, mailstream(created.baseUrl)))
      assert(span !== undefined)
      assert.strictEqual(span.name, "Topics.create")
      assert.strictEqual(span.attributes.get("mailstream.id"), id)
      assert.notInclude(JSON.stringify([...span.attributes]), "Secret plans")

      const broken = yield* serve(text(500, ""))
      const [failed] = yield* spansOf(Effect.provide(create, mailstream(broken.baseUrl)))
      assert(failed?.status._tag === "Ended")
      assert.isTrue(Exit.isFailure(failed.status.exit))
      assert.strictEqual(failed.attributes.get("http.response.status_code"), 500)
      assert.strictEqual(failed.attributes.get("error.type"), "api_error")
    }))

  it.scopedLive("name the template of a path, not the owner in it", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serve(json(200, emptyList))
      const filter = { segment_id: SegmentId.make("a/b") }
      const [span] = yield* spansOf(
        Effect.flatMap(Contacts, (contacts) => contacts.list({ filter })).pipe(Effect.provide(mailstream(baseUrl)))
      )
      assert.strictEqual(span?.attributes.get("url.template"), "/segments/:segment_id/contacts")
      assert.strictEqual(span?.attributes.get("url.full"), `${baseUrl}/segments/a%2Fb/contacts`)
    }))

  it.scopedLive("count how often a create was sent before", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serve(json(429, { statusCode: 429, name: "rate_limit_exceeded", message: "Slowly." }))
      const spans = yield* spansOf(
        Effect.flatMap(Topics, (topics) => topics.create({ name: "News" }, { retry: Schedule.recurs(2) })).pipe(
          Effect.provide(mailstream(baseUrl, { rateLimit: false }))
        )
      )
      assert.deepStrictEqual(
        spans.map(({ attributes }) => [
          attributes.get("http.request.resend_count"),
          attributes.get("error.type"),
          attributes.get("http.response.status_code")
        ]),
        [undefined, 1, 2].map((count) => [count, "rate_limit_exceeded", 429])
      )
    }))

  it.effect("have an error type, and no status, without a response", () =>
    Effect.gen(function*() {
      const lost = Layer.succeed(Transport.Transport, {
        send: () => Effect.fail(Transport.Failure.Connect({ description: "no route" })),
        open: () => Effect.die("not opened")
      })
      const layer = mailstream("https://api.example.com/v1/", {}, lost)
      const [span] = yield* spansOf(Effect.provide(Effect.flatMap(Contacts, (contacts) => contacts.list()), layer))
      assert.deepStrictEqual(Object.fromEntries(span!.attributes), {
        "error.type": "TransportError",
        "http.request.method": "GET",
        "server.address": "api.example.com",
        "server.port": 443,
        "url.full": "https://api.example.com/v1/contacts",
        "url.template": "/contacts"
      })
    }))
})

describe("metrics", () => {
  const count = (outcome: string) =>
    Telemetry.requests.pipe(
      Metric.tagged("operation", "Contacts.list"),
      Metric.tagged("outcome", outcome),
      Metric.value,
      Effect.map(({ count }) => count)
    )

  it.scopedLive("count requests by outcome and measure their duration", () =>
    Effect.gen(function*() {
      const list = Effect.flatMap(Contacts, (contacts) => contacts.list()).pipe(Effect.option)
      const before = [yield* count("ok"), yield* count("service_unavailable")]
      const good = yield* serve(json(200, emptyList))
      const bad = yield* serve(json(503, { statusCode: 503, name: "service_unavailable", message: "Later." }))
      assert.isTrue(Option.isSome(yield* Effect.provide(list, mailstream(good.baseUrl))))
      assert.isTrue(Option.isSome(yield* Effect.provide(list, mailstream(good.baseUrl))))
      assert.isTrue(Option.isNone(yield* Effect.provide(list, mailstream(bad.baseUrl))))
      assert.deepStrictEqual([yield* count("ok"), yield* count("service_unavailable")], [
        before[0]! + 2,
        before[1]! + 1
      ])
      const timing = yield* Metric.value(Metric.tagged(Telemetry.seconds, "operation", "Contacts.list"))
      assert.isAtLeast(timing.count, 3)
      assert.isAbove(timing.sum, 0)
    }))
})
