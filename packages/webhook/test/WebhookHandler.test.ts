import { assert, describe, it } from "@effect/vitest"
import type { WebhookEvent } from "@mailstream/core"
import { eventually } from "@mailstream/testing/Eventually"
import * as Recorder from "@mailstream/testing/Recorder"
import { Deduplication } from "@mailstream/webhook"
import { Cause, Deferred, Effect, Fiber } from "effect"
import { doors, type Handle, type Open } from "./support/doors.ts"
import { body, event, other, secret, signed } from "./support/events.ts"

/** Handlers that do not succeed. */
const failures: Readonly<Record<string, Effect.Effect<unknown, unknown>>> = {
  "an error": Effect.fail("no"),
  "a defect": Effect.die("no"),
  "an interruption": Effect.interrupt,
  "an interruption from outside": Effect.withFiberRuntime((fiber) =>
    Effect.zipRight(Fiber.interruptFork(fiber), Effect.never)
  ),
  "a function that throws": Effect.suspend(() => {
    throw new Error("no")
  }),
  "a wait without an end": Effect.never
}

const answerOf = (response: Response) =>
  Effect.map(Effect.promise(() => response.text()), (text): { readonly name?: string } => JSON.parse(text))

const layer = Deduplication.layerMemory()

describe.each(doors)("%s", (_, open: Open) => {
  const setup = (handle: Handle, options = {}) =>
    Effect.gen(function*() {
      const send = yield* open(handle, { secret, ...options })
      return {
        send,
        deliver: (id: string) =>
          Effect.flatMap(signed(id), (headers) => Effect.map(send({ headers, body }), ({ status }) => status))
      }
    })

  it.scopedLive("hands over events, with the ids of their messages, and answers 200 when they were handled", () =>
    Effect.gen(function*() {
      const seen: Array<[WebhookEvent["_tag"], unknown, string]> = []
      const { deliver } = yield* setup((event, { id }) => Effect.sync(() => seen.push([event._tag, event.data, id])))
      assert.strictEqual(yield* deliver("msg_1"), 200)
      assert.deepStrictEqual(seen, [["email.delivered", event.data, "msg_1"]])
    }).pipe(Effect.provide(layer)))

  it.scopedLive("hands over a message once", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      const { deliver } = yield* setup((_, { id }) => Effect.sync(() => seen.push(id)))
      for (const id of ["a", "b", "a", "a", "b"]) assert.strictEqual(yield* deliver(id), 200)
      assert.deepStrictEqual(seen, ["a", "b"])
    }).pipe(Effect.provide(layer)))

  for (const [name, failure] of Object.entries(failures)) {
    it.scopedLive(`answers 5xx after ${name}, and hands the message over again`, () =>
      Effect.gen(function*() {
        let calls = 0
        const { deliver, send } = yield* setup(
          () => Effect.suspend(() => ++calls < 3 ? failure : Effect.void),
          { timeout: "50 millis" }
        )
        const response = yield* send({ headers: yield* signed("msg_1"), body })
        const answer = yield* answerOf(response)
        assert.deepStrictEqual(
          [response.status, answer.name],
          [name.startsWith("a wait") ? 503 : 500, "UnhandledEvent"]
        )
        assert.isAtLeast(yield* deliver("msg_1"), 500)
        assert.strictEqual(yield* deliver("msg_1"), 200)
        assert.strictEqual(yield* deliver("msg_1"), 200)
        assert.strictEqual(calls, 3)
      }).pipe(Effect.provide(layer)))
  }

  it.scopedLive("hands over a message once that is delivered twice at once, and gives both the outcome", () =>
    Effect.gen(function*() {
      for (const [outcome, first, second] of [[Effect.void, 200, 200], [Effect.fail("no"), 500, 503]] as const) {
        let calls = 0
        let begun = 0
        const called = yield* Deferred.make<void>()
        const gate = yield* Deferred.make<void>()
        const { deliver } = yield* setup(() =>
          Effect.suspend(() => {
            calls++
            return Deferred.succeed(called, undefined).pipe(
              Effect.zipRight(Deferred.await(gate)),
              Effect.zipRight(outcome)
            )
          })
        ).pipe(
          Effect.updateService(Deduplication.Deduplication, ({ once }) => ({
            once: (key, effect) => Effect.zipRight(Effect.sync(() => begun++), once(key, effect))
          }))
        )
        const one = yield* Effect.fork(deliver(`msg_${first}`))
        yield* Deferred.await(called)
        const two = yield* Effect.fork(deliver(`msg_${first}`))
        // Another message does not wait.
        const three = yield* Effect.fork(deliver(`another_${first}`))
        yield* eventually("two are handled, and the second one waits", () => calls === 2 && begun === 3)
        yield* Deferred.succeed(gate, undefined)
        assert.deepStrictEqual([yield* Fiber.join(one), yield* Fiber.join(two)], [first, second])
        yield* Fiber.join(three)
        assert.strictEqual(calls, 2)
      }
    }).pipe(Effect.provide(layer)))

  it.scopedLive("lets a handler finish that may, and the next delivery wait for it", () =>
    Effect.gen(function*() {
      let calls = 0
      const gate = yield* Deferred.make<void>()
      const { deliver } = yield* setup(() =>
        Effect.suspend(() => {
          calls++
          return Deferred.await(gate)
        }), { timeout: "50 millis", uninterruptible: true })
      assert.deepStrictEqual([yield* deliver("msg_1"), yield* deliver("msg_1")], [503, 503])
      yield* Deferred.succeed(gate, undefined)
      while ((yield* deliver("msg_1")) !== 200) yield* Effect.yieldNow()
      assert.strictEqual(calls, 1)
    }).pipe(Effect.provide(layer)))

  it.scopedLive("keeps two webhooks apart that the service gives the same message", () =>
    Effect.gen(function*() {
      const seen: Array<string> = []
      for (const each of [secret, other]) {
        const send = yield* open(() => Effect.sync(() => seen.push(each)), { secret: each })
        const headers = yield* signed("msg_1", { secret: each })
        assert.strictEqual((yield* send({ headers, body })).status, 200)
      }
      assert.deepStrictEqual(seen, [secret, other])
    }).pipe(Effect.provide(layer)))

  it.scopedLive("refuses what is not from the service, and says why", () =>
    Effect.gen(function*() {
      const { send } = yield* setup(() => Effect.dieMessage("handled"), { maxBodySize: 1000 })
      const headers = yield* signed("msg_1")
      const large = "x".repeat(1001)
      const requests: ReadonlyArray<readonly [status: number, name: string, init: RequestInit]> = [
        [405, "UnreadableRequest", { method: "GET" }],
        [405, "UnreadableRequest", { method: "PUT", headers, body }],
        [400, "MissingHeader", { body }],
        [400, "InvalidTimestamp", { headers: { ...headers, "svix-timestamp": "5" }, body }],
        [401, "InvalidSignature", { headers, body: `${body} ` }],
        [401, "InvalidSignature", { headers: yield* signed("msg_1", { secret: other }), body }],
        [400, "InvalidEvent", { headers: yield* signed("msg_1", { body: "x" }), body: "x" }],
        [413, "UnreadableRequest", { headers: yield* signed("msg_1", { body: large }), body: large }]
      ]
      for (const [status, name, init] of requests) {
        const response = yield* send(init)
        const answer = yield* answerOf(response)
        assert.deepStrictEqual([response.status, answer.name], [status, name])
        assert.strictEqual(response.headers.get("content-type"), "application/json")
        assert.strictEqual(response.headers.get("allow"), status === 405 ? "POST" : null)
      }
    }).pipe(Effect.provide(layer)))

  it.scopedLive("reads no more of a body than it may have, and no longer than it may take", () =>
    Effect.gen(function*() {
      const { send } = yield* setup(() => Effect.dieMessage("handled"), { maxBodySize: 1000, readTimeout: "50 millis" })
      const headers = yield* signed("msg_1")
      let sent = 0
      const endless = new ReadableStream({
        pull: (controller) => {
          sent += 500
          controller.enqueue(new Uint8Array(500))
        }
      }, { highWaterMark: 0 })
      assert.strictEqual((yield* send({ headers, body: endless, duplex: "half" })).status, 413)
      // What the connection itself buffers is not much.
      assert.isBelow(sent, 10_000_000)
      const silent = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(5)) })
      assert.strictEqual((yield* send({ headers, body: silent, duplex: "half" })).status, 408)
    }).pipe(Effect.provide(layer)))

  it.scopedLive("refuses options that are invalid before it receives anything", () =>
    Effect.gen(function*() {
      for (
        const options of [
          { secret: "" },
          { tolerance: 0 },
          { maxBodySize: 0 },
          { readTimeout: "Infinity" },
          { timeout: -1 }
        ]
      ) {
        const error = yield* Effect.flip(open(() => Effect.void, { secret, ...options } as never))
        assert.deepStrictEqual([error._tag, error.option], ["InvalidOption", Object.keys(options)[0]])
      }
    }).pipe(Effect.provide(layer)))

  it.scopedLive("tells the log, and not the service, why a message was not handled, and no secret to either", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      yield* Effect.gen(function*() {
        const { send } = yield* setup(() => Effect.fail(new Cause.RuntimeException("the table is locked")))
        const response = yield* send({ headers: yield* signed("msg_1"), body })
        assert.notInclude(yield* Effect.promise(() => response.text()), "locked")
      }).pipe(Effect.provide(Recorder.layerText((line) => lines.push(line))))
      const seen = lines.join("\n")
      assert.include(seen, "the table is locked")
      assert.include(seen, "msg_1")
      for (const hidden of [secret.slice(6), "ada@example.com"]) assert.notInclude(seen, hidden)
    }).pipe(Effect.provide(layer)))
})
