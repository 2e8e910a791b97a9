/**
 * The errors of the API. The tag of an error is the API's own name for it, so that
 * `Effect.catchTag("validation_error", …)` reads like the API's documentation.
 *
 * @since 1.0.0
 */
import type * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { complaint, titleOf } from "./internal/shape.ts"

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

const fields = {
  statusCode: Schema.Number,
  message: Schema.String,
  method: Schema.optional(Schema.String),
  url: Schema.optional(Schema.String),
  retryAfter: Schema.optional(Schema.Duration),
  outcome: Schema.optional(Schema.Literals(["not_processed", "unknown"])),
  idempotencyKey: Schema.optional(Schema.String)
}

/**
 * Something in the request is invalid: a cursor, a limit, a field of the body. Sent with status 400, 403 or 422.
 * Input that can be checked locally fails with the same error and message, without a request.
 *
 * @since 1.0.0
 * @category errors
 */
export class ValidationError extends Schema.TaggedError<ValidationError>()("validation_error", fields) {
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
  static fromSchemaError(error: Schema.SchemaError): ValidationError {
    const { message, path: [element] } = complaint(error.issue)
    // What the elements of a list are called, if the message has to say which of them it is about.
    const title = titleOf(error.issue)
    return ValidationError.because(
      typeof element === "number" && title !== undefined ? `${title} at index ${element}: ${message}` : message
    )
  }
}

/**
 * No API key was sent.
 *
 * @since 1.0.0
 * @category errors
 */
export class MissingApiKey extends Schema.TaggedError<MissingApiKey>()("missing_api_key", fields) {}

/**
 * The API key is unknown.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidApiKey extends Schema.TaggedError<InvalidApiKey>()("invalid_api_key", fields) {}

/**
 * The API key lacks the permission.
 *
 * @since 1.0.0
 * @category errors
 */
export class RestrictedApiKey extends Schema.TaggedError<RestrictedApiKey>()("restricted_api_key", fields) {}

/**
 * The API key is suspended.
 *
 * @since 1.0.0
 * @category errors
 */
export class SuspendedApiKey extends Schema.TaggedError<SuspendedApiKey>()("suspended_api_key", fields) {}

/**
 * The account lacks the permission.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidPermission extends Schema.TaggedError<InvalidPermission>()("invalid_permission", fields) {}

/**
 * The object or the path does not exist.
 *
 * @since 1.0.0
 * @category errors
 */
export class NotFound extends Schema.TaggedError<NotFound>()("not_found", fields) {
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
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("method_not_allowed", fields) {}

/**
 * The object is locked by another operation.
 *
 * @since 1.0.0
 * @category errors
 */
export class ResourceLocked extends Schema.TaggedError<ResourceLocked>()("resource_locked", fields) {}

/**
 * A parameter has an invalid value.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidParameter extends Schema.TaggedError<InvalidParameter>()("invalid_parameter", fields) {}

/**
 * A field of the body is missing.
 *
 * @since 1.0.0
 * @category errors
 */
export class MissingRequiredField
  extends Schema.TaggedError<MissingRequiredField>()("missing_required_field", fields)
{}

/**
 * A parameter is missing.
 *
 * @since 1.0.0
 * @category errors
 */
export class MissingRequiredParameter
  extends Schema.TaggedError<MissingRequiredParameter>()("missing_required_parameter", fields)
{}

/**
 * The idempotency key is not one: it must have 1 to 256 visible ASCII characters.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidIdempotencyKey
  extends Schema.TaggedError<InvalidIdempotencyKey>()("invalid_idempotency_key", fields)
{}

/**
 * The idempotency key was used for another content within the last 24 hours. Repeating it is of no use: another email needs
 * another key.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidIdempotentRequest
  extends Schema.TaggedError<InvalidIdempotentRequest>()("invalid_idempotent_request", fields)
{}

/**
 * A send with this idempotency key is still in progress. Repeated later, with the same key and the same content, it gets the
 * response to that one.
 *
 * @since 1.0.0
 * @category errors
 */
export class ConcurrentIdempotentRequests
  extends Schema.TaggedError<ConcurrentIdempotentRequests>()("concurrent_idempotent_requests", fields)
{}

/**
 * An attachment cannot be sent: it has neither content nor path, or its type is not allowed.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidAttachment extends Schema.TaggedError<InvalidAttachment>()("invalid_attachment", fields) {}

/**
 * The email has more recipients than the quota has left. Waiting a few seconds does not help.
 *
 * @since 1.0.0
 * @category errors
 */
export class EmailAboveQuota extends Schema.TaggedError<EmailAboveQuota>()("email_above_quota", fields) {}

/**
 * Too many requests. `retryAfter` says how long to wait.
 *
 * @since 1.0.0
 * @category errors
 */
export class RateLimitExceeded extends Schema.TaggedError<RateLimitExceeded>()("rate_limit_exceeded", fields) {}

/**
 * The daily quota is used up. Waiting a few seconds does not help.
 *
 * @since 1.0.0
 * @category errors
 */
export class DailyQuotaExceeded extends Schema.TaggedError<DailyQuotaExceeded>()("daily_quota_exceeded", fields) {}

/**
 * The monthly quota is used up. Waiting a few seconds does not help.
 *
 * @since 1.0.0
 * @category errors
 */
export class MonthlyQuotaExceeded
  extends Schema.TaggedError<MonthlyQuotaExceeded>()("monthly_quota_exceeded", fields)
{}

/**
 * The service failed.
 *
 * @since 1.0.0
 * @category errors
 */
export class ApplicationError extends Schema.TaggedError<ApplicationError>()("application_error", fields) {}

/**
 * The service failed.
 *
 * @since 1.0.0
 * @category errors
 */
export class InternalServerError extends Schema.TaggedError<InternalServerError>()("internal_server_error", fields) {}

/**
 * The service is temporarily unavailable.
 *
 * @since 1.0.0
 * @category errors
 */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()("service_unavailable", fields) {}

/**
 * Any other error response: `name` is the API's name for it, or `api_error` if the response has none (the HTML page of
 * a proxy, an empty body), and `message` its text, shortened.
 *
 * @since 1.0.0
 * @category errors
 */
export class OtherApiError
  extends Schema.TaggedError<OtherApiError>()("api_error", { ...fields, name: Schema.String })
{}

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
 * import { ApiError } from "@mailstream/effect4"
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
export const ApiError: Schema.Codec<ApiError, ApiErrorEncoded> = /* #__PURE__ */ Schema.Struct({
  name: Schema.String,
  statusCode: Schema.Number,
  message: Schema.String
}).pipe(
  /* #__PURE__ */ Schema.decodeTo(
    /* #__PURE__ */ Schema.declare(
      (u: unknown): u is ApiError =>
        u instanceof OtherApiError || Object.values(classes).some((Class) => u instanceof Class),
      { identifier: "ApiError" }
    ),
    /* #__PURE__ */ SchemaTransformation.transform({
      decode: ({ name, ...fields }: ApiErrorEncoded): ApiError => make(name, fields),
      encode: ({ message, name, statusCode }: ApiError): ApiErrorEncoded => ({ name, statusCode, message })
    })
  )
)
