import { assert, describe, it } from "@effect/vitest"
import type { BatchEmail, SendEmail } from "@mailstream/core"
import { Attachment, Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Sending } from "@mailstream/stream"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import {
  Cause,
  Chunk,
  Deferred,
  Effect,
  Exit,
  FastCheck as fc,
  Fiber,
  Layer,
  Redacted,
  Ref,
  Schedule,
  Stream,
  TestClock,
  TestServices
} from "effect"
import type { ServerResponse } from "node:http"

interface Received {
  readonly path: string
  readonly key: string
  readonly validation: string | undefined
  readonly emails: ReadonlyArray<SendEmail>
}

type Respond = (received: Received, response: ServerResponse, index: number) => void

/** Accepts all but those with a subject that begins with "bad", as the service does. */
const accept: Respond = ({ emails, path }, response) => {
  const isBad = ({ subject = "" }: SendEmail) => subject.startsWith("bad")
  const ids = emails.filter((email) => !isBad(email)).map(({ subject }) => ({ id: `id-${subject}` }))
  if (path === "/emails") {
    return ids[0] === undefined
      ? sendJson(response, 422, { name: "validation_error", statusCode: 422, message: "No." })
      : sendJson(response, 200, ids[0])
  }
  sendJson(response, 200, {
    data: ids,
    errors: emails.flatMap((email, index) => isBad(email) ? [{ index, message: "No." }] : [])
  })
}

const refuse = (statusCode: number, name: string): Respond => (_, response) =>
  sendJson(response, statusCode, { name, statusCode, message: "No." })

const lost: Respond = (_, response) => void response.destroy()
const silent: Respond = () => undefined

const service = (respond: Respond) =>
  Effect.gen(function*() {
    const received: Array<Received> = []
    let aborted = 0
    const baseUrl = yield* serve((request, response) => {
      const chunks: Array<Buffer> = []
      response.on("close", () => response.writableFinished || aborted++)
      request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => {
        const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
        const { headers, url = "" } = request
        received.push({
          path: url,
          key: `${headers["idempotency-key"]}`,
          validation: headers["x-batch-validation"]?.toString(),
          emails: (Array.isArray(body) ? body : [body]) as ReadonlyArray<SendEmail>
        })
        respond(received.at(-1)!, response, received.length - 1)
      })
    })
    const layer = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1"), rateLimit: false }).pipe(
      Layer.provide(UndiciTransport.layer)
    )
    return { received, layer, aborted: () => aborted, sizes: () => received.map(({ emails }) => emails.length) }
  })

const emailOf = (subject: string | number): BatchEmail => ({
  from: "a@example.com",
  to: "b@example.com",
  subject: `${subject}`,
  text: "Hello"
})
const withFile = (subject: string): SendEmail => ({
  ...emailOf(subject),
  attachments: [Attachment.fromBytes(new Uint8Array(3), { filename: "x" })]
})
const quickly = { retry: Schedule.stop, within: "20 millis" } as const
const shown = ({ input, result }: Sending.Sent<unknown>) =>
  `${input}: ${result._tag === "Accepted" ? result.id : result.error.message}`

describe("Sending.sendEach", () => {
  it.scopedLive("sends batches, and emits each result beside its input", () =>
    Effect.gen(function*() {
      const { layer, received, sizes } = yield* service(accept)
      const results = yield* Stream.range(1, 250).pipe(
        Sending.sendEach({ email: emailOf, ...quickly }),
        Stream.runCollect,
        Effect.provide(layer)
      )
      assert.deepStrictEqual([...results].map(shown), Array.from({ length: 250 }, (_, n) => `${n + 1}: id-${n + 1}`))
      assert.deepStrictEqual(sizes().sort(), [100, 100, 50])
      assert.isTrue(received.every(({ path, validation }) => path === "/emails/batch" && validation === "permissive"))
      assert.strictEqual(new Set(received.map(({ key }) => key)).size, 3)
    }))

  it.scopedLive("has one result per input, in order, whatever is rejected by whom", () =>
    Effect.gen(function*() {
      const { layer, received } = yield* service(accept)
      const kind = fc.constantFrom("ok", "bad", "invalid", "file", "badfile")
      const runs = fc.sample(
        fc.record({
          inputs: fc.array(fc.tuple(kind, fc.nat(99)), { maxLength: 40 }),
          batchSize: fc.integer({ min: 1, max: 12 }),
          concurrency: fc.integer({ min: 1, max: 4 }),
          chunk: fc.integer({ min: 1, max: 15 })
        }),
        { numRuns: 60 }
      )
      for (const { batchSize, chunk, concurrency, inputs } of runs) {
        received.length = 0
        const results = yield* Stream.fromIterable(inputs).pipe(
          Stream.rechunk(chunk),
          Sending.sendEach({
            ...quickly,
            batchSize,
            concurrency,
            email: ([kind, n]) =>
              /file/.test(kind)
                ? withFile(`${kind}-${n}`)
                : { ...emailOf(`${kind}-${n}`), ...(kind === "invalid" ? { to: "nobody" } : {}) }
          }),
          Stream.runCollect,
          Effect.provide(layer)
        )
        assert.deepStrictEqual([...results].map(({ input }) => input), inputs)
        for (const { input: [kind, n], result } of results) {
          if (result._tag === "Accepted") assert.strictEqual(`${result.id}`, `id-${kind}-${n}`)
          else assert.match(kind, /bad|invalid/)
          if (kind === "ok" || kind === "file") assert.strictEqual(result._tag, "Accepted")
        }
        for (const { emails, path } of received) {
          assert.isAtMost(emails.length, batchSize)
          if (emails.some(({ attachments }) => attachments !== undefined)) assert.strictEqual(path, "/emails")
        }
        const sent = received.flatMap(({ emails }) => emails).length
        assert.strictEqual(sent, inputs.filter(([kind]) => kind !== "invalid").length)
      }
    }), 60_000)

  it.scopedLive("takes emails as they are", () =>
    Effect.gen(function*() {
      const { layer, sizes } = yield* service(accept)
      const results = yield* Stream.make(emailOf("1"), withFile("2"), emailOf("3")).pipe(
        Sending.sendEach(quickly),
        Stream.runCollect,
        Effect.provide(layer)
      )
      assert.deepStrictEqual([...results].map(({ result }) => result._tag), ["Accepted", "Accepted", "Accepted"])
      assert.deepStrictEqual(sizes(), [1, 1, 1])
    }))

  it.scopedLive.each([["lost", lost], ["a failure", refuse(500, "application_error")]] as const)(
    "fails while its source is idle, if a response is %s",
    ([_, respond]) =>
      Effect.gen(function*() {
        const { layer } = yield* service((request, response, index) =>
          index === 0 ? accept(request, response, index) : respond(request, response, index)
        )
        const seen = yield* Ref.make<ReadonlyArray<string>>([])
        const error = yield* Stream.concat(Stream.make("1", "2", "3"), Stream.never).pipe(
          Sending.sendEach({ email: emailOf, ...quickly, batchSize: 2, concurrency: 1 }),
          Stream.runForEach((sent) => Ref.update(seen, (all) => [...all, shown(sent)])),
          Effect.flip,
          Effect.provide(layer),
          Effect.timeout("5 seconds")
        )
        assert.deepStrictEqual(yield* seen, ["1: id-1", "2: id-2"])
        assert(error._tag === "SendingFailed")
        assert.deepStrictEqual(error.failures.map(({ inputs }) => inputs), [["3"]])
        assert.strictEqual(error.outcome, "unknown")
        assert.strictEqual(error.error.idempotencyKey, error.idempotencyKey)
        assert.match(error.message, /^1 email could not be sent: POST http.*whether it was processed is unknown/)
      })
  )

  it.scopedLive("completes the requests in flight when one fails, and sends nothing more", () =>
    Effect.gen(function*() {
      const held: Array<() => void> = []
      const { layer, received } = yield* service((request, response, index) => {
        if (request.emails[0]?.subject !== "2") return void held.push(() => accept(request, response, index))
        lost(request, response, index)
        // The others respond only after the failure.
        setTimeout(() => held.forEach((respond) => respond()), 100)
      })
      const seen = yield* Ref.make<ReadonlyArray<string>>([])
      const error = yield* Stream.range(1, 100).pipe(
        Sending.sendEach({ email: emailOf, ...quickly, batchSize: 1, concurrency: 3 }),
        Stream.runForEach((sent) => Ref.update(seen, (all) => [...all, shown(sent)])),
        Effect.flip,
        Effect.provide(layer)
      )
      assert(error._tag === "SendingFailed")
      assert.deepStrictEqual(error.failures.map(({ inputs }) => inputs), [[2]])
      assert.deepStrictEqual(yield* seen, ["1: id-1", "3: id-3"])
      assert.strictEqual(received.length, 3)
    }))

  it.scopedLive("fails for what concerns all emails, and says that they were not sent", () =>
    Effect.gen(function*() {
      for (
        const [status, name] of [[401, "missing_api_key"], [429, "daily_quota_exceeded"], [404, "not_found"]] as const
      ) {
        const { layer, received } = yield* service(refuse(status, name))
        const error = yield* Stream.range(1, 5).pipe(
          Sending.sendEach({ email: emailOf, ...quickly }),
          Stream.runDrain,
          Effect.flip,
          Effect.provide(layer)
        )
        assert(error._tag === "SendingFailed")
        assert.strictEqual(error.error._tag, name)
        assert.strictEqual(error.outcome, "not_processed")
        assert.deepStrictEqual(error.failures[0].inputs, [1, 2, 3, 4, 5])
        assert.strictEqual(received.length, 1)
      }
    }))

  it.scopedLive("finds the email to blame, if the service refuses a complete batch", () =>
    Effect.gen(function*() {
      const { layer, received } = yield* service((request, response, index) =>
        request.emails.some(({ template }) => template?.id === "unknown")
          ? refuse(404, "not_found")(request, response, index)
          : accept(request, response, index)
      )
      const results = yield* Stream.range(1, 8).pipe(
        Sending.sendEach({
          retry: quickly.retry,
          idempotencyKey: ([first], index) => `news/${index}/${first}`,
          email: (n) => n === 6 ? { to: "b@example.com", template: { id: "unknown" } } : emailOf(n)
        }),
        Stream.runCollect,
        Effect.provide(layer)
      )
      assert.deepStrictEqual([...results].map(({ result }) => result._tag === "Accepted"), [
        ...[true, true, true, true, true],
        false,
        ...[true, true]
      ])
      assert.strictEqual(received[0]?.key, "news/0/1")
      assert.strictEqual(new Set(received.map(({ key }) => key)).size, received.length)
      const sent = received.flatMap(({ emails }) =>
        emails.some(({ template }) => template !== undefined) ? [] : emails.map(({ subject }) => subject)
      )
      assert.strictEqual(new Set(sent).size, sent.length)
    }))

  it.scopedLive(
    "makes the same requests again, however slow its source is, if its requests have keys",
    () =>
      Effect.gen(function*() {
        const { layer, received } = yield* service(accept)
        const run = (delays: ReadonlyArray<number>) =>
          Stream.range(1, 7).pipe(
            Stream.rechunk(1),
            Stream.tap((n) => Effect.sleep(delays[n % delays.length]!)),
            Sending.sendEach({ email: emailOf, batchSize: 3, idempotencyKey: ([first]) => `news/${first}` }),
            Stream.runDrain,
            Effect.provide(layer)
          )
        yield* run([0])
        yield* run([0, 1100])
        const requests = received.map(({ emails, key }) => `${key}: ${emails.map(({ subject }) => subject).join()}`)
        assert.strictEqual(requests.length, 6)
        assert.sameMembers(requests.slice(0, 3), requests.slice(3))
      }),
    30_000
  )

  it.scopedLive("leaves a batch that is not full to the next run if its source fails, if its requests have keys", () =>
    Effect.gen(function*() {
      const { layer, received } = yield* service(accept)
      const run = (source: Stream.Stream<number, string>) =>
        source.pipe(
          Sending.sendEach({ email: emailOf, batchSize: 3, idempotencyKey: ([first]) => `news/${first}` }),
          Stream.runCollect,
          Effect.either,
          Effect.provide(layer)
        )
      const failed = yield* run(Stream.concat(Stream.range(1, 5), Stream.fail("gone")))
      assert.strictEqual(failed._tag === "Left" ? failed.left : failed._tag, "gone")
      assert.deepStrictEqual(received.map(({ key }) => key), ["news/1"])
      assert.strictEqual((yield* run(Stream.range(1, 7)))._tag, "Right")
      assert.deepStrictEqual(received.map(({ key }) => key), ["news/1", "news/1", "news/4", "news/7"])
    }))

  it.scopedLive("rejects whatever is not an email", () =>
    Effect.gen(function*() {
      const { layer } = yield* service(accept)
      const results = yield* Stream.make(1, 2, 3, 4).pipe(
        Sending.sendEach({
          ...quickly,
          email: (n) => n === 2 ? null as unknown as SendEmail : n === 3 ? "text" as unknown as SendEmail : emailOf(n)
        }),
        Stream.runCollect,
        Effect.provide(layer)
      )
      assert.deepStrictEqual(Array.from(results, ({ result }) => result._tag), [
        "Accepted",
        "Rejected",
        "Rejected",
        "Accepted"
      ])
    }))

  it.scopedLive("stops its source and its requests when it is interrupted", () =>
    Effect.gen(function*() {
      const { aborted, layer, received } = yield* service(silent)
      const stopped = yield* Deferred.make<void>()
      const fiber = yield* Stream.concat(Stream.make(1), Stream.never).pipe(
        Stream.ensuring(Deferred.succeed(stopped, undefined)),
        Sending.sendEach({ email: emailOf, ...quickly }),
        Stream.runDrain,
        Effect.provide(layer),
        Effect.fork
      )
      while (received.length === 0) yield* Effect.sleep("5 millis")
      assert.isTrue(Exit.isInterrupted(yield* Effect.timeout(Fiber.interrupt(fiber), "2 seconds")))
      yield* Deferred.await(stopped)
      while (aborted() === 0) yield* Effect.sleep("5 millis")
    }))

  it.scopedLive.each(
    [
      ["fails", Stream.fail("broken"), Exit.fail("broken")],
      ["dies", Stream.die("broken"), Exit.die("broken")]
    ] as const
  )("sends what its source emitted before it %s", ([_, end, expected]) =>
    Effect.gen(function*() {
      const { layer } = yield* service(accept)
      const seen = yield* Ref.make(0)
      const exit = yield* Stream.concat(Stream.range(1, 5), end).pipe(
        Sending.sendEach({ email: emailOf, ...quickly, batchSize: 2 }),
        Stream.runForEach(() => Ref.update(seen, (n) => n + 1)),
        Effect.provide(layer),
        Effect.exit
      )
      assert.strictEqual(yield* seen, 5)
      assert(Exit.isFailure(exit) && Exit.isFailure(expected))
      assert.deepStrictEqual(
        [Chunk.toArray(Cause.failures(exit.cause)), Chunk.toArray(Cause.defects(exit.cause))],
        [Chunk.toArray(Cause.failures(expected.cause)), Chunk.toArray(Cause.defects(expected.cause))]
      )
    }))

  it.scopedLive("dies if an email cannot be made", () =>
    Effect.gen(function*() {
      const { layer } = yield* service(accept)
      const exit = yield* Stream.make(1).pipe(
        Sending.sendEach({
          email: (): BatchEmail => {
            throw new Error("no template")
          }
        }),
        Stream.runDrain,
        Effect.provide(layer),
        Effect.exit
      )
      assert(Exit.isFailure(exit) && Cause.isDie(exit.cause))
    }))

  it.scopedLive("pulls no more than it can send: memory does not grow with the source", () =>
    Effect.gen(function*() {
      const { layer } = yield* service(accept)
      let made = 0
      let seen = 0
      let most = 0
      yield* Stream.iterate(1, (n) => n + 1).pipe(
        Stream.rechunk(50),
        Stream.take(20_000),
        Sending.sendEach({
          ...quickly,
          email: (n) => {
            made++
            most = Math.max(most, made - seen)
            return emailOf(n)
          }
        }),
        Stream.runForEachChunk((chunk) => Effect.sync(() => void (seen += chunk.length))),
        Effect.provide(layer)
      )
      assert.strictEqual(seen, 20_000)
      // Two batches in flight, one that waits, and one that the consumer has.
      assert.isAtMost(most, 400)
    }), 60_000)

  it.scoped("sends an email that waits for others in time, without losing the next one", () =>
    Effect.gen(function*() {
      const { layer, sizes } = yield* service(accept)
      const seen = yield* Ref.make<ReadonlyArray<string>>([])
      const fiber = yield* Stream.make(1, 2, 3).pipe(
        Stream.rechunk(1),
        Stream.schedule(Schedule.spaced("700 millis")),
        Sending.sendEach({ email: emailOf, within: "1 second" }),
        Stream.runForEach((sent) => Ref.update(seen, (all) => [...all, shown(sent)])),
        Effect.provide(layer),
        Effect.fork
      )
      const until = (count: number) =>
        TestServices.provideLive(Effect.sleep("20 millis")).pipe(
          Effect.repeat({ until: () => sizes().length >= count })
        )
      // At 0.7 s and 1.4 s; the third, at 2.1 s, is too late.
      for (const _ of Array.from({ length: 17 })) {
        yield* TestClock.adjust("100 millis")
        yield* TestServices.provideLive(Effect.sleep("5 millis"))
      }
      yield* until(1)
      assert.deepStrictEqual(sizes(), [2])
      yield* TestClock.adjust("5 seconds")
      yield* TestServices.provideLive(Effect.sleep("20 millis"))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(sizes(), [2, 1])
      assert.deepStrictEqual(yield* seen, ["1: id-1", "2: id-2", "3: id-3"])
    }))

  it.scopedLive.each([{ batchSize: 0 }, { batchSize: 101 }, { concurrency: 0 }, { within: "0 seconds" }] as const)(
    "refuses %j",
    (options) =>
      Effect.gen(function*() {
        const { layer, received } = yield* service(accept)
        const error = yield* Stream.make(1).pipe(
          Sending.sendEach({ email: emailOf, ...options }),
          Stream.runDrain,
          Effect.flip,
          Effect.provide(layer)
        )
        assert(error._tag === "InvalidOption")
        assert.strictEqual(error.option, Object.keys(options)[0])
        assert.deepStrictEqual(received, [])
      })
  )
})
