/**
 * The vocabulary of the API: schemas, branded ids, timestamps, pages and typed errors. Depends on `effect` alone.
 *
 * Modules that work on one type are namespaces (`Timestamp.toDateTime`, `Position.after`); schemas, ids and errors
 * are exported by their own names (`Contact`, `ContactId`, `ValidationError`).
 *
 * Translated from core by `npm run generate`.
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
export * as ApiKeyOperations from "./ApiKeyOperations.ts"
export * from "./Broadcast.ts"
export * as BroadcastOperations from "./BroadcastOperations.ts"
export * from "./BroadcastRecipient.ts"
export * from "./Contact.ts"
export * as ContactOperations from "./ContactOperations.ts"
export * from "./ContactProperty.ts"
export * as ContactPropertyOperations from "./ContactPropertyOperations.ts"
export * from "./ContactTopic.ts"
export * from "./Domain.ts"
export * as DomainOperations from "./DomainOperations.ts"
export * from "./Email.ts"
export * from "./EmailAttachment.ts"
export * as EmailAttachmentOperations from "./EmailAttachmentOperations.ts"
export * as EmailOperations from "./EmailOperations.ts"
export * as ErrorResponse from "./ErrorResponse.ts"
export * as Filter from "./Filter.ts"
export * as Id from "./Id.ts"
export { InvalidOption } from "./InvalidOption.ts"
export * as Operation from "./Operation.ts"
export * as Operations from "./Operations.ts"
export * as Page from "./Page.ts"
export * as PageRequest from "./PageRequest.ts"
export * as Position from "./Position.ts"
export * from "./ReceivedEmail.ts"
export * from "./ReceivedEmailAttachment.ts"
export * as ReceivedEmailAttachmentOperations from "./ReceivedEmailAttachmentOperations.ts"
export * as ReceivedEmailOperations from "./ReceivedEmailOperations.ts"
export * from "./RequestError.ts"
export * as Resource from "./Resource.ts"
export * from "./Segment.ts"
export * as SegmentOperations from "./SegmentOperations.ts"
export { BatchEmail, BatchResult, SendBatch, SendEmail, SendTemplate, SentBatch, SentEmail } from "./SendEmail.ts"
export * from "./Suppression.ts"
export * as SuppressionOperations from "./SuppressionOperations.ts"
export * from "./Template.ts"
export * as TemplateOperations from "./TemplateOperations.ts"
export * as Timestamp from "./Timestamp.ts"
export * from "./Topic.ts"
export { CreateTopic } from "./TopicOperations.ts"
export * as TopicOperations from "./TopicOperations.ts"
export * from "./Webhook.ts"
export * from "./WebhookEvent.ts"
export * as WebhookOperations from "./WebhookOperations.ts"
export * as Wire from "./Wire.ts"
