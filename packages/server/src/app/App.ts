/**
 * The service as a function from request to response, independent of any host: authentication, rate limit, routing,
 * faults, and errors in the API's format.
 *
 * The paths, methods and parameters are read from the contract (`Api` of `@mailstream/http`), but the app does not run
 * on `HttpApiBuilder`, which served 0.2 × as many pages a second as a bare Node server. This app serves 0.57 × as many
 * (`benchmarks/RESULTS.md`, part `server`; up to 0.70 × in earlier runs of it): items are stored as the JSON text that is
 * sent, so a page needs no encoding, and a request runs in one fiber with nothing around it.
 */
import { type ApiError, InternalServerError, ServiceUnavailable } from "@mailstream/core"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { Store, type StoreError } from "../stores/Store.ts"
import * as Auth from "./Auth.ts"
import * as Cors from "./Cors.ts"
import * as Docs from "./Docs.ts"
import * as FaultInjector from "./FaultInjector.ts"
import * as Handlers from "./Handlers.ts"
import * as RateLimit from "./RateLimit.ts"
import type { Request } from "./Request.ts"
import * as Response from "./Response.ts"
import * as Routes from "./Routes.ts"
import type { ServiceOptions } from "./ServiceOptions.ts"

export interface App {
  (request: Request): Effect.Effect<Response.Response>
}

/** Makes the service on a store. */
export const make = (options: ServiceOptions): Effect.Effect<App, StoreError, Store> =>
  Effect.gen(function*() {
    yield* Effect.forEach(options.apiKeys ?? [], (secret) => Auth.insertKey({ secret }), { discard: true })
    const route = Routes.make(Handlers.make(yield* Store))
    const pages = yield* Docs.make
    const authorize = yield* Auth.make
    const limit = options.rateLimit === undefined ? undefined : yield* RateLimit.make(options.rateLimit)
    const injectFault = options.faults === undefined ? undefined : yield* FaultInjector.make(options.faults)

    const dispatch = (request: Request, path: string, search: string) =>
      Either.match(route(request.method, path), {
        onLeft: (error) => error instanceof Routes.WrongMethod ? wrongMethod(error) : Effect.fail(error),
        onRight: ({ handler, params }) => {
          const response = handler(request, search, params)
          return injectFault === undefined ? response : injectFault(response)
        }
      })

    const respond: App = (request) => {
      const { path, search } = targetOf(request.url)
      const page = pages.get(path)
      if (page !== undefined) return isRead(request.method) ? page : wrongMethod(new Routes.WrongMethod(["GET"]))
      const authorized = authorize(request.authorization)
      const allowed = limit === undefined ? authorized : Effect.zipRight(authorized, limit.take)
      return Effect.catchAllCause(Effect.flatMap(allowed, () => dispatch(request, path, search)), recover)
    }

    const limited: App = limit === undefined
      ? respond
      : (request) => Effect.zipWith(respond(request), limit.headers, Response.withHeaders)
    return options.cors === undefined ? limited : Cors.make(options.cors)(limited)
  })

/** Path and query of a request. Proxies send the absolute URL. */
const targetOf = (url: string): { readonly path: string; readonly search: string } => {
  const target = url.startsWith("/") ? url : url.replace(/^\w+:\/\/[^/?]*/, "")
  const start = target.indexOf("?")
  return start === -1
    ? { path: target, search: "" }
    : { path: target.slice(0, start), search: target.slice(start + 1) }
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD"

const wrongMethod = ({ allow, error }: Routes.WrongMethod): Effect.Effect<Response.Response> =>
  Effect.succeed(Response.withHeaders(Response.fromError(error), { allow }))

/** Sends API errors to the client. Other failures are logged, and the client learns nothing about them. */
const recover = (cause: Cause.Cause<ApiError | StoreError>): Effect.Effect<Response.Response> => {
  const error = Option.getOrUndefined(Cause.failureOption(cause))
  if (error !== undefined && error._tag !== "StoreError") return Effect.succeed(Response.fromError(error))
  return Effect.as(
    Effect.logError("Failed to handle a request.", cause),
    error?.reason === "Unavailable" ? serviceUnavailable : internalServerError
  )
}

const serviceUnavailable = Response.fromError(
  new ServiceUnavailable({
    statusCode: 503,
    message: "The service cannot reach its database at the moment. Try again.",
    retryAfter: Duration.seconds(1)
  })
)

const internalServerError = Response.fromError(
  new InternalServerError({ statusCode: 500, message: "The service failed to handle the request." })
)
