/** Which request goes to which endpoint of the contract. */
import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpMethod from "@effect/platform/HttpMethod"
import { MethodNotAllowed, NotFound } from "@mailstream/core"
import { Api } from "@mailstream/http"
import * as Either from "effect/Either"
import * as Response from "./Response.ts"

export type Endpoint = HttpApiEndpoint.HttpApiEndpoint<string, HttpMethod.HttpMethod>

/** The handler of a request. */
export interface Match<Handler> {
  readonly handler: Handler
  /** What the path has in place of its parameters, percent-encoded. */
  readonly params: ReadonlyArray<string>
}

interface Target<Handler> {
  readonly pattern: RegExp
  readonly methods: Map<string, Handler>
}

const notFound = Response.fromError(
  new NotFound({ statusCode: 404, message: "The requested endpoint does not exist." })
)

/** The path exists, but only for these methods. */
export const wrongMethod = (methods: Iterable<string>): Response.Response => {
  const allow = [...methods].flatMap((method) => method === "GET" ? ["GET", "HEAD"] : [method]).join(", ")
  const error = new MethodNotAllowed({ statusCode: 405, message: `This endpoint only allows ${allow}.` })
  return Response.withHeaders(Response.fromError(error), { allow })
}

/** Finds the handler of a request. */
export interface Router<Handler> {
  (method: string, path: string): Either.Either<Match<Handler>, Response.Response>
}

/** Makes the router from the contract: every endpoint of it gets a handler. `list` is the name of its list. */
export const make = <Handler>(
  handle: (endpoint: Endpoint, list: string) => Handler
): Router<Handler> => {
  const fixed = new Map<string, Target<Handler>>()
  const open = new Map<string, Target<Handler>>()
  HttpApi.reflect(Api.Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const { method, path } = endpoint
      const targets = path.includes(":") ? open : fixed
      const pattern = patternOf(path)
      // Two endpoints can have different names for a parameter of the same path.
      const key = targets === open ? pattern.source : path
      const target = targets.get(key) ?? { pattern, methods: new Map<string, Handler>() }
      targets.set(key, target)
      target.methods.set(method, handle(endpoint, group.identifier))
    }
  })
  const patterns = [...open.values()]

  return (method, path) => {
    const target = fixed.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))
    if (target === undefined) return Either.left(notFound)
    const handler = target.methods.get(method === "HEAD" ? "GET" : method)
    return handler === undefined
      ? Either.left(wrongMethod(target.methods.keys()))
      : Either.right({ handler, params: target.pattern.exec(path)?.slice(1) ?? [] })
  }
}

/** `/segments/:segment_id/contacts` as a pattern. A parameter is one non-empty segment of the path. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, "([^/]+)")}$`)
