/**
 * What every list can do.
 *
 * @since 1.0.0
 */
import type { Position } from "./Position.ts"
import type { Observed, RetryNotice } from "./Progress.ts"
import type { Store } from "./Store.ts"
import type { Walk } from "./Walk.ts"

/**
 * A list of the API whose newest item need not come first: nothing says what is new. `Filter` is `undefined` for a list
 * without a filter, and includes `undefined` where the filter is optional.
 *
 * @since 1.0.0
 * @category models
 */
export interface UnorderedList<out Item, Filter = undefined> {
  /** One page. Without a `limit`, most lists return everything, and the others 20 items. */
  readonly list: (...options: Arguments<ListOptions, Filter>) => Promise<Page<Item>>
  /** All items, one page at a time; newest first, unless the list is unordered. */
  readonly items: (...options: Arguments<WalkOptions, Filter>) => Walk<Item>
  /** All pages, each with the position after it. */
  readonly pages: (...options: Arguments<WalkOptions, Filter>) => Walk<WalkedPage<Item>>
  /**
   * Calls `handle` for every item from where the last run with this key stopped, and commits each page when all its
   * items have been handled. Killed at any instant and started again, it loses no item; items of pages that were not
   * complete are handled again.
   *
   * Stops at the first error that `handle` throws, and aborts the `signal` of the other calls. A walk that has reached
   * the end does nothing until `clearCheckpoint`: use a new key to process the list again.
   */
  readonly process: (
    key: string,
    handle: (item: Item, context: { readonly signal: AbortSignal }) => unknown,
    options: Filtered<ProcessOptions, Filter>
  ) => Promise<void>
  /**
   * Gives `use` all pages from where the last run with this key stopped. Call a page's `commit` once its results are
   * durable, in any order. A page that is never committed is delivered again by the next run.
   */
  readonly processPages: <A>(
    key: string,
    use: (pages: Walk<CommittablePage<Item>>) => Promise<A>,
    options: Filtered<ProcessPagesOptions, Filter>
  ) => Promise<A>
}

/**
 * A list with its newest item first, as most are.
 *
 * @since 1.0.0
 * @category models
 */
export interface List<out Item, Filter = undefined> extends UnorderedList<Item, Filter> {
  /** New items as they are created, oldest first, each once. It ends only when it is stopped. */
  readonly follow: (...options: Arguments<FollowOptions, Filter>) => Walk<Item>
}

/**
 * A list that can be requested without a limit.
 *
 * @since 1.0.0
 * @category models
 */
export interface OptionalLimitList<out Item, Filter = undefined> extends List<Item, Filter> {
  /** All items from one request, decoded while the response arrives, in constant memory. */
  readonly whole: (...options: Arguments<WholeOptions, Filter>) => Walk<Item>
}

/**
 * One page, newest item first.
 *
 * @since 1.0.0
 * @category models
 */
export interface Page<out Item> {
  readonly object: "list"
  readonly has_more: boolean
  readonly data: ReadonlyArray<Item>
}

/**
 * A page of a walk, with its items in the order of the walk.
 *
 * @since 1.0.0
 * @category models
 */
export interface WalkedPage<out Item> extends Page<Item> {
  /** Where the walk continues: `items({ from: page.next })` is the rest of it. */
  readonly next: Position
}

/**
 * A page that can be committed while `processPages` is running.
 *
 * @since 1.0.0
 * @category models
 */
export interface CommittablePage<out Item> extends WalkedPage<Item> {
  /** Marks this page as done. The position is stored as soon as all pages before it are done, too. */
  readonly commit: () => Promise<void>
}

/**
 * @since 1.0.0
 * @category options
 */
export interface Cancelable {
  /** Aborts the request in flight, and rejects with the signal's `reason`. */
  readonly signal?: AbortSignal | undefined
}

/**
 * When to retry after a transient failure, no sooner than the API says.
 *
 * - `"default"`: five retries within a few seconds.
 * - `"patient"`: twenty retries, up to two minutes apart, about half an hour in total.
 * - `"none"`: the first failure is final.
 * - `{ times, base, cap }`: exponential backoff with jitter from `base` to `cap`, both in milliseconds. If the API
 *   requests a longer wait than `cap`, the failure is final.
 *
 * @since 1.0.0
 * @category options
 */
export type Retry = "default" | "patient" | "none" | {
  readonly times: number
  readonly base: number
  readonly cap: number
}

/**
 * @since 1.0.0
 * @category options
 */
export interface Retried {
  /**
   * Each page has the full budget; default: that of the client, or `"default"`, for `follow` `"patient"`. Whatever it is, a
   * change that would be made twice is repeated only if the first attempt was certainly not processed.
   */
  readonly retry?: Retry | undefined
  /**
   * Called before every wait for a retry; default: that of the client. If it returns a promise, the call waits for it; what
   * it throws ends the call, which throws it again.
   *
   * @example
   * ```ts
   * import { Mailstream } from "@mailstream/client"
   *
   * const mailstream = Mailstream.fromEnv({
   *   retry: "patient",
   *   onRetry: ({ attempt, error, wait }) => console.log(`Attempt ${attempt}, again in ${wait} ms: ${error.message}`)
   * })
   * ```
   */
  readonly onRetry?: ((notice: RetryNotice) => unknown) | undefined
}

/**
 * The options of every operation.
 *
 * @since 1.0.0
 * @category options
 */
export interface CallOptions extends Cancelable, Retried {}

/**
 * @since 1.0.0
 * @category options
 */
export type ListOptions =
  & Cancelable
  & Retried
  & {
    /** At most this many items, from 1 to 100. */
    readonly limit?: number | undefined
  }
  & (
    | {
      /** The id of an item: the page starts after it, with older items. */
      readonly after?: string | undefined
      readonly before?: Conflict<"pass either `after` or `before`, not both"> | undefined
    }
    | {
      readonly after?: undefined
      /** The id of an item: the page ends before it, with newer items. */
      readonly before?: string | undefined
    }
  )

/**
 * @since 1.0.0
 * @category options
 */
export interface WalkOptions extends Cancelable, Retried, Observed {
  /** Where to begin: `after(id)`, `before(id)` or the `next` of a page; default: with the newest item. */
  readonly from?: Position | undefined
  /** The maximum number of items in a page, from 1 to 100; default: 100. */
  readonly pageSize?: number | undefined
  /**
   * Ends the walk after this many items, and requests no more than these: `take: 5` is one request for five items.
   * Default: all of them.
   */
  readonly take?: number | undefined
  /** How many pages to request ahead of the one in use; default: 0, strictly lazy. */
  readonly prefetch?: number | undefined
  // Options of a request for one page, which a walk does not have.
  readonly limit?: Conflict<"pass `pageSize`, or `take` for the number of items"> | undefined
  readonly after?: Conflict<"pass `from: after(id)`"> | undefined
  readonly before?: Conflict<"pass `from: before(id)`"> | undefined
}

/**
 * @since 1.0.0
 * @category options
 */
export interface FollowOptions extends Cancelable, Retried, Observed {
  /** The id of an item: begins with the items created after it; default: those created from now on. */
  readonly since?: string | undefined
  /** The time between two polls, in milliseconds; default: 5000. */
  readonly poll?: number | undefined
  /** The maximum number of items in a page, from 1 to 100; default: 100. */
  readonly pageSize?: number | undefined
}

/**
 * @since 1.0.0
 * @category options
 */
export interface WholeOptions extends Cancelable, Retried, Observed {}

/**
 * @since 1.0.0
 * @category options
 */
export interface ProcessPagesOptions extends Omit<WalkOptions, "take"> {
  /** Where the position is kept, for example `fileStore("state")` of `@mailstream/client/file-store`. */
  readonly store: Store
}

/**
 * @since 1.0.0
 * @category options
 */
export interface ProcessOptions extends ProcessPagesOptions {
  /** How many items are handled at once, also across pages; default: 1. */
  readonly concurrency?: number | undefined
}

/**
 * Options plus the `filter` of a list: absent if the list has no filter, required if the list requires one.
 *
 * @since 1.0.0
 * @category options
 */
export type Filtered<Options, Filter> = [Filter] extends [undefined] ? Options & { readonly filter?: undefined }
  : undefined extends Filter ? Options & { readonly filter?: Filter } & Misplaced<Filter>
  : Options & { readonly filter: Filter } & Misplaced<Filter>

/**
 * The field of a filter at the top level would be ignored, so the compiler rejects it.
 *
 * @since 1.0.0
 * @category options
 */
export type Misplaced<Filter> = {
  readonly [Field in keyof Exclude<Filter, undefined> & string]?:
    | Conflict<`pass it as \`filter: { ${Field} }\``>
    | undefined
}

declare const conflict: unique symbol

/**
 * A type without values. Its message shows up in the compile error for an option that must be omitted.
 *
 * @since 1.0.0
 * @category options
 */
export interface Conflict<Message extends string> {
  readonly [conflict]: Message
}

/**
 * The arguments of a function with the options of a list. They can be omitted unless the filter is required.
 *
 * @since 1.0.0
 * @category options
 */
export type Arguments<Options, Filter> = undefined extends Filter ? [options?: Filtered<Options, Filter>]
  : [options: Filtered<Options, Filter>]
