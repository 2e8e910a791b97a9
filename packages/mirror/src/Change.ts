/**
 * What changed in a list, as the mirror observed it.
 *
 * @since 1.0.0
 */
import type { SqlError } from "@effect/sql/SqlError"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type { ConsumerMoved } from "./MirrorError.ts"

/**
 * What every change has.
 *
 * @since 1.0.0
 * @category models
 */
export interface Observed {
  /** The number of the change: later changes of the list have greater ones. */
  readonly seq: number
  /** When it was observed. */
  readonly at: Date
  /** The id of what the item belongs to: the email of an attachment, the segment of a contact. Other lists have none. */
  readonly owner?: string
}

/**
 * An item that is new, or that exists again.
 *
 * @since 1.0.0
 * @category models
 */
export interface Created<out Item> extends Observed {
  readonly _tag: "Created"
  readonly item: Item
}

/**
 * An item that differs from what was known of it.
 *
 * @since 1.0.0
 * @category models
 */
export interface Updated<out Item> extends Observed {
  readonly _tag: "Updated"
  readonly before: Item
  readonly item: Item
  /** The names of the fields that differ. */
  readonly fields: ReadonlyArray<string>
}

/**
 * An item that the service no longer lists.
 *
 * @since 1.0.0
 * @category models
 */
export interface Deleted<out Item> extends Observed {
  readonly _tag: "Deleted"
  /** What was last known of it. */
  readonly item: Item
}

/**
 * A change of an item.
 *
 * @since 1.0.0
 * @category models
 */
export type Change<Item> = Created<Item> | Updated<Item> | Deleted<Item>

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangesOptions {
  /** Begins after the change with this number; default: 0, with the oldest change that is kept. */
  readonly after?: number | undefined
  /**
   * How often to look for more at the end; default: the stream ends. While it looks for more, PostgreSQL may be unavailable for up
   * to an hour, which is logged.
   */
  readonly poll?: Duration.DurationInput | undefined
}

/**
 * Changes that are committed together.
 *
 * @since 1.0.0
 * @category models
 */
export interface CommittableChanges<out Item> {
  readonly changes: ReadonlyArray<Change<Item>>
  /**
   * Marks these changes as done, in any order of batches. Run it inside `sql.withTransaction`, together with what you write
   * to the same database, and each change has its effect exactly once: a transaction that is rolled back takes the
   * commit with it. To commit a batch once more changes nothing, except in a transaction: there, it fails with
   * `ConsumerMoved`. With `poll`, a commit outside of a transaction waits for a database that is unavailable.
   */
  readonly commit: Effect.Effect<void, SqlError | ConsumerMoved>
}
