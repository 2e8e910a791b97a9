import { decide, type Emit, type State, type Walk } from "@mailstream/kernel/PageRules"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import type { RequestError } from "../../core/index.ts"
import type * as Page from "../../core/Page.ts"
import type * as Position from "../../core/Position.ts"
import type { RetryPolicy } from "../../http/RetryPolicy.ts"
import { withSpan } from "../../internal/fibers.ts"
import { type ListError, StalledWalk } from "../ListError.ts"
import type { Observer } from "./observer.ts"
import * as Requests from "./request.ts"
import { spanName } from "./span.ts"

interface Options<Item extends { readonly id: string }, A> extends Walk<Item["id"]> {
  readonly observer: Observer
  readonly policy: RetryPolicy
  /** The parent of the spans of the pages. */
  readonly span: Tracer.Span
  /** What the walk emits for a page. */
  readonly emit: (page: Emit<Item>) => ReadonlyArray<A>
}

/** How a walk continues after the first attempt at a page. A class, as everything that refers to the items of a page. */
class Outcome<Page, Cause, A> {
  declare readonly onSuccess: (page: Page) => A
  declare readonly onFailure: (cause: Cause) => A

  constructor(onSuccess: (page: Page) => A, onFailure: (cause: Cause) => A) {
    this.onSuccess = onSuccess
    this.onFailure = onFailure
  }
}

/** One step of a walk: the page at a position, and the state after it. */
export const makeStep = <Item extends { readonly id: string }, A, R>(
  source: Requests.Source<Item, R>,
  options: Options<Item, A>
) => {
  type Id = Item["id"]
  type Step = readonly [ReadonlyArray<A>, Option.Option<State<Id>>]
  const { emit, observer, pageSize, span } = options
  const requests = Requests.make(source, options)
  const name = spanName(source.name, "page")

  const take = (
    state: State<Id>,
    limit: number,
    page: Page.Page<Item>,
    position: Position.Open<Id>
  ): Effect.Effect<Step, ListError, R> => {
    const decision = decide(options, state, limit, page, position)
    switch (decision._tag) {
      case "Widen":
        return attempt(state, pageSize)
      case "Stalled":
        return Effect.fail(
          new StalledWalk({
            reason: decision.reason,
            list: source.name,
            position: Requests.placeOf(position)
          })
        )
      case "Lost":
        return Effect.fail(Requests.lostAt(source.name, state.position))
      case "Emit": {
        const { data, repeated } = decision
        const step = [emit(decision), Option.fromNullishOr(decision.state)] as const
        const arrived = observer.arrived({ pages: 1, items: data.length }, step)
        return repeated === 0 ? arrived : Effect.andThen(observer.repeated(repeated), arrived)
      }
    }
  }

  const attempt = (state: State<Id>, limit: number): Effect.Effect<Step, ListError, R> =>
    Effect.matchCauseEffect(
      requests.first(state.position, limit),
      new Outcome(
        (page: Page.Page<Item>) => take(state, limit, page, state.position),
        (cause: Cause.Cause<RequestError>) =>
          Effect.catch(Effect.failCause(cause), (error) => requests.afterFailure(state.position, limit, error)).pipe(
            Effect.flatMap(([page, position]) => take(state, limit, page, position))
          )
      )
    )

  return (state: State<Id>): Effect.Effect<Step, ListError, R> => {
    const limit = Math.min(pageSize, state.left)
    const { position } = state
    const cursor = "id" in position ? { [`mailstream.${position._tag.toLowerCase()}`]: position.id } : {}
    return attempt(state, limit).pipe(
      withSpan(name, {
        parent: span,
        attributes: { "mailstream.list": source.name, "mailstream.limit": limit, ...cursor }
      })
    )
  }
}
