/**
 * Webhooks: where the service reports what happens.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Id from "./Id.ts"
import { maybe, open } from "./internal/fields.ts"
import { Timestamp } from "./Timestamp.ts"

/**
 * @since 1.0.0
 * @category ids
 */
export const WebhookId = Id.opaque("WebhookId")

/**
 * @since 1.0.0
 * @category ids
 */
export type WebhookId = typeof WebhookId.Type

/** The known types of events. */
const events = open(
  "email.sent",
  "email.scheduled",
  "email.delivered",
  "email.delivery_delayed",
  "email.complained",
  "email.bounced",
  "email.opened",
  "email.clicked",
  "email.received",
  "email.failed",
  "email.suppressed",
  "contact.created",
  "contact.updated",
  "contact.deleted",
  "contact.topics.updated",
  "domain.created",
  "domain.updated",
  "domain.deleted",
  "suppression.added",
  "suppression.removed",
  "topic.created",
  "topic.updated",
  "topic.deleted"
)

/**
 * The type of an event that a webhook can report: an open set.
 *
 * @since 1.0.0
 * @category schemas
 */
export const WebhookEventType = events

/**
 * @since 1.0.0
 * @category models
 */
export type WebhookEventType = typeof WebhookEventType.Type

/**
 * A webhook, as an item of a list.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Webhook = Schema.Struct({
  id: WebhookId,
  endpoint: maybe(Schema.String),
  status: maybe(open("enabled", "disabled")),
  events: maybe(Schema.Array(WebhookEventType)),
  created_at: maybe(Timestamp)
}).annotate({ identifier: "Webhook" })

/**
 * @since 1.0.0
 * @category models
 */
export interface Webhook extends Schema.Schema.Type<typeof Webhook> {}
