/**
 * What the lists of the API have in common: the ways to walk through them.
 *
 * @since 0.1.0
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import type * as Resource from "@mailstream/core/Resource"
import type * as HttpList from "@mailstream/http/List"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import * as Checkpoint from "./Checkpoint.ts"
import * as Follow from "./Follow.ts"
import type { ListError } from "./ListError.ts"
import * as Walk from "./Walk.ts"
import * as Whole from "./Whole.ts"

/**
 * A list of the API.
 *
 * A stream is a value: nothing happens until it is run, and running it twice walks twice.
 *
 * @since 0.1.0
 * @category models
 */
export interface List<Item extends { readonly id: string }, Filter, Service> {
  /** All items, one page at a time, strictly lazy: `take(5)` costs one request. */
  readonly items: (...options: Arguments<Walk.Options<Item["id"]>, Filter>) => Stream.Stream<Item, ListError, Service>
  /** All pages, each with the position at which the walk goes on after it. */
  readonly pages: (
    ...options: Arguments<Walk.Options<Item["id"]>, Filter>
  ) => Stream.Stream<Walk.WalkedPage<Item>, ListError, Service>
  /** All items from where the last walk with this key was stopped. See `Checkpoint.resumable`. */
  readonly resumable: (
    key: string,
    ...options: Arguments<Walk.Options<Item["id"]>, Filter>
  ) => Stream.Stream<Item, ListError | Checkpoint.CheckpointError, Service | KeyValueStore.KeyValueStore>
  /** The place that `resumable` keeps under a key, for programs that walk through `pages` and keep it themselves. */
  readonly checkpoint: (
    key: string,
    ...options: Arguments<Walk.Place<Item["id"]>, Filter>
  ) => Effect.Effect<Checkpoint.Checkpoint<Item["id"]>, Checkpoint.CheckpointError, KeyValueStore.KeyValueStore>
  /** New items, in the order of creation, as they come. See `Follow.items`. */
  readonly follow: (
    ...options: Arguments<Follow.Options<Item["id"]>, Filter>
  ) => Stream.Stream<Item, ListError, Service>
}

/**
 * A list that can be asked for without a limit.
 *
 * @since 0.1.0
 * @category models
 */
export interface OptionalLimitList<Item extends { readonly id: string }, Filter, Service>
  extends List<Item, Filter, Service>
{
  /** All items from one request, decoded while the answer arrives. See `Whole.items`. */
  readonly whole: (...options: Arguments<Whole.Options, Filter>) => Stream.Stream<Item, ListError, Service>
}

/**
 * The options can be left out where no filter is required.
 *
 * @since 0.1.0
 * @category models
 */
export type Arguments<Options, Filter> = {} extends Filter ? [options?: Options & Filter] : [options: Options & Filter]

/**
 * The streams of a list whose pages come from a service.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromService = <
  Item extends { readonly id: string },
  Encoded,
  Filter,
  Self,
  Service extends HttpList.List<Item, Filter>
>(
  resource: Resource.Any<Item, Encoded, Filter>,
  service: Context.Tag<Self, Service>
): List<Item, Filter, Self> => {
  const source = (options: Filter) =>
    sourceOf<Item, Filter, Self, Service>(resource, service, filterOf(resource, options))
  const subject = (options: Filter): Checkpoint.Subject<Item["id"]> => ({
    list: resource.name,
    filter: textsOf(resource, options),
    id: resource.id
  })
  return {
    items: (...given) => using(given, (options) => Walk.items(source(options), options)),
    pages: (...given) => using(given, (options) => Walk.pages(source(options), options)),
    resumable: (key, ...given) =>
      using(given, (options) => Checkpoint.resumable(source(options), key, subject(options), options)),
    checkpoint: (key, ...given) => using(given, (options) => Checkpoint.open(key, subject(options), options)),
    follow: (...given) => using(given, (options) => Follow.items(source(options), options))
  }
}

/**
 * The streams of a list that its service can also answer as a whole.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromOptionalLimitService = <
  Item extends Encoded & { readonly id: string },
  Encoded,
  Filter,
  Self,
  Service extends HttpList.OptionalLimitList<Item, Filter>
>(
  resource: Resource.Resource<string, Item, Encoded, Filter, "optional">,
  service: Context.Tag<Self, Service>
): OptionalLimitList<Item, Filter, Self> => ({
  ...fromService(resource, service),
  whole: (...given) =>
    using(given, (options) => {
      const filter = filterOf(resource, options)
      return Whole.items({
        ...sourceOf<Item, Filter, Self, Service>(resource, service, filter),
        item: resource.item,
        open: Effect.flatMap(service, ({ open }) => open(filter))
      }, options)
    })
})

const sourceOf = <Item extends { readonly id: string }, Filter, Self, Service extends HttpList.List<Item, Filter>>(
  resource: { readonly name: string },
  service: Context.Tag<Self, Service>,
  filter: Filter
): Walk.Source<Item, Self> => ({
  name: resource.name,
  page: (request) =>
    // With the filter and the request, nothing that is required is missing.
    Effect.flatMap(service, ({ list }) => list(...([{ ...filter, ...request }] as HttpList.Arguments<Item, Filter>)))
})

/** The options are left out only where nothing in them is required. */
const using = <Options, A>([options]: readonly [options?: Options], f: (options: Options) => A): A =>
  f(options ?? ({} as Options))

/** What of the options is the filter. */
const filterOf = <Filter>({ scope }: Resource.Location<Filter>, options: Filter): Filter =>
  // The one field of the scope is all that a filter has.
  (scope === undefined ? {} : { [scope.field]: options[scope.field] }) as Filter

const textsOf = <Filter>({ scope }: Resource.Location<Filter>, options: Filter): { readonly [field: string]: string } =>
  scope === undefined || options[scope.field] === undefined ? {} : { [scope.field]: String(options[scope.field]) }
