/**
 * What the lists of the API have in common: the ways to walk through them. Each is a function by itself, so that a
 * bundle has those alone that a program uses.
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
 * What the module of a list has.
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
 * What the module of a list has that can be asked for without a limit.
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
 * What the streams of a list are made from.
 *
 * @since 0.1.0
 * @category models
 */
export interface Origin<Item extends { readonly id: string }, Filter, out Service> {
  readonly source: (filter: Filter) => Walk.Source<Item, Service>
  readonly subject: (filter: Filter) => Checkpoint.Subject<Item["id"]>
}

/**
 * The same of a list that can be asked for without a limit.
 *
 * @since 0.1.0
 * @category models
 */
export interface OptionalLimitOrigin<
  Item extends Encoded & { readonly id: string },
  Encoded,
  Filter,
  out Service
> extends Origin<Item, Filter, Service> {
  readonly source: (filter: Filter) => Whole.Source<Item, Encoded, Service>
}

/**
 * A list whose pages come from a service.
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
): Origin<Item, Filter, Self> => ({
  source: (options) => {
    const filter = filterOf(resource, options)
    return {
      name: resource.name,
      page: (request) =>
        // With the filter and the request, nothing that is required is missing.
        Effect.flatMap(
          service,
          ({ list }) => list(...([{ ...filter, ...request }] as HttpList.Arguments<Item, Filter>))
        )
    }
  },
  subject: (options) => ({ list: resource.name, filter: filterOf(resource, options), id: resource.id })
})

/**
 * A list that its service can also answer as a whole.
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
): OptionalLimitOrigin<Item, Encoded, Filter, Self> => {
  const { source, subject } = fromService(resource, service)
  return {
    source: (options) => ({
      ...source(options),
      item: resource.item,
      open: Effect.flatMap(service, ({ open }) => open(filterOf(resource, options)))
    }),
    subject
  }
}

/**
 * All items of a list, one page at a time: `Walk.items`.
 *
 * @since 0.1.0
 * @category streams
 */
export const items = <Item extends { readonly id: string }, Filter, Service>(
  { source }: Origin<Item, Filter, Service>
): List<Item, Filter, Service>["items"] =>
(...given) => using(given, (options) => Walk.items(source(options), options))

/**
 * All pages of a list: `Walk.pages`.
 *
 * @since 0.1.0
 * @category streams
 */
export const pages = <Item extends { readonly id: string }, Filter, Service>(
  { source }: Origin<Item, Filter, Service>
): List<Item, Filter, Service>["pages"] =>
(...given) => using(given, (options) => Walk.pages(source(options), options))

/**
 * All items of a list from where the last walk was stopped: `Checkpoint.resumable`.
 *
 * @since 0.1.0
 * @category streams
 */
export const resumable = <Item extends { readonly id: string }, Filter, Service>(
  { source, subject }: Origin<Item, Filter, Service>
): List<Item, Filter, Service>["resumable"] =>
(key, ...given) => using(given, (options) => Checkpoint.resumable(source(options), key, subject(options), options))

/**
 * The place that is kept for a list: `Checkpoint.open`.
 *
 * @since 0.1.0
 * @category checkpoints
 */
export const checkpoint = <Item extends { readonly id: string }, Filter, Service>(
  { subject }: Origin<Item, Filter, Service>
): List<Item, Filter, Service>["checkpoint"] =>
(key, ...given) => using(given, (options) => Checkpoint.open(key, subject(options), options))

/**
 * New items of a list as they come: `Follow.items`.
 *
 * @since 0.1.0
 * @category streams
 */
export const follow = <Item extends { readonly id: string }, Filter, Service>(
  { source }: Origin<Item, Filter, Service>
): List<Item, Filter, Service>["follow"] =>
(...given) => using(given, (options) => Follow.items(source(options), options))

/**
 * All items of a list from one request: `Whole.items`.
 *
 * @since 0.1.0
 * @category streams
 */
export const whole = <Item extends Encoded & { readonly id: string }, Encoded, Filter, Service>(
  { source }: OptionalLimitOrigin<Item, Encoded, Filter, Service>
): OptionalLimitList<Item, Filter, Service>["whole"] =>
(...given) => using(given, (options) => Whole.items(source(options), options))

/** The options are left out only where nothing in them is required. */
const using = <Options, A>([options]: readonly [options?: Options], f: (options: Options) => A): A =>
  f(options ?? ({} as Options))

/** What of the options is the filter: the one field of the scope, an id. */
const filterOf = <Filter>({ scope }: Resource.Location<Filter>, options: Filter) =>
  (scope === undefined || options[scope.field] === undefined
    ? {}
    : { [scope.field]: options[scope.field] }) as Filter & { readonly [field: string]: string }
