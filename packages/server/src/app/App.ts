/**
 * The service as a function from request to response, independent of any host: authentication, rate limit, routing,
 * faults, and errors in the API's format.
 *
 * The paths, methods and parameters are read from the contract (`Api` of `@mailstream/http`), but the app does not run
 * on `HttpApiBuilder`, which served 0.2 × as many pages a second as a bare Node server. This app serves 0.57 × as many
 * (`benchmarks/RESULTS.md`, part `server`; up to 0.70 × in earlier runs of it): items are stored as the JSON text that is
 * sent, so a page needs no encoding, and a request runs in one fiber with nothing around it.
 */
import { type ApiError, ApiKeyId, InternalServerError, type InvalidOption, ServiceUnavailable } from "@mailstream/core"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Account from "../stores/Account.ts"
import * as Checks from "../stores/Checks.ts"
import { Store, type StoreError, storeOf, type StoreService } from "../stores/Store.ts"
import * as Auth from "./Auth.ts"
import * as Cors from "./Cors.ts"
import * as Docs from "./Docs.ts"
import * as Downloads from "./Downloads.ts"
import * as FaultInjector from "./FaultInjector.ts"
import * as Handlers from "./Handlers.ts"
import * as InboxApp from "./inbox/InboxApp.ts"
import * as Observation from "./Observation.ts"
import * as RateLimit from "./RateLimit.ts"
import type { Request } from "./Request.ts"
import * as Response from "./Response.ts"
import * as Routes from "./Routes.ts"
import * as Idempotency from "./sending/Idempotency.ts"
import type { ServiceOptions } from "./ServiceOptions.ts"
import * as Settings from "./Settings.ts"

export interface App {
  (request: Request): Effect.Effect<Response.Response>
}

/** What the host gives to the service. */
export interface Host {
  /** Called whenever there may be events to deliver to webhooks: see `Settings`. */
  readonly notify?: (() => void) | undefined
  /** What opens the inbox; undefined: there is none. */
  readonly inboxToken: Redacted.Redacted | undefined
  /** Ends when the host stops. */
  readonly stopping: Effect.Effect<void>
}

/** Makes the service on a store. */
export const make = (
  options: ServiceOptions,
  { inboxToken, notify, stopping }: Host
): Effect.Effect<App, StoreError | InvalidOption, Store> =>
  Effect.gen(function*() {
    const settings = yield* Settings.make(options, notify)
    const limitOf = options.rateLimit === undefined ? undefined : yield* RateLimit.make(options.rateLimit)
    const injectFault = options.faults === undefined ? undefined : yield* FaultInjector.make(options.faults)
    yield* insertKeys(options)
    const store = yield* Store
    const route = Routes.make(Handlers.make(settings))
    const pages = yield* Docs.make(inboxToken !== undefined)
    const authorize = yield* Auth.identify
    const guard = Idempotency.makeGuard()
    const observe = yield* Observation.make(options.onRequest)

    const dispatch = (caller: Auth.Caller, request: Request, path: string, search: string) =>
      Either.match(route(request.method, path), {
        onLeft: Effect.succeed<Response.Response>,
        onRight: ({ handler: { handler, repetition }, params }) => {
          const [{ account }, changes] = [caller, repetition !== "read"]
          const isKeyed = repetition === "keyed" && request.header("idempotency-key") !== undefined
          const responseTo = (request: Request) => {
            const response = handler(storeOf(store, account), request, search, params, caller)
            const told = changes && notify !== undefined ? Effect.tap(response, () => Effect.sync(notify)) : response
            return injectFault === undefined ? told : injectFault(told, { changes, isKeyed })
          }
          return isKeyed ? guard(account, request, responseTo) : responseTo(request)
        }
      })

    const inbox = inboxToken === undefined
      ? undefined
      : InboxApp.make({ token: inboxToken, authorize, store, settings, stopping, read: readerOf(store, route) })

    /** Adds the rate limit's headers to a response, and reports the request to the operator. */
    const finish = (
      request: Request,
      path: string,
      account: string | undefined,
      respond: Effect.Effect<Response.Response>
    ) => {
      const { headers } = limitOf?.(account ?? Account.defaultId) ?? {}
      const response = headers === undefined ? respond : Effect.zipWith(respond, headers, Response.withHeaders)
      return observe === undefined ? response : observe(request, path, account, response)
    }

    const respond: App = (request) => {
      const { path, search } = targetOf(request.url)
      const page = pages.get(path)
      if (page !== undefined) {
        const response = isRead(request.method)
          ? Effect.catchAllCause(page(request), recover)
          : Effect.succeed(Routes.wrongMethod(["GET"]))
        return finish(request, path, undefined, response)
      }
      if (inbox !== undefined && InboxApp.isInbox(path)) {
        return inbox(request, path, search, (account, response) =>
          (observe ?? unobserved)(request, path, account, Effect.catchAllCause(response, recover)))
      }
      const attachment = isRead(request.method) ? Downloads.partsOf(path) : undefined
      if (attachment !== undefined) {
        const response = Downloads.serve(store, attachment, search)
        return finish(request, path, undefined, Effect.catchAllCause(response, recover))
      }
      return Effect.matchCauseEffect(authorize(request.header("authorization"), isSend(request.method, path)), {
        onFailure: (cause) =>
          finish(request, path, undefined, recover(cause)),
        onSuccess: (caller) => {
          const { account } = caller
          const response = Effect.suspend(() =>
            dispatch(caller, request, path, search)
          )
          const allowed = limitOf === undefined ? response : Effect.zipRight(limitOf(account).take, response)
          return finish(request, path, account, Effect.catchAllCause(allowed, recover))
        }
      })
    }
    return options.cors === undefined ? respond : shared(options.cors, respond, observe)
  })

const unobserved: Observation.Observe = (_request, _path, _account, response) => response

/** The service for pages of other origins. They have no business in the inbox. */
const shared = (origins: Cors.Origins, respond: App, observe: Observation.Observe | undefined): App => {
  const app = Cors.make(
    origins,
    respond,
    (request, response) =>
      observe === undefined ? response : observe(request, targetOf(request.url).path, undefined, response)
  )
  return (request) => InboxApp.isInbox(targetOf(request.url).path) ? respond(request) : app(request)
}

/** Reads with the token of the inbox are nobody's. */
const noKey = ApiKeyId.make("00000000-0000-0000-0000-000000000000")

/** What the inbox reads is never at fault, and counts for no limit. */
const readerOf =
  (store: StoreService, route: Routes.Router<Handlers.Handling>): InboxApp.Options["read"] =>
  (account, request, path, search) =>
    Either.match(route(request.method, path), {
      onLeft: Effect.succeed<Response.Response>,
      onRight: ({ handler: { handler }, params }) =>
        handler(storeOf(store, account), request, search, params, { account, key: noKey })
    })

/** Inserts the keys to accept from the start, after checking all of them. */
const insertKeys = ({ accounts = [], apiKeys = [] }: ServiceOptions) =>
  Effect.gen(function*() {
    for (const [index, apiKey] of apiKeys.entries()) yield* Checks.secret(`apiKeys[${index}]`, apiKey)
    for (const [index, { apiKey, id }] of accounts.entries()) {
      yield* Checks.accountId(`accounts[${index}].id`, id)
      yield* Checks.secret(`accounts[${index}].apiKey`, apiKey)
    }
    for (const secret of apiKeys) yield* Auth.insertKey({ secret })
    for (const { apiKey, id } of accounts) yield* Auth.insertKey({ secret: apiKey, account: id })
  })

/** Path and query of a request. Proxies send the absolute URL. */
const targetOf = (url: string): { readonly path: string; readonly search: string } => {
  const target = url.startsWith("/") ? url : url.replace(/^\w+:\/\/[^/?]*/, "")
  const start = target.indexOf("?")
  return start === -1
    ? { path: target, search: "" }
    : { path: target.slice(0, start), search: target.slice(start + 1) }
}

/** Whether a request is one that a key with `sending_access` is for. */
const isSend = (method: string, path: string): boolean =>
  method === "POST" && (path === "/emails" || path === "/emails/batch")

const isRead = (method: string): boolean => method === "GET" || method === "HEAD"

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
