/**
 * Receives the events of a webhook: as an `HttpApp` of `@effect/platform`, or as a function from `Request` to `Response`, for
 * any framework and runtime.
 *
 * A request is answered with 200 only after your function has succeeded. Anything else has the service deliver the event
 * again: an error, a defect, an interruption, a timeout. A message that was handled is acknowledged, and not handled again.
 *
 * @since 1.0.0
 */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import type { WebhookEvent } from "@mailstream/core/WebhookEvent"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Deduplication } from "./Deduplication.ts"
import * as Receiver from "./internal/receiver.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options extends Receiver.Options {}

/**
 * How an event arrived.
 *
 * @since 1.0.0
 * @category models
 */
export interface Delivery extends Receiver.Delivery {}

/**
 * An `HttpApp` that receives the events of a webhook.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { HttpRouter, HttpServer } from "@effect/platform"
 * import { NodeHttpServer } from "@effect/platform-node"
 * import { Deduplication, WebhookHandler } from "@mailstream/webhook"
 * import { Config, Effect, Layer } from "effect"
 * import { createServer } from "node:http"
 *
 * const WebhookLive = Layer.unwrapEffect(Effect.gen(function*() {
 *   const secret = yield* Config.redacted("WEBHOOK_SECRET")
 *   const app = yield* WebhookHandler.toHttpApp((event) => Effect.log(event.type), { secret })
 *   return HttpServer.serve(HttpRouter.empty.pipe(HttpRouter.all("/webhook", app)))
 * })).pipe(
 *   Layer.provide(Deduplication.layerMemory()),
 *   Layer.provide(NodeHttpServer.layer(createServer, { port: 3000 }))
 * )
 * ```
 */
export const toHttpApp = <E, R>(
  handle: (event: WebhookEvent, delivery: Delivery) => Effect.Effect<unknown, E, R>,
  options: Options
): Effect.Effect<HttpApp.Default<never, R | Scope.Scope>, InvalidOption, Deduplication> =>
  Effect.map(Receiver.make(handle, options), (receive) =>
    Effect.gen(function*() {
      const { headers, method, stream } = yield* HttpServerRequest.HttpServerRequest
      // By itself, a server interrupts only what is behind a router; nothing else would end in time.
      const answer = yield* Effect.interruptible(receive({ method, headers, body: stream }))
      return HttpServerResponse.text(answer.body, answer)
    }))

/**
 * A function that receives the events of a webhook, for everything that serves with `Request` and `Response`. It never rejects.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { Deduplication, WebhookHandler } from "@mailstream/webhook"
 * import { Config, Effect, ManagedRuntime } from "effect"
 *
 * const runtime = ManagedRuntime.make(Deduplication.layerMemory())
 *
 * const handler = runtime.runPromise(Effect.gen(function*() {
 *   const secret = yield* Config.redacted("WEBHOOK_SECRET")
 *   return yield* WebhookHandler.toWebHandler((event) => Effect.log(event.type), { secret })
 * }))
 *
 * export const POST = (request: Request): Promise<Response> => handler.then((handle) => handle(request))
 * ```
 */
export const toWebHandler = <E, R>(
  handle: (event: WebhookEvent, delivery: Delivery) => Effect.Effect<unknown, E, R>,
  options: Options
): Effect.Effect<(request: Request) => Promise<Response>, InvalidOption, Deduplication | R> =>
  Effect.gen(function*() {
    const receive = yield* Receiver.make(handle, options)
    const run = Runtime.runPromiseExit(yield* Effect.runtime<R>())
    return (request) => {
      const { body, headers, method, signal } = request
      const incoming = {
        method,
        headers,
        body: body === null ? Stream.empty : Stream.fromReadableStream(() => body, identity)
      }
      // Of an interruption or a defect, only the service learns: it has to deliver the message again.
      return run(Effect.scoped(receive(incoming)), { signal }).then(Exit.match({
        onFailure: () => new Response(null, { status: 503 }),
        onSuccess: ({ body, headers, status }) => new Response(body, { status, headers })
      }))
    }
  })
