import {
  HttpApiBuilder,
  HttpApiClient,
  HttpClient,
  HttpClientRequest,
  HttpServer,
  HttpServerRequest,
  OpenApi
} from "@effect/platform"
import { NodeHttpClient, NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import {
  InvalidApiKey,
  MissingApiKey,
  NotFound,
  Page,
  type PageRequest,
  ReceivedEmailId,
  type RequestError,
  Resource,
  SegmentId,
  TopicId,
  ValidationError
} from "@mailstream/core"
import {
  Api,
  ApiKeys,
  Broadcasts,
  Contacts,
  Domains,
  Emails,
  Mailstream,
  ReceivedEmailAttachments,
  ReceivedEmails,
  Segments,
  Templates,
  Topics
} from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect, Layer, Redacted } from "effect"
import { createServer } from "node:http"
import { samples } from "./support/samples.ts"
import { apiKey, key } from "./support/wire.ts"

const items = {
  domains: samples(Resource.domains),
  apiKeys: samples(Resource.apiKeys),
  broadcasts: samples(Resource.broadcasts),
  segments: samples(Resource.segments),
  contacts: samples(Resource.contacts),
  receivedEmails: samples(Resource.receivedEmails),
  attachments: samples(Resource.receivedEmailAttachments),
  emails: samples(Resource.emails),
  templates: samples(Resource.templates),
  topics: samples(Resource.topics)
}

const segment = SegmentId.make("s/ä ?#%..")
const email = ReceivedEmailId.make("e-1")

/** The contract, served from sample items. */
const handlers = Layer.mergeAll(
  HttpApiBuilder.group(Api.Api, "domains", (_) => _.handle("list", (_) => Page.fromItems(items.domains, _.urlParams))),
  HttpApiBuilder.group(Api.Api, "api-keys", (_) => _.handle("list", (_) => Page.fromItems(items.apiKeys, _.urlParams))),
  HttpApiBuilder.group(
    Api.Api,
    "broadcasts",
    (_) => _.handle("list", (_) => Page.fromItems(items.broadcasts, _.urlParams))
  ),
  HttpApiBuilder.group(
    Api.Api,
    "segments",
    (_) => _.handle("list", (_) => Page.fromItems(items.segments, _.urlParams))
  ),
  HttpApiBuilder.group(Api.Api, "contacts", (_) =>
    _.handle("list", (_) => Page.fromItems(items.contacts, _.urlParams))
      .handle("listOfSegment", (_) =>
        _.path.segment_id === segment
          ? Page.fromItems(items.contacts.slice(0, 2), _.urlParams)
          : new NotFound({ statusCode: 404, message: "Segment not found" }))),
  HttpApiBuilder.group(
    Api.Api,
    "received-emails",
    (_) => _.handle("list", (_) => Page.fromItems(items.receivedEmails, _.urlParams))
  ),
  HttpApiBuilder.group(Api.Api, "received-email-attachments", (_) =>
    _.handle("list", (_) =>
      _.path.email_id === email
        ? Page.fromItems(items.attachments, _.urlParams)
        : new NotFound({ statusCode: 404, message: "Email not found" }))),
  HttpApiBuilder.group(Api.Api, "emails", (_) => _.handle("list", (_) => Page.fromItems(items.emails, _.urlParams))),
  HttpApiBuilder.group(
    Api.Api,
    "templates",
    (_) => _.handle("list", (_) => Page.fromItems(items.templates, _.urlParams))
  ),
  HttpApiBuilder.group(Api.Api, "topics", (_) =>
    _.handle("list", (_) => Page.fromItems(items.topics, _.urlParams))
      .handle("create", ({ payload }) =>
        payload.name === "taken"
          ? new ValidationError({ statusCode: 422, message: "This topic already exists." })
          : Effect.succeed({ object: "topic" as const, id: TopicId.make("b6d24b8e-af0b-4c3c-be0c-359bbd97381e") })))
)

const authorization = Layer.succeed(
  Api.Authorization,
  Api.Authorization.of({
    bearer: Effect.fnUntraced(function*(token) {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      if (headers["authorization"] === undefined) {
        return yield* new MissingApiKey({ statusCode: 401, message: "Missing API key" })
      }
      if (Redacted.value(token) !== key) {
        return yield* new InvalidApiKey({ statusCode: 403, message: "API key is invalid" })
      }
    })
  })
)

const server = HttpApiBuilder.serve().pipe(
  Layer.provide(HttpApiBuilder.api(Api.Api).pipe(Layer.provide(handlers), Layer.provide(authorization))),
  Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })),
  Layer.provideMerge(NodeHttpClient.layerUndici)
)

/** The services of the package, against the contract. */
const services = (apiKey: Redacted.Redacted) =>
  Layer.unwrapEffect(
    HttpServer.addressFormattedWith((baseUrl) => Effect.succeed(Mailstream.layer({ baseUrl, apiKey })))
  ).pipe(Layer.provide(UndiciTransport.layer))

describe("the services against the contract", () => {
  layer(services(apiKey).pipe(Layer.provideMerge(server)))((it) => {
    /** Everything at once, and page by page in both directions. */
    const walk = <Item extends { readonly id: string }>(
      list: (request: PageRequest.PageRequest<Item["id"]>) => Effect.Effect<Page.Page<Item>, RequestError>,
      expected: ReadonlyArray<Item>
    ) =>
      Effect.gen(function*() {
        const [first, second] = expected
        assert(first !== undefined && second !== undefined)
        assert.deepStrictEqual<unknown>(yield* list({}), Page.make(expected, false))
        assert.deepStrictEqual<unknown>(yield* list({ limit: 1 }), Page.make([first], expected.length > 1))
        assert.deepStrictEqual<unknown>(
          yield* list({ limit: 100, after: first.id }),
          Page.make(expected.slice(1), false)
        )
        assert.deepStrictEqual<unknown>(yield* list({ limit: 1, before: second.id }), Page.make([first], false))
      })

    it.effect("domains", () => Effect.flatMap(Domains, (_) => walk(_.list, items.domains)))
    it.effect("API keys", () => Effect.flatMap(ApiKeys, (_) => walk(_.list, items.apiKeys)))
    it.effect("broadcasts", () => Effect.flatMap(Broadcasts, (_) => walk(_.list, items.broadcasts)))
    it.effect("segments", () => Effect.flatMap(Segments, (_) => walk(_.list, items.segments)))
    it.effect("contacts", () => Effect.flatMap(Contacts, (_) => walk(_.list, items.contacts)))
    it.effect("contacts of a segment", () =>
      Effect.flatMap(
        Contacts,
        (_) => walk((request) => _.list({ ...request, filter: { segment_id: segment } }), items.contacts.slice(0, 2))
      ))
    it.effect("received emails", () => Effect.flatMap(ReceivedEmails, (_) => walk(_.list, items.receivedEmails)))
    it.effect("received email attachments", () =>
      Effect.flatMap(
        ReceivedEmailAttachments,
        (_) => walk((request) => _.list({ ...request, filter: { email_id: email } }), items.attachments)
      ))
    it.effect("emails", () => Effect.flatMap(Emails, (_) => walk(_.list, items.emails)))
    it.effect("templates", () => Effect.flatMap(Templates, (_) => walk(_.list, items.templates)))
    it.effect("topics", () => Effect.flatMap(Topics, (_) => walk(_.list, items.topics)))

    it.effect("the creation of a topic", () =>
      Effect.gen(function*() {
        const topics = yield* Topics
        const topic = yield* topics.create({ name: "News", description: undefined, default_subscription: "opt_in" })
        assert.deepStrictEqual<unknown>(topic, { object: "topic", id: "b6d24b8e-af0b-4c3c-be0c-359bbd97381e" })
        const error = yield* Effect.flip(topics.create({ name: "taken" }))
        assert(error._tag === "validation_error")
        assert.strictEqual(error.statusCode, 422)
        assert.match(error.message, /^POST http:\S+\/topics: This topic already exists\.$/)
      }))

    it.effect("an unknown id", () =>
      Effect.gen(function*() {
        const contacts = yield* Contacts
        const error = yield* Effect.flip(contacts.list({ filter: { segment_id: SegmentId.make("nobody") } }))
        assert(error._tag === "not_found")
        assert.match(error.message, /^GET http:\S+\/segments\/nobody\/contacts: Segment not found$/)
      }))
  })

  it.scoped("an invalid key", () =>
    Effect.gen(function*() {
      const contacts = yield* Contacts
      const error = yield* Effect.flip(contacts.list())
      assert(error._tag === "invalid_api_key")
      assert.strictEqual(error.statusCode, 403)
    }).pipe(Effect.provide(services(Redacted.make("wrong")).pipe(Layer.provideMerge(server)))))
})

describe("Effect's own client against the contract", () => {
  layer(server)((it) => {
    const client = (token: string | undefined) =>
      HttpServer.addressFormattedWith((baseUrl) =>
        HttpApiClient.make(Api.Api, {
          baseUrl,
          transformClient: token === undefined
            ? undefined
            : HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
        })
      )

    it.effect("lists and creates", () =>
      Effect.gen(function*() {
        const api = yield* client(key)
        assert.deepStrictEqual(
          yield* api.topics.list({ urlParams: { limit: 2 } }),
          Page.make(items.topics.slice(0, 2), true)
        )
        const created = yield* api.topics.create({ payload: { name: "News" } })
        assert.strictEqual(created.object, "topic")
      }))

    it.effect("fails with errors by tag", () =>
      Effect.gen(function*() {
        const missing = yield* Effect.flip((yield* client(undefined)).contacts.list({ urlParams: {} }))
        assert.strictEqual(missing._tag, "missing_api_key")
        const taken = yield* Effect.flip((yield* client(key)).topics.create({ payload: { name: "taken" } }))
        assert.strictEqual(taken._tag, "validation_error")
      }))
  })
})

describe("the OpenAPI document", () => {
  const document = OpenApi.fromApi(Api.Api)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
  )

  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator()
    const result = await validator.validate(JSON.parse(JSON.stringify(document)))
    assert.deepStrictEqual(result.errors ?? [], [])
    assert.isTrue(result.valid)
    assert.strictEqual(validator.version, "3.1")
  })

  it("has the twelve operations, each with bearer authentication", () => {
    assert.sameMembers(operations.map(({ method, path }) => `${method} ${path}`), [
      "get /domains",
      "get /api-keys",
      "get /broadcasts",
      "get /segments",
      "get /contacts",
      "get /segments/{segment_id}/contacts",
      "get /emails/receiving",
      "get /emails/receiving/{email_id}/attachments",
      "get /emails",
      "get /templates",
      "get /topics",
      "post /topics"
    ])
    for (const { operation } of operations) assert.deepStrictEqual(operation.security, [{ bearer: [] }])
    assert.deepStrictEqual<unknown>(document.components.securitySchemes, { bearer: { type: "http", scheme: "bearer" } })
  })

  it("documents the limits", () => {
    for (const { method, operation, path } of operations.filter(({ method }) => method === "get")) {
      const limit = operation.parameters.find(({ name }) => name === "limit")
      const always = ["/emails", "/templates", "/topics"].includes(path)
      assert.deepInclude(
        limit?.schema,
        { type: "integer", minimum: 1, maximum: 100, ...(always ? { default: 20 } : {}) },
        `${method} ${path}`
      )
      assert.strictEqual("default" in limit!.schema, always)
    }
    assert.deepInclude(document.components.schemas["CreateTopic"], { required: ["name"] })
    const text = JSON.stringify(document.components.schemas["CreateTopic"])
    assert.include(text, `"maxLength":50`)
    assert.include(text, `"maxLength":200`)
  })

  it("documents the errors as sent, and no others", () => {
    for (const { operation } of operations) {
      for (const [status, names] of Object.entries(Api.errors)) {
        const schema = operation.responses[Number(status)]?.content?.["application/json"]?.schema
        assert.deepNestedInclude(schema, {
          required: ["name", "statusCode", "message"],
          "properties.name.enum": [...names]
        })
      }
    }
    assert.notInclude(JSON.stringify(document), "HttpApiDecodeError")
  })
})
