/**
 * How do I ask? The contract of the API, the client, and one service per resource, as Layers.
 *
 * @since 0.1.0
 */
export * as Api from "./Api.ts"
export { ApiClient, type Options as ApiClientOptions } from "./ApiClient.ts"
export { ApiKeys } from "./ApiKeys.ts"
export { Broadcasts } from "./Broadcasts.ts"
export { Contacts } from "./Contacts.ts"
export { Domains } from "./Domains.ts"
export { Emails } from "./Emails.ts"
export * as List from "./List.ts"
export * as Mailstream from "./Mailstream.ts"
export * as RateLimit from "./RateLimit.ts"
export { ReceivedEmailAttachments } from "./ReceivedEmailAttachments.ts"
export { ReceivedEmails } from "./ReceivedEmails.ts"
export * as RetryPolicy from "./RetryPolicy.ts"
export { Segments } from "./Segments.ts"
export * as Telemetry from "./Telemetry.ts"
export { Templates } from "./Templates.ts"
export { type CreateOptions as CreateTopicOptions, Topics } from "./Topics.ts"
export * as Transport from "./Transport.ts"
