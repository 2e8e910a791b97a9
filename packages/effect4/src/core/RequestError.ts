/**
 * Everything that a request can fail with: the errors of the API, and client-side failures.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Duration from "effect/Duration"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ApiErrors from "./ApiError.ts"
import { ApiError } from "./ApiError.ts"
import { mismatch } from "./internal/shape.ts"
import { shorten } from "./internal/text.ts"

/**
 * What became of a request that failed: it was certainly not processed, or nobody knows.
 *
 * @since 1.0.0
 * @category models
 */
export const Outcome = Schema.Literals(["not_processed", "unknown"])

/**
 * @since 1.0.0
 * @category models
 */
export type Outcome = typeof Outcome.Type

/**
 * No complete response arrived.
 *
 * - `Connect`: no connection was made, or the request was withdrawn, so it was not sent.
 * - `Tls`: there is no secure connection, for example because the certificate is not trusted, so the request was not
 *   sent. It is not retried: the same happens again until the certificate or the configuration changes.
 * - `Timeout`: the response was not complete in time.
 * - `Lost`: the connection broke; whether the request was processed is unknown.
 *
 * @since 1.0.0
 * @category errors
 */
export class TransportError extends Schema.TaggedError<TransportError>()("TransportError", {
  reason: Schema.Literals(["Connect", "Tls", "Timeout", "Lost"]),
  method: Schema.String,
  /** The URL without its query. */
  url: Schema.String,
  description: Schema.String,
  /** What became of a change, after all attempts. */
  outcome: Schema.optional(Outcome),
  /** The idempotency key of a send. */
  idempotencyKey: Schema.optional(Schema.String)
}) {
  override get message(): string {
    return `${this.method} ${this.url}: ${this.description}${said(this)}`
  }
}

/**
 * The request behind an unexpected response, and the status of the response.
 *
 * @since 1.0.0
 * @category models
 */
export interface RequestedFrom {
  readonly method: string
  /** The URL without its query. */
  readonly url: string
  readonly statusCode: number
}

/**
 * The response is successful, but not what the API promises.
 *
 * - `NotJson`: the body is not JSON, for example truncated, or a proxy's HTML page.
 * - `NotText`: the body is not text in UTF-8, or it is compressed in a way that the client cannot undo.
 * - `WrongShape`: the body is JSON, but `field` is not as specified.
 * - `TooLarge`: the body, or an item in it, exceeds the size limit.
 *
 * The error never contains any part of a JSON body, not even of a truncated one: it may contain personal data.
 *
 * @since 1.0.0
 * @category errors
 */
export class UnexpectedResponse extends Schema.TaggedError<UnexpectedResponse>()("UnexpectedResponse", {
  reason: Schema.Literals(["NotJson", "NotText", "WrongShape", "TooLarge"]),
  statusCode: Schema.Number,
  method: Schema.String,
  url: Schema.String,
  /** Where the body is wrong, as in `data[3].created_at`; empty for the complete body. */
  field: Schema.String,
  description: Schema.String,
  /** What became of a change, after all attempts. */
  outcome: Schema.optional(Outcome),
  /** The idempotency key of a send. */
  idempotencyKey: Schema.optional(Schema.String)
}) {
  /**
   * For a body that is not JSON. `redact` takes secrets out of what is shown of it.
   *
   * @since 1.0.0
   */
  static notJson(
    request: RequestedFrom,
    body: string,
    contentType = "other content",
    redact: (text: string) => string = identity
  ): UnexpectedResponse {
    const found = body.trim() === ""
      ? "an empty body"
      : /^\s*[[{]/.test(body)
      ? `${body.length} characters of truncated or malformed text`
      : `${shorten(contentType, redact)}: ${shorten(body, redact)}`
    return new UnexpectedResponse({
      ...request,
      reason: "NotJson",
      field: "",
      description: `expected JSON, found ${found}`
    })
  }

  /**
   * For a body that its schema rejected.
   *
   * @since 1.0.0
   */
  static wrongShape(request: RequestedFrom, error: Schema.SchemaError): UnexpectedResponse {
    return new UnexpectedResponse({ ...request, reason: "WrongShape", ...mismatch(error.issue) })
  }

  override get message(): string {
    return `${this.method} ${this.url}: ${this.field === "" ? "" : `${this.field}: `}${this.description}${said(this)}`
  }
}

/**
 * @since 1.0.0
 * @category models
 */
export type RequestError = ApiError | TransportError | UnexpectedResponse

/**
 * @since 1.0.0
 * @category schemas
 */
export const RequestError: Schema.Union<[typeof ApiError, typeof TransportError, typeof UnexpectedResponse]> =
  /* #__PURE__ */ Schema.Union([ApiError, TransportError, UnexpectedResponse])

/**
 * Whether the same request may succeed a little later: the rate limit, a failure of the service or of the network, a
 * truncated response. An exhausted quota is not transient, nor is a certificate that is not trusted or a response of
 * the wrong shape.
 *
 * @since 1.0.0
 * @category predicates
 * @example
 * ```ts
 * import { isTransient, type RequestError } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * declare const read: Effect.Effect<string, RequestError>
 *
 * const patient = read.pipe(Effect.retry({ while: isTransient, times: 3 }))
 * ```
 */
export const isTransient = (error: RequestError): boolean => {
  switch (error._tag) {
    case "rate_limit_exceeded":
    case "concurrent_idempotent_requests":
    case "application_error":
    case "internal_server_error":
    case "service_unavailable":
      return true
    case "TransportError":
      return error.reason !== "Tls"
    case "UnexpectedResponse":
      return error.reason === "NotJson"
    case "api_error":
      return error.statusCode === 408 || error.statusCode === 429 ||
        (error.statusCode >= 500 && error.statusCode !== 501 && error.statusCode !== 505)
    default:
      return false
  }
}

/**
 * What became of the request that failed with this error. A status of 4xx is a refusal; a lost connection, a timeout, a
 * status of 5xx and a response that cannot be understood say nothing about what was done. If a change was attempted several
 * times, it is `unknown` as soon as one attempt was.
 *
 * @since 1.0.0
 * @category getters
 * @example
 * ```ts
 * import { outcome } from "@mailstream/effect4"
 * import { Segments } from "@mailstream/effect4"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const segments = yield* Segments
 *   return yield* segments.create({ name: "Beta testers" })
 * }).pipe(
 *   Effect.tapError((error) => Effect.logError(outcome(error) === "unknown" ? "Look before you repeat it." : "Repeat it."))
 * )
 * ```
 */
export const outcome = (error: RequestError): Outcome => {
  if (error.outcome !== undefined) return error.outcome
  switch (error._tag) {
    case "TransportError":
      return error.reason === "Connect" || error.reason === "Tls" ? "not_processed" : "unknown"
    case "UnexpectedResponse":
      return "unknown"
    default:
      return isRefusal(error) ? "not_processed" : "unknown"
  }
}

/**
 * The same error, saying what became of all attempts together, in `outcome` and in its message. A refusal says by itself that
 * nothing was done; after an attempt whose outcome is unknown, its message says that it may be the consequence of that one. With
 * an idempotency key, the message says that it can be repeated with it.
 *
 * @since 1.0.0
 * @category combinators
 */
export const withOutcome = (error: RequestError, outcome: Outcome, idempotencyKey?: string): RequestError => {
  const after = { outcome, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
  switch (error._tag) {
    case "TransportError":
      return new TransportError({ ...error, ...after })
    case "UnexpectedResponse":
      return new UnexpectedResponse({ ...error, ...after })
    default:
      return ApiErrors.make(error.name, {
        ...error,
        message: outcome === "not_processed" && !isTransient(error)
          ? error.message
          : `${error.message.replace(/\.$/, "")}${said(after)}${
            outcome === "unknown" && idempotencyKey === undefined && isRefusal(error) ? earlier : ""
          }`,
        ...after
      })
  }
}

const earlier = ": an earlier attempt may have done it. Look at the object before you repeat it"

/** What a message says about an outcome. */
const said = (
  { idempotencyKey, outcome }: {
    readonly outcome?: Outcome | undefined
    readonly idempotencyKey?: string | undefined
  }
): string =>
  outcome === undefined
    ? ""
    : outcome === "not_processed"
    ? "; it was not processed"
    : idempotencyKey === undefined
    ? "; whether it was processed is unknown"
    : `; whether it was processed is unknown. Repeated within 24 hours with the idempotency key ${
      JSON.stringify(idempotencyKey)
    } and the same content, nothing is sent twice`

/** A send with the same key that is still in progress may well succeed. */
const isRefusal = ({ name, statusCode }: ApiError): boolean =>
  statusCode >= 400 && statusCode < 500 && statusCode !== 408 && name !== "concurrent_idempotent_requests"

/**
 * Whether the request was certainly not processed, so that even a create may be sent again.
 *
 * @since 1.0.0
 * @category predicates
 */
export const isUnprocessed = (error: RequestError): boolean =>
  error._tag === "TransportError"
    ? error.reason === "Connect" || error.reason === "Tls"
    : "statusCode" in error && error.statusCode === 429

/**
 * How long the API wants callers to wait before the next request.
 *
 * @since 1.0.0
 * @category getters
 */
export const retryAfter = (error: RequestError): Option.Option<Duration.Duration> =>
  "retryAfter" in error ? Option.fromNullishOr(error.retryAfter) : Option.none()

/**
 * The error that a request is given up with after this many attempts: its message ends with
 * `(after 6 attempts in 7s 25ms)`. After a single attempt, the error is as it was.
 *
 * @since 1.0.0
 * @category combinators
 */
export const afterAttempts = <E extends RequestError>(
  error: E,
  attempts: number,
  elapsed: Duration.Input
): E => {
  if (attempts < 2) return error
  // The message of an error that has a description ends with it.
  const key = "description" in error ? "description" : "message"
  const text = `${error[key as "message"]} (after ${attempts} attempts in ${
    Duration.format(Duration.fromInputUnsafe(elapsed))
  })`
  return new (error.constructor as new(fields: E) => E)({ ...error, [key]: text })
}

const attemptsMade = / \(after \d+ attempts in [\w ]+\)(?=;|$)/

/**
 * The message of an error without the request in front of it, and without the number of attempts. A wrong key fails every
 * list for the same reason: use this to say it once.
 *
 * @since 1.0.0
 * @category getters
 */
export const reasonOf = (
  error: { readonly message: string; readonly method?: string | undefined; readonly url?: string | undefined }
): string => error.message.replace(`${error.method} ${error.url}: `, () => "").replace(attemptsMade, "")
