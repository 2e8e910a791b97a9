/**
 * Everything that a request can fail with: what the API says, and what goes wrong on this side of it.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { ApiError } from "./ApiError.ts"
import { mismatch } from "./internal/shape.ts"
import { shorten } from "./internal/text.ts"

/**
 * No complete answer came.
 *
 * - `Connect`: no connection was made, so the request was not sent.
 * - `Timeout`: the answer was not complete in time.
 * - `Lost`: the connection broke; whether the request was carried out is not known.
 *
 * @since 0.1.0
 * @category errors
 */
export class TransportError extends Schema.TaggedError<TransportError>("@mailstream/core/TransportError")(
  "TransportError",
  {
    reason: Schema.Literal("Connect", "Timeout", "Lost"),
    method: Schema.String,
    /** The address without its query. */
    url: Schema.String,
    description: Schema.String
  }
) {
  override get message(): string {
    return `${this.method} ${this.url}: ${this.description}`
  }
}

/**
 * The request that an unexpected answer came to, and the status of the answer.
 *
 * @since 0.1.0
 * @category models
 */
export interface RequestedFrom {
  readonly method: string
  /** The address without its query. */
  readonly url: string
  readonly statusCode: number
}

/**
 * The API answered with success, but not with what it promises.
 *
 * - `NotJson`: the body is no JSON; cut off, perhaps, or a page of a proxy.
 * - `WrongShape`: the body is JSON, but `field` is not as specified.
 * - `TooLarge`: the body, or an item in it, has more bytes than are held in memory.
 *
 * Nothing of a JSON body is repeated in the error, not even of one that is cut off: it may hold personal data.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnexpectedResponse extends Schema.TaggedError<UnexpectedResponse>("@mailstream/core/UnexpectedResponse")(
  "UnexpectedResponse",
  {
    reason: Schema.Literal("NotJson", "WrongShape", "TooLarge"),
    statusCode: Schema.Number,
    method: Schema.String,
    url: Schema.String,
    /** Where the body is wrong, as in `data[3].created_at`; empty for the body as a whole. */
    field: Schema.String,
    description: Schema.String
  }
) {
  /**
   * For a body that is no JSON.
   *
   * @since 0.1.0
   */
  static notJson(request: RequestedFrom, body: string, contentType: string | undefined): UnexpectedResponse {
    const found = body.trim() === ""
      ? "an empty body"
      : /^\s*[[{]/.test(body)
      ? `${body.length} characters that are cut off or malformed`
      : `${contentType ?? "other content"}: ${shorten(body)}`
    return new UnexpectedResponse({
      ...request,
      reason: "NotJson",
      field: "",
      description: `expected JSON, found ${found}`
    })
  }

  /**
   * For a body that its schema refused.
   *
   * @since 0.1.0
   */
  static wrongShape(request: RequestedFrom, error: ParseResult.ParseError): UnexpectedResponse {
    return new UnexpectedResponse({ ...request, reason: "WrongShape", ...mismatch(error.issue) })
  }

  /**
   * For a body with more bytes than are held in memory.
   *
   * @since 0.1.0
   */
  static tooLarge(request: RequestedFrom, maxBytes: number): UnexpectedResponse {
    return new UnexpectedResponse({
      ...request,
      reason: "TooLarge",
      field: "",
      description: `found more than ${maxBytes} bytes: ask for fewer items, or raise \`maxBodySize\``
    })
  }

  override get message(): string {
    return `${this.method} ${this.url}: ${this.field === "" ? "" : `${this.field}: `}${this.description}`
  }
}

/**
 * @since 0.1.0
 * @category models
 */
export type RequestError = ApiError | TransportError | UnexpectedResponse

/**
 * @since 0.1.0
 * @category schemas
 */
export const RequestError: Schema.Union<[typeof ApiError, typeof TransportError, typeof UnexpectedResponse]> =
  /* #__PURE__ */ Schema
    .Union(ApiError, TransportError, UnexpectedResponse)

/**
 * Whether the same request may succeed a little later: the rate limit, a failure of the service or of the network,
 * an answer that was cut off. A quota that is used up is not transient, nor is an answer of the wrong shape.
 *
 * @since 0.1.0
 * @category predicates
 * @example
 * ```ts
 * import { isTransient, type RequestError } from "@mailstream/core"
 * import { type Effect, Effect as E } from "effect"
 *
 * declare const read: Effect.Effect<string, RequestError>
 *
 * const patient = read.pipe(E.retry({ while: isTransient, times: 3 }))
 * ```
 */
export const isTransient = (error: RequestError): boolean => {
  switch (error._tag) {
    case "rate_limit_exceeded":
    case "application_error":
    case "internal_server_error":
    case "service_unavailable":
    case "TransportError":
      return true
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
 * Whether it is certain that the request was not carried out, so that even a create may be sent again.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isUnprocessed = (error: RequestError): boolean =>
  error._tag === "TransportError" ? error.reason === "Connect" : "statusCode" in error && error.statusCode === 429

/**
 * How long the API asked to wait before the next request.
 *
 * @since 0.1.0
 * @category getters
 */
export const retryAfter = (error: RequestError): Option.Option<Duration.Duration> =>
  "retryAfter" in error ? Option.fromNullable(error.retryAfter) : Option.none()
