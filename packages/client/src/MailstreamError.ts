/**
 * The errors that promises are rejected with and loops throw. The `_tag` of an error of the API is the API's own name
 * for it (`validation_error`); client-side failures have tags in PascalCase (`TransportError`).
 *
 * @since 1.0.0
 */
import { classes } from "@mailstream/core/ApiError"
import * as Either from "effect/Either"
import { constFalse } from "effect/Function"
import { map } from "effect/Record"
import type { Position } from "./Position.ts"

const brand = Symbol.for("@mailstream/client/MailstreamError")

/** Whatever was thrown: a proxy may throw at the question. */
const isBranded = (value: unknown): value is { readonly _tag: string } =>
  typeof value === "object" && value !== null &&
  Either.getOrElse(Either.try(() => brand in value), constFalse)

/**
 * What became of a change that failed: it was certainly not processed, or nobody knows.
 *
 * @since 1.0.0
 * @category models
 */
export type Outcome = "not_processed" | "unknown"

/**
 * What every error has.
 *
 * @since 1.0.0
 * @category models
 */
export interface WithOutcome {
  /**
   * For calls that change something, after all attempts: a change that was certainly not processed can be made again;
   * whether one that is `unknown` was processed can only be found out by looking, or, for a send, by repeating it with its
   * `idempotencyKey`. `undefined` for all other calls.
   */
  readonly outcome?: Outcome | undefined
  /**
   * For `emails.send` and `emails.sendBatch`: the key that was given, or the new one of this call. With the same key and the same
   * content, a repetition within 24 hours sends nothing twice. `undefined` for all other calls.
   */
  readonly idempotencyKey?: string | undefined
}

interface TaggedClass<Tag extends string> {
  new<Fields extends { readonly message: string }>(
    fields: Fields & WithOutcome
  ): Error & WithOutcome & { readonly _tag: Tag } & Readonly<Omit<Fields, "message" | keyof WithOutcome>>
}

/**
 * The base of an error class. `instanceof` compares tags, so that it is also true for an error of another copy of this
 * package: its ES module and its CommonJS module are two.
 */
const tagged = <const Tag extends string>(tag: Tag): TaggedClass<Tag> => {
  class Tagged extends Error {
    readonly _tag = tag

    static override [Symbol.hasInstance](value: unknown): boolean {
      return isBranded(value) && value._tag === tag
    }

    constructor({ message, ...fields }: { readonly message: string }) {
      super(message)
      Object.defineProperty(this, "name", { value: tag, configurable: true, writable: true })
      Object.assign(this, fields)
    }

    toJSON(): object {
      return { ...this, message: this.message }
    }
  }
  Object.defineProperty(Tagged, "name", { value: tag })
  Object.defineProperty(Tagged.prototype, brand, { value: true })
  // The fields were assigned above, which TypeScript cannot express for any `Fields`.
  return Tagged as TaggedClass<Tag>
}

/**
 * The fields of every error of the API.
 *
 * @since 1.0.0
 * @category models
 */
export interface ApiErrorFields extends WithOutcome {
  /** The HTTP status of the response. */
  readonly statusCode: number
  /** The API's message. If the error is a response, the request is in front of it. */
  readonly message: string
  /** The request, if the error is a response. */
  readonly method?: string | undefined
  /** The URL of the request, without its query. */
  readonly url?: string | undefined
  /** How long the API asks to wait, in milliseconds, if its headers say so. */
  readonly retryAfter?: number | undefined
}

/**
 * An error that the API has a name for.
 *
 * @since 1.0.0
 * @category models
 */
export interface NamedApiError<Tag extends string> extends Error, Omit<ApiErrorFields, "message"> {
  readonly _tag: Tag
}

/** A class for each tag. */
const classesOf = <Tag extends string>(tags: Readonly<Record<Tag, unknown>>) =>
  // Each class has the tag that is its key, which the type of a record cannot express.
  map(tags, (_, tag) => tagged(tag)) as {
    readonly [Each in Tag]: new(fields: ApiErrorFields) => NamedApiError<Each>
  }

/**
 * The class of each error that the API has a name for, by that name.
 *
 * @since 1.0.0
 * @category errors
 */
export const apiErrors = classesOf(classes)

/**
 * Something in the request is invalid. Input that can be checked locally is rejected without a request.
 *
 * @since 1.0.0
 * @category errors
 */
export class ValidationError extends apiErrors.validation_error {}

/**
 * No API key was sent.
 *
 * @since 1.0.0
 * @category errors
 */
export class MissingApiKey extends apiErrors.missing_api_key {}

/**
 * The API key is unknown.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidApiKey extends apiErrors.invalid_api_key {}

/**
 * The API key lacks the permission.
 *
 * @since 1.0.0
 * @category errors
 */
export class RestrictedApiKey extends apiErrors.restricted_api_key {}

/**
 * The API key is suspended.
 *
 * @since 1.0.0
 * @category errors
 */
export class SuspendedApiKey extends apiErrors.suspended_api_key {}

/**
 * The account lacks the permission.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidPermission extends apiErrors.invalid_permission {}

/**
 * The object or the path does not exist.
 *
 * @since 1.0.0
 * @category errors
 */
export class NotFound extends apiErrors.not_found {}

/**
 * The path exists, but does not support the method.
 *
 * @since 1.0.0
 * @category errors
 */
export class MethodNotAllowed extends apiErrors.method_not_allowed {}

/**
 * The object is locked by another operation.
 *
 * @since 1.0.0
 * @category errors
 */
export class ResourceLocked extends apiErrors.resource_locked {}

/**
 * A parameter has an invalid value.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidParameter extends apiErrors.invalid_parameter {}

/**
 * A field of the body is missing.
 *
 * @since 1.0.0
 * @category errors
 */
export class MissingRequiredField extends apiErrors.missing_required_field {}

/**
 * A parameter is missing.
 *
 * @since 1.0.0
 * @category errors
 */
export class MissingRequiredParameter extends apiErrors.missing_required_parameter {}

/**
 * The idempotency key is not one: it must have 1 to 256 visible ASCII characters.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidIdempotencyKey extends apiErrors.invalid_idempotency_key {}

/**
 * The idempotency key was used for another content within the last 24 hours. Repeating the call is of no use: another email
 * needs another key.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidIdempotentRequest extends apiErrors.invalid_idempotent_request {}

/**
 * A send with this idempotency key is still in progress. The client has repeated it for as long as `retry` says; repeated later,
 * with the same key and the same content, it gets the response to the first one.
 *
 * @since 1.0.0
 * @category errors
 */
export class ConcurrentIdempotentRequests extends apiErrors.concurrent_idempotent_requests {}

/**
 * An attachment cannot be sent: it has neither content nor path, or its type is not allowed.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidAttachment extends apiErrors.invalid_attachment {}

/**
 * The email has more recipients than the quota has left. Waiting a few seconds does not help.
 *
 * @since 1.0.0
 * @category errors
 */
export class EmailAboveQuota extends apiErrors.email_above_quota {}

/**
 * Too many requests. `retryAfter` says how long to wait.
 *
 * @since 1.0.0
 * @category errors
 */
export class RateLimitExceeded extends apiErrors.rate_limit_exceeded {}

/**
 * The daily quota is used up.
 *
 * @since 1.0.0
 * @category errors
 */
export class DailyQuotaExceeded extends apiErrors.daily_quota_exceeded {}

/**
 * The monthly quota is used up.
 *
 * @since 1.0.0
 * @category errors
 */
export class MonthlyQuotaExceeded extends apiErrors.monthly_quota_exceeded {}

/**
 * The service failed.
 *
 * @since 1.0.0
 * @category errors
 */
export class ApplicationError extends apiErrors.application_error {}

/**
 * The service failed.
 *
 * @since 1.0.0
 * @category errors
 */
export class InternalServerError extends apiErrors.internal_server_error {}

/**
 * The service is temporarily unavailable.
 *
 * @since 1.0.0
 * @category errors
 */
export class ServiceUnavailable extends apiErrors.service_unavailable {}

/**
 * Any other error of the API: `name` is the API's name for it, or `api_error` if the response has none.
 *
 * @since 1.0.0
 * @category errors
 */
export class OtherApiError extends tagged("api_error")<ApiErrorFields & { readonly name: string }> {}

/**
 * Any error of the API.
 *
 * @since 1.0.0
 * @category errors
 */
export type ApiError = InstanceType<(typeof apiErrors)[keyof typeof apiErrors]> | OtherApiError

/**
 * No complete response arrived.
 *
 * - `Connect`: no connection was made, so the request was not sent.
 * - `Tls`: there is no secure connection, for example because the certificate is not trusted.
 * - `Timeout`: the response was not complete in time.
 * - `Lost`: the connection broke; whether the request was processed is unknown.
 *
 * @since 1.0.0
 * @category errors
 */
export class TransportError extends tagged("TransportError")<{
  readonly message: string
  readonly reason: "Connect" | "Tls" | "Timeout" | "Lost"
  readonly method: string
  /** The URL without its query. */
  readonly url: string
}> {}

/**
 * The response is successful, but not what the API promises: `NotJson`, `NotText`, `WrongShape` (see `field`) or
 * `TooLarge`. The error never contains any part of a JSON body.
 *
 * @since 1.0.0
 * @category errors
 */
export class UnexpectedResponse extends tagged("UnexpectedResponse")<{
  readonly message: string
  readonly reason: "NotJson" | "NotText" | "WrongShape" | "TooLarge"
  readonly statusCode: number
  readonly method: string
  readonly url: string
  /** Where the body is wrong, as in `data[3].created_at`; empty for the complete body. */
  readonly field: string
}> {}

/**
 * `has_more` is true, but the page leads nowhere: it is empty, repeats its cursor, or the pages form a cycle.
 *
 * @since 1.0.0
 * @category errors
 */
export class StalledWalk extends tagged("StalledWalk")<{
  readonly message: string
  readonly reason: "EmptyPage" | "RepeatedCursor" | "Cycle"
  readonly list: string
  readonly position: Position
}> {}

/**
 * The walk cannot continue: the item at its position has been deleted, and so have all its fallbacks.
 *
 * @since 1.0.0
 * @category errors
 */
export class PositionLost extends tagged("PositionLost")<{
  readonly message: string
  readonly list: string
  readonly position: Position
}> {}

/**
 * The position of `process` cannot be used.
 *
 * - `Store`: the store failed.
 * - `Corrupt`: what is stored is not a position.
 * - `Mismatch`: what is stored belongs to another service, list, filter or beginning.
 * - `Closed`: a page was committed after its walk had ended. The page will be delivered again.
 *
 * @since 1.0.0
 * @category errors
 */
export class CheckpointError extends tagged("CheckpointError")<{
  readonly message: string
  readonly reason: "Store" | "Corrupt" | "Mismatch" | "Closed"
  readonly key: string
}> {}

/**
 * The key of `process` cannot be locked: another program uses it (`Held`), took it over (`Lost`), or the store failed
 * (`Store`).
 *
 * @since 1.0.0
 * @category errors
 */
export class LockError extends tagged("LockError")<{
  readonly message: string
  readonly reason: "Held" | "Lost" | "Store"
  readonly key: string
}> {}

/**
 * An option or an argument is missing, unknown or invalid, or a variable of the environment is. What the API itself would
 * refuse, such as a `limit` of 101, is a `validation_error` instead.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidOption extends tagged("InvalidOption")<{
  readonly message: string
  /** As in `baseUrl`, `rateLimit.per` or `MAILSTREAM_API_KEY`. */
  readonly option: string
}> {}

/**
 * The client was closed, before or during the call.
 *
 * @since 1.0.0
 * @category errors
 */
export class ClientClosed extends tagged("ClientClosed")<{ readonly message: string }> {}

/**
 * The signal of a call that changes something was aborted, before or during the call; `outcome` says what became of the change.
 * Its `name` is `AbortError`, or `TimeoutError` if the signal is that of `AbortSignal.timeout`, and its `cause` is the `reason` of
 * the signal. Calls that only read, and walks, are rejected with that `reason` itself.
 *
 * @since 1.0.0
 * @category errors
 */
export class Aborted extends tagged("Aborted")<{ readonly message: string }> {
  /** The `reason` of the signal. */
  declare readonly cause: unknown

  constructor({ cause, ...fields }: { readonly message: string; readonly cause: unknown } & WithOutcome) {
    super(fields)
    // Not enumerable, as in every error: a reason may be anything, also what JSON cannot express.
    const hidden = { configurable: true, writable: true }
    Object.defineProperty(this, "cause", { value: cause, ...hidden })
    Object.defineProperty(this, "name", { value: nameOf(cause), ...hidden })
  }
}

/** What programs test for. A reason may be a proxy that throws at the question. */
const nameOf = (reason: unknown): string =>
  Either.getOrElse(
    Either.try(() => reason instanceof Error && reason.name === "TimeoutError" ? reason.name : "AbortError"),
    () => "AbortError"
  )

/**
 * Another process is running the campaign. This one sent nothing.
 *
 * @since 1.0.0
 * @category errors
 */
export class CampaignBusy extends tagged("CampaignBusy")<{
  readonly message: string
  readonly campaign: string
}> {}

/**
 * Another process took the campaign over, because this one did not renew its lease in time. It sends nothing any more.
 *
 * @since 1.0.0
 * @category errors
 */
export class CampaignTakenOver extends tagged("CampaignTakenOver")<{
  readonly message: string
  readonly campaign: string
}> {}

/**
 * The service does not accept emails at the moment. Nothing was lost: run the campaign again, and it continues.
 *
 * - `Quota`: the quota of the day or the month is used up. `until` says when the service accepts emails again, if it said so.
 * - `Refused`: the API key may not send, or the sender is not allowed. Change that first.
 * - `Unavailable`: the service did not respond, after all retries.
 * - `Rejected`: every email so far was rejected, each for the reason in `error`. Fix the message, and `forget` those who are
 *   `rejected` and those who are `planned`, whose emails are stored as they were.
 *
 * @since 1.0.0
 * @category errors
 */
export class CampaignPaused extends tagged("CampaignPaused")<{
  readonly message: string
  readonly campaign: string
  readonly reason: "Quota" | "Refused" | "Unavailable" | "Rejected"
  /** What the service said last. */
  readonly error: ApiError | TransportError | UnexpectedResponse
  readonly until: Date | undefined
}> {}

/**
 * Nobody can tell whether some people were written to: a request had no response for more than 23 hours, and the emails of the
 * account could not be looked at. List them with `recipients({ state: "undecided" })`, and decide with `resolve`.
 *
 * @since 1.0.0
 * @category errors
 */
export class UndecidedRecipients extends tagged("UndecidedRecipients")<{
  readonly message: string
  readonly campaign: string
  readonly count: number
}> {}

/**
 * The campaign was begun in another way: continue it as it was begun. A campaign of another name writes to everybody again.
 *
 * @since 1.0.0
 * @category errors
 */
export class CampaignMismatch extends tagged("CampaignMismatch")<{
  readonly message: string
  readonly campaign: string
  /** What differs: the base URL, the account of the API key, `once` or `scope`. */
  readonly reason: "Service" | "Account" | "Once" | "Scope"
  /** What it was begun with, if that is known: an account has no name, and there may have been no scope. */
  readonly begunWith: string | undefined
}> {}

/**
 * The store does not know a campaign of this name: it has not been run.
 *
 * @since 1.0.0
 * @category errors
 */
export class UnknownCampaign extends tagged("UnknownCampaign")<{
  readonly message: string
  readonly campaign: string
  /** Those that it knows, the newest first. */
  readonly known: ReadonlyArray<string>
}> {}

/**
 * The store of a campaign failed: it cannot be opened, read or written. Whatever was sent is sent, and the next run knows it.
 *
 * @since 1.0.0
 * @category errors
 */
export class CampaignStoreError extends tagged("CampaignStoreError")<{
  readonly message: string
  readonly campaign: string
}> {}

/**
 * A request of a webhook lacks a header of its signature.
 *
 * @since 1.0.0
 * @category errors
 */
export class MissingHeader extends tagged("MissingHeader")<{
  readonly message: string
  /** What it says; the header is `svix-…` or `webhook-…`. */
  readonly header: "id" | "timestamp" | "signature"
}> {}

/**
 * The time of a request of a webhook is not a number of seconds (`Malformed`), or too far from the time here.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidTimestamp extends tagged("InvalidTimestamp")<{
  readonly message: string
  readonly reason: "Malformed" | "TooOld" | "TooNew"
  /** How many seconds it is away. */
  readonly seconds?: number | undefined
}> {}

/**
 * No signature of a request of a webhook belongs to its body (`Mismatch`), or none is of a known version (`Unsupported`).
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidSignature extends tagged("InvalidSignature")<{
  readonly message: string
  readonly reason: "Mismatch" | "Unsupported"
}> {}

/**
 * A request of a webhook is signed, but its body is not an event.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidEvent extends tagged("InvalidEvent")<{
  readonly message: string
  /** The id of the message. */
  readonly messageId: string
}> {}

/**
 * Everything that the client rejects with, except what your own code throws and, for calls that only read, the `reason` of an
 * aborted signal. A `switch` over its `_tag` can be exhaustive.
 *
 * @since 1.0.0
 * @category errors
 * @example
 * ```ts
 * import { Mailstream, MailstreamError } from "@mailstream/client"
 *
 * const mailstream = Mailstream.fromEnv()
 *
 * mailstream.topics.create({ name: "Product news" }).catch((error: unknown) => {
 *   if (error instanceof MailstreamError && error._tag === "rate_limit_exceeded") {
 *     console.log(`Wait for ${error.retryAfter ?? 1000} ms`)
 *   }
 * })
 * ```
 */
export type MailstreamError =
  | ApiError
  | TransportError
  | UnexpectedResponse
  | StalledWalk
  | PositionLost
  | CheckpointError
  | LockError
  | CampaignBusy
  | CampaignTakenOver
  | CampaignPaused
  | UndecidedRecipients
  | CampaignMismatch
  | UnknownCampaign
  | CampaignStoreError
  | InvalidOption
  | Aborted
  | ClientClosed

/**
 * For `error instanceof MailstreamError`, which is true for the errors of every copy of this package.
 *
 * @since 1.0.0
 * @category guards
 */
export const MailstreamError: { readonly [Symbol.hasInstance]: (value: unknown) => value is MailstreamError } = {
  [Symbol.hasInstance]: (value: unknown): value is MailstreamError => isBranded(value)
}
