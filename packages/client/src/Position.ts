/**
 * Positions in a list, as plain values that can be stored as JSON.
 *
 * @since 1.0.0
 */

/**
 * Where a walk begins, where it resumes, or that it has ended. Store the `next` of a page, and resume from it even if
 * its item has been deleted meanwhile.
 *
 * @since 1.0.0
 * @category models
 */
export type Position =
  | { readonly _tag: "Start" }
  | AtItem<"After">
  | AtItem<"Before">
  | { readonly _tag: "End" }

/**
 * A position at an item.
 *
 * @since 1.0.0
 * @category models
 */
export interface AtItem<Tag extends "After" | "Before"> {
  readonly _tag: Tag
  readonly id: string
  /** Items that the walk passed before this one, the nearest last: it continues from them if this one is deleted. */
  readonly fallbacks?: ReadonlyArray<string>
  /** The owner within which the walk moves, such as a segment. Resuming needs the same filter. */
  readonly within?: string
}

/**
 * After an item, walking to older ones.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { after, Mailstream } from "@mailstream/client"
 *
 * const mailstream = Mailstream.fromEnv()
 *
 * for await (const contact of mailstream.contacts.items({ from: after("e169aa45-1ecf-4183-9955-b1499d5701d3") })) {
 *   console.log(contact.email)
 * }
 * ```
 */
export const after = (id: string): AtItem<"After"> => ({ _tag: "After", id })

/**
 * Before an item, walking to newer ones.
 *
 * @since 1.0.0
 * @category constructors
 */
export const before = (id: string): AtItem<"Before"> => ({ _tag: "Before", id })
