/**
 * Failures of a store.
 *
 * @since 1.0.0
 */
import * as Schema from "effect/Schema"

/**
 * Something could not be stored or read.
 *
 * - `Duplicate`: the id is already in use, or the API key in another account. Ids of deleted items stay in use.
 * - `Unknown`: the segment or email that the items should belong to does not exist, or the contact that should become
 *   a member does not.
 * - `UnknownCursor`: the cursor was never an item of the list.
 * - `Invalid`: an item does not match its schema.
 * - `Unavailable`: the database cannot be used at the moment: it is locked by another process, cannot be reached, or is
 *   full. A retry may succeed.
 * - `Failed`: the database failed.
 *
 * @since 1.0.0
 * @category errors
 */
export class StoreError extends Schema.TaggedError<StoreError>("@mailstream/server/StoreError")("StoreError", {
  reason: Schema.Literal("Duplicate", "Unknown", "UnknownCursor", "Invalid", "Unavailable", "Failed"),
  description: Schema.String,
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return this.description
  }
}
