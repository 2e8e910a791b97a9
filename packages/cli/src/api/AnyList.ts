/**
 * A list of the API with its types erased: ids and filters come as text from the command line, so that one command
 * serves every list.
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import { Position, Resource } from "@mailstream/core"
import type { Mailstream } from "@mailstream/http"
import { Commit, Follow, List, type ListError, mapLists, Walk, Whole } from "@mailstream/stream"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import * as Format from "../output/Format.ts"
import * as Flag from "../usage/Flag.ts"
import * as UsageError from "../usage/UsageError.ts"
import type { Value } from "../usage/Value.ts"

export interface AnyList {
  /** As in `api-keys`. */
  readonly name: string
  /** As in `API keys`. */
  readonly title: string
  /** The fields in the schema of an item. */
  readonly fields: ReadonlyArray<string>
  /** Those that are true or false. */
  readonly flags: ReadonlyArray<string>
  /** Those that users look for, the most important ones first. */
  readonly order: ReadonlyArray<string>
  /** The id of an item. */
  readonly id: Value<string>
  /** Whether one response can hold the complete list. */
  readonly hasWhole: boolean
  /** The option for the filter, parsed into the ways to walk the filtered list. */
  readonly walks: Flag.Flag<Walks>
}

export interface Item {
  readonly id: string
}

/** The ways to walk a list. Their options hold ids that `id` has accepted. */
interface Walks {
  /** The filter of the list: `{ segment_id: "…" }`. */
  readonly filter: { readonly [field: string]: string }
  readonly items: (options: Walk.Options) => Stream.Stream<Item, ListError, Mailstream.Mailstream>
  readonly whole?: (options: Whole.Options) => Stream.Stream<Item, ListError, Mailstream.Mailstream>
  readonly follow: (options: Follow.Options) => Stream.Stream<Item, ListError, Mailstream.Mailstream>
  /** Resumes the walk whose position is stored under a key. */
  readonly processPages: <A, E, R>(
    key: string,
    use: (
      pages: Stream.Stream<Commit.CommittablePage<Item>, ListError, Mailstream.Mailstream>
    ) => Effect.Effect<A, E, R>,
    options: Commit.PagesOptions
  ) => Effect.Effect<A, ListError | Commit.CommitError | E, R | Mailstream.Mailstream | KeyValueStore.KeyValueStore>
}

/** The order in which a table has room for fields. Other lists go by the kind of their fields. */
const orders: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["emails", ["subject", "to", "last_event", "created_at", "from"]],
  ["received-emails", ["from", "subject", "created_at", "to"]],
  ["broadcasts", ["name", "status", "created_at"]],
  ["contacts", ["email", "first_name", "last_name"]]
])

/** Erases the types of a list. */
const make = <
  A extends { readonly id: string },
  Encoded,
  Filter,
  Service extends Mailstream.Mailstream
>(
  list: List.List<A, Encoded, Filter, Service>
): AnyList => {
  const { resource } = list
  const filter = filterOf(resource)
  const idOf = Schema.decodeSync(resource.id)
  const decodePosition = Schema.decodeSync(Position.schema(resource.id))
  const from = (options: Pick<Walk.Options, "from">) => decodePosition(options.from ?? Position.start)

  const walks = (filter: Filter): Walks => ({
    filter: fieldsOf(resource, filter),
    items: (options) => Walk.items(list.source(filter), { ...options, from: from(options) }),
    ...(List.isOptionalLimit(list) ? { whole: (options) => Whole.items(list.source(filter), options) } : {}),
    follow: ({ since, ...options }) =>
      Follow.items(list.source(filter), { ...options, since: since === undefined ? undefined : idOf(since) }),
    processPages: (key, use, options) =>
      Commit.processPages(list.source(filter), key, use, { ...options, from: from(options) })
  })

  return {
    name: resource.name,
    title: resource.title,
    fields: Format.fieldsOf(resource.item),
    flags: Format.flagsOf(resource.item),
    order: orders.get(resource.name) ?? [],
    id: {
      name: "ID",
      parse: (text) =>
        Either.mapBoth(Schema.decodeEither(resource.id)(text), {
          onLeft: () => "must be the id of an item",
          onRight: () => text
        })
    },
    hasWhole: List.isOptionalLimit(list),
    walks: {
      ...filter,
      read: (typed, option) =>
        Either.flatMap(filter.read(typed, option), (filter) =>
          resource.isFilter(filter)
            ? Either.right(walks(filter))
            : Either.left(UsageError.make(`${resource.name} cannot be filtered this way`)))
    }
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
  const flag = required
    ? Flag.required(id, `The ${noun} whose items to list.`)
    : Flag.optional(id, `Only items of this ${noun}.`)
  return { ...flag, names: [`--${noun}`] }
}

const lists: ReadonlyMap<string, () => AnyList> = new Map(mapLists((list) => [list.resource.name, () => make(list)]))

/** The list of a name. Only the lists that are used are made. */
export const named = (name: string): AnyList => {
  const list = lists.get(name)
  if (list === undefined) throw new Error(`There is no list '${name}'.`)
  return list()
}
