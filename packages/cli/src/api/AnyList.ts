/**
 * A list of the API with its types erased: ids and filters come as text from the command line, so that one command
 * serves every list.
 *
 * @since 1.0.0
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import { PageRequest, Position, Resource } from "@mailstream/core"
import type { Mailstream } from "@mailstream/http"
import { Commit, Follow, List, type ListError, mapLists, Walk, Whole } from "@mailstream/stream"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Fields from "../output/Fields.ts"
import * as Flag from "../usage/Flag.ts"
import * as UsageError from "../usage/UsageError.ts"
import type { Value } from "../usage/Value.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface AnyList {
  /** As in `api-keys`. */
  readonly name: string
  /** As in `API keys`. */
  readonly title: string
  /** The fields in the schema of an item. */
  readonly fields: ReadonlyArray<string>
  /** Whether one response can hold the complete list. */
  readonly hasWhole: boolean
  /** The option for the filter, parsed into the ways to walk the filtered list. */
  readonly walks: Flag.Flag<Walks>
}

/**
 * @since 1.0.0
 * @category models
 */
export interface Item {
  readonly id: string
}

/**
 * The failures of a walk. Ids are checked before the first request: an invalid one is a usage error.
 *
 * @since 1.0.0
 * @category models
 */
export type WalkError = ListError | UsageError.UsageError

/**
 * The ways to walk a list.
 *
 * @since 1.0.0
 * @category models
 */
export interface Walks {
  /** The filter of the list: `{ segment_id: "…" }`. */
  readonly filter: { readonly [field: string]: string }
  readonly items: (options: Walk.Options) => Stream.Stream<Item, WalkError, Mailstream.Mailstream>
  readonly whole: (options: Whole.Options) => Stream.Stream<Item, WalkError, Mailstream.Mailstream>
  readonly follow: (options: Follow.Options) => Stream.Stream<Item, WalkError, Mailstream.Mailstream>
  /** Resumes the walk whose position is stored under a key. */
  readonly processPages: <A, E, R>(
    key: string,
    use: (
      pages: Stream.Stream<Commit.CommittablePage<Item>, WalkError, Mailstream.Mailstream>
    ) => Effect.Effect<A, E, R>,
    options: Commit.PagesOptions
  ) => Effect.Effect<A, WalkError | Commit.CommitError | E, R | Mailstream.Mailstream | KeyValueStore.KeyValueStore>
}

/**
 * Erases the types of a list.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = <
  A extends { readonly id: string },
  Encoded,
  Filter,
  Service extends Mailstream.Mailstream
>(
  list: List.List<A, Encoded, Filter, Service>
): AnyList => {
  const { resource } = list
  const decodeId = Schema.decodeEither(resource.id)
  const decodePosition = Schema.decodeEither(Position.schema(resource.id))

  const positionOf = ({ from = Position.start }: Pick<Walk.Options, "from">) =>
    Either.mapLeft(
      decodePosition(from),
      () => UsageError.make(PageRequest.cursorMessage(from._tag === "Before" ? "before" : "after"))
    )

  const walks = (filter: Filter): Walks => ({
    filter: fieldsOf(resource, filter),
    items: (options) =>
      Either.match(positionOf(options), {
        onLeft: Stream.fail,
        onRight: (from) => Walk.items(list.source(filter), { ...options, from })
      }),
    whole: (options) =>
      List.isOptionalLimit(list)
        ? Whole.items(list.source(filter), options)
        : Stream.fail(UsageError.make(`${resource.name} does not support --whole.`)),
    follow: ({ since, ...options }) =>
      since === undefined ? Follow.items(list.source(filter), options) : Either.match(decodeId(since), {
        onLeft: () => Stream.fail(UsageError.make(`--since must be the id of an item, not '${since}'.`)),
        onRight: (since) => Follow.items(list.source(filter), { ...options, since })
      }),
    processPages: (key, use, options) =>
      Effect.flatMap(
        positionOf(options),
        (from) => Commit.processPages(list.source(filter), key, use, { ...options, from })
      )
  })

  return {
    name: resource.name,
    title: resource.title,
    fields: Fields.ofSchema(resource.item),
    hasWhole: List.isOptionalLimit(list),
    walks: Flag.flatMap(filterOf(resource), (filter) =>
      resource.isFilter(filter)
        ? Either.right(walks(filter))
        : Either.left(UsageError.make(`${resource.name} cannot be filtered this way.`)))
  }
}

const fieldsOf = <Filter>(location: Resource.Location<Filter>, filter: Filter): Walks["filter"] => {
  const id = Resource.ownerId(location, filter)
  return location.scope === undefined || id === undefined ? {} : { [location.scope.field]: id }
}

/** The option of a filter: `--segment ID`. Its value is a filter of the list, which `isFilter` checks. */
const filterOf = <Filter>({ scope }: Resource.Location<Filter>): Flag.Flag<unknown> => {
  if (scope === undefined) return Flag.constant(undefined)
  const { field, noun, params, required } = scope
  const id: Value<unknown> = {
    name: "ID",
    parse: (id) => Either.mapLeft(Schema.decodeUnknownEither(params)({ [field]: id }), () => "must be an id")
  }
  return required
    ? Flag.required(noun, id, `The ${noun} whose items to list.`)
    : Flag.optional(noun, id, `Only items of this ${noun}.`)
}

const lists: ReadonlyMap<string, () => AnyList> = new Map(mapLists((list) => [list.resource.name, () => make(list)]))

/**
 * The list of a name. Only the lists that are used are made.
 *
 * @since 1.0.0
 * @category lists
 */
export const named = (name: string): AnyList => {
  const list = lists.get(name)
  if (list === undefined) throw new Error(`There is no list '${name}'.`)
  return list()
}
