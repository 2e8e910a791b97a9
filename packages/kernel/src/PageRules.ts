/**
 * The rules of a walk, as a decision without effects: what to do with a page that has arrived, and where the walk
 * continues.
 */
import * as Cycle from "./Cycle.ts"
import * as Position from "./Position.ts"
import type { Recent } from "./Recent.ts"

// Objects that are created per page and outlive it are instances of classes. In a long walk, V8 starts to
// allocate object literals in the old generation, where they would retain the items until the next full collection.

/** The state of a walk before its next page. */
export class State<Id extends string> {
  declare readonly position: Position.Open<Id>
  /** How many more items the walk may emit. */
  declare readonly left: number
  declare readonly cycle: Cycle.Cycle
  /** How many pages in a row held no new item. */
  declare readonly barren: number

  constructor(position: Position.Open<Id>, left = Infinity, cycle: Cycle.Cycle = Cycle.none, barren = 0) {
    this.position = position
    this.left = left
    this.cycle = cycle
    this.barren = barren
  }
}

/** What stays the same during a walk. */
export interface Walk<in Id extends string> {
  readonly pageSize: number
  readonly within: string | undefined
  /** Leaves out the items that have arrived before. It is called once for each page that is not requested again. */
  readonly distinct: Recent<Id>
}

/**
 * - `Emit`: emit the items, and continue with the state, if there is one.
 * - `Widen`: request the page again in its full size, because a smaller one leads nowhere.
 * - `Stalled`: fail, because the page leads nowhere.
 * - `Lost`: fail, because the walk can continue neither from its position nor from a fallback.
 */
export type Decision<Item extends { readonly id: string }> =
  | Emit<Item>
  | { readonly _tag: "Widen" }
  | { readonly _tag: "Stalled"; readonly reason: Stall }
  | { readonly _tag: "Lost" }

/** Why a page leads nowhere. */
export type Stall = "EmptyPage" | "RepeatedCursor" | "Cycle"

export interface Emit<Item extends { readonly id: string }> {
  readonly _tag: "Emit"
  readonly data: ReadonlyArray<Item>
  /** The position after the items; undefined at the end of the list. */
  readonly next: Position.AtItem<Item["id"]> | undefined
  readonly state: State<Item["id"]> | undefined
  /** How many items were left out because the API repeated them. */
  readonly repeated: number
  /** Where the page was found: at the position of the state, or at a fallback of it. */
  readonly position: Position.Open<Item["id"]>
}

/** Decides on a page that was requested with a limit, at the position of the state or at a fallback of it. */
export const decide = <Item extends { readonly id: string }>(
  { distinct: distinctOf, pageSize, within }: Walk<Item["id"]>,
  state: State<Item["id"]>,
  limit: number,
  page: Position.Page<Item>,
  position: Position.Open<Item["id"]>
): Decision<Item> => {
  const data = position._tag === "Before" ? [...page.data].reverse() : page.data
  const last = data[data.length - 1]?.id
  // A page at a fallback may hold items that were already emitted.
  const notPassed = position === state.position ? data : withoutPassed(data, state.position)
  // Pages may overlap, but one that ends with the cursor leads nowhere, unless it is the rest of the list.
  const isStuck = position._tag !== "Start" && last === position.id && (page.has_more || data.length > 1)
  const canWiden = limit < pageSize && page.has_more
  if (isStuck) return canWiden ? { _tag: "Widen" } : { _tag: "Stalled", reason: "RepeatedCursor" }
  const distinct = distinctOf(notPassed)
  // Where pages overlap, one for the last items alone may hold nothing else.
  if (canWiden && distinct.length === 0) return { _tag: "Widen" }
  if (page.has_more && last === undefined) return { _tag: "Stalled", reason: "EmptyPage" }

  const repeated = notPassed.length - distinct.length
  const fresh = distinct.slice(0, state.left)
  const left = state.left - fresh.length
  const barren = fresh.length === 0 ? state.barren + 1 : 0
  const next = (page.has_more || fresh.length < distinct.length) && last !== undefined
    // The last new item leads on, even if the API repeats an earlier one behind it.
    ? nextOf(position, fresh[fresh.length - 1]?.id ?? last, repeated === 0 ? fresh : data, within)
    : undefined
  const cycle = next === undefined ? Cycle.none : Cycle.next(state.cycle, next.id)
  if (cycle === undefined || barren > maxBarren) {
    // An API that lists an item and rejects it as a cursor leads back to it from every fallback.
    return position === state.position ? { _tag: "Stalled", reason: "Cycle" } : { _tag: "Lost" }
  }
  return {
    _tag: "Emit",
    data: fresh,
    next,
    state: next === undefined || left === 0 ? undefined : new State(next, left, cycle, barren),
    repeated,
    position
  }
}

/**
 * How many pages in a row may hold no new item. A walk remembers fewer ids than this, so if there were more such pages,
 * their cursors would repeat.
 */
const maxBarren = 400

/** How many items can be deleted before a walk loses its position: that many fallbacks are kept. */
const memory = 99

/**
 * The position after a page: an item, usually its last one, with the items before it as fallbacks. These include what the
 * page repeats, so that a walk that is resumed leaves it out as well.
 */
const nextOf = <Item extends { readonly id: string }>(
  position: Position.Open<Item["id"]>,
  id: Item["id"],
  data: ReadonlyArray<Item>,
  within: string | undefined
): Position.AtItem<Item["id"]> => {
  const ids = data.map((item) => item.id)
  const passed = ids.slice(0, ids.lastIndexOf(id))
  const fallbacks = passed.length < memory ? latest([...Position.passedBefore(position), ...passed]) : passed
  return new Next(position._tag === "Before" ? "Before" : "After", id, fallbacks, within)
}

/** The last of some ids, each once. */
const latest = <Id extends string>(ids: ReadonlyArray<Id>): ReadonlyArray<Id> =>
  [...new Set([...ids].reverse())].slice(0, memory).reverse()

class Next<Tag extends "After" | "Before", Id extends string> {
  declare readonly _tag: Tag
  declare readonly id: Id
  declare readonly fallbacks: ReadonlyArray<Id>
  declare readonly within?: string

  constructor(tag: Tag, id: Id, fallbacks: ReadonlyArray<Id>, within: string | undefined) {
    this._tag = tag
    this.id = id
    this.fallbacks = fallbacks
    if (within !== undefined) this.within = within
  }
}

/** The items that a walk has not passed yet. */
const withoutPassed = <Item extends { readonly id: string }>(
  data: ReadonlyArray<Item>,
  position: Position.Open<Item["id"]>
): ReadonlyArray<Item> => {
  const passed = new Set(Position.passedBefore(position))
  return data.filter((item) => !passed.has(item.id))
}
