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
  type ApiError,
  InvalidApiKey,
  MissingApiKey,
  NotFound,
  type Operation,
  Operations,
  Page,
  type PageRequest,
  type RequestError,
  Resource,
  SegmentId,
  Topic,
  type TopicId,
  TopicOperations,
  ValidationError
} from "@mailstream/core"
import { Api, Contacts, Mailstream, Topics } from "@mailstream/http"
import * as Services from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Arbitrary, Effect, FastCheck as fc, Layer, Redacted, Schema, SchemaAST } from "effect"
import { createServer } from "node:http"
import { samples } from "./support/samples.ts"
import { lists, operations as table, responseTo } from "./support/tables.ts"
import { apiKey, key } from "./support/wire.ts"

type AnyList = (typeof lists)[number]["resource"]

/** A value of a schema, always the same one. */
const sample = <A, I>(schema: Schema.Schema<A, I>): A => fc.sample(Arbitrary.make(schema), { seed: 7, numRuns: 1 })[0]!

/** Text that must be encoded in a path: an id where any text is one. */
const awkward = "s/ä ?#%.."

/** A filter of a list, with all of its fields. */
const filterOf = ({ query, scope }: AnyList): Readonly<Record<string, unknown>> => {
  const owner = scope === undefined ? {} : { [scope.field]: awkward }
  const params = scope?.params as Schema.Schema<object> | undefined
  const fields = sample(Schema.typeSchema(Schema.Struct(query as Schema.Struct.Fields))) as object
  return JSON.parse(JSON.stringify({
    ...(params === undefined || Schema.is(params)(owner) ? owner : sample(params)),
    ...fields
  }))
}

/** Arguments of an operation, and how they look in a path. */
const argsOf = ({ params }: Operation.Any): ReadonlyArray<unknown> =>
  params.map(({ schema }) => Schema.is(schema)(awkward) ? awkward : sample(schema as Schema.Schema<unknown>))

const textOf = (arg: unknown): unknown => typeof arg === "object" ? Object.values(arg as object)[0] : arg

/** What an endpoint gets from `HttpApiBuilder`. */
interface Given {
  readonly path?: Readonly<Record<string, unknown>>
  readonly urlParams?: PageRequest.PageRequest & Readonly<Record<string, unknown>>
  readonly payload?: unknown
}

type Handle = (given: Given) => Effect.Effect<unknown, ApiError>

const missing = new NotFound({ statusCode: 404, message: "Not found" })

const itemsOf = ({ item }: AnyList): ReadonlyArray<{ readonly id: string }> =>
  // As they are in JSON, which has no NaN.
  JSON.parse(JSON.stringify(samples({ item: item as unknown as Schema.Schema<{ readonly id: string }> })))

/** A page of samples: of all of them, or of the first four if the filter is the one that is known. */
const listing = (resource: AnyList): Handle => ({ path = {}, urlParams = {} }) => {
  const given = { ...path, ...Object.fromEntries(Object.entries(urlParams).filter(([name]) => name in resource.query)) }
  const items = itemsOf(resource)
  if (Object.keys(given).length === 0) return Page.fromItems(items, urlParams)
  try {
    assert.deepStrictEqual(given, filterOf(resource))
  } catch {
    return missing
  }
  return Page.fromItems(items.slice(0, 4), urlParams)
}

/** A sample of the response, if the request is the one that is known. */
const operating = (operation: Operation.Any): Handle => ({ path = {}, payload }) =>
  Object.entries(path).some(([field, text]) =>
      text !== textOf(argsOf(operation)[operation.params.findIndex((param) => param.field === field)])
    )
    ? missing
    : JSON.stringify(payload ?? null).includes(`"taken"`)
    ? new ValidationError({ statusCode: 422, message: "This topic already exists." })
    : Effect.succeed(responseTo(operation, payload, sample(operation.success)))

interface Handlers {
  readonly handle: (name: string, handle: Handle) => Handlers
}

/** The contract, served from samples: every endpoint of every group follows from its entry in the tables. */
const handlers = lists.map(({ operations, resource }) =>
  HttpApiBuilder.group(
    Api.Api,
    resource.name as "topics",
    (group) =>
      Object.keys(Api.Api.groups[resource.name]!.endpoints).reduce<Handlers>(
        (handlers, name) =>
          handlers.handle(name, operations[name] === undefined ? listing(resource) : operating(operations[name])),
        group as never
      ) as never
  )
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

const api = HttpApiBuilder.api(Api.Api)

const server = HttpApiBuilder.serve().pipe(
  Layer.provide(api.pipe(
    // One for each group.
    Layer.provide(
      Layer.mergeAll(...handlers as [(typeof handlers)[0]]) as Layer.Layer<Layer.Layer.Context<typeof api>>
    ),
    Layer.provide(authorization)
  )),
  Layer.provideMerge(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })),
  Layer.provideMerge(NodeHttpClient.layerUndici)
)

/** The services of the package, against the contract. */
const services = (apiKey: Redacted.Redacted) =>
  Layer.unwrapEffect(
    HttpServer.addressFormattedWith((baseUrl) => Effect.succeed(Mailstream.layer({ baseUrl, apiKey })))
  ).pipe(Layer.provide(UndiciTransport.layer))

type Methods = Readonly<Record<string, (...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, RequestError>>>

/** A service, by its name. */
const serviceOf = (name: string): Effect.Effect<Methods, never, Mailstream.Mailstream> =>
  (Services as unknown as Record<string, typeof Contacts>)[name]! as never

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

    it.effect.each(lists)("$resource.name", ({ resource }) =>
      Effect.gen(function*() {
        const { list } = yield* serviceOf(resource.identifier)
        const items = itemsOf(resource)
        const filter = filterOf(resource)
        if (resource.isFilter(undefined)) yield* walk((request) => list!(request) as never, items)
        if (Object.keys(filter).length > 0) {
          yield* walk((request) => list!({ ...request, filter }) as never, items.slice(0, 4))
        }
      }))

    it.effect.each(table)("$service: $name", ({ name, operation, service }) =>
      Effect.gen(function*() {
        const methods = yield* serviceOf(service)
        const input: ReadonlyArray<unknown> = operation.payload === undefined ? [] : [sample(operation.payload)]
        const result = yield* methods[name]!(...argsOf(operation), ...input)
        const encode = Schema.encodeUnknownSync(operation.success)
        assert.deepStrictEqual(encode(result), encode(responseTo(operation, input[0], sample(operation.success))))
      }))

    it.effect("an error of the service", () =>
      Effect.gen(function*() {
        const topics = yield* Topics
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
        assert.match(error.message, /^GET http:\S+\/segments\/nobody\/contacts: Not found$/)
        const other = yield* Effect.flip(contacts.get({ email: "nobody+1@example.com" }))
        assert(other._tag === "not_found")
        assert.match(other.message, /^GET http:\S+\/contacts\/:contact: Not found$/)
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
          Page.make(samples(Resource.topics).slice(0, 2), true)
        )
        const created: { readonly id: TopicId } = yield* api.topics.create({ payload: { name: "News" } })
        assert.deepStrictEqual(created, sample(TopicOperations.operations.create.success))
        const [id] = argsOf(TopicOperations.operations.get)
        const found: Topic = yield* api.topics.get({ path: { topic_id: `${id}` } })
        assert.deepStrictEqual(found, sample(Topic))
        const error = yield* Effect.flip(
          api.contacts.update({ path: { contact: "nobody" }, payload: { first_name: null } })
        )
        assert.strictEqual(error._tag, "not_found")
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

  it("has every list and every operation, each with bearer authentication", () => {
    const inDocument = (path: string) => path.replace(/:(\w+)/g, "{$1}")
    assert.sameMembers(operations.map(({ method, path }) => `${method} ${path}`), [
      ...lists.flatMap(({ resource: { isFilter, path, scope } }) => [
        ...(isFilter(undefined) ? [`get ${path}`] : []),
        ...(scope === undefined ? [] : [`get ${inDocument(scope.path)}`])
      ]),
      ...table.map(({ operation: { method, path } }) => `${method.toLowerCase()} ${inDocument(path)}`)
    ])
    for (const { operation } of operations) assert.deepStrictEqual(operation.security, [{ bearer: [] }])
    assert.deepStrictEqual<unknown>(document.components.securitySchemes, { bearer: { type: "http", scheme: "bearer" } })
  })

  it("names every place in a path the same, and every operation differently", () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
    const paths = Object.keys(document.paths)
    assert.strictEqual(new Set(paths.map((path) => path.replace(/{\w+}/g, "{}"))).size, paths.length)
  })

  it("describes every operation, its parameters, its body and its response", () => {
    for (const { group, name, operation: { method, params, path, payload, status, success, summary } } of table) {
      const found = operations.find(({ operation }) => operation.operationId === `${group}.${name}`)
      assert(found !== undefined)
      assert.strictEqual(`${found.method} ${found.path}`, `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`)
      const { description, parameters, requestBody, responses, summary: short } = found.operation
      assert.strictEqual(description, summary)
      assert.isTrue(short !== undefined && summary.startsWith(short) && !/[.:;]/.test(short), short)
      assert.deepStrictEqual(
        parameters.map((parameter) => [parameter.in, parameter.name, parameter.required]),
        params.map(({ field }) => ["path", field, true])
      )
      for (const parameter of parameters) {
        assert.match(parameter.description ?? "", /^The id of the [a-z ]+(, or its \w+)?\.$/)
      }
      assert.strictEqual(requestBody === undefined, payload === undefined)
      assert.deepStrictEqual(responses[status]?.content?.["application/json"]?.schema, {
        $ref: `#/components/schemas/${success.ast.annotations[SchemaAST.IdentifierAnnotationId]}`
      })
      assert.notProperty(responses, status === 200 ? "201" : "200")
    }
  })

  it("describes every field of a body, in the words of the table", () => {
    const resolve = (schema: unknown): ReadonlyArray<{ readonly properties: Record<string, object> }> => {
      if (typeof schema !== "object" || schema === null) return []
      if ("$ref" in schema) return resolve(document.components.schemas[`${schema.$ref}`.replace(/^.*\//, "")])
      if ("anyOf" in schema) return (schema.anyOf as ReadonlyArray<unknown>).flatMap(resolve)
      if ("items" in schema) return resolve(schema.items)
      return [schema as { readonly properties: Record<string, object> }]
    }
    for (
      const { operation: { operationId, requestBody } } of operations.filter(({ operation }) => operation.requestBody)
    ) {
      const [list = ""] = operationId.split(".")
      const bodies = resolve(requestBody?.content["application/json"]?.schema)
      assert.isNotEmpty(bodies)
      for (const [field, schema] of bodies.flatMap(({ properties }) => Object.entries(properties))) {
        assert.propertyVal(schema, "description", Operations.descriptions[list]?.[field], `${operationId} ${field}`)
        assert.isString(Operations.descriptions[list]?.[field])
      }
    }
  })

  it("documents the parameters of lists", () => {
    for (const { operation, path } of operations.filter(({ operation }) => /\.list/.test(operation.operationId))) {
      const { resource } = lists.find(({ resource }) => operation.operationId.startsWith(`${resource.name}.`))!
      const limit = operation.parameters.find(({ name }) => name === "limit")
      const always = resource.pagination === "always"
      assert.deepInclude(
        limit?.schema,
        { type: "integer", minimum: 1, maximum: 100, ...(always ? { default: 20 } : {}) },
        path
      )
      assert.strictEqual("default" in limit!.schema, always)
      assert.includeMembers(operation.parameters.map(({ name }) => name), Object.keys(resource.query))
      for (const { description, name } of operation.parameters) assert.isString(description, `${path} ${name}`)
    }
  })

  it("documents the limits", () => {
    assert.deepInclude(document.components.schemas["CreateTopic"], { required: ["name"] })
    const text = JSON.stringify(document.components.schemas["CreateTopic"])
    assert.include(text, `"maxLength":50`)
    assert.include(text, `"maxLength":200`)
    assert.include(JSON.stringify(document.components.schemas["UpdateContact"]), `"minProperties":1`)
    assert.include(JSON.stringify(document.components.schemas["CreateSuppressions"]), `"minItems":1,"maxItems":100`)
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
