/**
 * What every list can do.
 *
 * @since 1.0.0
 */
import type * as Client from "@mailstream/client"
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { CommittablePage } from "./Commit.ts"
import type { CommitError, ListError, OptionError, RequestError } from "./Errors.ts"
import type { Store } from "./Store.ts"

export type { Page, WalkedPage } from "@mailstream/client"

/**
 * A list of the API whose newest item need not come first: nothing says what is new. `Filter` is `undefined` for a list
 * without a filter, and includes `undefined` where the filter is optional. `R` is `never` for a service, and the service for the functions that use it.
 *
 * @since 1.0.0
 * @category models
 */
export interface UnorderedList<out Item, Filter = undefined, out R = never> {
  /** One page. Without a `limit`, most lists return everything, and the others 20 items. */
  readonly list: (
    ...options: Client.Arguments<ListOptions, Filter>
  ) => Effect.Effect<Client.Page<Item>, RequestError | Client.InvalidOption, R>
  /** All items; newest first, unless the list is unordered. Strictly lazy: no page is requested before it is needed. */
  readonly items: (...options: Client.Arguments<WalkOptions, Filter>) => Stream.Stream<Item, ListError, R>
  /** All pages, each with the position after it. */
  readonly pages: (
    ...options: Client.Arguments<WalkOptions, Filter>
  ) => Stream.Stream<Client.WalkedPage<Item>, ListError, R>
  /**
   * Runs `handle` for every item from where the last run with this key stopped, and commits each page when all its
   * items have been handled. Stops at the first failure; the next run repeats the items of pages that were not
   * complete.
   *
   * A walk that has reached the end does nothing until `Checkpoint.clear`: use a new key to process the list again.
   */
  readonly process: <E, R2>(
    key: string,
    handle: (item: Item) => Effect.Effect<unknown, E, R2>,
    ...options: Client.Arguments<ProcessOptions, Filter>
  ) => Effect.Effect<void, ListError | CommitError | E, R | R2 | Store>
  /**
   * Gives `use` all pages from where the last run with this key stopped. Each has a `commit`, to be run when whatever
   * was made of it is safe, behind any operators. A page that is never committed is delivered again by the next run.
   */
  readonly processPages: <A, E, R2>(
    key: string,
    use: (pages: Stream.Stream<CommittablePage<Item>, ListError>) => Effect.Effect<A, E, R2>,
    ...options: Client.Arguments<ProcessPagesOptions, Filter>
  ) => Effect.Effect<A, OptionError | CommitError | E, R | R2 | Store>
}

/**
 * A list with its newest item first, as most are.
 *
 * @since 1.0.0
 * @category models
 */
export interface List<out Item, Filter = undefined, out R = never> extends UnorderedList<Item, Filter, R> {
  /** New items as they are created, oldest first, each once. It ends only when it is interrupted. */
  readonly follow: (...options: Client.Arguments<FollowOptions, Filter>) => Stream.Stream<Item, ListError, R>
}

/**
 * A list that can be requested without a limit.
 *
 * @since 1.0.0
 * @category models
 */
export interface OptionalLimitList<out Item, Filter = undefined, out R = never> extends List<Item, Filter, R> {
  /** All items from one request, decoded while the response arrives, in constant memory. */
  readonly whole: (...options: Client.Arguments<WholeOptions, Filter>) => Stream.Stream<Item, ListError, R>
}

/**
 * The functions of a service, which they require.
 *
 * @since 1.0.0
 * @category models
 */
export type Using<Service> = Context.Service.Shape<Service> extends OptionalLimitList<infer Item, infer Filter> ?
  OptionalLimitList<Item, Filter, Context.Service.Identifier<Service>>
  : Context.Service.Shape<Service> extends List<infer Item, infer Filter>
    ? List<Item, Filter, Context.Service.Identifier<Service>>
  : Context.Service.Shape<Service> extends UnorderedList<infer Item, infer Filter>
    ? UnorderedList<Item, Filter, Context.Service.Identifier<Service>>
  : never

/**
 * When to retry after a transient failure, no sooner than the API says.
 *
 * - `"default"`: five retries within a few seconds.
 * - `"patient"`: twenty retries, up to two minutes apart, about half an hour in total.
 * - `"none"`: the first failure is final.
 * - `{ times, base, cap }`: exponential backoff with jitter from `base` to `cap`. If the API requests a longer wait than
 *   `cap`, the failure is final.
 *
 * @since 1.0.0
 * @category options
 */
export type Retry = "default" | "patient" | "none" | {
  readonly times: number
  readonly base: Duration.Input
  readonly cap: Duration.Input
}

/**
 * @since 1.0.0
 * @category options
 */
export interface Retried {
  /** Each page has the full budget; default: that of the layer, or `"default"`, for `follow` `"patient"`. */
  readonly retry?: Retry | undefined
  /**
   * Run before every wait for a retry, which waits for it; default: that of the layer. Its defect ends the call.
   *
   * @example
   * ```ts
   * import { contacts } from "@mailstream/effect4"
   * import { Duration, Effect } from "effect"
   *
   * const items = contacts.items({
   *   onRetry: ({ error, wait }) => Effect.logWarning(`${error.message} Again in ${Duration.format(wait)}.`)
   * })
   * ```
   */
  readonly onRetry?: ((notice: RetryNotice) => Effect.Effect<unknown>) | undefined
}

/**
 * A request that is about to be repeated.
 *
 * @since 1.0.0
 * @category models
 */
export interface RetryNotice {
  /** How many attempts of this request have failed: 1 for the first. */
  readonly attempt: number
  /** Why the last one failed. */
  readonly error: RequestError
  /** The wait before the next attempt. */
  readonly wait: Duration.Duration
}

/**
 * The progress of a walk, so far.
 *
 * @since 1.0.0
 * @category models
 */
export interface Progress extends Omit<Client.Progress, "waited" | "waiting"> {
  /** The total wait between attempts, including the current one. */
  readonly waited: Duration.Duration
  /** The wait before the next attempt, if one is pending. */
  readonly waiting: Duration.Duration | undefined
}

/**
 * @since 1.0.0
 * @category options
 */
export interface Observed {
  /**
   * Run whenever the progress of the walk changes, which waits for it: for every request and every page, not for every
   * item. Its defect ends the walk.
   *
   * @example
   * ```ts
   * import { contacts } from "@mailstream/effect4"
   * import { Effect } from "effect"
   *
   * const items = contacts.items({
   *   progress: ({ items, pages }) => Effect.log(`${items} contacts in ${pages} pages`)
   * })
   * ```
   */
  readonly progress?: ((progress: Progress) => Effect.Effect<unknown>) | undefined
}

/** Options of the client as they are here: with durations and effects, and with interruption instead of a signal. */
type Adapted<Options, Replaced extends string = never> = Options extends unknown
  ? Omit<Options, "retry" | "onRetry" | "progress" | "signal" | Replaced> & Retried
  : never

/**
 * The size of a page (`limit`), and where it starts (`after`) or ends (`before`), but not both.
 *
 * @since 1.0.0
 * @category options
 */
export type ListOptions = Adapted<Client.ListOptions>

/**
 * Where to begin (`from`), the size of a page (`pageSize`), how many items to request in all (`take`), and how many pages
 * to request ahead (`prefetch`).
 *
 * @since 1.0.0
 * @category options
 */
export interface WalkOptions extends Adapted<Client.WalkOptions>, Observed {}

/**
 * @since 1.0.0
 * @category options
 */
export interface FollowOptions extends Adapted<Client.FollowOptions, "poll">, Observed {
  /** The time between two polls; default: 5 seconds. */
  readonly poll?: Duration.Input | undefined
}

/**
 * @since 1.0.0
 * @category options
 */
export interface WholeOptions extends Retried, Observed {}

/**
 * @since 1.0.0
 * @category options
 */
export interface ProcessPagesOptions extends Adapted<Client.ProcessPagesOptions, "store">, Observed {}

/**
 * How many items are handled at once, also across pages (`concurrency`), and the options of `processPages`.
 *
 * @since 1.0.0
 * @category options
 */
export interface ProcessOptions extends Adapted<Client.ProcessOptions, "store">, Observed {}
