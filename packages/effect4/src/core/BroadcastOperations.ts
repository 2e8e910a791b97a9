/**
 * What can be done with one broadcast.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import { Broadcast, BroadcastId } from "./Broadcast.ts"
import * as Checks from "./internal/checks.ts"
import {
  acknowledged,
  address,
  changes,
  flag,
  input,
  maybe,
  moment,
  removed,
  required,
  text,
  texts,
  unchanged,
  visibleText,
  withTimes
} from "./internal/fields.ts"
import * as Operation from "./Operation.ts"
import { SegmentId } from "./Segment.ts"
import { TopicId } from "./Topic.ts"

/**
 * One broadcast, with its content.
 *
 * @since 1.0.0
 * @category schemas
 */
export const BroadcastDetails = Schema.Struct({
  ...Broadcast.fields,
  from: maybe(Schema.String),
  subject: maybe(Schema.String),
  html: maybe(Schema.String),
  text: maybe(Schema.String),
  reply_to: maybe(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  preview_text: maybe(Schema.String),
  topic_id: maybe(TopicId)
}).annotate({ identifier: "BroadcastDetails" })

/**
 * @since 1.0.0
 * @category models
 */
export interface BroadcastDetails extends Schema.Schema.Type<typeof BroadcastDetails> {}

/**
 * The input for creating a broadcast: a draft, unless `send` is true.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreateBroadcast = input("CreateBroadcast", {
  segment_id: required("segment_id", SegmentId),
  from: required("from", address("from")),
  subject: required("subject", visibleText("subject")),
  html: Schema.optional(text("html")),
  text: Schema.optional(text("text")),
  name: Schema.optional(text("name")),
  reply_to: Schema.optional(texts("reply_to")),
  preview_text: Schema.optional(text("preview_text")),
  topic_id: Schema.optional(Schema.NullOr(TopicId)),
  send: Schema.optional(flag("send")),
  scheduled_at: Schema.optional(moment("scheduled_at"))
}).pipe(
  Checks.filter(({ html, text }) => html !== undefined || text !== undefined, {
    message: () => "Missing `html` or `text` field."
  }),
  Checks.filter(({ scheduled_at, send }) => scheduled_at === undefined || send === true, {
    message: () => "The `scheduled_at` field can only be used with `send: true`."
  })
)

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateBroadcast extends Schema.Schema.Type<typeof CreateBroadcast> {}

/**
 * What to change of a broadcast that is a draft: a field that is absent stays as it is.
 *
 * @since 1.0.0
 * @category schemas
 */
export const UpdateBroadcast = changes("UpdateBroadcast", {
  segment_id: unchanged(SegmentId),
  from: unchanged(address("from")),
  subject: unchanged(visibleText("subject")),
  html: unchanged(text("html")),
  text: unchanged(text("text")),
  name: unchanged(text("name")),
  reply_to: unchanged(texts("reply_to")),
  preview_text: unchanged(text("preview_text")),
  topic_id: unchanged(Schema.NullOr(TopicId))
})

/**
 * @since 1.0.0
 * @category models
 */
export interface UpdateBroadcast extends Schema.Schema.Type<typeof UpdateBroadcast> {}

/**
 * When to send a broadcast: at once, unless `scheduled_at` says otherwise.
 *
 * @since 1.0.0
 * @category schemas
 */
export const SendBroadcast = input("SendBroadcast", { scheduled_at: Schema.optional(moment("scheduled_at")) })

/**
 * @since 1.0.0
 * @category models
 */
export interface SendBroadcast extends Schema.Schema.Type<typeof SendBroadcast> {}

/**
 * The API's response to a change of a broadcast.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedBroadcast = acknowledged("broadcast", BroadcastId).annotate({ identifier: "ChangedBroadcast" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedBroadcast extends Schema.Schema.Type<typeof ChangedBroadcast> {}

/**
 * The API's response to the removal of a broadcast.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemovedBroadcast = removed("broadcast").annotate({ identifier: "RemovedBroadcast" })

/**
 * @since 1.0.0
 * @category models
 */
export interface RemovedBroadcast extends Schema.Schema.Type<typeof RemovedBroadcast> {}

/**
 * What the fields are that operations on a broadcast take, for people.
 *
 * @since 1.0.0
 * @category descriptions
 */
export const descriptions: Operation.Descriptions = {
  segment_id: "The id of the segment whose contacts receive it.",
  from: "The sender: an address, or a name with one, such as `News <news@example.com>`.",
  subject: "The subject line of the email.",
  html: "The content as HTML. It needs HTML, plain text, or both.",
  text: "The content as plain text. It needs HTML, plain text, or both.",
  name: "A name for the broadcast that recipients do not see.",
  reply_to: "The addresses that replies go to.",
  preview_text: "The text that inboxes show after the subject.",
  topic_id: "The id of the topic that it is about: who has opted out of it receives nothing.",
  send: "Whether to send it instead of keeping it as a draft: at once, or at `scheduled_at`.",
  scheduled_at: "When to send it: an ISO 8601 time, or words such as \"in 1 hour\". Default: at once."
}

/**
 * The operations on a broadcast.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  get: Operation.make({
    name: "get",
    summary: "Retrieves a broadcast, with its content.",
    method: "GET",
    path: "/broadcasts/:broadcast_id",
    params: [Operation.param("broadcast_id", BroadcastId)],
    success: BroadcastDetails,
    repetition: "read"
  }),
  create: Operation.make({
    name: "create",
    summary: "Creates a broadcast: a draft, unless `send` is true.",
    method: "POST",
    path: "/broadcasts",
    params: [],
    payload: CreateBroadcast,
    encode: withTimes,
    success: ChangedBroadcast,
    status: 201,
    repetition: "once"
  }),
  update: Operation.make({
    name: "update",
    summary: "Changes a broadcast that is a draft.",
    method: "PATCH",
    path: "/broadcasts/:broadcast_id",
    params: [Operation.param("broadcast_id", BroadcastId)],
    payload: UpdateBroadcast,
    success: ChangedBroadcast,
    repetition: "natural"
  }),
  remove: Operation.make({
    name: "remove",
    summary: "Removes a broadcast that has not been sent.",
    method: "DELETE",
    path: "/broadcasts/:broadcast_id",
    params: [Operation.param("broadcast_id", BroadcastId)],
    success: RemovedBroadcast,
    repetition: "natural",
    gone: (id) => ({ id, deleted: true })
  }),
  send: Operation.make({
    name: "send",
    summary: "Sends a broadcast to its segment, now or later.",
    method: "POST",
    path: "/broadcasts/:broadcast_id/send",
    params: [Operation.param("broadcast_id", BroadcastId)],
    payload: Schema.UndefinedOr(SendBroadcast),
    encode: withTimes,
    success: ChangedBroadcast,
    repetition: "guarded"
  }),
  cancel: Operation.make({
    name: "cancel",
    summary: "Stops a broadcast that is queued; one that is scheduled becomes a draft.",
    method: "POST",
    path: "/broadcasts/:broadcast_id/cancel",
    params: [Operation.param("broadcast_id", BroadcastId)],
    success: ChangedBroadcast,
    repetition: "guarded"
  }),
  duplicate: Operation.make({
    name: "duplicate",
    summary: "Copies a broadcast into a new draft.",
    method: "POST",
    path: "/broadcasts/:broadcast_id/duplicate",
    params: [Operation.param("broadcast_id", BroadcastId)],
    success: ChangedBroadcast,
    status: 201,
    repetition: "once"
  })
}
