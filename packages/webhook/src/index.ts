/**
 * The webhooks of the email service: signatures verified, events typed, every event handled once and acknowledged only then.
 *
 * @since 1.0.0
 */
export * as Deduplication from "./Deduplication.ts"
export * as Webhook from "./Webhook.ts"
export * from "./WebhookError.ts"
export * as WebhookHandler from "./WebhookHandler.ts"
