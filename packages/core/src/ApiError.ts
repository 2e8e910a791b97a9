/**
 * The errors of the API. The tag of an error is the API's own name for it, so that
 * `Effect.catchTag("validation_error", …)` reads like the API's documentation.
 *
 * @since 1.0.0
 */
import type { YieldableError } from "effect/Cause"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { first } from "./internal/shape.ts"

/**
 * The fields of every API error.
 *
 * @since 1.0.0
 * @category models
 */
export interface ApiErrorFields {
  /** The HTTP status of the response. */
  readonly statusCode: number
  /** The API's message, for people. If the error is a response, the request is in front of it. */
  readonly message: string
  /** The request, if the error is a response. */
  readonly method?: string | undefined
  /** The URL of the request, without its query. */
  readonly url?: string | undefined
  /** How long the API asks to wait, if its headers say so. */
  readonly retryAfter?: Duration.Duration | undefined
  /** What became of a change, after all attempts: it was certainly not processed, or nobody knows. */
  readonly outcome?: "not_processed" | "unknown" | undefined
  /** The idempotency key of a send: repeated with it and the same content, nothing is sent twice. */
  readonly idempotencyKey?: string | undefined
}

/** Written out, because the type that `Data.TaggedError` returns differs between versions of Effect. */
interface ErrorClass<Tag extends string, Fields> {
  new(fields: Fields): YieldableError & { readonly _tag: Tag } & Readonly<Fields>
}

const tagged = <const Tag extends string>(tag: Tag): ErrorClass<Tag, ApiErrorFields> =>
  Data.TaggedError(tag)<ApiErrorFields>

/**
 * Something in the request is invalid: a cursor, a limit, a field of the body. Sent with status 400, 403 or 422.
 * Input that can be checked locally fails with the same error and message, without a request.
 *
 * @since 1.0.0
 * @category errors
 */
export class ValidationError extends tagged("validation_error") {
  /**
   * The error for input that was checked locally, with status 422.
   *
   * @since 1.0.0
   */
  static because(message: string): ValidationError {
    return new ValidationError({ statusCode: 422, message })
  }

  /**
   * The error for input that a schema rejected: the message of its first issue, with status 422.
   *
   * @since 1.0.0
   */
  static fromParseError(error: ParseResult.ParseError): ValidationError {
    const [issue] = ParseResult.ArrayFormatter.formatIssueSync(first(error.issue))
    const message = issue?._tag === "Unexpected"
      ? `Unknown field \`${String(issue.path.at(-1))}\`.`
      : issue?.message ?? "The input is not valid."
    // What the elements of a list are called, if the message has to say which of them it is about.
    const [element] = issue?.path ?? []
    const title = "ast" in error.issue ? AST.getTitleAnnotation(error.issue.ast) : Option.none()
    return ValidationError.because(
      typeof element === "number" && Option.isSome(title) ? `${title.value} at index ${element}: ${message}` : message
    )
  }
}

/**
 * No API key was sent.
 *
 * @since 1.0.0
 * @category errors
 */
export class MissingApiKey extends tagged("missing_api_key") {}

/**
 * The API key is unknown.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidApiKey extends tagged("invalid_api_key") {}

/**
 * The API key lacks the permission.
 *
 * @since 1.0.0
 * @category errors
 */
export class RestrictedApiKey extends tagged("restricted_api_key") {}

/**
 * The API key is suspended.
 *
 * @since 1.0.0
 * @category errors
 */
export class SuspendedApiKey extends tagged("suspended_api_key") {}

/**
 * The account lacks the permission.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidPermission extends tagged("invalid_permission") {}

/**
 * The object or the path does not exist.
 *
 * @since 1.0.0
 * @category errors
 */
export class NotFound extends tagged("not_found") {
  /**
   * For a well-formed cursor that matches no item.
   *
   * @since 1.0.0
   */
  static get ofCursor(): NotFound {
    return new NotFound({
      statusCode: 404,
      message: "The pagination cursor references an object that does not exist."
    })
  }
}

/**
 * The path exists, but does not support the method.
 *
 * @since 1.0.0
 * @category errors
 */
export class MethodNotAllowed extends tagged("method_not_allowed") {}

/**
 * The object is locked by another operation.
 *
 * @since 1.0.0
 * @category errors
 */
export class ResourceLocked extends tagged("resource_locked") {}

/**
 * A parameter has an invalid value.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidParameter extends tagged("invalid_parameter") {}

/**
 * A field of the body is missing.
 *
 * @since 1.0.0
 * @category errors
 */
export class MissingRequiredField extends tagged("missing_required_field") {}

/**
 * A parameter is missing.
 *
 * @since 1.0.0
 * @category errors
 */
export class MissingRequiredParameter extends tagged("missing_required_parameter") {}

/**
 * The idempotency key is not one: it must have 1 to 256 visible ASCII characters.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidIdempotencyKey extends tagged("invalid_idempotency_key") {}

/**
 * The idempotency key was used for another content within the last 24 hours. Repeating it is of no use: another email needs
 * another key.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidIdempotentRequest extends tagged("invalid_idempotent_request") {}

/**
 * A send with this idempotency key is still in progress. Repeated later, with the same key and the same content, it gets the
 * response to that one.
 *
 * @since 1.0.0
 * @category errors
 */
export class ConcurrentIdempotentRequests extends tagged("concurrent_idempotent_requests") {}

/**
 * An attachment cannot be sent: it has neither content nor path, or its type is not allowed.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidAttachment extends tagged("invalid_attachment") {}

/**
 * The email has more recipients than the quota has left. Waiting a few seconds does not help.
 *
 * @since 1.0.0
 * @category errors
 */
export class EmailAboveQuota extends tagged("email_above_quota") {}

/**
 * Too many requests. `retryAfter` says how long to wait.
 *
 * @since 1.0.0
 * @category errors
 */
export class RateLimitExceeded extends tagged("rate_limit_exceeded") {}

/**
 * The daily quota is used up. Waiting a few seconds does not help.
 *
 * @since 1.0.0
 * @category errors
 */
export class DailyQuotaExceeded extends tagged("daily_quota_exceeded") {}

/**
 * The monthly quota is used up. Waiting a few seconds does not help.
 *
 * @since 1.0.0
 * @category errors
 */
export class MonthlyQuotaExceeded extends tagged("monthly_quota_exceeded") {}

/**
 * The service failed.
 *
 * @since 1.0.0
 * @category errors
 */
export class ApplicationError extends tagged("application_error") {}

/**
 * The service failed.
 *
 * @since 1.0.0
 * @category errors
 */
export class InternalServerError extends tagged("internal_server_error") {}

/**
 * The service is temporarily unavailable.
 *
 * @since 1.0.0
 * @category errors
 */
export class ServiceUnavailable extends tagged("service_unavailable") {}

const otherError: ErrorClass<"api_error", ApiErrorFields & { readonly name: string }> = /* #__PURE__ */ Data
  .TaggedError(
    "api_error"
  )

/**
 * Any other error response: `name` is the API's name for it, or `api_error` if the response has none (the HTML page of
 * a proxy, an empty body), and `message` its text, shortened.
 *
 * @since 1.0.0
 * @category errors
 */
export class OtherApiError extends otherError {}

/**
 * The class of each named error.
 *
 * @since 1.0.0
 * @category constructors
 */
export const classes = {
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
  invalid_idempotency_key: InvalidIdempotencyKey,
  invalid_idempotent_request: InvalidIdempotentRequest,
  concurrent_idempotent_requests: ConcurrentIdempotentRequests,
  invalid_attachment: InvalidAttachment,
  email_above_quota: EmailAboveQuota,
  rate_limit_exceeded: RateLimitExceeded,
  daily_quota_exceeded: DailyQuotaExceeded,
  monthly_quota_exceeded: MonthlyQuotaExceeded,
  application_error: ApplicationError,
  internal_server_error: InternalServerError,
  service_unavailable: ServiceUnavailable
}

/**
 * The errors that have their own tag.
 *
 * @since 1.0.0
 * @category models
 */
export type NamedApiError = InstanceType<(typeof classes)[keyof typeof classes]>

/**
 * Any error of the API.
 *
 * @since 1.0.0
 * @category models
 */
export type ApiError = NamedApiError | OtherApiError

/**
 * An error as the API sends it.
 *
 * @since 1.0.0
 * @category models
 */
export interface ApiErrorEncoded {
  readonly name: string
  readonly statusCode: number
  readonly message: string
}

/**
 * Whether a name is one of an error with a tag of its own.
 *
 * @since 1.0.0
 * @category guards
 */
export const isNamed = (name: string): name is NamedApiError["_tag"] => Object.hasOwn(classes, name)

/**
 * The error for a name: an instance of that name's class, or an `OtherApiError`.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (name: string | undefined, fields: ApiErrorFields): ApiError =>
  name !== undefined && isNamed(name)
    ? new classes[name](fields)
    : new OtherApiError({ ...fields, name: name ?? "api_error" })

/**
 * Converts between errors on the wire, `{ name, statusCode, message }`, and their classes. Any name decodes.
 *
 * @since 1.0.0
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
