import { assert, describe, it } from "@effect/vitest"
import { ContactId } from "@mailstream/core"
import { Contacts, Telemetry, Topics } from "@mailstream/http"
import { spansOf } from "@mailstream/testing/Spans"
import { Effect, Exit, Metric, Option } from "effect"
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
      assert.deepInclude(Object.fromEntries(span.attributes), {
        "http.request.method": "GET",
        "url.path": "/contacts",
        limit: 1,
        after: id,
        items: 1,
        has_more: true
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
      assert.strictEqual(span.attributes.get("topic_id"), id)
      assert.notInclude(JSON.stringify([...span.attributes]), "Secret plans")

      const broken = yield* serve(text(500, ""))
      const [failed] = yield* spansOf(Effect.provide(create, mailstream(broken.baseUrl)))
      assert(failed?.status._tag === "Ended")
      assert.isTrue(Exit.isFailure(failed.status.exit))
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
