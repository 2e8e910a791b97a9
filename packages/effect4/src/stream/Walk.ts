/**
 * The engine: any paged list as a lazy Stream that follows cursors.
 *
 * The lists of the API are one line each on top of it; with your own page function you get the same walk.
 *
 * @since 1.0.0
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { RequestError } from "../core/index.ts"
import * as Page from "../core/Page.ts"
import type * as PageRequest from "../core/PageRequest.ts"
import * as Position from "../core/Position.ts"
import type * as RetryPolicy from "../http/RetryPolicy.ts"
import { walk } from "./internal/walk.ts"
import type { ListError } from "./ListError.ts"
import type * as Progress from "./Progress.ts"

/**
 * Where pages come from. Every page has its newest item first, unless it says otherwise.
 *
 * @since 1.0.0
 * @category models
 */
export interface Source<Item extends { readonly id: string }, out R = never> {
  /** The name of the list in errors, spans and metrics: `contacts`. */
  readonly name: string
  /** What a filter selects, as `Resource.selection` says it: the id of a segment, `?origin=bounce`. */
  readonly within?: string | undefined
  /** Set if the newest item need not come first, so that nothing says what is new. */
  readonly isUnordered?: boolean | undefined
  /** Where the list is served, as in `https://api.example.com`; undefined if that is not known. */
  readonly service?: Effect.Effect<string | undefined, never, R> | undefined
  /** Requests one page, once. */
  readonly page: (request: PageRequest.PageRequest<Item["id"]>) => Effect.Effect<Page.Page<Item>, RequestError, R>
}

/**
 * @since 1.0.0
 * @category models
 */
export interface Options<out Id extends string = string> {
  /**
   * Where to begin; default: `Position.start`. `start` and `after` walk from newer to older items, `before` from older
   * to newer ones. The `next` of a page resumes after it, even if the item it stands at has been deleted.
   */
  readonly from?: Position.Position<Id> | undefined
  /** The maximum number of items in a page, from 1 to 100; default: 100. */
  readonly pageSize?: number | undefined
  /**
   * Ends the walk after this many items; default: all of them. They are those of `Stream.take`, but no more than these
   * are requested: `take: 5` is one request for five items.
   */
  readonly take?: number | undefined
  /** How many pages to request ahead of the one in use; default: 0, strictly lazy. */
  readonly prefetch?: number | undefined
  /**
   * When to retry a page after a transient failure; default: `RetryPolicy.default`. Each page has the full budget of
   * the policy.
   */
  readonly retry?: RetryPolicy.RetryPolicy | undefined
  /** Receives the progress of the walk: `Progress.make`. */
  readonly progress?: Progress.Tracker | undefined
  // Options of a request for one page, which a walk would ignore.
  readonly limit?: PageRequest.Conflict<"pass `pageSize`, or `take` for the number of items"> | undefined
  readonly after?: PageRequest.Conflict<"pass `from: Position.after(id)`"> | undefined
  readonly before?: PageRequest.Conflict<"pass `from: Position.before(id)`"> | undefined
}

/**
 * A page of a walk. Its items are in the order of the walk: if it goes from older to newer items, the oldest comes
 * first. So the items of all pages, concatenated, are the items of the walk.
 *
 * @since 1.0.0
 * @category models
 */
export interface WalkedPage<out Item extends { readonly id: string }> extends Page.Page<Item> {
  /** Where the walk continues after this page: `contacts.items({ from: page.next })` is the rest of it. */
  readonly next: Position.Position<Item["id"]>
}

/**
 * All items, one page at a time. Nothing is requested before the first pull, and no page before it is needed.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { Page, type PageRequest, Walk } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const invoices = [{ id: "in_3" }, { id: "in_2" }, { id: "in_1" }]
 *
 * const source: Walk.Source<{ readonly id: string }> = {
 *   name: "invoices",
 *   page: (request: PageRequest.PageRequest) => Effect.fromResult(Page.fromItems(invoices, request))
 * }
 *
 * Walk.items(source, { pageSize: 2 }).pipe(Stream.runCollect, Effect.runSync) // in_3, in_2, in_1
 * ```
 */
export const items = <Item extends { readonly id: string }, R>(
  source: Source<Item, R>,
  options: Options<Item["id"]> = {}
): Stream.Stream<Item, ListError, R> => walk(source, options, "items", ({ data }) => data)

/**
 * All pages, each with the position at which the walk continues after it.
 *
 * @since 1.0.0
 * @category constructors
 */
export const pages = <Item extends { readonly id: string }, R>(
  source: Source<Item, R>,
  options: Options<Item["id"]> = {}
): Stream.Stream<WalkedPage<Item>, ListError, R> =>
  walk(
    source,
    options,
    "pages",
    ({ data, next }) => [{ ...Page.make(data, next !== undefined), next: next ?? Position.end }]
  )
