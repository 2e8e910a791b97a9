/**
 * What can be done with one webhook.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import {
  acknowledged,
  changes,
  input,
  maybe,
  oneOf,
  removed,
  required,
  says,
  told,
  unchanged,
  visibleText
} from "./internal/fields.ts"
import * as Operation from "./Operation.ts"
import { Webhook, WebhookEventType, WebhookId } from "./Webhook.ts"

const events = Schema.NonEmptyArray(WebhookEventType).annotate(told({
  message: says("The `events` field must be an array of at least one event.")
}))

/**
 * The input for creating a webhook.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreateWebhook = input("CreateWebhook", {
  endpoint: required("endpoint", visibleText("endpoint")),
  events: required("events", events)
})

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateWebhook extends Schema.Schema.Type<typeof CreateWebhook> {}

/**
 * What to change of a webhook: a field that is absent stays as it is.
 *
 * @since 1.0.0
 * @category schemas
 */
export const UpdateWebhook = changes("UpdateWebhook", {
  endpoint: unchanged(visibleText("endpoint")),
  events: unchanged(events),
  status: unchanged(oneOf("status", "enabled", "disabled"))
})

/**
 * @since 1.0.0
 * @category models
 */
export interface UpdateWebhook extends Schema.Schema.Type<typeof UpdateWebhook> {}

/**
 * One webhook, with the secret that its events are signed with.
 *
 * @since 1.0.0
 * @category schemas
 */
export const WebhookDetails = Schema.Struct({
  ...Webhook.fields,
  signing_secret: maybe(Schema.RedactedFromValue(Schema.String))
}).annotate({ identifier: "WebhookDetails" })

/**
 * @since 1.0.0
 * @category models
 */
export interface WebhookDetails extends Schema.Schema.Type<typeof WebhookDetails> {}

/**
 * The secret that the events of a webhook are signed with.
 *
 * @since 1.0.0
 * @category schemas
 */
export const SignedWebhook = Schema.Struct({
  ...acknowledged("webhook", WebhookId).fields,
  signing_secret: Schema.RedactedFromValue(Schema.String)
}).annotate({ identifier: "SignedWebhook" })

/**
 * @since 1.0.0
 * @category models
 */
export interface SignedWebhook extends Schema.Schema.Type<typeof SignedWebhook> {}

/**
 * The API's response to a change of a webhook.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedWebhook = acknowledged("webhook", WebhookId).annotate({ identifier: "ChangedWebhook" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedWebhook extends Schema.Schema.Type<typeof ChangedWebhook> {}

/**
 * The API's response to the removal of a webhook.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemovedWebhook = removed("webhook").annotate({ identifier: "RemovedWebhook" })

/**
 * @since 1.0.0
 * @category models
 */
export interface RemovedWebhook extends Schema.Schema.Type<typeof RemovedWebhook> {}

/**
 * What the fields are that operations on a webhook take, for people.
 *
 * @since 1.0.0
 * @category descriptions
 */
export const descriptions: Operation.Descriptions = {
  endpoint: "The URL that events are sent to.",
  events: "The types of the events to send, at least one.",
  status: "Whether events are sent to the endpoint."
}

/**
 * The operations on a webhook.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  get: Operation.make({
    name: "get",
    summary: "Retrieves a webhook, with its secret.",
    method: "GET",
    path: "/webhooks/:webhook_id",
    params: [Operation.param("webhook_id", WebhookId)],
    success: WebhookDetails,
    repetition: "read"
  }),
  create: Operation.make({
    name: "create",
    summary: "Creates a webhook. Its secret is in the response.",
    method: "POST",
    path: "/webhooks",
    params: [],
    payload: CreateWebhook,
    success: SignedWebhook,
    status: 201,
    repetition: "once"
  }),
  update: Operation.make({
    name: "update",
    summary: "Changes a webhook.",
    method: "PATCH",
    path: "/webhooks/:webhook_id",
    params: [Operation.param("webhook_id", WebhookId)],
    payload: UpdateWebhook,
    success: ChangedWebhook,
    repetition: "natural"
  }),
  remove: Operation.make({
    name: "remove",
    summary: "Removes a webhook.",
    method: "DELETE",
    path: "/webhooks/:webhook_id",
    params: [Operation.param("webhook_id", WebhookId)],
    success: RemovedWebhook,
    repetition: "natural",
    gone: (id) => ({ id, deleted: true })
  }),
  rotateSecret: Operation.make({
    name: "rotateSecret",
    summary: "Replaces the secret of a webhook. The new one is in the response.",
    method: "POST",
    path: "/webhooks/:webhook_id/signing-secret/rotate",
    params: [Operation.param("webhook_id", WebhookId)],
    success: SignedWebhook,
    repetition: "once"
  })
}
