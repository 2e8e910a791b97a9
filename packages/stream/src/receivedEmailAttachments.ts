/**
 * The received email attachments of one email, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type { ReceivedEmailAttachment, ReceivedEmailAttachmentId, ValidationError } from "@mailstream/core"
import type * as Filter from "@mailstream/core/Filter"
import * as Resource from "@mailstream/core/Resource"
import { ReceivedEmailAttachments } from "@mailstream/http/Services"
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
  ReceivedEmailAttachment,
  typeof ReceivedEmailAttachment.Encoded,
  Resource.EmailFilter,
  ReceivedEmailAttachments
> = /* #__PURE__ */ List.fromOptionalLimitService(Resource.receivedEmailAttachments, ReceivedEmailAttachments)

/**
 * The received email attachments of one email, newest first. Strictly lazy: no page is requested
 * before it is needed.
 *
 * @since 1.0.0
 * @category streams
 * @example
 * ```ts
 * import { ReceivedEmailId } from "@mailstream/core"
 * import { receivedEmailAttachments } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = receivedEmailAttachments.items({ filter: { email_id: ReceivedEmailId.make("…") } }).pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const items = (
  options: Walk.Options<ReceivedEmailAttachmentId> & Filter.Required<Resource.EmailFilter>
): Stream.Stream<ReceivedEmailAttachment, ListError, ReceivedEmailAttachments> =>
  List.items(list, options.filter, options)

/**
 * The received email attachments of one email, in pages, each with the position after it.
 * See `Walk.pages`.
 *
 * @since 1.0.0
 * @category streams
 */
export const pages = (
  options: Walk.Options<ReceivedEmailAttachmentId> & Filter.Required<Resource.EmailFilter>
): Stream.Stream<Walk.WalkedPage<ReceivedEmailAttachment>, ListError, ReceivedEmailAttachments> =>
  List.pages(list, options.filter, options)

/**
 * Runs `handle` for the received email attachments of one email, from where the last run with this key
 * stopped. After a crash nothing is lost, and only uncommitted work is repeated. See `Commit.process`.
 *
 * @since 1.0.0
 * @category processing
 * @example
 * ```ts
 * import { ReceivedEmailId } from "@mailstream/core"
 * import { receivedEmailAttachments } from "@mailstream/stream"
 * import { Effect } from "effect"
 *
 * const program = receivedEmailAttachments.process("export-2026-11", (item) => Effect.log(item.id), {
 *   filter: { email_id: ReceivedEmailId.make("…") },
 *   concurrency: 8
 * })
 * ```
 */
export const process = <E, R>(
  key: string,
  handle: (item: ReceivedEmailAttachment) => Effect.Effect<unknown, E, R>,
  options: Commit.Options<ReceivedEmailAttachmentId> & Filter.Required<Resource.EmailFilter>
): Effect.Effect<
  void,
  ListError | Commit.CommitError | E,
  ReceivedEmailAttachments | R | KeyValueStore.KeyValueStore
> => List.process(list, key, options.filter, handle, options)

/**
 * The received email attachments of one email, in pages that can be committed behind any operators, from where the
 * last run with this key stopped. See `Commit.processPages`.
 *
 * @since 1.0.0
 * @category processing
 * @example
 * ```ts
 * import { ReceivedEmailId } from "@mailstream/core"
 * import { receivedEmailAttachments } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = receivedEmailAttachments.processPages("export-2026-11", (pages) =>
 *   pages.pipe(
 *     Stream.mapEffect((page) => Effect.zipRight(Effect.log(page.data.length), page.commit), { concurrency: 4 }),
 *     Stream.runDrain
 *   ), { filter: { email_id: ReceivedEmailId.make("…") } })
 * ```
 */
export const processPages = <A, E, R>(
  key: string,
  use: (
    pages: Stream.Stream<Commit.CommittablePage<ReceivedEmailAttachment>, ListError, ReceivedEmailAttachments>
  ) => Effect.Effect<A, E, R>,
  options: Commit.PagesOptions<ReceivedEmailAttachmentId> & Filter.Required<Resource.EmailFilter>
): Effect.Effect<
  A,
  ValidationError | Commit.CommitError | E,
  ReceivedEmailAttachments | R | KeyValueStore.KeyValueStore
> => List.processPages(list, key, options.filter, use, options)

/**
 * New received email attachments as they are created, oldest first. See `Follow.items`.
 *
 * @since 1.0.0
 * @category streams
 */
export const follow = (
  options: Follow.Options<ReceivedEmailAttachmentId> & Filter.Required<Resource.EmailFilter>
): Stream.Stream<ReceivedEmailAttachment, ListError, ReceivedEmailAttachments> =>
  List.follow(list, options.filter, options)

/**
 * The received email attachments of one email, from one request without a limit, decoded as the
 * response arrives. See `Whole.items`.
 *
 * @since 1.0.0
 * @category streams
 */
export const whole = (
  options: Whole.Options & Filter.Required<Resource.EmailFilter>
): Stream.Stream<ReceivedEmailAttachment, ListError, ReceivedEmailAttachments> =>
  List.whole(list, options.filter, options)
