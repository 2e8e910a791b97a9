import * as Api3 from "@mailstream/core/ApiError"
import * as Errors3 from "@mailstream/core/RequestError"
import { Emails as Emails3 } from "@mailstream/http"
import * as Sending3 from "@mailstream/stream/Sending"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Effect as Effect3, FastCheck as fc, Layer as Layer3, Stream as Stream3 } from "effect3"
import { assert, describe, it } from "vitest"
import * as Api4 from "../../src/core/ApiError.ts"
import type { SendEmail } from "../../src/core/index.ts"
import * as Errors4 from "../../src/core/RequestError.ts"
import { Emails } from "../../src/http/Services.ts"
import * as Sending from "../../src/stream/Sending.ts"
import { plain } from "../core/support.ts"
import { run3, run4 } from "./support.ts"

/** The slow tests try more. */
const numRuns = process.env["MAILSTREAM_SLOW_TESTS"] === "1" ? 2000 : 100

const email = (subject: string): SendEmail => ({
  from: subject.startsWith("invalid") ? "nobody" : "a@example.com",
  to: "b@example.com",
  subject,
  text: "Hello",
  ...(subject.startsWith("file") ? { attachments: [{ filename: "x", content: "AAAA" }] } : {})
})

type Refusal = "validation_error" | "not_found" | "daily_quota_exceeded" | "Lost" | undefined

/** What the service does with some emails: their ids, which of them it rejects, or why it fails. */
const answer = (subjects: ReadonlyArray<string>, refusal: Refusal) =>
  refusal === "Lost" || refusal === "daily_quota_exceeded"
    ? { fails: refusal }
    : refusal !== undefined && subjects.some((subject) => subject.startsWith("poison"))
    ? { fails: refusal }
    : { ids: subjects.map((subject) => subject.startsWith("bad") ? undefined : `id-${subject}`) }

const request = { method: "POST", url: "https://example.com/emails" }

/** A service that records its calls, for either version of Effect. */
class Model {
  readonly calls: Array<unknown> = []
  readonly #refusals: ReadonlyArray<Refusal>
  constructor(refusals: ReadonlyArray<Refusal>) {
    this.#refusals = refusals
  }
  call(emails: ReadonlyArray<{ readonly subject?: string | undefined }>, key: unknown) {
    const subjects = emails.map(({ subject = "" }) => subject)
    const refusal = this.#refusals[this.calls.length]
    this.calls.push({ subjects, key })
    return answer(subjects, refusal)
  }
}

const layer3 = (model: Model) => {
  const failed = (name: string) =>
    Effect3.fail(
      name === "Lost"
        ? new Errors3.TransportError({ ...request, reason: "Lost", description: "broke" })
        : Api3.make(name, { ...request, statusCode: 422, message: "No." })
    )
  return Layer3.succeed(Emails3, {
    send: (email: SendEmail, options: { readonly idempotencyKey?: string } = {}) =>
      Effect3.suspend(() => {
        const { fails, ids } = model.call([email], options.idempotencyKey)
        return fails === undefined
          ? ids![0] === undefined ? failed("validation_error") : Effect3.succeed({ id: ids![0] })
          : failed(fails)
      }),
    sendBatch: (emails: ReadonlyArray<SendEmail>, options: { readonly idempotencyKey?: string } = {}) =>
      Effect3.suspend(() => {
        const { fails, ids } = model.call(emails, options.idempotencyKey)
        return fails === undefined
          ? Effect3.succeed(
            ids!.map((id) =>
              id === undefined
                ? { _tag: "Rejected", error: Api3.ValidationError.because("No.") }
                : { _tag: "Accepted", id }
            )
          )
          : failed(fails)
      })
  } as never)
}

const layer4 = (model: Model) => {
  const failed = (name: string) =>
    Effect.fail(
      name === "Lost"
        ? new Errors4.TransportError({ ...request, reason: "Lost", description: "broke" })
        : Api4.make(name, { ...request, statusCode: 422, message: "No." })
    )
  return Layer.succeed(Emails, {
    send: (email: SendEmail, options: { readonly idempotencyKey?: string } = {}) =>
      Effect.suspend(() => {
        const { fails, ids } = model.call([email], options.idempotencyKey)
        return fails === undefined
          ? ids![0] === undefined ? failed("validation_error") : Effect.succeed({ id: ids![0] })
          : failed(fails)
      }),
    sendBatch: (emails: ReadonlyArray<SendEmail>, options: { readonly idempotencyKey?: string } = {}) =>
      Effect.suspend(() => {
        const { fails, ids } = model.call(emails, options.idempotencyKey)
        return fails === undefined
          ? Effect.succeed(
            ids!.map((id) =>
              id === undefined
                ? { _tag: "Rejected", error: Api4.ValidationError.because("No.") }
                : { _tag: "Accepted", id }
            )
          )
          : failed(fails)
      })
  } as never)
}

const scenario = fc.record({
  inputs: fc.array(
    fc.tuple(fc.constantFrom("ok", "ok", "ok", "bad", "poison", "invalid", "file"), fc.nat(99)).map(([kind, n]) =>
      `${kind}${n}`
    ),
    { maxLength: 40 }
  ),
  refusals: fc.array(
    fc.constantFrom<Refusal>(
      undefined,
      undefined,
      undefined,
      "validation_error",
      "not_found",
      "daily_quota_exceeded",
      "Lost"
    ),
    { maxLength: 12 }
  ),
  batchSize: fc.integer({ min: 1, max: 12 }),
  piece: fc.integer({ min: 1, max: 15 }),
  fails: fc.boolean(),
  keyed: fc.boolean()
})

describe("the lines for Effect 3 and Effect 4 agree about", () => {
  it("emails that are sent, and the result of each", () =>
    fc.assert(
      fc.asyncProperty(scenario, async ({ batchSize, fails, inputs, keyed, piece, refusals }) => {
        const options = {
          email,
          batchSize,
          concurrency: 1,
          ...(keyed ? { idempotencyKey: ([first]: ReadonlyArray<string>, index: number) => `${first}/${index}` } : {})
        }
        const [model3, model4] = [new Model(refusals), new Model(refusals)]
        const [sent3, sent4]: [Array<unknown>, Array<unknown>] = [[], []]
        const source3 = Stream3.rechunk(Stream3.fromIterable(inputs), piece)
        const end3 = await run3(
          (fails ? Stream3.concat(source3, Stream3.fail("source")) : source3).pipe(
            Sending3.sendEach(options as never),
            Stream3.runForEach((sent) => Effect3.sync(() => sent3.push(plain(sent)))),
            Effect3.provide(layer3(model3))
          ) as Effect3.Effect<unknown, unknown>
        )
        const source4 = Stream.rechunk(Stream.fromIterable(inputs), piece)
        const end4 = await run4(
          (fails ? Stream.concat(source4, Stream.fail("source")) : source4).pipe(
            Sending.sendEach(options as never),
            Stream.runForEach((sent) => Effect.sync(() => sent4.push(plain(sent)))),
            Effect.provide(layer4(model4))
          ) as Effect.Effect<unknown, unknown>
        )
        assert.deepStrictEqual(sent4, sent3)
        assert.deepStrictEqual(end4, end3)
        assert.deepStrictEqual(model4.calls, model3.calls)
      }),
      { numRuns }
    ), 600_000)
})

describe("Sending.sendEach", () => {
  const timed = (name: string, test: () => Effect.Effect<unknown, unknown>): void =>
    it(name, () => Effect.runPromise(Effect.provide(Effect.asVoid(test()), TestClock.layer())))

  timed("sends what has arrived after a second, by the test's clock", () =>
    Effect.gen(function*() {
      const model = new Model([])
      const never = Stream.concat(Stream.make("one", "two"), Stream.never)
      const sending = yield* Effect.forkChild(
        never.pipe(Sending.sendEach({ email }), Stream.take(2), Stream.runCollect, Effect.provide(layer4(model)))
      )
      // Until the emails have arrived, and wait for others.
      yield* Effect.repeat(Effect.yieldNow, { times: 100 })
      yield* TestClock.adjust("999 millis")
      assert.deepStrictEqual(model.calls, [])
      yield* TestClock.adjust("1 millis")
      assert.strictEqual((yield* Fiber.join(sending)).length, 2)
    }))

  timed("ends with the failure of a request while the source is idle", () =>
    Effect.gen(function*() {
      const model = new Model(["Lost"])
      const error = yield* Stream.concat(Stream.make("one", "two"), Stream.never).pipe(
        Sending.sendEach({ email, batchSize: 2 }),
        Stream.runDrain,
        Effect.flip,
        Effect.provide(layer4(model))
      )
      assert(error._tag === "SendingFailed")
      assert.strictEqual(error.outcome, "unknown")
      assert.deepStrictEqual(error.failures.map(({ inputs }) => inputs), [["one", "two"]])
    }))

  timed("completes requests in flight when another one fails, and emits their results", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const emails = {
        sendBatch: ([{ subject }]: readonly [{ readonly subject: string }]) =>
          subject === "two"
            ? Effect.andThen(
              Deferred.succeed(gate, undefined),
              Effect.fail(new Errors4.TransportError({ ...request, reason: "Lost", description: "broke" }))
            )
            : Effect.as(Deferred.await(gate), [{ _tag: "Accepted", id: `id-${subject}` }])
      }
      const seen: Array<string> = []
      const error = yield* Stream.make("one", "two", "three", "four").pipe(
        Sending.sendEach({ email, batchSize: 1, concurrency: 2 }),
        Stream.runForEach(({ input }) => Effect.sync(() => seen.push(input))),
        Effect.flip,
        Effect.provide(Layer.succeed(Emails, emails as never))
      )
      assert.strictEqual(error._tag, "SendingFailed")
      assert.deepStrictEqual(seen, ["one"])
    }))
})
