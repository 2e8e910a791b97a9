import { Effect, Fiber, Layer, Metric, References, Schedule } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { ContactId, SegmentId } from "../../src/core/index.ts"
import { Contacts, Topics } from "../../src/http/Services.ts"
import * as Telemetry from "../../src/http/Telemetry.ts"
import { Failure, Transport } from "../../src/http/Transport.ts"
import {
  contact,
  contactId,
  emptyList,
  eventually,
  json,
  mailstream,
  scoped,
  serve,
  shown,
  spansOf,
  timed
} from "./support.ts"

const list = Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 1, after: ContactId.make(contactId) }))

const create = Effect.flatMap(Topics, (topics) => topics.create({ name: "Secret plans" }))

describe("spans", () => {
  scoped("are below those of the caller, with counts and ids, and without personal data", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serve(json(200, { ...emptyList, has_more: true, data: [contact] }))
      const spans = yield* spansOf(list.pipe(Effect.withSpan("mine"), Effect.provide(mailstream(baseUrl))))
      const { hostname, port } = new URL(baseUrl)
      assert.deepStrictEqual(spans.map(shown)[1], {
        name: "Contacts.list",
        kind: "client",
        parent: "mine",
        ended: "success",
        attributes: {
          "http.request.method": "GET",
          "http.response.status_code": 200,
          "server.address": hostname,
          "server.port": Number(port),
          "url.full": `${baseUrl}/contacts?limit=1&after=${contactId}`,
          "url.template": "/contacts",
          "mailstream.limit": 1,
          "mailstream.after": contactId,
          "mailstream.items": 1,
          "mailstream.has_more": true
        }
      })
      const [, span] = spans
      assert.notInclude(JSON.stringify([...span!.attributes, span!.status.toString()]), "jane")
      assert(span!.status._tag === "Ended" && span!.status.exit._tag === "Success")
      assert.isUndefined(span!.status.exit.value)
    }))

  scoped("describe a create and a failure", () =>
    Effect.gen(function*() {
      const created = yield* serve(json(201, { object: "topic", id: contactId }))
      const [span] = yield* spansOf(Effect.provide(create, mailstream(created.baseUrl)))
      assert.deepInclude(shown(span!), { name: "Topics.create", ended: "success" })
      assert.strictEqual(span!.attributes.get("mailstream.id"), contactId)
      assert.notInclude(JSON.stringify([...span!.attributes]), "Secret plans")

      const broken = yield* serve(json(500, ""))
      const [failed] = yield* spansOf(Effect.provide(create, mailstream(broken.baseUrl)))
      assert.strictEqual(shown(failed!).ended, "failure")
      assert.strictEqual(failed!.attributes.get("http.response.status_code"), 500)
      assert.strictEqual(failed!.attributes.get("error.type"), "api_error")
    }))

  scoped("name the template of a path, not the owner in it", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serve(json(200, emptyList))
      const filter = { segment_id: SegmentId.make("a/b") }
      const [span] = yield* spansOf(
        Effect.flatMap(Contacts, (contacts) => contacts.list({ filter })).pipe(Effect.provide(mailstream(baseUrl)))
      )
      assert.strictEqual(span?.attributes.get("url.template"), "/segments/:segment_id/contacts")
      assert.strictEqual(span?.attributes.get("url.full"), `${baseUrl}/segments/a%2Fb/contacts`)
    }))

  scoped("count how often a create was sent before", () =>
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

  it("are not made if tracing is disabled", () =>
    Effect.gen(function*() {
      const transport = Layer.succeed(Transport, {
        send: () => Effect.succeed({ status: 200, headers: {}, body: JSON.stringify(emptyList) }),
        open: () => Effect.die("unused")
      })
      const spans = yield* spansOf(
        list.pipe(
          Effect.provide(mailstream("https://api.example.com", {}, transport)),
          Effect.provideService(References.TracerEnabled, false)
        )
      )
      assert.deepStrictEqual(spans, [])
    }).pipe(Effect.runPromise))

  scoped("end if the call is interrupted, and with a defect of the transport", () =>
    Effect.gen(function*() {
      const { baseUrl, received } = yield* serve(() => {})
      const fiber = yield* Effect.forkChild(
        Effect.flatMap(Effect.forkChild(Effect.provide(list, mailstream(baseUrl))), (call) =>
          Effect.andThen(eventually(() => received.length === 1), Fiber.interrupt(call))).pipe(spansOf)
      )
      const [span] = yield* Fiber.join(fiber)
      assert.strictEqual(span?.attributes.get("error.type"), "interrupted")
      assert.strictEqual(shown(span!).ended, "failure")
      const dies = Layer.succeed(Transport, {
        send: () =>
          Effect.die("broken"),
        open: () => Effect.die("unused")
      })
      const [died] = yield* spansOf(Effect.provide(list, mailstream("https://api.example.com", {}, dies)))
      assert.strictEqual(died?.attributes.get("error.type"), "defect")
      assert.strictEqual(shown(died!).ended, "failure")
    }))
})

describe("metrics", () => {
  const countOf = (operation: string, outcome: string) =>
    Effect.map(
      Metric.value(Metric.withAttributes(Telemetry.requests, { operation, outcome })),
      ({ count }) => count
    )

  timed("count requests by outcome, and measure how long they take", () =>
    Effect.gen(function*() {
      let isLost = false
      const transport = Layer.succeed(Transport, {
        send: () =>
          Effect.delay(
            Effect.suspend(() =>
              isLost
                ? Effect.fail(Failure.Lost({ description: "reset" }))
                : Effect.succeed({ status: 200, headers: {}, body: JSON.stringify(emptyList) })
            ),
            "3 seconds"
          ),
        open: () => Effect.die("unused")
      })
      const call = Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(
          Effect.provide(Effect.exit(list), mailstream("https://api.example.com", {}, transport))
        )
        yield* TestClock.adjust("3 seconds")
        yield* Fiber.join(fiber)
      })
      yield* call
      yield* call
      isLost = true
      yield* call
      assert.strictEqual(yield* countOf("Contacts.list", "ok"), 2)
      assert.strictEqual(yield* countOf("Contacts.list", "TransportError"), 1)
      const { count, sum } = yield* Metric.value(
        Metric.withAttributes(Telemetry.seconds, { operation: "Contacts.list" })
      )
      assert.deepStrictEqual([count, sum], [3, 9])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())))
})
