/**
 * The contract of the API, the client, and one service per list, as Layers.
 *
 * @since 1.0.0
 */
export { ApiClient, type Options as ApiClientOptions } from "./ApiClient.ts"
export * as Attachment from "./Attachment.ts"
export * as ListService from "./ListService.ts"
export * as Mailstream from "./Mailstream.ts"
export type * as Methods from "./Methods.ts"
export * as ObjectService from "./ObjectService.ts"
export * as RateLimit from "./RateLimit.ts"
export * as RetryPolicy from "./RetryPolicy.ts"
export * as Service from "./Service.ts"
export * from "./Services.ts"
export * as Telemetry from "./Telemetry.ts"
export * as Transport from "./Transport.ts"
