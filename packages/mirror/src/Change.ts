/**
 * What changed in a list, as the mirror observed it.
 *
 * @since 1.0.0
 */

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
