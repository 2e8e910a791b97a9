import { assert, describe, it } from "@effect/vitest"
import { ContactId } from "@mailstream/core"
import { Contacts, Telemetry, Topics } from "@mailstream/http"
import { Context, Effect, Exit, Metric, Option, Tracer } from "effect"
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

/** The spans that end while an effect runs, with their attributes. */
const spansOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const spans: Array<Tracer.Span> = []
    const tracer = yield* Effect.tracer
    yield* Effect.withTracer(
      Effect.exit(effect),
      Tracer.make({
        context: (f, fiber) => tracer.context(f, fiber),
        span(...args) {
          const span = tracer.span(...args)
          spans.push(span)
          return span
        }
      })
    )
    return spans
  })

describe("spans", () => {
  it.scopedLive("one for each call, with counts and ids", () =>
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

  it.scopedLive("a create, and a failure", () =>
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

describe("spans are made as Effect makes them", () => {
  const name = "made"
  const attributes = { a: 1, b: "two" }
  const setting = (change: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) =>
    Effect.gen(function*() {
      const seen = (put: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) =>
        Effect.gen(function*() {
          const inside: Array<string> = []
          const inner = Effect.currentParentSpan.pipe(
            Effect.map((span) => void inside.push(span._tag === "Span" ? span.name : span.spanId)),
            Effect.ignore
          )
          const spans = yield* spansOf(change(put(inner)))
          const one = spans.find((span) => span.name === name)
          return one === undefined ? { inside } : {
            inside,
            attributes: Object.fromEntries(one.attributes),
            links: one.links.map(({ attributes, span }) => [span.spanId, attributes]),
            parent: Option.map(one.parent, (parent) => parent._tag === "Span" ? parent.name : parent.spanId),
            kind: one.kind,
            status: one.status._tag,
            timed: one.status.startTime > 0n
          }
        })
      assert.deepStrictEqual(
        yield* seen(Telemetry.withSpan(name, { attributes })),
        yield* seen((effect) =>
          // The requirements of what is inside are not known here, and stay as they are.
          Effect.withSpan(effect, name, { attributes, captureStackTrace: false }) as typeof effect
        )
      )
    })

  const elsewhere = Tracer.externalSpan({ spanId: "0123456789abcdef", traceId: "0123456789abcdef0123456789abcdef" })

  it.live("by themselves", () => setting((effect) => effect))
  it.live("below others", () => setting((effect) => Effect.withSpan(effect, "outer") as typeof effect))
  it.live("below one of another process", () =>
    setting((effect) => Effect.withParentSpan(effect, elsewhere) as typeof effect))
  it.live("below one that is not to be seen", () =>
    setting((effect) =>
      Effect.withSpan(
        Effect.withSpan(effect, "hidden", { context: Context.make(Tracer.DisablePropagation, true) }),
        "outer"
      ) as typeof effect
    ))
  it.live("with annotations and links", () =>
    setting((effect) => Effect.annotateSpans(Effect.linkSpans(effect, elsewhere, { c: 3 }), { b: "other", d: 4 })))
  it.live("without times", () => setting(Effect.withTracerTiming(false)))
  it.live("where tracing is off", () => setting(Effect.withTracerEnabled(false)))
})

describe("metrics", () => {
  const count = (outcome: string) =>
    Telemetry.requests.pipe(
      Metric.tagged("operation", "Contacts.list"),
      Metric.tagged("outcome", outcome),
      Metric.value,
      Effect.map(({ count }) => count)
    )

  it.scopedLive("count the requests by what became of them, and how long they took", () =>
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
