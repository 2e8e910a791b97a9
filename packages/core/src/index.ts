/**
 * The vocabulary of the API: schemas, branded ids, timestamps, pages and typed errors. Depends on `effect` alone.
 *
 * Modules that work on one type are namespaces (`Timestamp.toDateTime`, `Position.after`); schemas, ids and errors
 * are exported by their own names (`Contact`, `ContactId`, `ValidationError`).
 *
 * @since 1.0.0
 */
export {
  ApiError,
  type ApiErrorEncoded,
  type ApiErrorFields,
  ApplicationError,
  DailyQuotaExceeded,
  InternalServerError,
  InvalidApiKey,
  InvalidParameter,
  InvalidPermission,
  MethodNotAllowed,
  MissingApiKey,
  MissingRequiredField,
  MissingRequiredParameter,
  MonthlyQuotaExceeded,
  type NamedApiError,
  NotFound,
  OtherApiError,
  RateLimitExceeded,
  ResourceLocked,
  RestrictedApiKey,
  ServiceUnavailable,
  SuspendedApiKey,
  ValidationError
} from "./ApiError.ts"
export * from "./ApiKey.ts"
export * from "./Broadcast.ts"
export * from "./Contact.ts"
export * from "./Domain.ts"
export * from "./Email.ts"
export * as ErrorResponse from "./ErrorResponse.ts"
export * as Filter from "./Filter.ts"
export * as Id from "./Id.ts"
export { InvalidOption } from "./InvalidOption.ts"
export * as Page from "./Page.ts"
export * as PageRequest from "./PageRequest.ts"
export * as Position from "./Position.ts"
export * from "./ReceivedEmail.ts"
export * from "./ReceivedEmailAttachment.ts"
export * from "./RequestError.ts"
export * as Resource from "./Resource.ts"
export * from "./Segment.ts"
export * from "./Template.ts"
export * as Timestamp from "./Timestamp.ts"
export * from "./Topic.ts"
export * as Wire from "./Wire.ts"
