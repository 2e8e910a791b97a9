import { assert, describe, it } from "@effect/vitest"
import { Server } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { Store } from "@mailstream/server/Store"
import { DateTime, Effect, Either, FastCheck as fc, Layer, TestClock } from "effect"
import * as Moment from "../src/app/lives/Moment.ts"
import * as Http from "./support/http.ts"

const now = Date.UTC(2026, 0, 10)

const post = (path: string, body: unknown = {}) =>
  Effect.map(Http.post(path, body), ({ status, text }) => {
    assert.include([200, 201], status, text)
    return JSON.parse(text)
  })

const newest = (path: string) =>
  Effect.map(Http.page(`${path}?limit=1`), ({ data }) => data[0] as unknown as Readonly<Record<string, unknown>>)

const on = <A, E>(effect: Effect.Effect<A, E, Server.TestServer>) =>
  TestClock.setTime(now).pipe(
    Effect.zipRight(effect),
    Effect.provide(Server.layerTest({ store: Layer.provideMerge(SampleData.layer({ emails: 30 }), Store.layerMemory) }))
  )

describe("what time does to objects", () => {
  it.scoped("sends a broadcast that is queued after five seconds, also if nobody but its list is looked at", () =>
    on(Effect.gen(function*() {
      const { id: segment_id } = yield* post("/segments", { name: "Beta" })
      yield* post("/broadcasts", { segment_id, from: "a@example.com", subject: "Hi", text: "Hi", send: true })
      assert.include(yield* newest("/broadcasts"), { status: "queued", sent_at: null })
      yield* TestClock.adjust("4999 millis")
      assert.strictEqual((yield* newest("/broadcasts"))["status"], "queued")
      yield* TestClock.adjust("1 millis")
      assert.include(yield* newest("/broadcasts"), { status: "sent", sent_at: "2026-01-10 00:00:05+00" })
    })))

  it.scoped("sends a broadcast that is scheduled when its time has come", () =>
    on(Effect.gen(function*() {
      const { id: segment_id } = yield* post("/segments", { name: "Beta" })
      const { id } = yield* post("/broadcasts", { segment_id, from: "a@example.com", subject: "Hi", text: "Hi" })
      yield* post(`/broadcasts/${id}/send`, { scheduled_at: "in 1 hour" })
      yield* TestClock.adjust("59 minutes")
      assert.include(yield* newest("/broadcasts"), { status: "scheduled", scheduled_at: "2026-01-10 01:00:00+00" })
      yield* TestClock.adjust("2 hours")
      assert.include(yield* newest("/broadcasts"), { status: "sent", sent_at: "2026-01-10 01:00:00+00" })
    })))

  it.scoped("verifies a domain that is pending after five seconds", () =>
    on(Effect.gen(function*() {
      const { id } = yield* post("/domains", { name: "example.com" })
      yield* post(`/domains/${id}/verify`)
      assert.strictEqual((yield* newest("/domains"))["status"], "pending")
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* newest("/domains"))["status"], "verified")
    })))

  it.scoped("delivers an email that was rescheduled, and leaves the others of the sample data alone", () =>
    on(Effect.gen(function*() {
      const scheduled = Effect.map(
        Http.page("/emails?limit=100"),
        ({ data }) =>
          data.filter((email) => "last_event" in email && email.last_event === "scheduled").map(({ id }) => id)
      )
      const [first, ...rest] = yield* scheduled
      const path = `/emails/${first}`
      const { status } = yield* Http.send(path, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ scheduled_at: "in 1 min" })
      })
      assert.strictEqual(status, 200)
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(yield* scheduled, [first, ...rest])
      yield* TestClock.adjust("1 seconds")
      assert.deepStrictEqual(yield* scheduled, rest)
    })))
})

describe("a `scheduled_at`", () => {
  const time = fc.date({ min: new Date(now - 1e9), max: new Date(now + 30 * 86_400_000), noInvalidDate: true })

  it.prop("is read in every form that the API writes or accepts", [time], ([time]) => {
    const iso = time.toISOString()
    for (const text of [iso, Moment.format(time.getTime()), iso.replace("Z", ""), iso.replace("Z", "+00:00")]) {
      assert.deepStrictEqual(Moment.parse(text, now), Either.right(time.getTime()), text)
    }
  })

  it.prop("can be relative", [fc.nat(59), fc.constantFrom("sec", "min", "hour")], ([count, unit]) => {
    const millis = { sec: 1000, min: 60_000, hour: 3_600_000 }[unit]!
    for (const text of [`in ${count} ${unit}`, `in ${count} ${unit}s`, `IN ${count}${unit.charAt(0)}`]) {
      assert.deepStrictEqual(Moment.parse(text, now), Either.right(now + count * millis), text)
    }
  })

  it("is refused if it is something else, or too far ahead", () => {
    for (const text of ["", "soon", "in 5", "in -1 min", "2026-13-01", "2026-01-10T25:00Z", "1", 5, null, undefined]) {
      assert.isTrue(Either.isLeft(Moment.parse(text, now)), String(text))
    }
    const late = DateTime.formatIso(DateTime.unsafeMake(now + 30 * 86_400_000 + 1))
    assert.deepStrictEqual(
      Either.mapLeft(Moment.parse(late, now), ({ message }) => message),
      Either.left("The `scheduled_at` field must be at most 30 days ahead.")
    )
  })
})
