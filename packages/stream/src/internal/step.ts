import type { RequestError } from "@mailstream/core"
import type * as Page from "@mailstream/core/Page"
import * as Position from "@mailstream/core/Position"
import { withSpan } from "@mailstream/http/internal/fiber"
import type { RetryPolicy } from "@mailstream/http/RetryPolicy"
import * as Array from "effect/Array"
import type * as Cause from "effect/Cause"
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Tracer from "effect/Tracer"
import { type ListError, PositionLost, StalledWalk } from "../ListError.ts"
import type { Source, WalkedPage } from "../Walk.ts"
import * as Cycle from "./cycle.ts"
import type { Observer } from "./observer.ts"

// What is made for every page and refers to its items is made by a class, and no object literal refers to that: in a
// long walk V8 takes to allocating the objects of literals where only a full collection looks, and until then they would
// keep the items.

/** Where a walk stands: the state from which its next page is asked for. */
export class State<Id extends string> {
  readonly position: Position.Open<Id>
  /** A cursor without any is one of the caller's: where the API does not know it, that is the caller's mistake. */
  readonly fallbacks: ReadonlyArray<Id> | undefined
  readonly cycle: Cycle.Cycle

  constructor(position: Position.Open<Id>, fallbacks: ReadonlyArray<Id> | undefined, cycle: Cycle.Cycle) {
    this.position = position
    this.fallbacks = fallbacks
    this.cycle = cycle
  }
}

export const beginAt = <Id extends string>(
  position: Position.Open<Id>,
  fallbacks: ReadonlyArray<Id> | undefined
): State<Id> => new State(position, fallbacks, Cycle.none)

interface Options<Item extends { readonly id: string }, A> {
  readonly pageSize: number
  readonly observer: Observer
  readonly policy: RetryPolicy
  /** What the spans of the pages belong to. */
  readonly span: Tracer.Span
  /** What the walk gives for a page. */
  readonly emit: (page: WalkedPage<Item>) => Chunk.Chunk<A>
}

/** One step of a walk: the page at a position, and the state after it. */
export const makeStep = <Item extends { readonly id: string }, A, R>(
  source: Source<Item, R>,
  options: Options<Item, A>
) => {
  type Id = Item["id"]
  type Step = readonly [Chunk.Chunk<A>, Option.Option<State<Id>>]
  /** A page, and where it was asked for in the end. */
  type Found = readonly [Page.Page<Item>, Position.Open<Id>]
  const { name } = source
  const { emit, observer, pageSize, policy, span } = options
  const schedule = observer.counting(policy)

  const once = (position: Position.Open<Id>): Effect.Effect<Page.Page<Item>, RequestError, R> =>
    observer.asking(Effect.suspend(() => source.page(Position.toRequest(position, pageSize))))

  const found = (position: Position.Open<Id>): Effect.Effect<Found, RequestError, R> =>
    Effect.map(once(position), (page) => [page, position])

  /** Asks after a failure until an answer comes or the policy gives up. Each page has a budget of its own. */
  const again = (position: Position.Open<Id>, error: RequestError): Effect.Effect<Found, RequestError, R> =>
    Effect.flatMap(Schedule.driver(schedule), (driver) => {
      const next = (error: RequestError): Effect.Effect<Found, RequestError, R> =>
        Effect.matchEffect(driver.next(error), {
          onFailure: () => Effect.fail(error),
          onSuccess: () => Effect.catchAll(found(position), next)
        })
      return next(error)
    })

  const ask = (position: Position.Open<Id>): Effect.Effect<Found, RequestError, R> =>
    Effect.catchAll(found(position), (error) => again(position, error))

  /** The page at the position or, where its item is gone, at the nearest item before it that still exists. */
  const recover = (
    state: State<Id>,
    error: RequestError
  ): Effect.Effect<Found, RequestError | PositionLost, R> => {
    const { fallbacks, position } = state
    const retried = again(position, error)
    if (position._tag === "Start" || fallbacks === undefined) return retried
    // Where the list itself is gone, the API says so of its first page, too.
    const lost = () =>
      Effect.zipRight(
        ask({ _tag: "Start" }),
        Effect.fail(new PositionLost({ list: name, position, tried: fallbacks.length }))
      )
    const instead = (index: number): Effect.Effect<Found, RequestError | PositionLost, R> => {
      const id = fallbacks[index]
      return id === undefined
        ? lost()
        : Effect.catchTag(ask({ ...position, id }), "not_found", () => instead(index - 1))
    }
    return Effect.catchTag(retried, "not_found", () => instead(fallbacks.length - 1))
  }

  const arrive = (
    state: State<Id>,
    page: Page.Page<Item>,
    position: Position.Open<Id>
  ): Effect.Effect<Step, StalledWalk> => {
    const stalled = (reason: StalledWalk["reason"]) => Effect.fail(new StalledWalk({ reason, list: name, position }))
    const data = position._tag === "Before" ? Array.reverse(page.data) : page.data
    const first = data[0]?.id
    const last = data[data.length - 1]?.id
    if (page.has_more && last === undefined) return stalled("EmptyPage")
    // Only at the start there is no cursor, and no item comes before it.
    const cursor = position._tag === "Start" ? undefined : position.id
    if (last !== undefined && (last === cursor || first === cursor)) return stalled("RepeatedCursor")

    const next = page.has_more && last !== undefined ? onwards(position, last) : undefined
    const cycle = next === undefined ? Cycle.none : Cycle.next(state.cycle, next.id)
    if (cycle === undefined) return stalled("Cycle")

    const fallbacks = data.slice(0, -1).map((item) => item.id)
    const walked: WalkedPage<Item> = {
      object: page.object,
      has_more: page.has_more,
      data: position === state.position ? data : without(data, state),
      next: next ?? Position.end,
      fallbacks
    }
    return observer.arrived({ pages: 1, items: walked.data.length }, [
      emit(walked),
      Option.map(Option.fromNullable(next), (position) => new State(position, fallbacks, cycle))
    ])
  }

  /** What is done with an answer, or without one. */
  class Settle {
    readonly onSuccess: (page: Page.Page<Item>) => Effect.Effect<Step, ListError, R>
    readonly onFailure: (cause: Cause.Cause<RequestError>) => Effect.Effect<Step, ListError, R>

    constructor(state: State<Id>) {
      this.onSuccess = (page) => arrive(state, page, state.position)
      this.onFailure = (cause) =>
        Effect.catchAll(Effect.failCause(cause), (error) => recover(state, error)).pipe(
          Effect.flatMap(([page, position]) => arrive(state, page, position))
        )
    }
  }

  // Most pages come at once: nothing is made for the others before they are needed.
  return (state: State<Id>): Effect.Effect<Step, ListError, R> =>
    Effect.matchCauseEffect(once(state.position), new Settle(state)).pipe(
      withSpan(`${name}.page`, {
        parent: span,
        attributes: { ...Position.toRequest(state.position, pageSize) }
      })
    )
}

const onwards = <Id extends string>(position: Position.Open<Id>, id: Id): Position.After<Id> | Position.Before<Id> => ({
  _tag: position._tag === "Before" ? "Before" : "After",
  id
})

/** The items that were not passed before: a page that was asked for further back may hold some again. */
const without = <Item extends { readonly id: string }>(
  data: ReadonlyArray<Item>,
  { fallbacks, position }: State<Item["id"]>
): ReadonlyArray<Item> => {
  const passed = new Set(fallbacks)
  if (position._tag !== "Start") passed.add(position.id)
  return data.filter((item) => !passed.has(item.id))
}
