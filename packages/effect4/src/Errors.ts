/**
 * The errors in the error channels. They are the classes of `@mailstream/client`, whose `_tag` is what `catchTag` takes:
 * the API's own name for an error of the API (`validation_error`), PascalCase for client-side failures
 * (`TransportError`).
 *
 * @since 1.0.0
 */
import type {
  ApiError,
  CheckpointError,
  InvalidOption,
  LockError,
  PositionLost,
  StalledWalk,
  TransportError,
  UnexpectedResponse,
  ValidationError
} from "@mailstream/client"

export {
  type ApiError,
  type ApiErrorFields,
  apiErrors,
  ApplicationError,
  CheckpointError,
  ClientClosed,
  DailyQuotaExceeded,
  InternalServerError,
  InvalidApiKey,
  InvalidOption,
  InvalidParameter,
  InvalidPermission,
  LockError,
  MailstreamError,
  MethodNotAllowed,
  MissingApiKey,
  MissingRequiredField,
  MissingRequiredParameter,
  MonthlyQuotaExceeded,
  type NamedApiError,
  NotFound,
  OtherApiError,
  PositionLost,
  RateLimitExceeded,
  ResourceLocked,
  RestrictedApiKey,
  ServiceUnavailable,
  StalledWalk,
  SuspendedApiKey,
  TransportError,
  UnexpectedResponse,
  ValidationError
} from "@mailstream/client"

/**
 * What a single request fails with.
 *
 * @since 1.0.0
 * @category errors
 */
export type RequestError = ApiError | TransportError | UnexpectedResponse

/**
 * What a walk through a list fails with: the errors of a request, and those of the walk itself
 * and of its options.
 *
 * @since 1.0.0
 * @category errors
 * @example
 * ```ts
 * import { contacts } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = contacts.items().pipe(
 *   Stream.runForEach((contact) => Effect.log(contact.email)),
 *   Effect.catchTags({
 *     invalid_api_key: () => Effect.logError("Check MAILSTREAM_API_KEY."),
 *     TransportError: (error) => Effect.logError(`${error.url}: ${error.reason}`)
 *   })
 * )
 * ```
 */
export type ListError = RequestError | InvalidOption | StalledWalk | PositionLost

/**
 * What invalid options fail with: those that the API would refuse, and all others.
 *
 * @since 1.0.0
 * @category errors
 */
export type OptionError = ValidationError | InvalidOption

/**
 * What processing also fails with.
 *
 * - `CheckpointError`: the position cannot be read or stored.
 * - `LockError`: another walk is using the same key.
 *
 * @since 1.0.0
 * @category errors
 */
export type CommitError = CheckpointError | LockError
