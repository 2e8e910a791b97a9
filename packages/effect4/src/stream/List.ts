/**
 * The lists of the API, and the types of the functions that walk through them. Each way to walk is a separate function,
 * so that a bundle contains only those that a program uses.
 *
 * @since 1.0.0
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Stream from "effect/Stream"
import type { Arguments } from "../core/Filter.ts"
import type { InvalidOption, RequestError } from "../core/index.ts"
import type * as Page from "../core/Page.ts"
import type * as PageRequest from "../core/PageRequest.ts"
import * as Resource from "../core/Resource.ts"
import * as Wire from "../core/Wire.ts"
import type * as ListService from "../http/ListService.ts"
import type * as Commit from "./Commit.ts"
import type * as Follow from "./Follow.ts"
import type { ListError } from "./ListError.ts"
import type { Store } from "./Store.ts"
import type * as Walk from "./Walk.ts"
import type * as Whole from "./Whole.ts"

/**
 * A list of the API that can be walked through: its entry in the table, and where its pages come from. Code that works
 * with any list walks through the source: `Walk.items(list.source(filter))`.
 *
 * @since 1.0.0
 * @category models
 */
export interface List<Item extends { readonly id: string }, Encoded, Filter, out Service> {
  readonly resource: Resource.Any<Item, Encoded, Filter>
  readonly source: (filter: Filter) => Commit.Source<Item, Service>
}

/**
 * A list that can be requested without a limit.
 *
 * @since 1.0.0
 * @category models
 */
export interface OptionalLimit<Item extends { readonly id: string }, Encoded, Filter, out Service>
  extends List<Item, Encoded, Filter, Service>
{
  readonly source: (filter: Filter) => Commit.Source<Item, Service> & Whole.CompleteSource<Item, Service>
}

/**
 * What a service must have to be walked through, whether its filter is required or not.
 *
 * @since 1.0.0
 * @category models
 */
export interface Listable<Item extends { readonly id: string }, Filter>
  extends Pick<ListService.ListService<Item, Filter>, "baseUrl">
{
  readonly list: (
    options: PageRequest.PageRequest<Item["id"]> & { readonly filter: Filter }
  ) => Effect.Effect<Page.Page<Item>, RequestError>
}

/**
 * A list whose pages come from a service.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromService = <
  Item extends { readonly id: string },
  Encoded,
  Filter,
  Self,
  Service extends Listable<Item, Filter>
>(
  resource: Resource.Any<Item, Encoded, Filter>,
  service: Context.Key<Self, Service>
): List<Item, Encoded, Filter, Self> => ({
  resource,
  source: (filter) => {
    const owner = Resource.ownerId(resource, filter)
    return {
      name: resource.name,
      within: Resource.selection(resource, filter),
      filter: {
        ...(resource.scope === undefined || owner === undefined ? {} : { [resource.scope.field]: owner }),
        ...Resource.query(resource, filter)
      },
      id: resource.id,
      // A mock may have a function in place of what it was not given.
      service: Effect.map(service, ({ baseUrl }) => Predicate.isString(baseUrl) ? baseUrl : undefined),
      page: (request) => Effect.flatMap(service, ({ list }) => list({ ...request, filter }))
    }
  }
})

/**
 * A list that its service can also return in one response.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromOptionalLimitService = <
  Item extends Encoded & { readonly id: string },
  Encoded,
  Filter,
  Self,
  Service extends Listable<Item, Filter> & Pick<ListService.OptionalLimit<Item, Filter>, "open">
>(
  resource: Resource.Any<Item, Encoded, Filter>,
  service: Context.Key<Self, Service>
): OptionalLimit<Item, Encoded, Filter, Self> => {
  const { source } = fromService(resource, service)
  return {
    resource,
    source: (filter) => ({
      ...source(filter),
      check: Wire.check(resource.item),
      open: Effect.flatMap(service, ({ open }) => open(filter))
    })
  }
}

/**
 * A list that does not say what is new, so that it cannot be followed.
 *
 * @since 1.0.0
 * @category combinators
 */
export const unordered = <Item extends { readonly id: string }, Encoded, Filter, Service>(
  { resource, source }: List<Item, Encoded, Filter, Service>
): List<Item, Encoded, Filter, Service> => ({
  resource,
  source: (filter) => ({ ...source(filter), isUnordered: true })
})

/**
 * Whether a list can be requested without a limit.
 *
 * @since 1.0.0
 * @category guards
 */
export const isOptionalLimit = <Item extends { readonly id: string }, Encoded, Filter, Service>(
  list: List<Item, Encoded, Filter, Service>
): list is OptionalLimit<Item, Encoded, Filter, Service> => list.resource.pagination === "optional"

/**
 * The ways to walk through a list. Each is a function of the list's module: `contacts.items()`.
 *
 * @since 1.0.0
 * @category models
 * @example
 * ```ts
 * import { contacts, ReceivedEmailId, receivedEmailAttachments, SegmentId } from "@mailstream/effect4"
 * import { Effect, Stream } from "effect"
 *
 * const program = contacts.items().pipe(
 *   Stream.take(500),
 *   Stream.runForEach((contact) => Effect.log(contact.email))
 * )
 * const attachments = receivedEmailAttachments.items({ filter: { email_id: ReceivedEmailId.make("…") } })
 *
 * const each = contacts.process("export-2026-11", (item) => Effect.log(item.id), {
 *   filter: { segment_id: SegmentId.make("…") },
 *   concurrency: 8
 * })
 * const inPages = contacts.processPages("export-2026-11", (pages) =>
 *   pages.pipe(
 *     Stream.mapEffect((page) => Effect.andThen(Effect.log(page.data.length), page.commit), { concurrency: 4 }),
 *     Stream.runDrain
 *   ))
 * ```
 */
export interface Ways<Item extends { readonly id: string }, Filter, Service> {
  /** All items, newest first: `Walk.items`. Strictly lazy: no page is requested before it is needed. */
  readonly items: (...args: Arguments<Walk.Options<Item["id"]>, Filter>) => Stream.Stream<Item, ListError, Service>
  /** All pages: `Walk.pages`. */
  readonly pages: (
    ...args: Arguments<Walk.Options<Item["id"]>, Filter>
  ) => Stream.Stream<Walk.WalkedPage<Item>, ListError, Service>
  /** New items as they are created: `Follow.items`. */
  readonly follow: (...args: Arguments<Follow.Options<Item["id"]>, Filter>) => Stream.Stream<Item, ListError, Service>
  /** All items from one request: `Whole.items`. */
  readonly whole: (...args: Arguments<Whole.Options, Filter>) => Stream.Stream<Item, ListError, Service>
  /**
   * Handles all items from where the last run with this key stopped: `Commit.process`. After a crash nothing is lost, and
   * only uncommitted work is repeated.
   */
  readonly process: <E, R>(
    key: string,
    handle: (item: Item) => Effect.Effect<unknown, E, R>,
    ...args: Arguments<Commit.Options<Item["id"]>, Filter>
  ) => Effect.Effect<void, ListError | Commit.CommitError | E, Service | R | Store>
  /**
   * Uses all pages from where the last run with this key stopped: `Commit.processPages`. Each page can be committed behind
   * any operators.
   */
  readonly processPages: <A, E, R>(
    key: string,
    use: (pages: Stream.Stream<Commit.CommittablePage<Item>, ListError, Service>) => Effect.Effect<A, E, R>,
    ...args: Arguments<Commit.PagesOptions<Item["id"]>, Filter>
  ) => Effect.Effect<A, Commit.CommitError | InvalidOption | E, Service | R | Store>
}
