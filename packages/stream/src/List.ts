/**
 * The lists of the API, and the ways to walk through them. Each way is a separate function, so that a bundle contains
 * only those that a program uses.
 *
 * @since 1.0.0
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type { RequestError } from "@mailstream/core"
import type * as Page from "@mailstream/core/Page"
import type * as PageRequest from "@mailstream/core/PageRequest"
import * as Resource from "@mailstream/core/Resource"
import * as Wire from "@mailstream/core/Wire"
import type * as ListService from "@mailstream/http/ListService"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type * as Checkpoint from "./Checkpoint.ts"
import * as Commit from "./Commit.ts"
import * as Follow from "./Follow.ts"
import type { ListError } from "./ListError.ts"
import * as Walk from "./Walk.ts"
import * as Whole from "./Whole.ts"

/**
 * A list of the API that can be walked through: its entry in the table, and where its pages come from.
 *
 * @since 1.0.0
 * @category models
 */
export interface List<Item extends { readonly id: string }, Encoded, Filter, out Service> {
  readonly resource: Resource.Any<Item, Encoded, Filter>
  readonly source: (filter: Filter) => Walk.Source<Item, Service>
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
  readonly source: (filter: Filter) => Whole.CompleteSource<Item, Service>
}

/**
 * What a service must have to be walked through, whether its filter is required or not.
 *
 * @since 1.0.0
 * @category models
 */
export interface Pages<Item extends { readonly id: string }, Filter> extends Pick<ListService.Location, "baseUrl"> {
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
  Service extends Pages<Item, Filter>
>(
  resource: Resource.Any<Item, Encoded, Filter>,
  service: Context.Tag<Self, Service>
): List<Item, Encoded, Filter, Self> => ({
  resource,
  source: (filter) => ({
    name: resource.name,
    within: Resource.ownerId(resource, filter),
    service: Effect.map(service, ({ baseUrl }) => baseUrl),
    page: (request) => Effect.flatMap(service, ({ list }) => list({ ...request, filter }))
  })
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
  Service extends Pages<Item, Filter> & Pick<ListService.OptionalLimit<Item, Filter>, "open">
>(
  resource: Resource.Any<Item, Encoded, Filter>,
  service: Context.Tag<Self, Service>
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
 * Whether a list can be requested without a limit.
 *
 * @since 1.0.0
 * @category guards
 */
export const isOptionalLimit = <Item extends { readonly id: string }, Encoded, Filter, Service>(
  list: List<Item, Encoded, Filter, Service>
): list is OptionalLimit<Item, Encoded, Filter, Service> => list.resource.pagination === "optional"

/**
 * All items of a list, one page at a time: `Walk.items`.
 *
 * @since 1.0.0
 * @category streams
 */
export const items = <Item extends { readonly id: string }, Encoded, Filter, Service>(
  list: List<Item, Encoded, Filter, Service>,
  filter: Filter,
  options?: Walk.Options<Item["id"]>
): Stream.Stream<Item, ListError, Service> => Walk.items(list.source(filter), options)

/**
 * All pages of a list: `Walk.pages`.
 *
 * @since 1.0.0
 * @category streams
 */
export const pages = <Item extends { readonly id: string }, Encoded, Filter, Service>(
  list: List<Item, Encoded, Filter, Service>,
  filter: Filter,
  options?: Walk.Options<Item["id"]>
): Stream.Stream<Walk.WalkedPage<Item>, ListError, Service> => Walk.pages(list.source(filter), options)

/**
 * Handles all items of a list from where the last run with this key stopped: `Commit.process`.
 *
 * @since 1.0.0
 * @category processing
 */
export const process = <Item extends { readonly id: string }, Encoded, Filter, Service, E, R>(
  list: List<Item, Encoded, Filter, Service>,
  key: string,
  filter: Filter,
  handle: (item: Item) => Effect.Effect<unknown, E, R>,
  options?: Commit.Options<Item["id"]>
): Effect.Effect<void, ListError | Commit.CommitError | E, Service | R | KeyValueStore.KeyValueStore> =>
  Commit.process(list.source(filter), key, subject(list, filter), handle, options)

/**
 * Uses all pages of a list from where the last run with this key stopped: `Commit.processPages`.
 *
 * @since 1.0.0
 * @category processing
 */
export const processPages = <Item extends { readonly id: string }, Encoded, Filter, Service, A, E, R>(
  list: List<Item, Encoded, Filter, Service>,
  key: string,
  filter: Filter,
  use: (pages: Stream.Stream<Commit.CommittablePage<Item>, ListError, Service>) => Effect.Effect<A, E, R>,
  options?: Commit.PagesOptions<Item["id"]>
): Effect.Effect<A, Commit.CommitError | E, Service | R | KeyValueStore.KeyValueStore> =>
  Commit.processPages(list.source(filter), key, subject(list, filter), use, options)

/**
 * New items of a list as they are created: `Follow.items`.
 *
 * @since 1.0.0
 * @category streams
 */
export const follow = <Item extends { readonly id: string }, Encoded, Filter, Service>(
  list: List<Item, Encoded, Filter, Service>,
  filter: Filter,
  options?: Follow.Options<Item["id"]>
): Stream.Stream<Item, ListError, Service> => Follow.items(list.source(filter), options)

/**
 * All items of a list from one request: `Whole.items`.
 *
 * @since 1.0.0
 * @category streams
 */
export const whole = <Item extends { readonly id: string }, Encoded, Filter, Service>(
  list: OptionalLimit<Item, Encoded, Filter, Service>,
  filter: Filter,
  options?: Whole.Options
): Stream.Stream<Item, ListError, Service> => Whole.items(list.source(filter), options)

/** What a checkpoint of a list belongs to. */
const subject = <Item extends { readonly id: string }, Encoded, Filter, Service>(
  { resource }: List<Item, Encoded, Filter, Service>,
  filter: Filter
): Omit<Checkpoint.Subject<Item["id"]>, "service" | "from"> => {
  const owner = Resource.ownerId(resource, filter)
  return {
    list: resource.name,
    filter: resource.scope === undefined || owner === undefined ? {} : { [resource.scope.field]: owner },
    id: resource.id
  }
}
