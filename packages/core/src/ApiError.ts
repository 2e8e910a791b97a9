/**
 * What the API says when it refuses. The tag of an error is the API's own name for it, so that
 * `Effect.catchTag("validation_error", …)` reads like the API's documents.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { first } from "./internal/shape.ts"
import { cut, shorten } from "./internal/text.ts"

/**
 * What every error of the API carries.
 *
 * @since 0.1.0
 * @category models
 */
export interface ApiErrorFields {
  /** The HTTP status of the answer. */
  readonly statusCode: number
  /** The API's text, for a human reader. */
  readonly message: string
  /** How long the API asks to wait, where its headers said so. */
  readonly retryAfter?: Duration.Duration | undefined
}

/**
 * Something in the request is not valid: a cursor, a limit, a field of a body. Seen with status 400, 403 and 422.
 * The same error, with the same message, is given without a request where the input can be judged on this side.
 *
 * @since 0.1.0
 * @category errors
 */
export class ValidationError extends Data.TaggedError("validation_error")<ApiErrorFields> {
  /**
   * The error for input that a schema refused: the message of its first issue, with status 422.
   *
   * @since 0.1.0
   */
  static fromParseError(error: ParseResult.ParseError): ValidationError {
    const [issue] = ParseResult.ArrayFormatter.formatIssueSync(first(error.issue))
    return new ValidationError({ statusCode: 422, message: issue?.message ?? "The input is not valid." })
  }
}

/**
 * No API key was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class MissingApiKey extends Data.TaggedError("missing_api_key")<ApiErrorFields> {}

/**
 * The API key is not known.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidApiKey extends Data.TaggedError("invalid_api_key")<ApiErrorFields> {}

/**
 * The API key may not do this.
 *
 * @since 0.1.0
 * @category errors
 */
export class RestrictedApiKey extends Data.TaggedError("restricted_api_key")<ApiErrorFields> {}

/**
 * The API key is suspended.
 *
 * @since 0.1.0
 * @category errors
 */
export class SuspendedApiKey extends Data.TaggedError("suspended_api_key")<ApiErrorFields> {}

/**
 * The account may not do this.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidPermission extends Data.TaggedError("invalid_permission")<ApiErrorFields> {}

/**
 * There is no such object, or no such path.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotFound extends Data.TaggedError("not_found")<ApiErrorFields> {
  /**
   * A well-formed cursor that no item has.
   *
   * @since 0.1.0
   */
  static get ofCursor(): NotFound {
    return new NotFound({
      statusCode: 404,
      message: "The pagination cursor references an object that does not exist."
    })
  }
}

/**
 * The path exists, but not for this method.
 *
 * @since 0.1.0
 * @category errors
 */
export class MethodNotAllowed extends Data.TaggedError("method_not_allowed")<ApiErrorFields> {}

/**
 * Something else is working on the object.
 *
 * @since 0.1.0
 * @category errors
 */
export class ResourceLocked extends Data.TaggedError("resource_locked")<ApiErrorFields> {}

/**
 * A parameter has a value that it must not have.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidParameter extends Data.TaggedError("invalid_parameter")<ApiErrorFields> {}

/**
 * A field of the body is missing.
 *
 * @since 0.1.0
 * @category errors
 */
export class MissingRequiredField extends Data.TaggedError("missing_required_field")<ApiErrorFields> {}

/**
 * A parameter is missing.
 *
 * @since 0.1.0
 * @category errors
 */
export class MissingRequiredParameter extends Data.TaggedError("missing_required_parameter")<ApiErrorFields> {}

/**
 * Too many requests at a time. `retryAfter` says how long to wait.
 *
 * @since 0.1.0
 * @category errors
 */
export class RateLimitExceeded extends Data.TaggedError("rate_limit_exceeded")<ApiErrorFields> {}

/**
 * The quota of the day is used up. Waiting for seconds does not help.
 *
 * @since 0.1.0
 * @category errors
 */
export class DailyQuotaExceeded extends Data.TaggedError("daily_quota_exceeded")<ApiErrorFields> {}

/**
 * The quota of the month is used up. Waiting for seconds does not help.
 *
 * @since 0.1.0
 * @category errors
 */
export class MonthlyQuotaExceeded extends Data.TaggedError("monthly_quota_exceeded")<ApiErrorFields> {}

/**
 * The service failed.
 *
 * @since 0.1.0
 * @category errors
 */
export class ApplicationError extends Data.TaggedError("application_error")<ApiErrorFields> {}

/**
 * The service failed.
 *
 * @since 0.1.0
 * @category errors
 */
export class InternalServerError extends Data.TaggedError("internal_server_error")<ApiErrorFields> {}

/**
 * The service is not there for the moment.
 *
 * @since 0.1.0
 * @category errors
 */
export class ServiceUnavailable extends Data.TaggedError("service_unavailable")<ApiErrorFields> {}

/**
 * Any other error answer: `name` is the API's name for it, or `api_error` where the answer had none (an HTML page of
 * a proxy, an empty body), and `message` its text, shortened.
 *
 * @since 0.1.0
 * @category errors
 */
export class OtherApiError extends Data.TaggedError("api_error")<ApiErrorFields & { readonly name: string }> {}

/**
 * The errors that the API has a name for.
 *
 * @since 0.1.0
 * @category models
 */
export type NamedApiError =
  | ValidationError
  | MissingApiKey
  | InvalidApiKey
  | RestrictedApiKey
  | SuspendedApiKey
  | InvalidPermission
  | NotFound
  | MethodNotAllowed
  | ResourceLocked
  | InvalidParameter
  | MissingRequiredField
  | MissingRequiredParameter
  | RateLimitExceeded
  | DailyQuotaExceeded
  | MonthlyQuotaExceeded
  | ApplicationError
  | InternalServerError
  | ServiceUnavailable

/**
 * What the API can answer instead of a result.
 *
 * @since 0.1.0
 * @category models
 */
export type ApiError = NamedApiError | OtherApiError

/**
 * An error as the API writes it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ApiErrorEncoded {
  readonly name: string
  readonly statusCode: number
  readonly message: string
}

/**
 * The class for each name.
 *
 * @since 0.1.0
 * @category constructors
 */
export const classes: { readonly [E in NamedApiError as E["_tag"]]: new(fields: ApiErrorFields) => E } = {
  validation_error: ValidationError,
  missing_api_key: MissingApiKey,
  invalid_api_key: InvalidApiKey,
  restricted_api_key: RestrictedApiKey,
  suspended_api_key: SuspendedApiKey,
  invalid_permission: InvalidPermission,
  not_found: NotFound,
  method_not_allowed: MethodNotAllowed,
  resource_locked: ResourceLocked,
  invalid_parameter: InvalidParameter,
  missing_required_field: MissingRequiredField,
  missing_required_parameter: MissingRequiredParameter,
  rate_limit_exceeded: RateLimitExceeded,
  daily_quota_exceeded: DailyQuotaExceeded,
  monthly_quota_exceeded: MonthlyQuotaExceeded,
  application_error: ApplicationError,
  internal_server_error: InternalServerError,
  service_unavailable: ServiceUnavailable
}

const isNamed = (name: string): name is NamedApiError["_tag"] => Object.hasOwn(classes, name)

/** The one place where an error is made from what was read of it. */
const make = (name: string | undefined, fields: ApiErrorFields): ApiError =>
  name !== undefined && isNamed(name)
    ? new classes[name](fields)
    : new OtherApiError({ ...fields, name: name ?? "api_error" })

/**
 * Errors between their form on the wire, `{ name, statusCode, message }`, and their classes. Any name decodes.
 *
 * @since 0.1.0
 * @category schemas
 * @example
 * ```ts
 * import { ApiError } from "@mailstream/core"
 * import { Schema } from "effect"
 *
 * const error = Schema.decodeSync(ApiError)({
 *   name: "validation_error",
 *   statusCode: 422,
 *   message: "The pagination limit must be a number between 1 and 100."
 * })
 *
 * error._tag // "validation_error"
 * ```
 */
export const ApiError: Schema.Schema<ApiError, ApiErrorEncoded> = /* #__PURE__ */ Schema.transform(
  /* #__PURE__ */ Schema.Struct({ name: Schema.String, statusCode: Schema.Number, message: Schema.String }),
  /* #__PURE__ */ Schema.declare(
    (u: unknown): u is ApiError =>
      u instanceof OtherApiError || Object.values(classes).some((Class) => u instanceof Class),
    { identifier: "ApiError" }
  ),
  {
    strict: true,
    decode: ({ name, ...fields }) => make(name, fields),
    encode: ({ message, name, statusCode }) => ({ name, statusCode, message })
  }
)

const Body = Schema.Struct({
  name: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String),
  error: Schema.optional(Schema.String)
})

const decodeBody = Schema.decodeOption(Schema.parseJson(Body))

/** How many characters are kept: an error goes through logs and spans, and a service may say anything. */
const longest = { name: 200, message: 2000 }

/**
 * An answer, as far as its errors are concerned.
 *
 * @since 0.1.0
 * @category models
 */
export interface Answer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** The current time, in milliseconds. */
  readonly now: number
}

/**
 * The error of an answer whose status is not a success, from whatever its body is: the API's error shape, other
 * JSON, HTML or nothing. Of a message at most 2,000 characters are kept.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromAnswer = (answer: Answer, body: string): ApiError => {
  const json = Option.getOrElse(decodeBody(body), (): typeof Body.Type => ({}))
  const message = cut(json.message ?? json.error ?? shorten(body), longest.message)
  return make(json.name === undefined ? undefined : cut(json.name, longest.name), {
    statusCode: answer.status,
    message: message === "" ? `The service answered with status ${answer.status} and no text.` : message,
    retryAfter: Option.getOrUndefined(waitOf(answer))
  })
}

/**
 * How long an answer asks to wait: `retry-after`, in seconds or as a date, or else, on a 429, `ratelimit-reset`.
 *
 * A date is compared with the answer's own `date` where it has one, so that a clock that is off does no harm.
 *
 * @since 0.1.0
 * @category getters
 */
export const waitOf = ({ headers, now, status }: Answer): Option.Option<Duration.Duration> => {
  const after = headers["retry-after"]
  if (after !== undefined) {
    const delay = seconds(after) ?? (date(after) - (date(headers["date"] ?? "") || now)) / 1000
    if (Number.isFinite(delay)) return Option.some(Duration.millis(Math.ceil(Math.max(0, delay) * 1000)))
  }
  const reset = status === 429 ? seconds(headers["ratelimit-reset"] ?? "") : undefined
  return Option.map(Option.fromNullable(reset), Duration.seconds)
}

/** A date of HTTP begins with the name of a day; `Date.parse` alone would take a number for a year. */
const date = (text: string): number => /^\s*[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN

const seconds = (text: string): number | undefined => /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
