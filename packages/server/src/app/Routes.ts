/** Which request goes to which endpoint of the contract. */
import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type * as HttpMethod from "@effect/platform/HttpMethod"
import { Filter, MethodNotAllowed, NotFound, type PageRequest, Resource, ValidationError } from "@mailstream/core"
import { Api } from "@mailstream/http"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Response from "./Response.ts"

type Groups = typeof Api.Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer _E, infer _R> ? Groups : never

/** The names of the contract's endpoints. */
export type EndpointName = HttpApiEndpoint.HttpApiEndpoint.Name<HttpApiGroup.HttpApiGroup.Endpoints<Groups>>

/** An endpoint of the contract, and how to read its parameters. */
export interface Endpoint {
  readonly method: string
  readonly name: EndpointName
  /** The name of the resource. */
  readonly group: string
  readonly query: (search: string) => Either.Either<PageRequest.PageRequest, ValidationError>
  /** The path's parameter, if it has one. */
  readonly param: (params: Params) => Either.Either<string | undefined, ValidationError>
}

/** The path's parameters, percent-encoded. */
export type Params = { readonly [name: string]: string }

/** The handler of a request. */
export interface Match<Handler> {
  readonly handler: Handler
  readonly params: Params
}

interface Target<Handler> {
  readonly pattern: RegExp
  readonly methods: Map<string, Handler>
}

const noParams: Params = {}

const notFound = Response.fromError(
  new NotFound({ statusCode: 404, message: "The requested endpoint does not exist." })
)

/** The path exists, but only for these methods. */
export const wrongMethod = (methods: Iterable<string>): Response.Response => {
  const allow = [...methods].flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]).join(", ")
  const error = new MethodNotAllowed({ statusCode: 405, message: `This endpoint only allows ${allow}.` })
  return Response.withHeaders(Response.fromError(error), { allow })
}

/** Makes the router from the contract: every endpoint of it gets a handler. */
export const make = <Handler>(
  handle: (endpoint: Endpoint) => Handler
): (method: string, path: string) => Either.Either<Match<Handler>, Response.Response> => {
  const fixed = new Map<string, Target<Handler>>()
  const targets = new Map<string, Target<Handler>>()
  HttpApi.reflect(Api.Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const { method, path } = endpoint
      const target = targets.get(path) ?? { pattern: patternOf(path), methods: new Map<string, Handler>() }
      targets.set(path, target)
      if (!path.includes(":")) fixed.set(path, target)
      target.methods.set(method, handle(describe(endpoint, group.identifier)))
    }
  })
  const open = [...targets.values()].filter((target) => ![...fixed.values()].includes(target))

  return (method, path) => {
    const target = fixed.get(path) ?? open.find(({ pattern }) => pattern.test(path))
    if (target === undefined) return Either.left(notFound)
    const handler = target.methods.get(method === "HEAD" ? "GET" : method)
    return handler === undefined
      ? Either.left(wrongMethod(target.methods.keys()))
      : Either.right({ handler, params: target.pattern.exec(path)?.groups ?? noParams })
  }
}

/** `/segments/:segment_id/contacts` as a pattern. A parameter is one non-empty segment of the path. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`)

const describe = (
  { method, name, pathSchema, urlParamsSchema }: HttpApiEndpoint.HttpApiEndpoint<string, HttpMethod.HttpMethod>,
  group: string
): Endpoint => ({
  method,
  // Reflection loses the type of the name; the contract has no other names.
  name: name as EndpointName,
  group,
  query: Option.match(urlParamsSchema, { onNone: () => () => Either.right({}), onSome: queryOf }),
  param: Option.match(pathSchema, { onNone: () => () => Either.right(undefined), onSome: paramOf(group) })
})

const queryOf = <A extends PageRequest.PageRequest>(schema: Schema.Schema<A, unknown>): Endpoint["query"] => {
  const decode = Schema.decodeUnknownEither(schema)
  return (search) => {
    if (search === "") return Either.right({})
    // A repeated parameter becomes an array, which every parameter's schema rejects.
    const given: Record<string, string | ReadonlyArray<string>> = {}
    new URLSearchParams(search).forEach((value, name) => {
      given[name] = Object.hasOwn(given, name) ? [value] : value
    })
    return Either.mapLeft(decode(given), ValidationError.fromParseError)
  }
}

const paramOf = (group: string) => <A>(schema: Schema.Schema<A, unknown>): Endpoint["param"] => {
  const isValid = Schema.is(schema)
  const { scope } = Resource.all.find(({ name }) => name === group) ?? { scope: undefined }
  return (params) => {
    const [entry] = Object.entries(params)
    if (entry === undefined) return Either.right(undefined)
    const [name, encoded] = entry
    return Either.try(() => decodeURIComponent(encoded)).pipe(
      Either.filterOrLeft((id) => isValid({ [name]: id }), () => "invalid"),
      Either.mapLeft(() => Filter.invalid({ scope }))
    )
  }
}
