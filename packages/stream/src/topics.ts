/**
 * All topics, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 0.1.0
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type { Topic, TopicId } from "@mailstream/core"
import * as Resource from "@mailstream/core/Resource"
import { Topics } from "@mailstream/http/Topics"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as Checkpoint from "./Checkpoint.ts"
import type * as Follow from "./Follow.ts"
import * as List from "./List.ts"
import type { ListError } from "./ListError.ts"
import type * as Walk from "./Walk.ts"

/**
 * The list itself, for code that works with any list.
 *
 * @since 0.1.0
 * @category models
 */
export const list: List.List<
  Topic,
  typeof Topic.Encoded,
  undefined,
  Topics
> = /* #__PURE__ */ List.fromService(Resource.topics, Topics)

/**
 * All topics, newest first. Strictly lazy: no page is requested
 * before it is needed.
 *
 * @since 0.1.0
 * @category streams
 * @example
 * ```ts
 * import { topics } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = topics.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const items = (
  options?: Walk.Options<TopicId> & Resource.NoFilter
): Stream.Stream<Topic, ListError, Topics> => List.items(list, undefined, options)

/**
 * All topics, in pages, each with the position after it.
 * See `Walk.pages`.
 *
 * @since 0.1.0
 * @category streams
 */
export const pages = (
  options?: Walk.Options<TopicId> & Resource.NoFilter
): Stream.Stream<Walk.WalkedPage<Topic>, ListError, Topics> => List.pages(list, undefined, options)

/**
 * All topics, from where the last walk with this key stopped.
 * See `Checkpoint.resumable`.
 *
 * @since 0.1.0
 * @category streams
 */
export const resumable = (
  key: string,
  options?: Walk.Options<TopicId> & Resource.NoFilter
): Stream.Stream<
  Topic,
  ListError | Checkpoint.CheckpointError,
  Topics | KeyValueStore.KeyValueStore
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
  options?: Checkpoint.Options<TopicId> & Resource.NoFilter
): Effect.Effect<
  Checkpoint.Checkpoint<TopicId>,
  Checkpoint.CheckpointError,
  KeyValueStore.KeyValueStore
> => List.checkpoint(list, key, undefined, options)

/**
 * New topics as they are created, oldest first. See `Follow.items`.
 *
 * @since 0.1.0
 * @category streams
 */
export const follow = (
  options?: Follow.Options<TopicId> & Resource.NoFilter
): Stream.Stream<Topic, ListError, Topics> => List.follow(list, undefined, options)
