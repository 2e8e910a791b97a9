/**
 * All API keys, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type { ApiKey, ApiKeyId, ValidationError } from "@mailstream/core"
import type * as Filter from "@mailstream/core/Filter"
import * as Resource from "@mailstream/core/Resource"
import { ApiKeys } from "@mailstream/http/Services"
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
  ApiKey,
  typeof ApiKey.Encoded,
  undefined,
  ApiKeys
> = /* #__PURE__ */ List.fromOptionalLimitService(Resource.apiKeys, ApiKeys)

/**
 * All API keys, newest first. Strictly lazy: no page is requested
 * before it is needed.
 *
 * @since 1.0.0
 * @category streams
 * @example
 * ```ts
 * import { apiKeys } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = apiKeys.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const items = (
  options?: Walk.Options<ApiKeyId> & Filter.None
): Stream.Stream<ApiKey, ListError, ApiKeys> => List.items(list, undefined, options)

/**
 * All API keys, in pages, each with the position after it.
 * See `Walk.pages`.
 *
 * @since 1.0.0
 * @category streams
 */
export const pages = (
  options?: Walk.Options<ApiKeyId> & Filter.None
): Stream.Stream<Walk.WalkedPage<ApiKey>, ListError, ApiKeys> => List.pages(list, undefined, options)

/**
 * Runs `handle` for all API keys, from where the last run with this key
 * stopped. After a crash nothing is lost, and only uncommitted work is repeated. See `Commit.process`.
 *
 * @since 1.0.0
 * @category processing
 * @example
 * ```ts
 * import { apiKeys } from "@mailstream/stream"
 * import { Effect } from "effect"
 *
 * const program = apiKeys.process("export-2026-11", (item) => Effect.log(item.id), {
 *   concurrency: 8
 * })
 * ```
 */
export const process = <E, R>(
  key: string,
  handle: (item: ApiKey) => Effect.Effect<unknown, E, R>,
  options?: Commit.Options<ApiKeyId> & Filter.None
): Effect.Effect<
  void,
  ListError | Commit.CommitError | E,
  ApiKeys | R | KeyValueStore.KeyValueStore
> => List.process(list, key, undefined, handle, options)

/**
 * All API keys, in pages that can be committed behind any operators, from where the
 * last run with this key stopped. See `Commit.processPages`.
 *
 * @since 1.0.0
 * @category processing
 * @example
 * ```ts
 * import { apiKeys } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = apiKeys.processPages("export-2026-11", (pages) =>
 *   pages.pipe(
 *     Stream.mapEffect((page) => Effect.zipRight(Effect.log(page.data.length), page.commit), { concurrency: 4 }),
 *     Stream.runDrain
 *   ))
 * ```
 */
export const processPages = <A, E, R>(
  key: string,
  use: (
    pages: Stream.Stream<Commit.CommittablePage<ApiKey>, ListError, ApiKeys>
  ) => Effect.Effect<A, E, R>,
  options?: Commit.PagesOptions<ApiKeyId> & Filter.None
): Effect.Effect<
  A,
  ValidationError | Commit.CommitError | E,
  ApiKeys | R | KeyValueStore.KeyValueStore
> => List.processPages(list, key, undefined, use, options)

/**
 * New API keys as they are created, oldest first. See `Follow.items`.
 *
 * @since 1.0.0
 * @category streams
 */
export const follow = (
  options?: Follow.Options<ApiKeyId> & Filter.None
): Stream.Stream<ApiKey, ListError, ApiKeys> => List.follow(list, undefined, options)

/**
 * All API keys, from one request without a limit, decoded as the
 * response arrives. See `Whole.items`.
 *
 * @since 1.0.0
 * @category streams
 */
export const whole = (
  options?: Whole.Options & Filter.None
): Stream.Stream<ApiKey, ListError, ApiKeys> => List.whole(list, undefined, options)
