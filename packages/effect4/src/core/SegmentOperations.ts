/**
 * What can be done with one segment.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"
import { acknowledged, input, maybe, removed, required, visibleText } from "./internal/fields.ts"
import * as Operation from "./Operation.ts"
import { Segment, SegmentId } from "./Segment.ts"

/**
 * The input for creating a segment, or renaming one.
 *
 * @since 1.0.0
 * @category schemas
 */
export const CreateSegment = input("CreateSegment", { name: required("name", visibleText("name")) })

/**
 * @since 1.0.0
 * @category models
 */
export interface CreateSegment extends Schema.Schema.Type<typeof CreateSegment> {}

/**
 * The API's response to a change of a segment.
 *
 * @since 1.0.0
 * @category schemas
 */
export const ChangedSegment = Schema.Struct({
  ...acknowledged("segment", SegmentId).fields,
  name: maybe(Schema.String)
}).annotate({ identifier: "ChangedSegment" })

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangedSegment extends Schema.Schema.Type<typeof ChangedSegment> {}

/**
 * The API's response to the removal of a segment.
 *
 * @since 1.0.0
 * @category schemas
 */
export const RemovedSegment = removed("segment").annotate({ identifier: "RemovedSegment" })

/**
 * @since 1.0.0
 * @category models
 */
export interface RemovedSegment extends Schema.Schema.Type<typeof RemovedSegment> {}

/**
 * What the fields are that operations on a segment take, for people.
 *
 * @since 1.0.0
 * @category descriptions
 */
export const descriptions: Operation.Descriptions = {
  name: "The name of the segment, for people."
}

/**
 * The operations on a segment.
 *
 * @since 1.0.0
 * @category operations
 */
export const operations = {
  get: Operation.make({
    name: "get",
    summary: "Retrieves a segment.",
    method: "GET",
    path: "/segments/:segment_id",
    params: [Operation.param("segment_id", SegmentId)],
    success: Segment,
    repetition: "read"
  }),
  create: Operation.make({
    name: "create",
    summary: "Creates a segment.",
    method: "POST",
    path: "/segments",
    params: [],
    payload: CreateSegment,
    success: ChangedSegment,
    status: 201,
    repetition: "once"
  }),
  update: Operation.make({
    name: "update",
    summary: "Renames a segment.",
    method: "PATCH",
    path: "/segments/:segment_id",
    params: [Operation.param("segment_id", SegmentId)],
    payload: CreateSegment,
    success: ChangedSegment,
    repetition: "natural"
  }),
  remove: Operation.make({
    name: "remove",
    summary: "Removes a segment. Its contacts stay. One that does not exist is reported as deleted, too.",
    method: "DELETE",
    path: "/segments/:segment_id",
    params: [Operation.param("segment_id", SegmentId)],
    success: RemovedSegment,
    repetition: "natural",
    gone: (id) => ({ id, deleted: true })
  })
}
