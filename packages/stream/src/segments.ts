/**
 * All segments, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 0.1.0
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type { Segment, SegmentId } from "@mailstream/core"
import * as Resource from "@mailstream/core/Resource"
import { Segments } from "@mailstream/http/Services"
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
  Segment,
  typeof Segment.Encoded,
  undefined,
  Segments
> = /* #__PURE__ */ List.fromOptionalLimitService(Resource.segments, Segments)

/**
 * All segments, newest first. Strictly lazy: no page is requested
 * before it is needed.
 *
 * @since 0.1.0
 * @category streams
 * @example
 * ```ts
 * import { segments } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = segments.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const items = (
  options?: Walk.Options<SegmentId> & Resource.NoFilter
): Stream.Stream<Segment, ListError, Segments> => List.items(list, undefined, options)

/**
 * All segments, in pages, each with the position after it.
 * See `Walk.pages`.
 *
 * @since 0.1.0
 * @category streams
 */
export const pages = (
  options?: Walk.Options<SegmentId> & Resource.NoFilter
): Stream.Stream<Walk.WalkedPage<Segment>, ListError, Segments> => List.pages(list, undefined, options)

/**
 * All segments, from where the last walk with this key stopped.
 * See `Checkpoint.resumable`.
 *
 * @since 0.1.0
 * @category streams
 */
export const resumable = (
  key: string,
  options?: Walk.Options<SegmentId> & Resource.NoFilter
): Stream.Stream<
  Segment,
  ListError | Checkpoint.CheckpointError,
  Segments | KeyValueStore.KeyValueStore
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
  options?: Checkpoint.Options<SegmentId> & Resource.NoFilter
): Effect.Effect<
  Checkpoint.Checkpoint<SegmentId>,
  Checkpoint.CheckpointError,
  KeyValueStore.KeyValueStore
> => List.checkpoint(list, key, undefined, options)

/**
 * New segments as they are created, oldest first. See `Follow.items`.
 *
 * @since 0.1.0
 * @category streams
 */
export const follow = (
  options?: Follow.Options<SegmentId> & Resource.NoFilter
): Stream.Stream<Segment, ListError, Segments> => List.follow(list, undefined, options)

/**
 * All segments, from one request without a limit, decoded as the
 * response arrives. See `Whole.items`.
 *
 * @since 0.1.0
 * @category streams
 */
export const whole = (
  options?: Whole.Options & Resource.NoFilter
): Stream.Stream<Segment, ListError, Segments> => List.whole(list, undefined, options)
