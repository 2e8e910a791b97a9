/**
 * Segments: named parts of an audience.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import * as Id from "./Id.ts"
import { maybe } from "./internal/fields.ts"
import { Timestamp } from "./Timestamp.ts"

/**
 * @since 1.0.0
 * @category ids
 */
export const SegmentId = Id.opaque("SegmentId")

/**
 * @since 1.0.0
 * @category ids
 */
export type SegmentId = typeof SegmentId.Type

/**
 * A segment, as an item of a list.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Segment = Schema.Struct({
  id: SegmentId,
  name: maybe(Schema.String),
  created_at: maybe(Timestamp)
}).annotate({ identifier: "Segment" })

/**
 * @since 1.0.0
 * @category models
 */
export interface Segment extends Schema.Schema.Type<typeof Segment> {}
