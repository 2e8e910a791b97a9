import { assert, describe, it } from "@effect/vitest"
import * as Client from "@mailstream/client"
import { Resource, ValidationError } from "@mailstream/core"
import { sendJson, serve, silence } from "@mailstream/testing/HttpServer"
import * as Port from "@mailstream/testing/Port"
import { Arbitrary, Effect, FastCheck as fc, Redacted, Schema, SchemaAST, type Scope } from "effect"
import { readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { inspect } from "node:util"
import { fieldsOf, nameOf } from "./support/filters.ts"
import { all, argsOf, methodOf, replaced, responseTo, sampleOf, textOf } from "./support/operations.ts"
import { rejection, scoped, transports } from "./support/service.ts"

const { InvalidOption, Mailstream, MailstreamError } = Client

interface Received {
  readonly method: string | undefined
  readonly url: string
  readonly body: string
}

type Respond = (response: ServerResponse) => void

/** A service that responds as it is told, and the client. */
const serving = (
  respond: Respond,
  options: Partial<Client.Options> = {}
): Effect.Effect<
  { readonly client: Client.Mailstream; readonly received: Array<Received>; readonly baseUrl: string },
  never,
  Scope.Scope
> =>
  Effect.gen(function*() {
    const received: Array<Received> = []
    const baseUrl = yield* serve((request: IncomingMessage, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => (body += text)).on("end", () => {
        received.push({ method: request.method, url: request.url ?? "", body })
        respond(response)
      })
    })
    const client = yield* scoped(() => new Mailstream({ baseUrl, apiKey: "re_1", rateLimit: false, ...options }))
    return { client, received, baseUrl }
  })

const json = (status: number, body: unknown): Respond => (response) => sendJson(response, status, body)

/** Responds as each of these says in turn, then as the last one. */
const inTurn = (...responses: ReadonlyArray<Respond>): Respond => {
  let count = 0
  return (response) => responses[Math.min(count++, responses.length - 1)]!(response)
}

/** What a client returned, with its secrets. */
const revealed = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(revealed)
    : value instanceof Client.ValidationError
    ? ValidationError.because(value.message)
    : typeof value === "object" && value !== null
    ? "value" in value && typeof value.value === "function"
      ? value.value()
      : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, revealed(field)]))
    : value

describe("the client", () => {
  it("has every operation of the table, and what every list has", () => {
    const client = new Mailstream({ baseUrl: "https://api.example.com", apiKey: "re_1" })
    const ways = ["list", "items", "pages", "follow", "process", "processPages"]
    for (const { identifier, pagination } of Resource.all) {
      const list = nameOf({ identifier })
      assert.hasAllKeys(
        client[list as "contacts"],
        [
          ...ways,
          ...(pagination === "optional" ? ["whole"] : []),
          ...all.filter((entry) => entry.list === list).map(({ name }) => name)
        ],
        list
      )
    }
    assert.isAbove(all.length, 50)
  })
})

describe("the README", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")

  it("has every operation of every list, and every filter", () => {
    for (const resource of Resource.all) {
      const list = nameOf(resource)
      const names = all.filter((entry) => entry.list === list).map(({ name }) => `\`${name}\``)
      if (names.length > 0) assert.include(readme, `| \`${list}\` | ${names.join(", ")} |`)
      const [filter] = new RegExp(`\\{ [^}]* \\}\` for \`${list}\`( \\(required\\))?`).exec(readme) ?? [""]
      for (const field of fieldsOf(resource)) assert.include(filter, field, list)
      assert.strictEqual(filter.endsWith("(required)"), !resource.isFilter(undefined), list)
    }
  })
})

describe.each(Object.entries(transports))("over %s", (name, transport) => {
  it.scopedLive.each(all)(
    "$title sends what it was given, and returns what it gets",
    (entry) =>
      Effect.gen(function*() {
        const { operation } = entry
        let answer: unknown
        const { client, received } = yield* serving((response) => sendJson(response, operation.status, answer), {
          transport: transport()
        })
        const property = fc.asyncProperty(
          argsOf(operation),
          Arbitrary.make(operation.success as Schema.Schema<unknown, unknown>),
          async (args, sample) => {
            const response = responseTo(operation, args, sample)
            answer = JSON.parse(JSON.stringify(Schema.encodeSync(operation.success)(response)))
            received.length = 0
            const result = await methodOf(client, entry)(...args)
            const [request] = received
            assert(request !== undefined)
            assert.strictEqual(request.method, operation.method)
            const pattern = new RegExp(`^${operation.path.replace(/:\w+/g, "([^/]+)")}$`)
            const texts = args.slice(0, operation.params.length).map(textOf)
            assert.deepStrictEqual(pattern.exec(request.url)?.slice(1).map(decodeURIComponent), texts)
            const input = args[operation.params.length]
            // An input that can be omitted is sent as an empty object.
            const omitted = operation.payload === undefined ? undefined : {}
            const sent: unknown = input === undefined ? omitted : JSON.parse(JSON.stringify(input))
            assert.deepStrictEqual(request.body === "" ? undefined : JSON.parse(request.body), sent)
            const expected = Schema.decodeUnknownSync(operation.success)(answer)
            const encode = Schema.encodeSync(operation.success)
            // The results of a batch are not those of its response, but in their order.
            assert.deepStrictEqual(
              operation.fits === undefined ? revealed(result) : encode(revealed(result)),
              encode(expected)
            )
            assert.notInclude(inspect(result, { depth: null }), "Redacted")
          }
        )
        yield* Effect.promise(() => fc.assert(property, { numRuns: name === "fetch" ? 3 : 1 }))
      })
  )
})

describe("a field that is undefined", () => {
  const structOf = (ast: SchemaAST.AST): SchemaAST.TypeLiteral | undefined =>
    SchemaAST.isRefinement(ast) ? structOf(ast.from) : SchemaAST.isTypeLiteral(ast) ? ast : undefined

  const withInput = all.flatMap((entry) => {
    const fields = entry.operation.payload === undefined
      ? []
      : structOf(entry.operation.payload.ast)?.propertySignatures.filter(({ isOptional }) => isOptional) ?? []
    return fields.length === 0 ? [] : [{ ...entry, fields: fields.map(({ name }) => `${name.toString()}`) }]
  })

  it.scopedLive.each(withInput)("is as one that is absent, for $title", (entry) =>
    Effect.gen(function*() {
      const { client, received } = yield* serving((response) => sendJson(response, 200, {}))
      const { fields, operation } = entry
      const property = fc.asyncProperty(argsOf(operation), async (args) => {
        received.length = 0
        const given = args.slice(0, -1)
        const input = args.at(-1) as object
        const missing = Object.fromEntries(fields.map((name) => [name, undefined]))
        await rejection(methodOf(client, entry)(...given, { ...missing, ...input }, { retry: "none" }))
        assert.deepStrictEqual(JSON.parse(received[0]!.body), JSON.parse(JSON.stringify(input)))
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: 3 }))
    }))

  it.scopedLive("changes nothing, while null removes", () =>
    Effect.gen(function*() {
      const { client, received } = yield* serving(json(200, { id }))
      yield* Effect.promise(async () => {
        await client.contacts.update(id, { first_name: undefined, last_name: null, properties: { plan: undefined } })
        assert.deepStrictEqual(received.map(({ body }) => body), [`{"last_name":null,"properties":{}}`])
        const nothing = await rejection(client.contacts.update(id, { first_name: undefined }))
        assert(nothing instanceof Client.ValidationError)
        assert.match(nothing.message, /^Nothing to change: pass /)
      })
    }))
})

const id = "e169aa45-1ecf-4183-9955-b1499d5701d3"

const contact: Client.Contact = {
  id,
  email: "ada@example.com",
  first_name: null,
  last_name: null,
  created_at: "2026-11-16T00:00:00.000Z",
  unsubscribed: false
}

describe("what is passed by mistake", () => {
  /** A client that may not request anything. */
  const client = new Mailstream({
    baseUrl: "https://api.example.com",
    apiKey: "re_1",
    fetch: () => Promise.reject(new Error("nothing may be requested"))
  })

  const call = (path: string, args: ReadonlyArray<unknown>): Promise<unknown> => {
    const [list = "", name = ""] = path.split(".")
    return rejection(methodOf(client, { list, name })(...args))
  }

  it.each<readonly [path: string, args: ReadonlyArray<unknown>, message: string]>([
    ["contacts.get", [], "contact is missing: contacts.get(contact, options)"],
    ["contacts.update", [undefined, {}], "contact is missing: contacts.update(contact, input, options)"],
    ["contacts.get", [contact], "contact must be the id of a contact, or `{ email }`: pass the `id` of the object"],
    ["topics.get", [{ id }], "topic_id must be an id in UUID shape: pass the `id` of the object"],
    [
      "contacts.get",
      [{ email: "a@b.c", id }],
      "contact must be the id of a contact, or `{ email }`: pass the `id` of the object"
    ],
    ["contacts.get", [{ mail: "a@b.c" }], "contact must be the id of a contact, or `{ email }`"],
    ["contacts.get", [5], "contact must be the id of a contact, or `{ email }`"],
    ["contacts.get", [null], "contact must be the id of a contact, or `{ email }`"],
    [
      "topics.remove",
      [Promise.resolve(id)],
      "topic_id must be an id in UUID shape: await the promise first"
    ],
    ["topics.remove", [{ alias: "x" }], "topic_id must be an id in UUID shape"],
    ["contacts.get", [id, 0, [id]], "arguments must be those of contacts.get(contact, options): 3 were passed"],
    ["contacts.get", [id, 0], "options must be an object"],
    ["contacts.join", [id], "segment_id is missing: contacts.join(contact, segment_id, options)"],
    ["contacts.join", [id, { id }], "segment_id must be an id: pass the `id` of the object"],
    ["contacts.get", [id, { retries: 1 }], "retries is not an option here: pass `retry: { times, base, cap }`"],
    [
      "contacts.get",
      [id, { timeout: 1 }],
      "timeout is not an option here: pass `signal: AbortSignal.timeout(ms)`, or `timeout` to `new Mailstream`"
    ],
    ["contacts.create", [{ email: "a@b.c", firstName: "Ada" }], "firstName is not an option here: pass `first_name`"],
    [
      "contacts.create",
      [{ email: "a@b.c", audienceId: id }],
      "audienceId is not an option here: pass `segments: [{ id }]`"
    ],
    [
      "contacts.create",
      [{ email: "a@b.c", topics: [{ id, subscription: "opt_in" }, { id, subscripton: "opt_in" }] }],
      "topics[1].subscripton is not an option here: pass `subscription`"
    ],
    [
      "contacts.create",
      [{ email: "a@b.c", segments: [{ segmentId: id }] }],
      "segments[0].segmentId is not an option here: the options are id"
    ],
    ["contacts.create", [Promise.resolve({ email: "a@b.c" })], "input is a promise: await it first"],
    [
      "contacts.update",
      [id, { email: "a@b.c" }],
      "email is not an option here: the options are first_name, last_name, unsubscribed, properties"
    ],
    [
      "contacts.updateTopics",
      [id, [{ topicId: id }]],
      "[0].topicId is not an option here: the options are id, subscription"
    ],
    [
      "broadcasts.send",
      [id, { signal: undefined, retry: "none" }],
      "retry is not an option here: pass it after the input, as in { retry }"
    ],
    ["broadcasts.send", [id, { sendAt: "now" }], "sendAt is not an option here: pass `scheduled_at`"],
    ["broadcasts.create", [{ audience_id: id }], "audience_id is not an option here: pass `segment_id`"],
    [
      "webhooks.create",
      [{ url: "https://a.example", events: ["email.sent"] }],
      "url is not an option here: pass `endpoint`"
    ],
    ["suppressions.removeMany", [{ email: ["a@b.c"] }], "email is not an option here: pass `emails`, an array"],
    [
      "apiKeys.create",
      [{ name: "CI", permissions: "full_access" }],
      "permissions is not an option here: pass `permission`"
    ],
    [
      "domains.create",
      [{ name: "a.example", capabilities: { send: "enabled" } }],
      "capabilities.send is not an option here: the options are sending, receiving"
    ]
  ])("is refused with advice: %s(%j)", async (path, args, message) => {
    const error = await call(path, args)
    assert(error instanceof InvalidOption, inspect(error))
    assert.strictEqual(error.message, message)
    assert.strictEqual(error.outcome, path.endsWith(".get") ? undefined : "not_processed")
  })

  it.each<readonly [path: string, args: ReadonlyArray<unknown>, message: string]>([
    ["contacts.get", [""], "The `contact` must be the id of a contact, or `{ email }`."],
    ["contacts.get", ["ada@example.com"], "The `contact` must be the id of a contact, or `{ email }`."],
    ["contacts.get", [{ email: 5 }], "The `contact` must be the id of a contact, or `{ email }`."],
    ["contacts.create", [], "The body must be an object."],
    ["contacts.get", ["nope"], "The `contact` must be the id of a contact, or `{ email }`."],
    ["topics.get", ["nope"], "The `topic_id` must be an id in UUID shape."],
    ["contacts.create", [{}], "Missing `email` field."],
    ["contacts.create", [{ email: undefined }], "Missing `email` field."],
    ["contacts.create", [[]], "The body must be an object."],
    ["suppressions.removeMany", [{}], "Pass either `emails` or `ids`, 1 to 100."],
    ["suppressions.removeMany", [{ emails: [] }], "Pass either `emails` or `ids`, 1 to 100."],
    ["contacts.updateTopics", [id, []], "Pass at least one topic."],
    ["contacts.updateTopics", [id, {}], "The body must be an array."],
    ["contacts.updateTopics", [id, [{ id }]], "Missing `subscription` field."],
    [
      "webhooks.create",
      [{ endpoint: "https://a.example", events: [] }],
      "The `events` field must be an array of at least one event."
    ],
    [
      "webhooks.update",
      ["w-1", { events: "email.sent" }],
      "The `events` field must be an array of at least one event."
    ],
    ["emails.reschedule", ["e-1", { scheduled_at: 0 }], "The `scheduled_at` field must be a string or a date."],
    [
      "emails.reschedule",
      ["e-1", { scheduled_at: new Date(NaN) }],
      "The `scheduled_at` field must be a string or a date."
    ]
  ])("is refused as the API would, before any request: %s(%j)", async (path, args, message) => {
    const error = await call(path, args)
    assert(error instanceof Client.ValidationError, inspect(error))
    assert.strictEqual(error.message, message)
    assert.strictEqual(error.outcome, path.endsWith(".get") ? undefined : "not_processed")
  })

  it.each(all)("$title refuses what is not an object of its kind, and one argument too many", async (entry) => {
    const { list, name, operation } = entry
    const args = sampleOf(operation)
    for (const [index, { field }] of operation.params.entries()) {
      for (const wrong of [undefined, null, 5, {}, [], { id }, () => id]) {
        const error = await call(`${list}.${name}`, replaced(args, index, wrong))
        assert(error instanceof InvalidOption, inspect(error))
        assert.strictEqual(error.option, field)
      }
    }
    const error = await call(`${list}.${name}`, [...args, {}, {}])
    assert(error instanceof InvalidOption, inspect(error))
    assert.include(error.message, `${list}.${name}(`)
    if (operation.payload !== undefined) {
      const excess = await call(`${list}.${name}`, [...args.slice(0, operation.params.length), { unheardOf: 1 }])
      assert(excess instanceof MailstreamError, inspect(excess))
      assert.include(["InvalidOption", "validation_error"], excess._tag)
    }
  })
})

describe("after a failure", () => {
  const retry = { times: 3, base: 1, cap: 1 }
  const lost: Respond = (response) => void response.destroy()
  const limited = json(429, { name: "rate_limit_exceeded", statusCode: 429, message: "Too many requests" })
  const failed = json(500, { name: "application_error", statusCode: 500, message: "An error" })
  const missing = json(404, { name: "not_found", statusCode: 404, message: "Not found" })
  const refused = json(422, { name: "validation_error", statusCode: 422, message: "Refused" })

  const errorOf = (promise: Promise<unknown>) =>
    Effect.map(Effect.promise(() => rejection(promise)), (error) => {
      assert(error instanceof MailstreamError, inspect(error))
      return error
    })

  it.scopedLive.each(all)(
    "$title is repeated as its class allows, and says what became of it",
    (entry) =>
      Effect.gen(function*() {
        const { operation } = entry
        const { client, received } = yield* serving(inTurn(limited, failed, refused), { retry })
        const error = yield* errorOf(methodOf(client, entry)(...sampleOf(operation)))
        const isOnce = operation.repetition === "once"
        assert.strictEqual(received.length, isOnce ? 2 : 3)
        assert.strictEqual(error._tag, isOnce ? "application_error" : "validation_error")
        const isRead = operation.repetition === "read"
        assert.strictEqual(error.outcome, isRead ? undefined : "unknown")
        const said =
          /; (whether it was processed is unknown|.* Look at the object before you repeat it\.?|.* nothing is sent twice)$/
        assert.strictEqual(said.test(error.message), !isRead, error.message)
        assert.strictEqual(typeof error.idempotencyKey, operation.repetition === "keyed" ? "string" : "undefined")
      })
  )

  it.scopedLive.each(all.filter(({ operation }) => operation.repetition !== "read"))(
    "$title says that it was not processed, if it was refused or not sent",
    (entry) =>
      Effect.gen(function*() {
        const args = sampleOf(entry.operation)
        const { client } = yield* serving(refused)
        const refusal = yield* errorOf(methodOf(client, entry)(...args))
        assert.deepInclude(JSON.parse(JSON.stringify(refusal)), { _tag: "validation_error", outcome: "not_processed" })
        const [port] = yield* Effect.promise(() => Port.free(1))
        const nobody = yield* scoped(() =>
          new Mailstream({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "re_1", retry: "none" })
        )
        const unsent = yield* errorOf(methodOf(nobody, entry)(...args))
        assert.deepInclude(unsent, { _tag: "TransportError", outcome: "not_processed" })
        assert.match(unsent.message, /; it was not processed$/)
      })
  )

  it.scopedLive("a removal that finds nothing after a lost response has removed it", () =>
    Effect.gen(function*() {
      const { client } = yield* serving(inTurn(lost, missing), { retry })
      assert.deepStrictEqual(yield* Effect.promise(() => client.topics.remove(id)), { id, deleted: true })
      const { client: another } = yield* serving(missing, { retry })
      const error = yield* errorOf(another.topics.remove(id))
      assert.deepInclude(error, { _tag: "not_found", outcome: "not_processed" })
    }))

  it.scopedLive("a client that is closed says what became of a change", () =>
    Effect.gen(function*() {
      const { baseUrl, received } = yield* silence
      const client = new Mailstream({ baseUrl, apiKey: "re_1" })
      const pending = [client.segments.create({ name: "Beta" }), client.segments.get("s-1")].map(rejection)
      yield* Effect.promise(() => received)
      yield* Effect.promise(() => client.close())
      const [change, read] = yield* Effect.promise(() => Promise.all(pending))
      assert(change instanceof Client.ClientClosed && read instanceof Client.ClientClosed)
      assert.strictEqual(change.outcome, "unknown")
      assert.strictEqual(
        change.message,
        "The client was closed during the call; whether it was processed is unknown."
      )
      assert.isUndefined(read.outcome)
      const later = yield* errorOf(client.segments.create({ name: "Beta" }))
      assert.deepInclude(later, { _tag: "ClientClosed", outcome: "not_processed" })
    }))

  it.scopedLive("a change that a function of the caller's ended has an unknown outcome", () =>
    Effect.gen(function*() {
      const { client } = yield* serving(failed, { retry })
      const onRetry = () => Effect.void
      const error = yield* errorOf(client.topics.update(id, { name: "News" }, { onRetry }))
      assert.deepInclude(error, { _tag: "InvalidOption", option: "onRetry", outcome: "unknown" })
    }))

  it.scopedLive("the stack begins with the line of the call", () =>
    Effect.gen(function*() {
      const { client } = yield* serving(missing)
      async function myRemoval() {
        return await client.contacts.remove({ email: "ada@example.com" })
      }
      const error = yield* errorOf(myRemoval())
      assert.match(error.stack!, /^not_found: DELETE .*\n {4}at (async )?myRemoval .*operations\.test\.ts/)
    }))
})

describe("a signal", () => {
  /** What an operation is rejected with whose signal is aborted when its request has arrived. */
  const abortedWith = (entry: (typeof all)[number], reason?: unknown) =>
    Effect.gen(function*() {
      const { baseUrl, hungUp, received } = yield* silence
      const client = yield* scoped(() => new Mailstream({ baseUrl, apiKey: "re_1" }))
      const controller = new AbortController()
      const { signal } = controller
      const pending = rejection(methodOf(client, entry)(...sampleOf(entry.operation), { signal }))
      yield* Effect.promise(() => received)
      controller.abort(reason)
      const error = yield* Effect.promise(() => pending)
      yield* Effect.promise(() => hungUp)
      const later = rejection(methodOf(client, entry)(...sampleOf(entry.operation), { signal }))
      return { error, later: yield* Effect.promise(() => later), signal }
    })

  it.scopedLive.each(all)(
    "aborts $title, which throws its reason or says what became of the change",
    (entry) =>
      Effect.gen(function*() {
        const { error, later, signal } = yield* abortedWith(entry)
        if (entry.operation.repetition === "read") {
          assert.strictEqual(error, signal.reason)
          assert.strictEqual(later, signal.reason)
          return
        }
        for (const each of [error, later]) {
          assert(each instanceof Client.Aborted && each instanceof MailstreamError && each instanceof Error)
          assert.strictEqual(each.name, "AbortError")
          assert.strictEqual(each.cause, signal.reason)
          assert.strictEqual(
            typeof each.idempotencyKey,
            entry.operation.repetition === "keyed" ? "string" : "undefined"
          )
          assert.match(each.stack!, /^AbortError: The call was aborted; .*\n {4}at .*operations\.test\.ts/)
        }
        assert.deepInclude(error, { _tag: "Aborted", outcome: "unknown" })
        assert.deepInclude(later, { _tag: "Aborted", outcome: "not_processed" })
      })
  )

  it.scopedLive.each<readonly [name: string, reason: unknown]>([
    ["TimeoutError", new DOMException("The operation timed out.", "TimeoutError")],
    ["AbortError", new Error("the user left")],
    ["AbortError", "enough"],
    ["AbortError", 10n],
    ["AbortError", new Proxy({}, { getPrototypeOf: () => assert.fail() })]
  ])("with any reason makes a %s that can be printed", ([name, reason]) =>
    Effect.gen(function*() {
      const entry = all.find(({ title }) => title === "topics.create")!
      const { error } = yield* abortedWith(entry, reason)
      assert(error instanceof Client.Aborted)
      assert.strictEqual(error.name, name)
      assert.strictEqual(error.cause, reason)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(error)), {
        _tag: "Aborted",
        outcome: "unknown",
        message: "The call was aborted; whether it was processed is unknown."
      })
    }))
})

describe("a secret", () => {
  const secret = "re_shown_once"

  /** Operations that return one. */
  const secretive = all.filter(({ operation }) =>
    /Redacted\(/.test(textOfType(SchemaAST.typeAST(operation.success.ast)))
  )

  it("is returned by those that create it", () => {
    assert.includeMembers(
      secretive.map(({ list, name }) => `${list}.${name}`),
      ["apiKeys.create", "webhooks.create", "webhooks.get", "webhooks.rotateSecret"]
    )
  })

  it.scopedLive.each(secretive)(
    "of $title shows itself only to whoever asks for its value",
    (entry) =>
      Effect.gen(function*() {
        const sample = fc.sample(Arbitrary.make(entry.operation.success), { numRuns: 1, seed: 1 })[0]
        const answer = Schema.encodeSync(entry.operation.success)(sample)
        const withSecret = { ...answer, ...("token" in answer ? { token: secret } : { signing_secret: secret }) }
        const { client } = yield* serving(json(entry.operation.status, withSecret))
        const created = (yield* Effect.promise(() => methodOf(client, entry)(...sampleOf(entry.operation)))) as object
        const field = Object.values(created).find((value) => typeof value?.value === "function") as Client.Secret
        assert.strictEqual(field.value(), secret)
        for (const value of [created, field]) {
          for (
            const printed of [
              inspect(value, { depth: null, showHidden: true, showProxy: true, getters: true }),
              JSON.stringify(value),
              `${value}`,
              Object.entries(value).join(),
              JSON.stringify(structuredClone({ ...value, token: undefined, signing_secret: undefined })),
              inspect({ ...value }, { showHidden: true })
            ]
          ) assert.notInclude(printed, secret)
        }
        assert.strictEqual(`${field}`, "<secret: read it with value()>")
        assert.strictEqual(JSON.stringify({ field }), `{"field":"<secret: read it with value()>"}`)
        assert.isFalse(Redacted.isRedacted(field))
      })
  )

  it.scopedLive("is in no error about the response that contains it", () =>
    Effect.gen(function*() {
      const { client } = yield* serving(json(201, { id: 5, token: secret }))
      const error = yield* Effect.promise(() => rejection(client.apiKeys.create({ name: "CI" })))
      assert(error instanceof Client.UnexpectedResponse)
      assert.strictEqual(error.outcome, "unknown")
      assert.notInclude(inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error), secret)
    }))
})

/** The text of a type. */
function textOfType(ast: SchemaAST.AST): string {
  return ast.toString() +
    (SchemaAST.isTypeLiteral(ast) ? ast.propertySignatures.map(({ type }) => `${type}`).join() : "")
}
