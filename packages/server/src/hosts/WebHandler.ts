/**
 * The service as a function from `Request` to `Response`, for runtimes without Node's HTTP server.
 *
 * @since 1.0.0
 */
import type { ValidationError } from "@mailstream/core"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberId from "effect/FiberId"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type * as App from "../app/App.ts"
import * as Body from "../app/Body.ts"
import * as Token from "../app/inbox/Token.ts"
import type { Observation } from "../app/Observation.ts"
import type { Request as AppRequest } from "../app/Request.ts"
import type { Response as AppResponse } from "../app/Response.ts"
import * as Service from "../app/Service.ts"
import type { ServiceOptions } from "../app/ServiceOptions.ts"
import type { Store } from "../stores/Store.ts"

export type { InboxOptions } from "../app/inbox/Token.ts"
export type { Observation, ServiceOptions }

/**
 * @since 1.0.0
 * @category models
 */
export interface WebHandler {
  readonly handler: (request: Request) => Promise<Response>
  /** What opens the inbox of the default account, with its token: `/inbox?token=…`; `undefined` if there is no inbox. */
  readonly inboxPath: Redacted.Redacted | undefined
  /** Ends what waits for changes, and closes the store. */
  readonly dispose: () => Promise<void>
}

/**
 * The store is opened by the first request.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { Store, WebHandler } from "@mailstream/server"
 * import { Redacted } from "effect"
 *
 * const { handler } = WebHandler.make(Store.layerMemory, { apiKeys: [Redacted.make("re_local")] })
 *
 * export default { fetch: handler }
 * ```
 */
export const make = <E>(store: Layer.Layer<Store, E>, options: ServiceOptions = {}): WebHandler => {
  const stopping = Deferred.unsafeMake<void>(FiberId.none)
  const token = Token.make(options.inbox)
  const app = Layer.scoped(
    Served,
    Effect.flatMap(
      token,
      (inboxToken) =>
        Service.serving(options, options.webhooks ?? false, { inboxToken, stopping: Deferred.await(stopping) })
    )
  )
  const runtime = ManagedRuntime.make(Layer.provide(app, store))
  return {
    handler: (request) =>
      runtime.runPromise(
        Effect.flatMap(Served, (app) => app(fromWeb(request))).pipe(
          Effect.map((response) => toWeb(response, request.method === "HEAD"))
        ),
        { signal: request.signal }
      ),
    inboxPath: Either.match(token, {
      onLeft: () => undefined,
      onRight: (token) => token === undefined ? undefined : Redacted.make(Token.pathOf(token))
    }),
    dispose: () => {
      Deferred.unsafeDone(stopping, Effect.void)
      return runtime.dispose()
    }
  }
}

class Served extends Context.Tag("@mailstream/server/WebHandler/Served")<Served, App.App>() {}

const fromWeb = (request: Request): AppRequest => ({
  method: request.method,
  url: request.url,
  header: (name) => request.headers.get(name) ?? undefined,
  peer: () => undefined,
  body: (maxBytes) => readBody(request, maxBytes)
})

const readBody = ({ body }: Request, max = Body.maxBytes): Effect.Effect<Uint8Array, ValidationError> =>
  body === null
    ? Effect.succeed(new Uint8Array())
    : Stream.fromReadableStream({ evaluate: () => body, onError: () => Body.incomplete }).pipe(
      Stream.mapAccum(0, (size, chunk: Uint8Array) => [size + chunk.length, { size: size + chunk.length, chunk }]),
      Stream.mapEffect(({ chunk, size }) => size > max ? Effect.fail(Body.tooLarge(max)) : Effect.succeed(chunk)),
      Stream.runCollect,
      Effect.map((chunks) => Body.concat(Chunk.toReadonlyArray(chunks)))
    )

/** A connection cannot be reset from here, so both connection faults cut off the body. */
const toWeb = ({ body, connectionFault, headers, status }: AppResponse, isHead: boolean): Response => {
  if (isHead || status === 204) return new Response(null, { status, headers })
  if (body instanceof Uint8Array) return new Response(new Uint8Array(body), { status, headers })
  if (typeof body === "string" && connectionFault === undefined) return new Response(body, { status, headers })
  const texts = typeof body === "string" ? Stream.make(body.slice(0, body.length >> 1)) : body
  const sent = connectionFault === undefined ? texts : Stream.concat(
    connectionFault === "reset" ? Stream.empty : Stream.take(texts, 1),
    Stream.fail("The connection was reset.")
  )
  return new Response(Stream.toReadableStream(Stream.encodeText(sent)), { status, headers })
}
