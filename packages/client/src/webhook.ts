/**
 * The webhooks of the service: verifies requests, and receives their events.
 *
 * @since 1.0.0
 */
import * as Deduplication from "@mailstream/webhook/Deduplication"
import * as Webhook from "@mailstream/webhook/Webhook"
import * as WebhookHandler from "@mailstream/webhook/WebhookHandler"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { capture } from "./internal/caller.ts"
import { toError } from "./internal/errors.ts"
import * as Observing from "./internal/observing.ts"
import { runDetached, runtimeOf } from "./internal/run.ts"
import { providing } from "./internal/store.ts"
import * as Webhooks from "./internal/webhooks.ts"
import type { Logger } from "./Logger.ts"
import { InvalidEvent, InvalidOption, InvalidSignature, InvalidTimestamp, MissingHeader } from "./MailstreamError.ts"
import type { Secret } from "./Secret.ts"
import type { Store } from "./Store.ts"
import type { WebhookEvent } from "./WebhookEvent.ts"

export { InvalidEvent, InvalidSignature, InvalidTimestamp, MissingHeader }
export type * from "./WebhookEvent.ts"

/**
 * Everything that `verify` rejects with. A `switch` over its `_tag` can be exhaustive.
 *
 * @since 1.0.0
 * @category errors
 */
export type WebhookError = MissingHeader | InvalidTimestamp | InvalidSignature | InvalidEvent | InvalidOption

/**
 * For `error instanceof WebhookError`, which is true for the errors of every copy of this package.
 *
 * @since 1.0.0
 * @category guards
 */
export const WebhookError: { readonly [Symbol.hasInstance]: (value: unknown) => value is WebhookError } = {
  [Symbol.hasInstance]: (value: unknown): value is WebhookError =>
    [MissingHeader, InvalidTimestamp, InvalidSignature, InvalidEvent, InvalidOption].some((Class) =>
      value instanceof Class
    )
}

/**
 * The secret of a webhook, `whsec_…`; several while they are rotated.
 *
 * @since 1.0.0
 * @category models
 */
export type Secrets = string | Secret | ReadonlyArray<string | Secret>

/**
 * The headers of a request: those of `fetch`, or of Node.
 *
 * @since 1.0.0
 * @category models
 */
export type RequestHeaders =
  | { readonly get: (name: string) => string | null }
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

/**
 * @since 1.0.0
 * @category models
 */
export interface VerifyOptions {
  /** How far the time of a request may be from the time here, in milliseconds; default: 5 minutes. */
  readonly tolerance?: number | undefined
}

/**
 * The event that a request reports, if it is from the service; rejects with `MissingHeader`, `InvalidTimestamp`,
 * `InvalidSignature` or `InvalidEvent`. Pass the body byte for byte as it arrived: JSON that was parsed and written again has
 * another signature.
 *
 * @since 1.0.0
 * @category webhooks
 * @example
 * ```ts
 * import { verify } from "@mailstream/client/webhook"
 *
 * export const POST = async (request: Request): Promise<Response> => {
 *   const event = await verify(await request.text(), request.headers, process.env["WEBHOOK_SECRET"] ?? "")
 *   if (event._tag === "email.bounced") console.log(event.data.to, event.data.bounce.message)
 *   return new Response()
 * }
 * ```
 */
export const verify = (
  payload: string | Uint8Array,
  headers: RequestHeaders,
  secret: Secrets,
  options?: VerifyOptions
): Promise<WebhookEvent> => {
  const checked = Either.all([
    Webhooks.payload(payload, "payload"),
    Webhooks.headers(headers, "headers"),
    Webhooks.secret(secret, "secret"),
    Webhooks.verification(options)
  ])
  return runDetached(Effect.flatMap(checked, (given) => Webhook.verify(...given)), {
    caller: capture(verify),
    signal: undefined
  })
}

/**
 * @since 1.0.0
 * @category models
 */
export interface HandlerOptions extends VerifyOptions {
  /** The secret of the webhook; several while they are rotated. Another webhook needs a handler of its own. */
  readonly secret: Secrets
  /**
   * Receives each event, with the id of its message, which stays the same when it is delivered again. The request is answered
   * with 200 when it has returned or its promise is resolved; if it throws or rejects, with 500, and the event is delivered again.
   */
  readonly on: (event: WebhookEvent, delivery: Delivery) => unknown
  /**
   * Where it is kept which messages were handled, so that each is handled once across restarts, and by all processes that
   * share the store; default: in memory.
   */
  readonly store?: Store | undefined
  /** How long handled messages are remembered, in milliseconds; default: 24 hours. */
  readonly window?: number | undefined
  /**
   * How long a request waits for `on`, in milliseconds; default: 30,000. Then it is answered with 503, and the next delivery
   * of the message waits for what has begun.
   */
  readonly timeout?: number | undefined
  /** The largest body that is read, in bytes; default: 1 MiB. */
  readonly maxBodySize?: number | undefined
  /** Receives why an event was not handled; `false` for nobody. Default: `console.warn`. */
  readonly logger?: Logger | false | undefined
}

/**
 * How an event arrived.
 *
 * @since 1.0.0
 * @category models
 */
export interface Delivery {
  /** The id of the message: the same each time it is delivered. Store it with what you do, to do it once. */
  readonly id: string
}

/**
 * Receives the requests of a webhook, for everything that serves with `Request` and `Response`. Throws an `InvalidOption` if an
 * option is missing, unknown or invalid.
 *
 * @since 1.0.0
 * @category webhooks
 * @example
 * ```ts
 * import { handler } from "@mailstream/client/webhook"
 *
 * export const POST = handler({
 *   secret: process.env["WEBHOOK_SECRET"] ?? "",
 *   on: async (event) => {
 *     if (event._tag === "email.bounced") console.log(event.data.to, event.data.bounce.message)
 *   }
 * })
 * ```
 */
export const handler = (options: HandlerOptions): (request: Request) => Promise<Response> => {
  const { logger, maxBodySize, on, secret, store, timeout, tolerance, window } = Either.getOrThrowWith(
    Webhooks.handling(options),
    toError
  )
  const memory = store === undefined
    ? Layer.build(Deduplication.layerMemory({ window }))
    : providing(store, Layer.build(Deduplication.layerKeyValueStore({ window })))
  const made = Effect.flatMap(memory, (context) =>
    WebhookHandler.toWebHandler(
      // In the log, what was thrown is an error like any other.
      (event, delivery) => Effect.mapError(Observing.done("on", () => on(event, delivery)), toError),
      // A promise cannot be interrupted: what has begun would go on beside the next delivery.
      { secret, tolerance, timeout, maxBodySize, uninterruptible: true }
    ).pipe(Effect.provide(context)))
  const run = Runtime.runSync(runtimeOf(Context.empty(), logger))
  const receive = Either.getOrThrowWith(run(Effect.either(Effect.scoped(made))), toError)
  return (request) =>
    Either.match(Webhooks.request(request, "request"), {
      onLeft: (error) => Promise.reject(toError(error)),
      onRight: receive
    })
}
