/**
 * A list of the API with its types erased: ids and filters come as text from the command line, so that one command
 * serves every list.
 */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import { Operations, Position, Resource } from "@mailstream/core"
import type { Mailstream } from "@mailstream/http"
import { Commit, Follow, List, type ListError, mapLists, Walk, Whole } from "@mailstream/stream"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { AST } from "effect/SchemaAST"
import type * as Stream from "effect/Stream"
import * as Fields from "../operations/Fields.ts"
import * as Flags from "../operations/Flags.ts"
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
  /** Those that hold secrets, which a list has no reason to send. */
  readonly secrets: ReadonlyArray<string>
  /** The id of an item. */
  readonly id: Value<string>
  /** Whether one response can hold the complete list. */
  readonly hasWhole: boolean
  /** The options for the filter. */
  readonly filters: Flag.Flags
  /** The ways to walk the list under the filter that is given by these options. */
  readonly walks: (given: { readonly [key: string]: unknown }) => Either.Either<Walks, UsageError.UsageError>
}

export interface Item {
  readonly id: string
}

/** The ways to walk a list. Their options hold ids that `id` has accepted. */
export interface Walks {
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

/** The texts that every item has, unless the table knows better what people look for. */
const orderOf = ({ columns, item }: {
  readonly columns?: ReadonlyArray<string> | undefined
  readonly item: { readonly ast: AST }
}): ReadonlyArray<string> =>
  columns ??
    Fields.bodyOf(item).fields.flatMap(({ isRequired, kind, name }) =>
      isRequired && kind._tag === "Text" && name !== "id" && !name.endsWith("_at") ? [name] : []
    )

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
  const filters = filtersOf(resource)
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
    order: orderOf(resource),
    secrets: Fields.secretsOf(Object.values(Operations.all[resource.name] ?? {})),
    id: {
      name: "ID",
      parse: (text) =>
        Either.mapBoth(Schema.decodeEither(resource.id)(text), {
          onLeft: () => "must be the id of an item",
          onRight: () => text
        })
    },
    hasWhole: List.isOptionalLimit(list),
    filters,
    walks: (given) => {
      const fields = Object.entries(filters).flatMap(([key]) =>
        given[key] === undefined ? [] : [[key.slice(prefix.length), given[key]]]
      )
      const filter: unknown = fields.length === 0 ? undefined : Object.fromEntries(fields)
      return resource.isFilter(filter)
        ? Either.right(walks(filter))
        : Either.left(UsageError.make(`${resource.name} cannot be filtered this way`))
    }
  }
}

const fieldsOf = <Filter>(location: Resource.Location<Filter>, filter: Filter): Walks["filter"] => {
  const id = Resource.ownerId(location, filter)
  const owner = location.scope === undefined || id === undefined ? {} : { [location.scope.field]: id }
  return { ...owner, ...Resource.query(location, filter) }
}

/** Before the fields of a filter, so that they differ from the names of other options. */
const prefix = "filter."

/** The options of a filter: `--segment ID`, `--origin bounce`. Together their values are a filter, which `isFilter` checks. */
const filtersOf = <Filter>({ isFilter, query, scope }: Resource.Location<Filter>): Flag.Flags => {
  const isNeeded = !isFilter(undefined)
  return {
    ...(scope === undefined ? {} : { [`${prefix}${scope.field}`]: ownerOf(scope, isFilter) }),
    ...Object.fromEntries(
      Fields.bodyOf(Schema.Struct(query)).fields.map((field) => {
        const { kind, name } = field
        const value = { ...Flags.valueOf(kind, name), canBeEmpty: false }
        const description = `Only items of this ${name.replaceAll("_", " ")}.${Flags.wordsOf(kind)}`
        const flag = isNeeded && field.isRequired
          ? Flag.required(value, description)
          : Flag.optional(value, description)
        return [`${prefix}${name}`, { ...flag, names: [Flags.optionOf(name)] }]
      })
    )
  }
}

/** The option for the owner of items: its id, or its other name. */
const ownerOf = (
  { field, noun, other, params, required }: Pick<Resource.Scope<object, unknown>, "noun" | "other" | "required"> & {
    readonly field: string
    readonly params: Schema.Schema.Any
  },
  isFilter: (filter: unknown) => boolean
): Flag.Flag<unknown> => {
  const isId = Schema.is(params as Schema.Schema<unknown>)
  const id: Value<unknown> = {
    name: Flags.refOf(other),
    parse: (text) => {
      if (isId({ [field]: text })) return Either.right(text)
      return other !== undefined && isFilter({ [field]: { [other]: text } })
        ? Either.right({ [other]: text })
        : Either.left(other === undefined ? "must be an id" : `must be the id of a ${noun}, or its ${other}`)
    }
  }
  const form = other === undefined ? "" : ` Its id or its ${other}.`
  const flag = required
    ? Flag.required(id, `The ${noun} whose items to list.${form}`)
    : Flag.optional(id, `Only items of this ${noun}.${form}`)
  return { ...flag, names: [`--${noun}`] }
}

const lists: ReadonlyMap<string, () => AnyList> = new Map(mapLists((list) => [list.resource.name, () => make(list)]))

/** The list of a name. Only the lists that are used are made. */
export const named = (name: string): AnyList => {
  const list = lists.get(name)
  if (list === undefined) throw new Error(`There is no list '${name}'.`)
  return list()
}
