/**
 * All broadcasts, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type { Broadcast, BroadcastId, ValidationError } from "@mailstream/core"
import type * as Filter from "@mailstream/core/Filter"
import * as Resource from "@mailstream/core/Resource"
import { Broadcasts } from "@mailstream/http/Services"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as Commit from "./Commit.ts"
import type * as Follow from "./Follow.ts"
import * as List from "./List.ts"
import type { ListError } from "./ListError.ts"
import type * as Walk from "./Walk.ts"
import type * as Whole from "./Whole.ts"

/**
 * The list itself, for code that works with any list.
 *
 * @since 1.0.0
 * @category models
 */
export const list: List.OptionalLimit<
  Broadcast,
  typeof Broadcast.Encoded,
  undefined,
  Broadcasts
> = /* #__PURE__ */ List.fromOptionalLimitService(Resource.broadcasts, Broadcasts)

/**
 * All broadcasts, newest first. Strictly lazy: no page is requested
 * before it is needed.
 *
 * @since 1.0.0
 * @category streams
 * @example
 * ```ts
 * import { broadcasts } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = broadcasts.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const items = (
  options?: Walk.Options<BroadcastId> & Filter.None
): Stream.Stream<Broadcast, ListError, Broadcasts> => List.items(list, undefined, options)

/**
 * All broadcasts, in pages, each with the position after it.
 * See `Walk.pages`.
 *
 * @since 1.0.0
 * @category streams
 */
export const pages = (
  options?: Walk.Options<BroadcastId> & Filter.None
): Stream.Stream<Walk.WalkedPage<Broadcast>, ListError, Broadcasts> => List.pages(list, undefined, options)

/**
 * Runs `handle` for all broadcasts, from where the last run with this key
 * stopped. After a crash nothing is lost, and only uncommitted work is repeated. See `Commit.process`.
 *
 * @since 1.0.0
 * @category processing
 * @example
 * ```ts
 * import { broadcasts } from "@mailstream/stream"
 * import { Effect } from "effect"
 *
 * const program = broadcasts.process("export-2026-11", (item) => Effect.log(item.id), {
 *   concurrency: 8
 * })
 * ```
 */
export const process = <E, R>(
  key: string,
  handle: (item: Broadcast) => Effect.Effect<unknown, E, R>,
  options?: Commit.Options<BroadcastId> & Filter.None
): Effect.Effect<
  void,
  ListError | Commit.CommitError | E,
  Broadcasts | R | KeyValueStore.KeyValueStore
> => List.process(list, key, undefined, handle, options)

/**
 * All broadcasts, in pages that can be committed behind any operators, from where the
 * last run with this key stopped. See `Commit.processPages`.
 *
 * @since 1.0.0
 * @category processing
 * @example
 * ```ts
 * import { broadcasts } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = broadcasts.processPages("export-2026-11", (pages) =>
 *   pages.pipe(
 *     Stream.mapEffect((page) => Effect.zipRight(Effect.log(page.data.length), page.commit), { concurrency: 4 }),
 *     Stream.runDrain
 *   ))
 * ```
 */
export const processPages = <A, E, R>(
  key: string,
  use: (
    pages: Stream.Stream<Commit.CommittablePage<Broadcast>, ListError, Broadcasts>
  ) => Effect.Effect<A, E, R>,
  options?: Commit.PagesOptions<BroadcastId> & Filter.None
): Effect.Effect<
  A,
  ValidationError | Commit.CommitError | E,
  Broadcasts | R | KeyValueStore.KeyValueStore
> => List.processPages(list, key, undefined, use, options)

/**
 * New broadcasts as they are created, oldest first. See `Follow.items`.
 *
 * @since 1.0.0
 * @category streams
 */
export const follow = (
  options?: Follow.Options<BroadcastId> & Filter.None
): Stream.Stream<Broadcast, ListError, Broadcasts> => List.follow(list, undefined, options)

/**
 * All broadcasts, from one request without a limit, decoded as the
 * response arrives. See `Whole.items`.
 *
 * @since 1.0.0
 * @category streams
 */
export const whole = (
  options?: Whole.Options & Filter.None
): Stream.Stream<Broadcast, ListError, Broadcasts> => List.whole(list, undefined, options)
