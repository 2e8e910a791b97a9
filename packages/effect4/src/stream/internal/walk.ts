/** A walk through the pages of a list. `Walk` and `Follow` differ in what they emit for a page. */
import { type Emit, State } from "@mailstream/kernel/PageRules"
import { passedBefore } from "@mailstream/kernel/Position"
import * as Recent from "@mailstream/kernel/Recent"
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { RequestError } from "../../core/index.ts"
import * as InvalidOption from "../../core/InvalidOption.ts"
import type * as Page from "../../core/Page.ts"
import type { PageRequest } from "../../core/PageRequest.ts"
import * as Position from "../../core/Position.ts"
import * as RetryPolicy from "../../http/RetryPolicy.ts"
import type { ListError } from "../ListError.ts"
import type * as Progress from "../Progress.ts"
import * as Observer from "./observer.ts"
import { paginateWithPrefetch } from "./prefetch.ts"
import { usingStreamSpan } from "./span.ts"
import { makeStep } from "./step.ts"

/** What is used of a `Walk.Source`. */
export interface Source<Item extends { readonly id: string }, out R> {
  readonly name: string
  readonly within?: string | undefined
  readonly page: (request: PageRequest<Item["id"]>) => Effect.Effect<Page.Page<Item>, RequestError, R>
}

/** What is used of `Walk.Options`. */
export interface Options<out Id extends string> {
  readonly from?: Position.Position<Id> | undefined
  readonly pageSize?: number | undefined
  readonly take?: number | undefined
  readonly prefetch?: number | undefined
  readonly retry?: RetryPolicy.RetryPolicy | undefined
  readonly progress?: Progress.Tracker | undefined
}

export const walk = <Item extends { readonly id: string }, A, R>(
  source: Source<Item, R>,
  options: Options<Item["id"]>,
  method: string,
  emit: (page: Emit<Item>) => ReadonlyArray<A>
): Stream.Stream<A, ListError, R> =>
  usingStreamSpan(source.name, method, (span) => {
    const { from = Position.start, pageSize = 100, prefetch = 0, progress, retry = RetryPolicy.default, take } = options
    const { within } = source
    const owner = "within" in from ? from.within : undefined
    const valid = Result.all([
      InvalidOption.integer("pageSize", pageSize, { min: 1, max: 100 }),
      InvalidOption.integer("prefetch", prefetch, { min: 0 }),
      InvalidOption.integer("take", take ?? 0, { min: 0 }),
      InvalidOption.unless(
        owner === undefined || owner === within,
        "from",
        `is a position within ${owner}; resume with the same filter`
      )
    ])
    if (Result.isFailure(valid)) return Stream.fail(valid.failure)
    if (from._tag === "End" || take === 0) return Stream.empty
    const observer = Observer.make(source.name, progress)
    const distinct = Recent.make(passedBefore(from))
    const step = makeStep(source, { pageSize, within, distinct, observer, policy: retry, span, emit })
    const begin = new State(from, take)
    return prefetch === 0 ? Stream.paginate(begin, step) : paginateWithPrefetch(begin, step, prefetch)
  })
