/**
 * All contacts, or those of one segment, as Streams.
 *
 * Generated from the table of lists by `npm run generate`.
 *
 * @since 1.0.0
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type { Contact, ContactId, ValidationError } from "@mailstream/core"
import type * as Filter from "@mailstream/core/Filter"
import * as Resource from "@mailstream/core/Resource"
import { Contacts } from "@mailstream/http/Services"
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
  Contact,
  typeof Contact.Encoded,
  Resource.SegmentFilter | undefined,
  Contacts
> = /* #__PURE__ */ List.fromOptionalLimitService(Resource.contacts, Contacts)

/**
 * All contacts, or those of one segment, newest first. Strictly lazy: no page is requested
 * before it is needed.
 *
 * @since 1.0.0
 * @category streams
 * @example
 * ```ts
 * import { contacts } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = contacts.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((item) => Effect.log(item.id))
 * )
 * ```
 */
export const items = (
  options?: Walk.Options<ContactId> & Filter.Optional<Resource.SegmentFilter>
): Stream.Stream<Contact, ListError, Contacts> => List.items(list, options?.filter, options)

/**
 * All contacts, or those of one segment, in pages, each with the position after it.
 * See `Walk.pages`.
 *
 * @since 1.0.0
 * @category streams
 */
export const pages = (
  options?: Walk.Options<ContactId> & Filter.Optional<Resource.SegmentFilter>
): Stream.Stream<Walk.WalkedPage<Contact>, ListError, Contacts> => List.pages(list, options?.filter, options)

/**
 * Runs `handle` for all contacts, or those of one segment, from where the last run with this key
 * stopped. After a crash nothing is lost, and only uncommitted work is repeated. See `Commit.process`.
 *
 * @since 1.0.0
 * @category processing
 * @example
 * ```ts
 * import { contacts } from "@mailstream/stream"
 * import { Effect } from "effect"
 *
 * const program = contacts.process("export-2026-11", (item) => Effect.log(item.id), {
 *   concurrency: 8
 * })
 * ```
 */
export const process = <E, R>(
  key: string,
  handle: (item: Contact) => Effect.Effect<unknown, E, R>,
  options?: Commit.Options<ContactId> & Filter.Optional<Resource.SegmentFilter>
): Effect.Effect<
  void,
  ListError | Commit.CommitError | E,
  Contacts | R | KeyValueStore.KeyValueStore
> => List.process(list, key, options?.filter, handle, options)

/**
 * All contacts, or those of one segment, in pages that can be committed behind any operators, from where the
 * last run with this key stopped. See `Commit.processPages`.
 *
 * @since 1.0.0
 * @category processing
 * @example
 * ```ts
 * import { contacts } from "@mailstream/stream"
 * import { Effect, Stream } from "effect"
 *
 * const program = contacts.processPages("export-2026-11", (pages) =>
 *   pages.pipe(
 *     Stream.mapEffect((page) => Effect.zipRight(Effect.log(page.data.length), page.commit), { concurrency: 4 }),
 *     Stream.runDrain
 *   ))
 * ```
 */
export const processPages = <A, E, R>(
  key: string,
  use: (
    pages: Stream.Stream<Commit.CommittablePage<Contact>, ListError, Contacts>
  ) => Effect.Effect<A, E, R>,
  options?: Commit.PagesOptions<ContactId> & Filter.Optional<Resource.SegmentFilter>
): Effect.Effect<
  A,
  ValidationError | Commit.CommitError | E,
  Contacts | R | KeyValueStore.KeyValueStore
> => List.processPages(list, key, options?.filter, use, options)

/**
 * New contacts as they are created, oldest first. See `Follow.items`.
 *
 * @since 1.0.0
 * @category streams
 */
export const follow = (
  options?: Follow.Options<ContactId> & Filter.Optional<Resource.SegmentFilter>
): Stream.Stream<Contact, ListError, Contacts> => List.follow(list, options?.filter, options)

/**
 * All contacts, or those of one segment, from one request without a limit, decoded as the
 * response arrives. See `Whole.items`.
 *
 * @since 1.0.0
 * @category streams
 */
export const whole = (
  options?: Whole.Options & Filter.Optional<Resource.SegmentFilter>
): Stream.Stream<Contact, ListError, Contacts> => List.whole(list, options?.filter, options)
