/**
 * The signatures of webhooks, by the scheme of Standard Webhooks: what `verify` accepts was sent by the service, within the
 * last five minutes, and not changed on the way.
 *
 * @since 1.0.0
 */
import type * as InvalidOption from "@mailstream/core/InvalidOption"
import type { WebhookEvent } from "@mailstream/core/WebhookEvent"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Keys from "./internal/keys.ts"
import * as Message from "./internal/message.ts"
import type { VerificationError } from "./WebhookError.ts"

/**
 * The secret of a webhook: `whsec_` and Base64. It is in no error, log or span.
 *
 * @since 1.0.0
 * @category models
 */
export type Secret = Keys.Secret

/**
 * One secret, or several while they are rotated: a signature of any of them is accepted.
 *
 * @since 1.0.0
 * @category models
 */
export type Secrets = Keys.Secrets

/**
 * The headers of a request: those of `fetch`, of Node, or of `@effect/platform`.
 *
 * @since 1.0.0
 * @category models
 */
export type Headers = Message.Headers

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** How far the time of a request may be from the time here; default: 5 minutes. */
  readonly tolerance?: Duration.DurationInput | undefined
}

/**
 * The event that a request reports, if it is from the service. Pass the body byte for byte as it arrived: JSON that was parsed
 * and written again has another signature.
 *
 * @since 1.0.0
 * @category verification
 * @example
 * ```ts
 * import { Webhook } from "@mailstream/webhook"
 * import { Config, Effect } from "effect"
 *
 * const report = Effect.fn("report")(function*(request: Request) {
 *   const secret = yield* Config.redacted("WEBHOOK_SECRET")
 *   const body = yield* Effect.promise(() => request.text())
 *   const event = yield* Webhook.verify(body, request.headers, secret)
 *   if (event._tag === "email.bounced") yield* Effect.log(event.data.to, event.data.bounce.message)
 * })
 * ```
 */
export const verify = (
  payload: string | Uint8Array,
  headers: Headers,
  secret: Secrets,
  options: Options = {}
): Effect.Effect<WebhookEvent, VerificationError | InvalidOption.InvalidOption> =>
  Effect.gen(function*() {
    const tolerance = yield* Message.toleranceOf(options.tolerance)
    const keys = yield* Keys.make(secret)
    const stamp = yield* Message.stampOf(headers, tolerance)
    const message = yield* Message.open(keys, stamp, Keys.encode(payload))
    yield* Effect.annotateCurrentSpan(Message.attributesOf(message))
    return message.event
  }).pipe(Effect.withSpan("Webhook.verify", { captureStackTrace: false }))

/**
 * The headers that the service sends. A type alias, which unlike an interface is a record of strings to TypeScript.
 *
 * @since 1.0.0
 * @category models
 */
export type SignedHeaders = {
  readonly "svix-id": string
  readonly "svix-timestamp": string
  readonly "svix-signature": string
}

/**
 * @since 1.0.0
 * @category models
 */
export interface SignOptions {
  /** The id of the message: the same for each delivery of it. */
  readonly id: string
  /** When it is sent, to the second; default: now. */
  readonly timestamp?: DateTime.DateTime | undefined
}

/**
 * The headers that the service would send with a body, for tests. With several secrets, there are as many signatures.
 *
 * @since 1.0.0
 * @category verification
 * @example
 * ```ts
 * import { Webhook } from "@mailstream/webhook"
 * import { Effect } from "effect"
 *
 * const request = Effect.gen(function*() {
 *   const body = JSON.stringify({ type: "email.sent", created_at: "2026-11-18T09:00:00.000Z", data: { email_id: "1" } })
 *   const headers = yield* Webhook.sign(body, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", { id: "msg_1" })
 *   return new Request("https://app.example.com/webhook", { method: "POST", headers, body })
 * })
 * ```
 */
export const sign = (
  payload: string | Uint8Array,
  secret: Secrets,
  { id, timestamp }: SignOptions
): Effect.Effect<SignedHeaders, InvalidOption.InvalidOption> =>
  Effect.gen(function*() {
    const keys = yield* Keys.make(secret)
    const millis = timestamp === undefined ? yield* Clock.currentTimeMillis : DateTime.toEpochMillis(timestamp)
    const seconds = String(Math.floor(millis / 1000))
    const content = Keys.contentOf(id, seconds, Keys.encode(payload))
    const signatures = yield* Effect.forEach(keys, (key) => key.sign(content))
    return {
      "svix-id": id,
      "svix-timestamp": seconds,
      "svix-signature": signatures.map((signature) => `v1,${signature}`).join(" ")
    }
  })
