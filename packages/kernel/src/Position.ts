/** Positions in a list, as core's `Position` describes them, and what is used of its pages and requests. */

export interface Start {
  readonly _tag: "Start"
}

/** What positions at an item have in common. */
interface Item<out Id extends string> {
  readonly id: Id
  /** Items that the walk passed before `id`, the nearest last. */
  readonly fallbacks?: ReadonlyArray<Id>
  /** What the filter of the walk selects. */
  readonly within?: string
}

export interface After<out Id extends string = string> extends Item<Id> {
  readonly _tag: "After"
}

export interface Before<out Id extends string = string> extends Item<Id> {
  readonly _tag: "Before"
}

export interface End {
  readonly _tag: "End"
}

export type Position<Id extends string = string> = Open<Id> | End

/** A position at which there is a page to request. */
export type Open<Id extends string = string> = Start | After<Id> | Before<Id>

export type AtItem<Id extends string = string> = After<Id> | Before<Id>

/** One page of a list, newest item first. */
export interface Page<out Item> {
  readonly has_more: boolean
  readonly data: ReadonlyArray<Item>
}

/** The items that a position knows to be passed. */
export const passedBefore = <Id extends string>(position: Open<Id>): ReadonlyArray<Id> =>
  position._tag === "Start" ? [] : [...position.fallbacks ?? [], position.id]
