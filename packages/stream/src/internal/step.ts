import type { RequestError } from "@mailstream/core"
import type * as Page from "@mailstream/core/Page"
import * as Position from "@mailstream/core/Position"
import type { RetryPolicy } from "@mailstream/http/RetryPolicy"
import { withSpan } from "@mailstream/kernel/Fibers"
import * as Array from "effect/Array"
import type * as Cause from "effect/Cause"
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import { type ListError, StalledWalk } from "../ListError.ts"
import type { Source, WalkedPage } from "../Walk.ts"
import * as Cycle from "./cycle.ts"
import type { Observer } from "./observer.ts"
import * as Recent from "./recent.ts"
import * as Requests from "./request.ts"

// Objects that are created per page and refer to its items are instances of classes. In a long walk, V8 starts to
// allocate object literals in the old generation, where they would retain the items until the next full collection.

/** The state of a walk before its next page. */
export class State<Id extends string> {
  readonly position: Position.Open<Id>
  /** How many more items the walk may emit. */
  readonly left: number
  readonly cycle: Cycle.Cycle
  readonly recent: Recent.Recent<Id>
  /** How many pages in a row held no new item. */
  readonly barren: number

  constructor(
    position: Position.Open<Id>,
    left = Infinity,
    cycle: Cycle.Cycle = Cycle.none,
    recent: Recent.Recent<Id> = Recent.make(passedBefore(position)),
    barren = 0
  ) {
    this.position = position
    this.left = left
    this.cycle = cycle
    this.recent = recent
    this.barren = barren
  }
}

interface Options<Item extends { readonly id: string }, A> {
  readonly pageSize: number
  readonly observer: Observer
  readonly policy: RetryPolicy
  /** The parent of the spans of the pages. */
  readonly span: Tracer.Span
  /** What the walk emits for a page. */
  readonly emit: (page: WalkedPage<Item>) => Chunk.Chunk<A>
}

/** How a walk continues after the first attempt at a page. */
class Outcome<Page, Cause, A> {
  readonly onSuccess: (page: Page) => A
  readonly onFailure: (cause: Cause) => A

  constructor(onSuccess: (page: Page) => A, onFailure: (cause: Cause) => A) {
    this.onSuccess = onSuccess
    this.onFailure = onFailure
  }
}

/** One step of a walk: the page at a position, and the state after it. */
export const makeStep = <Item extends { readonly id: string }, A, R>(
  source: Source<Item, R>,
  options: Options<Item, A>
) => {
  type Id = Item["id"]
  type Step = readonly [Chunk.Chunk<A>, Option.Option<State<Id>>]
  const { emit, observer, pageSize, span } = options
  const requests = Requests.make(source, options)

  /** Takes a page: emits its items, and determines where the walk continues. */
  const take = (
    state: State<Id>,
    limit: number,
    page: Page.Page<Item>,
    position: Position.Open<Id>
  ): Effect.Effect<Step, ListError, R> => {
    const stalled = (reason: StalledWalk["reason"]) =>
      Effect.fail(new StalledWalk({ reason, list: source.name, position: Requests.placeOf(position) }))
    const data = position._tag === "Before" ? Array.reverse(page.data) : page.data
    const last = data[data.length - 1]?.id
    // A page at a fallback may hold items that were already emitted.
    const notPassed = position === state.position ? data : withoutPassed(data, state.position)
    // Pages may overlap, but one that ends with the cursor leads nowhere, unless it is the rest of the list.
    const isStuck = position._tag !== "Start" && last === position.id && (page.has_more || data.length > 1)
    const canWiden = limit < pageSize && page.has_more
    if (isStuck) return canWiden ? attempt(state, pageSize) : stalled("RepeatedCursor")
    const distinct = state.recent(notPassed)
    // Where pages overlap, one for the last items alone may hold nothing else.
    if (canWiden && distinct.length === 0) return attempt(state, pageSize)
    if (page.has_more && last === undefined) return stalled("EmptyPage")

    const repeated = notPassed.length - distinct.length
    const fresh = distinct.slice(0, state.left)
    const left = state.left - fresh.length
    const barren = fresh.length === 0 ? state.barren + 1 : 0
    const hasMore = page.has_more || fresh.length < distinct.length
    const next = hasMore && last !== undefined
      // The last new item leads on, even if the API repeats an earlier one behind it.
      ? nextOf(position, fresh[fresh.length - 1]?.id ?? last, repeated === 0 ? fresh : data, source.within)
      : undefined
    const cycle = next === undefined ? Cycle.none : Cycle.next(state.cycle, next.id)
    if (cycle === undefined || barren > maxBarren) {
      // An API that lists an item and rejects it as a cursor leads back to it from every fallback.
      return position === state.position ? stalled("Cycle") : Effect.fail(Requests.lostAt(source.name, state.position))
    }

    const walked: WalkedPage<Item> = {
      object: page.object,
      has_more: hasMore,
      data: fresh,
      next: next ?? Position.end
    }
    const arrived = observer.arrived(
      { pages: 1, items: fresh.length },
      [
        emit(walked),
        next === undefined || left === 0
          ? Option.none()
          : Option.some(new State(next, left, cycle, state.recent, barren))
      ] as const
    )
    return repeated === 0 ? arrived : Effect.zipRight(observer.repeated(repeated), arrived)
  }

  const attempt = (state: State<Id>, limit: number): Effect.Effect<Step, ListError, R> =>
    Effect.matchCauseEffect(
      requests.first(state.position, limit),
      new Outcome(
        (page: Page.Page<Item>) => take(state, limit, page, state.position),
        (cause: Cause.Cause<RequestError>) =>
          Effect.catchAll(Effect.failCause(cause), (error) => requests.afterFailure(state.position, limit, error)).pipe(
            Effect.flatMap(([page, position]) => take(state, limit, page, position))
          )
      )
    )

  return (state: State<Id>): Effect.Effect<Step, ListError, R> => {
    const limit = Math.min(pageSize, state.left)
    return attempt(state, limit).pipe(
      withSpan(`${source.name}.page`, {
        parent: span,
        attributes: { ...Position.toRequest(state.position, limit) }
      })
    )
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
): Position.After<Item["id"]> | Position.Before<Item["id"]> => {
  const ids = data.map((item) => item.id)
  const passed = ids.slice(0, ids.lastIndexOf(id))
  const fallbacks = passed.length < memory ? latest([...passedBefore(position), ...passed]) : passed
  return new Next(position._tag === "Before" ? "Before" : "After", id, fallbacks, within)
}

/** The last of some ids, each once. */
const latest = <Id extends string>(ids: ReadonlyArray<Id>): ReadonlyArray<Id> =>
  Array.reverse([...new Set(Array.reverse(ids))].slice(0, memory))

/** A position with its fallbacks. */
class Next<Tag extends "After" | "Before", Id extends string> {
  readonly _tag: Tag
  readonly id: Id
  readonly fallbacks: ReadonlyArray<Id>
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
  const passed = new Set(passedBefore(position))
  return data.filter((item) => !passed.has(item.id))
}

/** The items that a position knows to be passed. */
const passedBefore = <Id extends string>(position: Position.Open<Id>): ReadonlyArray<Id> =>
  position._tag === "Start" ? [] : [...position.fallbacks ?? [], position.id]
