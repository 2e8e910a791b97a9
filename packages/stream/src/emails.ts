/**
 * All emails, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 0.1.0
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type { Email, EmailId } from "@mailstream/core"
import * as Resource from "@mailstream/core/Resource"
import { Emails } from "@mailstream/http/Services"
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
  Email,
  typeof Email.Encoded,
  undefined,
  Emails
> = /* #__PURE__ */ List.fromService(Resource.emails, Emails)

/**
 * All emails, newest first. Strictly lazy: no page is requested
 * before it is needed.
 *
 * @since 0.1.0
 * @category streams
 * @example
 * ```ts
 * import { emails } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = emails.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const items = (
  options?: Walk.Options<EmailId> & Resource.NoFilter
): Stream.Stream<Email, ListError, Emails> => List.items(list, undefined, options)

/**
 * All emails, in pages, each with the position after it.
 * See `Walk.pages`.
 *
 * @since 0.1.0
 * @category streams
 */
export const pages = (
  options?: Walk.Options<EmailId> & Resource.NoFilter
): Stream.Stream<Walk.WalkedPage<Email>, ListError, Emails> => List.pages(list, undefined, options)

/**
 * All emails, from where the last walk with this key stopped.
 * See `Checkpoint.resumable`.
 *
 * @since 0.1.0
 * @category streams
 */
export const resumable = (
  key: string,
  options?: Walk.Options<EmailId> & Resource.NoFilter
): Stream.Stream<
  Email,
  ListError | Checkpoint.CheckpointError,
  Emails | KeyValueStore.KeyValueStore
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
  options?: Checkpoint.Options<EmailId> & Resource.NoFilter
): Effect.Effect<
  Checkpoint.Checkpoint<EmailId>,
  Checkpoint.CheckpointError,
  KeyValueStore.KeyValueStore
> => List.checkpoint(list, key, undefined, options)

/**
 * New emails as they are created, oldest first. See `Follow.items`.
 *
 * @since 0.1.0
 * @category streams
 */
export const follow = (
  options?: Follow.Options<EmailId> & Resource.NoFilter
): Stream.Stream<Email, ListError, Emails> => List.follow(list, undefined, options)
