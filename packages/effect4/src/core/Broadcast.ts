/**
 * Broadcasts: one email to an entire segment.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Id from "./Id.ts"
import { maybe, open } from "./internal/fields.ts"
import { SegmentId } from "./Segment.ts"
import { Timestamp } from "./Timestamp.ts"

/**
 * @since 1.0.0
 * @category ids
 */
export const BroadcastId = Id.opaque("BroadcastId")

/**
 * @since 1.0.0
 * @category ids
 */
export type BroadcastId = typeof BroadcastId.Type

/**
 * A broadcast, as an item of a list. `audience_id` is the former name of `segment_id`.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Broadcast = Schema.Struct({
  id: BroadcastId,
  name: maybe(Schema.String),
  audience_id: maybe(Schema.String),
  segment_id: maybe(SegmentId),
  status: maybe(open("draft", "scheduled", "queued", "sent", "canceled")),
  created_at: maybe(Timestamp),
  scheduled_at: maybe(Schema.String),
  sent_at: maybe(Timestamp)
}).annotate({ identifier: "Broadcast" })

/**
 * @since 1.0.0
 * @category models
 */
export interface Broadcast extends Schema.Schema.Type<typeof Broadcast> {}
