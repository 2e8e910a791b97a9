/**
 * All API keys, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 0.1.0
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type { ApiKey, ApiKeyId } from "@mailstream/core"
import * as Resource from "@mailstream/core/Resource"
import { ApiKeys } from "@mailstream/http/Services"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as Checkpoint from "./Checkpoint.ts"
import type * as Follow from "./Follow.ts"
import * as List from "./List.ts"
import type { ListError } from "./ListError.ts"
import type * as Walk from "./Walk.ts"
import type * as Whole from "./Whole.ts"

/**
 * The list itself, for code that works with any list.
 *
 * @since 0.1.0
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
 * @since 0.1.0
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
  options?: Walk.Options<ApiKeyId> & Resource.NoFilter
): Stream.Stream<ApiKey, ListError, ApiKeys> => List.items(list, undefined, options)

/**
 * All API keys, in pages, each with the position after it.
 * See `Walk.pages`.
 *
 * @since 0.1.0
 * @category streams
 */
export const pages = (
  options?: Walk.Options<ApiKeyId> & Resource.NoFilter
): Stream.Stream<Walk.WalkedPage<ApiKey>, ListError, ApiKeys> => List.pages(list, undefined, options)

/**
 * All API keys, from where the last walk with this key stopped.
 * See `Checkpoint.resumable`.
 *
 * @since 0.1.0
 * @category streams
 */
export const resumable = (
  key: string,
  options?: Walk.Options<ApiKeyId> & Resource.NoFilter
): Stream.Stream<
  ApiKey,
  ListError | Checkpoint.CheckpointError,
  ApiKeys | KeyValueStore.KeyValueStore
> => List.resumable(list, key, undefined, options)

/**
 * Opens the checkpoint that `resumable` keeps under a key, for programs that walk through `pages` and save it
 * themselves.
 *
 * @since 0.1.0
 * @category checkpoints
 */
export const checkpoint = (
  key: string,
  options?: Checkpoint.Options<ApiKeyId> & Resource.NoFilter
): Effect.Effect<
  Checkpoint.Checkpoint<ApiKeyId>,
  Checkpoint.CheckpointError,
  KeyValueStore.KeyValueStore
> => List.checkpoint(list, key, undefined, options)

/**
 * New API keys as they are created, oldest first. See `Follow.items`.
 *
 * @since 0.1.0
 * @category streams
 */
export const follow = (
  options?: Follow.Options<ApiKeyId> & Resource.NoFilter
): Stream.Stream<ApiKey, ListError, ApiKeys> => List.follow(list, undefined, options)

/**
 * All API keys, from one request without a limit, decoded as the
 * response arrives. See `Whole.items`.
 *
 * @since 0.1.0
 * @category streams
 */
export const whole = (
  options?: Whole.Options & Resource.NoFilter
): Stream.Stream<ApiKey, ListError, ApiKeys> => List.whole(list, undefined, options)
