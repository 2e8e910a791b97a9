/**
 * All templates, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 0.1.0
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type { Template, TemplateId } from "@mailstream/core"
import * as Resource from "@mailstream/core/Resource"
import { Templates } from "@mailstream/http/Services"
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
  Template,
  typeof Template.Encoded,
  undefined,
  Templates
> = /* #__PURE__ */ List.fromService(Resource.templates, Templates)

/**
 * All templates, newest first. Strictly lazy: no page is requested
 * before it is needed.
 *
 * @since 0.1.0
 * @category streams
 * @example
 * ```ts
 * import { templates } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = templates.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const items = (
  options?: Walk.Options<TemplateId> & Resource.NoFilter
): Stream.Stream<Template, ListError, Templates> => List.items(list, undefined, options)

/**
 * All templates, in pages, each with the position after it.
 * See `Walk.pages`.
 *
 * @since 0.1.0
 * @category streams
 */
export const pages = (
  options?: Walk.Options<TemplateId> & Resource.NoFilter
): Stream.Stream<Walk.WalkedPage<Template>, ListError, Templates> => List.pages(list, undefined, options)

/**
 * All templates, from where the last walk with this key stopped.
 * See `Checkpoint.resumable`.
 *
 * @since 0.1.0
 * @category streams
 */
export const resumable = (
  key: string,
  options?: Walk.Options<TemplateId> & Resource.NoFilter
): Stream.Stream<
  Template,
  ListError | Checkpoint.CheckpointError,
  Templates | KeyValueStore.KeyValueStore
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
  options?: Checkpoint.Options<TemplateId> & Resource.NoFilter
): Effect.Effect<
  Checkpoint.Checkpoint<TemplateId>,
  Checkpoint.CheckpointError,
  KeyValueStore.KeyValueStore
> => List.checkpoint(list, key, undefined, options)

/**
 * New templates as they are created, oldest first. See `Follow.items`.
 *
 * @since 0.1.0
 * @category streams
 */
export const follow = (
  options?: Follow.Options<TemplateId> & Resource.NoFilter
): Stream.Stream<Template, ListError, Templates> => List.follow(list, undefined, options)
