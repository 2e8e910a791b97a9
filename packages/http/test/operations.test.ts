import { assert, describe, it } from "@effect/vitest"
import type { Operation } from "@mailstream/core"
import { BroadcastId, ContactId, outcome, type RequestError, SegmentId, TopicId } from "@mailstream/core"
import * as Services from "@mailstream/http"
import {
  ApiKeys,
  BroadcastRecipients,
  Broadcasts,
  Contacts,
  RetryPolicy,
  Segments,
  Suppressions,
  Templates,
  Topics
} from "@mailstream/http"
import { spansOf } from "@mailstream/testing/Spans"
import {
  Arbitrary,
  Deferred,
  Effect,
  Either,
  Exit,
  FastCheck as fc,
  Fiber,
  Layer,
  Redacted,
  Schedule,
  Schema
} from "effect"
import { operations, responseTo } from "./support/tables.ts"
import { json, mailstream, type Received, type Respond, serve } from "./support/wire.ts"

type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, RequestError>

/** A method of a service, by its name. */
const methodOf = (service: string, name: string): Effect.Effect<Method, never, Services.Mailstream.Mailstream> => {
  const tag = (Services as unknown as Record<string, typeof Contacts>)[service]!
  return Effect.map(tag, (methods) => (methods as unknown as Record<string, Method>)[name]!)
}

/** Arguments that are valid, with what they should look like in a path. */
const argsOf = ({ params }: Operation.Any) =>
  fc.tuple(...params.map(({ schema }) => Arbitrary.make(schema as Schema.Schema<unknown>))).filter((args) =>
    args.every((arg) => {
      const text = typeof arg === "object" ? Object.values(arg as object)[0] as string : arg as string
      return text !== "." && text !== ".." && !/\p{Surrogate}/u.test(text)
    })
  )

describe("operations", () => {
  it.scopedLive.each(operations)(
    "$service: $name sends what it was given, and returns what it gets",
    ({ name, operation, service }) =>
      Effect.gen(function*() {
        let answer: unknown
        const server = yield* serve((response, request) => json(operation.status, answer)(response, request))
        const payload = operation.payload === undefined ? fc.constant(undefined) : Arbitrary.make(operation.payload)
        const context = yield* Layer.build(mailstream(server.baseUrl))
        const run = <A, E>(effect: Effect.Effect<A, E, Services.Mailstream.Mailstream>) =>
          Effect.runPromise(Effect.provide(effect, context))
        const success = Arbitrary.make(operation.success)
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(argsOf(operation), payload, success, async (args, input, sample) => {
              const response = responseTo(operation, input, sample)
              const sent: unknown = operation.payload === undefined
                ? undefined
                : JSON.parse(JSON.stringify(input ?? {}))
              answer = JSON.parse(JSON.stringify(Schema.encodeSync(operation.success)(response)))
              server.received.length = 0
              const result = await run(Effect.flatMap(
                methodOf(service, name),
                (method) => method(...args, ...(operation.payload === undefined ? [] : [input]))
              ))
              const [request] = server.received
              assert(request !== undefined)
              assert.strictEqual(request.method, operation.method)
              const texts = args.map((arg) =>
                typeof arg === "object" ? Object.values(arg as object)[0] as string : arg as string
              )
              const pattern = new RegExp(`^${operation.path.replace(/:\w+/g, "([^/]+)")}$`)
              assert.deepStrictEqual(pattern.exec(request.url)?.slice(1).map(decodeURIComponent), texts)
              assert.deepStrictEqual(request.body === "" ? undefined : JSON.parse(request.body), sent)
              assert.deepStrictEqual(
                Schema.encodeUnknownSync(operation.success)(result),
                Schema.encodeSync(operation.success)(
                  Schema.decodeUnknownSync(operation.success)(answer)
                )
              )
            }),
            { numRuns: 5 }
          )
        )
      })
  )
})

const id = ContactId.make("e169aa45-1ecf-4183-9955-b1499d5701d3")
const topic = TopicId.make("e169aa45-1ecf-4183-9955-b1499d5701d3")
const segment = SegmentId.make("s-1")

describe("input that the API would refuse", () => {
  const messageOf = (call: Effect.Effect<unknown, RequestError, Services.Mailstream.Mailstream>) =>
    Effect.gen(function*() {
      const server = yield* serve(json(200, {}))
      const error = yield* call.pipe(Effect.flip, Effect.provide(mailstream(server.baseUrl)))
      assert.strictEqual(error._tag, "validation_error")
      // It says what became of a change, and nothing of what only reads.
      assert.strictEqual(outcome(error), "not_processed")
      assert.deepStrictEqual(server.received, [])
      return error.message
    })
  const call = (service: string, name: string, ...args: ReadonlyArray<unknown>) =>
    messageOf(Effect.flatMap(methodOf(service, name), (method) => method(...args)))

  it.scopedLive.each<readonly [string, string, ReadonlyArray<unknown>, string]>([
    ["Contacts", "get", [""], "The `contact` must be the id of a contact, or `{ email }`."],
    ["Contacts", "get", ["ada@example.com"], "The `contact` must be the id of a contact, or `{ email }`."],
    ["Contacts", "get", [{ email: "ada" }], "The `contact` must be the id of a contact, or `{ email }`."],
    ["Contacts", "create", [{}], "Missing `email` field."],
    ["Contacts", "create", [{ email: "ada" }], "The `email` field must be an email address."],
    ["Contacts", "create", [{ email: "a@b.c", firstName: "Ada" }], "Unknown field `firstName`."],
    [
      "Contacts",
      "update",
      [id, {}],
      "Nothing to change: pass `first_name`, `last_name`, `unsubscribed` or `properties`."
    ],
    ["Contacts", "update", [id, { first_name: undefined }], "The `first_name` field must be a string, or null."],
    ["Contacts", "update", [id, { email: "a@b.c", first_name: "A" }], "Unknown field `email`."],
    ["Contacts", "update", [id, { unsubscribed: "yes" }], "The `unsubscribed` field must be true or false."],
    ["Contacts", "join", [id, ".."], "The `segment_id` must be an id."],
    ["Contacts", "updateTopics", [id, [{ id: topic }]], "Missing `subscription` field."],
    ["Topics", "update", [topic, { name: " " }], "The `name` field must not be blank."],
    ["Topics", "update", [topic, { default_subscription: "opt_in" }], "Unknown field `default_subscription`."],
    ["Topics", "create", [{ name: "x".repeat(51) }], "The `name` field must be a string of at most 50 characters."],
    [
      "ApiKeys",
      "create",
      [{ name: "x", permission: "all" }],
      "The `permission` field must be `full_access` or `sending_access`."
    ],
    ["Broadcasts", "create", [{ segment_id: "s", from: "a@b.c", subject: "x" }], "Missing `html` or `text` field."],
    [
      "Broadcasts",
      "create",
      [{ segment_id: "s", from: "a@b.c", subject: "x", html: "", scheduled_at: "in 1 hour" }],
      "The `scheduled_at` field can only be used with `send: true`."
    ],
    ["Templates", "get", [{ alias: "" }], "The `template` must be the id of a template, or `{ alias }`."],
    [
      "Templates",
      "create",
      [{
        name: "x",
        html: "",
        variables: Array.from({ length: 51 }, (_, index) => ({ key: `k${index}`, type: "string" }))
      }],
      "A template has at most 50 variables."
    ],
    ["Emails", "reschedule", ["e-1", {}], "Missing `scheduled_at` field."]
  ])("%s.%s(%j) is refused before any request", ([service, name, args, message]) =>
    Effect.gen(function*() {
      assert.strictEqual(yield* call(service, name, ...args), message)
    }))
})

describe("after a failure", () => {
  const soon = { retry: RetryPolicy.none.pipe(() => Schedule.recurs(3)) }

  /** Responds as each of these says in turn, then as the last one. */
  const inTurn = (...responses: ReadonlyArray<Respond>): Respond => {
    let count = 0
    return (response, request) => responses[Math.min(count++, responses.length - 1)]!(response, request)
  }
  const lost: Respond = (response) => void response.destroy()
  const broken: Respond = (response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(`{"id":`)
  const limited = json(429, { name: "rate_limit_exceeded", statusCode: 429, message: "Too many requests" })
  const failed = json(500, { name: "application_error", statusCode: 500, message: "An error" })
  const missing = json(404, { name: "not_found", statusCode: 404, message: "Not found" })
  const done = json(200, { id })

  const run = <A>(respond: Respond, call: Effect.Effect<A, RequestError, Services.Mailstream.Mailstream>) =>
    Effect.gen(function*() {
      const server = yield* serve(respond)
      const result = yield* Effect.either(Effect.provide(call, mailstream(server.baseUrl)))
      return { result, received: server.received as ReadonlyArray<Received> }
    })

  const create = Effect.flatMap(Segments, (segments) => segments.create({ name: "Beta" }, soon))
  const update = Effect.flatMap(Contacts, (contacts) => contacts.update(id, { first_name: null }, soon))
  const publish = Effect.flatMap(Templates, (templates) => templates.publish({ alias: "welcome" }, soon))
  const remove = Effect.flatMap(Topics, (topics) => topics.remove(topic, soon))

  it.scopedLive.each([["lost", lost], ["broken", broken], ["failed", failed]] as const)(
    "what would be done twice is not repeated, if the first response is %s",
    ([_, respond]) =>
      Effect.gen(function*() {
        const { received, result } = yield* run(inTurn(respond, done), create)
        assert.strictEqual(received.length, 1)
        assert(Either.isLeft(result))
        assert.strictEqual(outcome(result.left), "unknown")
        assert.include(result.left.message, "; whether it was processed is unknown")
      })
  )

  it.scopedLive("what would be done twice is repeated if it certainly was not done", () =>
    Effect.gen(function*() {
      const { received, result } = yield* run(inTurn(limited, limited, done), create)
      assert.strictEqual(received.length, 3)
      assert(Either.isRight(result))
    }))

  it.scopedLive.each([["natural", update], ["guarded", publish]] as const)(
    "a %s change is repeated",
    ([_, change]) =>
      Effect.gen(function*() {
        const { received, result } = yield* run(
          inTurn(lost, broken, failed, done),
          change as Effect.Effect<unknown, RequestError, Services.Mailstream.Mailstream>
        )
        assert.strictEqual(received.length, 4)
        assert(Either.isRight(result))
        assert.strictEqual(new Set(received.map(({ body }) => body)).size, 1)
      })
  )

  it.scopedLive("a removal that finds nothing after a lost response has removed it", () =>
    Effect.gen(function*() {
      const { result } = yield* run(inTurn(lost, missing), remove)
      assert.deepStrictEqual(result, Either.right({ id: topic, deleted: true }))
    }))

  it.scopedLive.each([[[missing]], [[limited, missing]]] as const)(
    "a removal that finds nothing where nothing can have been removed is an error",
    ([responses]) =>
      Effect.gen(function*() {
        const { result } = yield* run(inTurn(...responses), remove)
        assert(Either.isLeft(result))
        assert.strictEqual(result.left._tag, "not_found")
        assert.strictEqual(outcome(result.left), "not_processed")
      })
  )

  it.scopedLive("an attempt whose outcome is unknown makes all of it unknown", () =>
    Effect.gen(function*() {
      const refused = json(422, { name: "validation_error", statusCode: 422, message: "Already published" })
      const { received, result } = yield* run(inTurn(lost, refused), publish)
      assert.strictEqual(received.length, 2)
      assert(Either.isLeft(result))
      assert.strictEqual(result.left._tag, "validation_error")
      assert.strictEqual(outcome(result.left), "unknown")
      assert.match(
        result.left.message,
        /^POST http:\S+\/templates\/welcome\/publish: Already published \(after 2 attempts in \w+\); whether it was processed is unknown: an earlier attempt may have done it\. Look at the object before you repeat it$/
      )
    }))

  const unreachable: Respond = (response) => void response.destroy()

  it.scopedLive.each(
    [
      [
        "is refused",
        json(422, { name: "validation_error", statusCode: 422, message: "No." }),
        "not_processed",
        /: No\.$/
      ],
      [
        "is limited",
        limited,
        "not_processed",
        /: Too many requests \(after 4 attempts in [\w ]+\); it was not processed$/
      ],
      ["gets no response", unreachable, "unknown", /; whether it was processed is unknown$/],
      ["gets half a response", broken, "unknown", /; whether it was processed is unknown$/],
      [
        "gets another response",
        json(200, { id: 1 }),
        "unknown",
        /: id: expected \w+, found number; whether it was processed is unknown$/
      ],
      [
        "meets an error",
        failed,
        "unknown",
        /: An error( \(after 4 attempts in [\w ]+\))?; whether it was processed is unknown$/
      ]
    ] as const
  )(
    "a change that %s says so, in its outcome and in its message",
    ([_, respond, expected, message]) =>
      Effect.gen(function*() {
        for (const change of [create, update, publish, remove]) {
          const { result } = yield* run(
            respond,
            change as Effect.Effect<unknown, RequestError, Services.Mailstream.Mailstream>
          )
          assert(Either.isLeft(result))
          assert.strictEqual(result.left.outcome, expected)
          assert.match(result.left.message, message)
        }
      })
  )

  it.scopedLive("a change that finds no service was not processed", () =>
    Effect.gen(function*() {
      for (const change of [create, update, publish, remove]) {
        const error = yield* Effect.flip(
          change as Effect.Effect<unknown, RequestError, Services.Mailstream.Mailstream>
        ).pipe(Effect.provide(mailstream("http://127.0.0.1:1")))
        assert.strictEqual(error.outcome, "not_processed")
        assert.match(error.message, /\(after 4 attempts in [\w ]+\); it was not processed$/)
      }
    }))

  it.scopedLive("an attempt that was lost makes unknown what was not sent any more", () =>
    Effect.gen(function*() {
      const { received, result } = yield* run(inTurn(lost, limited), update)
      assert.strictEqual(received.length, 4)
      assert(Either.isLeft(result))
      assert.strictEqual(result.left._tag, "rate_limit_exceeded")
      assert.strictEqual(result.left.outcome, "unknown")
    }))

  it.scopedLive.each([["once", create], ["natural", update], ["guarded", publish]] as const)(
    "a change of the class %s is sent no more once it is interrupted",
    ([_, change]) =>
      Effect.gen(function*() {
        const arrived = yield* Deferred.make<void>()
        const server = yield* serve(() => Deferred.unsafeDone(arrived, Effect.void))
        const fiber = yield* Effect.fork(
          Effect.provide(
            change as Effect.Effect<unknown, RequestError, Services.Mailstream.Mailstream>,
            mailstream(server.baseUrl)
          )
        )
        yield* Deferred.await(arrived)
        const exit = yield* Fiber.interrupt(fiber)
        assert.isTrue(Exit.isInterrupted(exit))
        assert.strictEqual(server.received.length, 1)
      })
  )

  it.scopedLive("reading says nothing about processing", () =>
    Effect.gen(function*() {
      const get = Effect.flatMap(
        Broadcasts,
        (broadcasts) => broadcasts.get("b-1" as never, { retry: RetryPolicy.none })
      )
      const { result } = yield* run(lost, get)
      assert(Either.isLeft(result))
      assert.notInclude(result.left.message, "processed")
    }))
})

describe("secrets", () => {
  it.scopedLive("the token of a new API key is redacted", () =>
    Effect.gen(function*() {
      const server = yield* serve(json(201, { id, token: "re_shown_once", object: "api_key" }))
      const created = yield* Effect.flatMap(ApiKeys, (keys) => keys.create({ name: "CI" })).pipe(
        Effect.provide(mailstream(server.baseUrl))
      )
      assert.notInclude(JSON.stringify(created), "re_shown_once")
      assert.strictEqual(Redacted.value(created.token), "re_shown_once")
    }))
})

describe("addresses", () => {
  it.scopedLive("are in no span and in no error, because they are personal", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* serve(json(404, { name: "not_found", statusCode: 404, message: "Contact not found" }))
      const email = "ada.lovelace@example.com"
      const filter = { broadcast_id: BroadcastId.make("b-1"), type: "bounced" as const, email }
      const calls: ReadonlyArray<Effect.Effect<unknown, RequestError, Services.Mailstream.Mailstream>> = [
        Effect.flatMap(Contacts, (contacts) => contacts.get({ email })),
        Effect.flatMap(Contacts, (contacts) => contacts.join({ email }, segment)),
        Effect.flatMap(Contacts, (contacts) => contacts.create({ email })),
        Effect.flatMap(Suppressions, (suppressions) => suppressions.remove({ email })),
        Effect.flatMap(BroadcastRecipients, (recipients) => recipients.list({ filter }))
      ]
      const errors: Array<RequestError> = []
      const spans = yield* spansOf(
        Effect.forEach(calls, (call) => Effect.map(Effect.flip(call), (error) => errors.push(error))).pipe(
          Effect.provide(mailstream(baseUrl))
        )
      )
      assert.deepStrictEqual(spans.map(({ attributes }) => attributes.get("url.template")), [
        "/contacts/:contact",
        "/contacts/:contact/segments/:segment_id",
        "/contacts",
        "/suppressions/:suppression",
        "/broadcasts/:broadcast_id/recipients"
      ])
      for (const { attributes } of spans) assert.notInclude(JSON.stringify([...attributes]), "lovelace")
      for (const error of errors) assert.notInclude(`${error.message}${JSON.stringify(error)}`, "lovelace")
      assert.strictEqual(errors[0]?.message, `GET ${baseUrl}/contacts/:contact: Contact not found`)
    }))

  it.scopedLive("are shown if the API repeats them, in its message alone, because it says what was refused", () =>
    Effect.gen(function*() {
      const email = "ada.lovelace@example.com"
      const message = `The contact ${email} is suppressed.`
      const { baseUrl } = yield* serve(json(422, { name: "validation_error", statusCode: 422, message }))
      const calls: ReadonlyArray<Effect.Effect<unknown, RequestError, Services.Mailstream.Mailstream>> = [
        Effect.flatMap(Contacts, (contacts) => contacts.get({ email })),
        Effect.flatMap(Contacts, (contacts) => contacts.create({ email }))
      ]
      const errors: Array<RequestError> = []
      const spans = yield* spansOf(
        Effect.forEach(calls, (call) => Effect.map(Effect.flip(call), (error) => errors.push(error))).pipe(
          Effect.provide(mailstream(baseUrl))
        )
      )
      assert.strictEqual(spans.length, 2)
      for (const { attributes } of spans) assert.notInclude(JSON.stringify([...attributes]), "lovelace")
      assert.deepStrictEqual(errors.map((error) => error.message), [
        `GET ${baseUrl}/contacts/:contact: ${message}`,
        `POST ${baseUrl}/contacts: ${message}`
      ])
      for (const error of errors) {
        const { message: _, ...others } = JSON.parse(JSON.stringify(error))
        assert.notInclude(JSON.stringify(others), "lovelace")
      }
    }))
})

describe("layers for tests", () => {
  it.effect("create, change and remove what they were given", () =>
    Effect.gen(function*() {
      const contacts = yield* Contacts
      const { id } = yield* contacts.create({ email: "ada@example.com", first_name: "Ada" })
      assert.deepStrictEqual((yield* contacts.create({ email: "ada@example.com" })).id, id)
      yield* contacts.update({ email: "ada@example.com" }, { last_name: "Lovelace" })
      const ada = yield* contacts.get(id)
      assert.deepInclude(ada, { id, first_name: "Ada", last_name: "Lovelace", unsubscribed: false })
      assert.deepStrictEqual((yield* contacts.list()).data.map(({ last_name }) => last_name), ["Lovelace"])
      yield* contacts.remove(id)
      assert.strictEqual((yield* Effect.flip(contacts.get(id)))._tag, "not_found")
      assert.deepStrictEqual((yield* contacts.list()).data, [])
    }).pipe(Effect.provide(Contacts.layerTest([]))))
})
