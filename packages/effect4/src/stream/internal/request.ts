import * as Effect from "effect/Effect"
import type { RequestError } from "../../core/index.ts"
import type * as Page from "../../core/Page.ts"
import type { PageRequest } from "../../core/PageRequest.ts"
import * as Position from "../../core/Position.ts"
import * as RetryPolicy from "../../http/RetryPolicy.ts"
import { monotonicMillis } from "../../internal/fibers.ts"
import { PositionLost } from "../ListError.ts"
import type { Observer } from "./observer.ts"

/** What is used of a `Walk.Source`. */
export interface Source<Item extends { readonly id: string }, out R> {
  readonly name: string
  readonly page: (request: PageRequest<Item["id"]>) => Effect.Effect<Page.Page<Item>, RequestError, R>
}

/** A page, and its position: the one that was requested, or a fallback of it. */
export type Found<Item extends { readonly id: string }> = readonly [Page.Page<Item>, Position.Open<Item["id"]>]

/** A position as it appears in errors. */
export const placeOf = (position: Position.Position): Position.Position =>
  "id" in position ? { _tag: position._tag, id: position.id } : position

/** Whether a cursor is rejected because its item does not exist; proxies may drop the name of the error. */
const isGone = (error: RequestError): boolean =>
  error._tag === "not_found" || (error._tag === "api_error" && error.statusCode === 404)

/** The error of a walk that can continue neither from a position nor from any of its fallbacks. */
export const lostAt = (list: string, position: Position.Position): PositionLost =>
  new PositionLost({
    list,
    position: placeOf(position),
    tried: "fallbacks" in position ? position.fallbacks?.length ?? 0 : 0
  })

/** The requests of a walk for its pages. */
export const make = <Item extends { readonly id: string }, R>(
  source: Source<Item, R>,
  { observer, policy }: { readonly observer: Observer; readonly policy: RetryPolicy.RetryPolicy }
) => {
  type AtPosition = Position.Open<Item["id"]>
  type Requested = Effect.Effect<Found<Item>, RequestError, R>
  const schedule = observer.counting(policy)
  const retry = (attempt: Requested): Requested => Effect.retry(attempt, schedule)
  /** When the last attempt began. */
  let began: number

  /** The first attempt. Most pages need no other, so it prepares nothing for a retry. */
  const first = (position: AtPosition, limit: number): Effect.Effect<Page.Page<Item>, RequestError, R> =>
    observer.asking(Effect.clockWith((clock) => {
      began = monotonicMillis(clock)
      return source.page(Position.toRequest(position, limit))
    }))

  const found = (position: AtPosition, limit: number): Requested =>
    Effect.map(first(position, limit), (page) => [page, position])

  /** Each page has the full budget of the policy. */
  const request = (position: AtPosition, limit: number): Requested =>
    RetryPolicy.counting(() => found(position, limit), retry)

  /** If the list itself is gone, its first page is `not_found`, too: then the walk fails with that. */
  const lost = (position: AtPosition, limit: number): Effect.Effect<never, RequestError | PositionLost, R> =>
    Effect.andThen(request(Position.start, limit), Effect.fail(lostAt(source.name, position)))

  /**
   * Continues after a failed first attempt: retries as the policy allows and, if the item at the position has been
   * deleted, requests the page at the nearest fallback that still exists.
   */
  const afterFailure = (
    position: AtPosition,
    limit: number,
    error: RequestError
  ): Effect.Effect<Found<Item>, RequestError | PositionLost, R> => {
    const retried = RetryPolicy.counting(
      (attempt) => attempt === 1 ? Effect.fail(error) : found(position, limit),
      retry,
      began
    )
    if (position._tag === "Start" || position.fallbacks === undefined) return retried
    const { _tag, fallbacks } = position
    const fallBack = (index: number): Effect.Effect<Found<Item>, RequestError | PositionLost, R> => {
      const id = fallbacks[index]
      return id === undefined
        ? lost(position, limit)
        : Effect.catchIf(
          request({ _tag, id, fallbacks: fallbacks.slice(0, index) }, limit),
          isGone,
          () => fallBack(index - 1)
        )
    }
    return Effect.catchIf(retried, isGone, () => fallBack(fallbacks.length - 1))
  }

  return { first, afterFailure }
}
