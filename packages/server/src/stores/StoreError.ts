/**
 * What can go wrong with a store.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Something was not stored, or not read.
 *
 * - `Duplicate`: an id is used for the second time. Ids of deleted items stay used.
 * - `Unknown`: the segment or the email that something should belong to does not exist, or the contact that should
 *   become a member.
 * - `Invalid`: an item is not as its schema says.
 * - `Failed`: the database failed.
 *
 * @since 0.1.0
 * @category errors
 */
export class StoreError extends Schema.TaggedError<StoreError>("@mailstream/server/StoreError")("StoreError", {
  reason: Schema.Literal("Duplicate", "Unknown", "Invalid", "Failed"),
  description: Schema.String,
  cause: Schema.optional(Schema.Defect)
}) {
  override get message(): string {
    return this.description
  }
}
