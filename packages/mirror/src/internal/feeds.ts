/** The lists that are copied: each with its table, and the ways to read it. */
import * as Filter from "@mailstream/core/Filter"
import * as Position from "@mailstream/core/Position"
import type * as Mailstream from "@mailstream/http/Mailstream"
import { List, type ListError, mapLists, Walk, Whole } from "@mailstream/stream"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Item } from "./copy.ts"
import * as Tables from "./tables.ts"

type Items = Stream.Stream<Item, ListError, Mailstream.Mailstream>

export type Options = Pick<Walk.Options, "pageSize" | "progress" | "retry">

/** A list that is read as such. */
export interface Listed {
  readonly _tag: "Listed"
  readonly table: Tables.Table
  readonly service: Effect.Effect<string | undefined, never, Mailstream.Mailstream>
  /** All items in one response, if the list has no page limit. */
  readonly whole: ((options: Options) => Items) | undefined
  readonly pages: (
    options: Options & { readonly from: Position.Position; readonly take?: number | undefined }
  ) => Stream.Stream<Walk.WalkedPage<Item>, ListError, Mailstream.Mailstream>
}

/** A list that is read within each of its owners. */
export interface Owned {
  readonly _tag: "Owned"
  readonly table: Tables.OwnedTable
  readonly service: Effect.Effect<string | undefined, never, Mailstream.Mailstream>
  /** The list of the owners. */
  readonly owners: Listed
  readonly within: (owner: string, options: Options) => Items
  /** Whether items stay the same as long as their owner exists, so that each owner is only asked once. */
  readonly isFixed: boolean
}

export type Feed = Listed | Owned

const listed = <Item_ extends Item, Encoded, Filter, Service extends Mailstream.Mailstream>(
  list: List.List<Item_, Encoded, Filter, Service>
): Listed | undefined => {
  const table = Tables.ofList(list.resource)
  const unfiltered: unknown = undefined
  if (table === undefined || !list.resource.isFilter(unfiltered)) return undefined
  const source = list.source(unfiltered)
  const position = Schema.decodeUnknown(Position.schema(list.resource.id))
  return {
    _tag: "Listed",
    table,
    service: source.service ?? Effect.succeed(undefined),
    whole: List.isOptionalLimit(list)
      ? (options) => Whole.items(list.source(unfiltered), options)
      : undefined,
    pages: ({ from, ...options }) =>
      Stream.unwrap(
        Effect.map(Effect.orDie(position(from)), (from) => Walk.pages(source, { ...options, from }))
      )
  }
}

/** All items of a list, in the fastest way. */
export const items = ({ pages, whole }: Listed, options: Options): Items =>
  whole === undefined
    ? Stream.flatMap(pages({ ...options, from: Position.start }), ({ data }) => Stream.fromIterable(data))
    : whole(options)

const owned =
  (lists: ReadonlyArray<Listed>) =>
  <Item_ extends Item, Encoded, Filter, Service extends Mailstream.Mailstream>(
    list: List.List<Item_, Encoded, Filter, Service>
  ): Owned | undefined => {
    const table = Tables.ofOwners(list.resource)
    const { scope } = list.resource
    const owners = lists.find(({ table }) => table.name === scope?.owner)
    if (table === undefined || scope === undefined || owners === undefined) return undefined
    const decode = Schema.decodeUnknownEither(scope.params)
    return {
      _tag: "Owned",
      table,
      service: owners.service,
      owners,
      within: (owner, options) => {
        const filter = decode({ [scope.field]: owner })
        if (Either.isLeft(filter)) return Stream.fail(Filter.invalid(list.resource))
        const items: Items = List.isOptionalLimit(list)
          ? Whole.items(list.source(filter.right), options)
          : Walk.items(list.source(filter.right), options)
        return scope.required ? items : Stream.map(items, ({ id }) => ({ id }))
      },
      isFixed: scope.isFixed
    }
  }

/** The lists that are read as such. */
export const lists = mapLists(listed).flatMap((feed) => feed === undefined ? [] : [feed])

/** Every list, its owners before it. */
export const all: ReadonlyArray<Feed> = [
  ...lists,
  ...mapLists(owned(lists)).flatMap((feed) => feed === undefined ? [] : [feed])
]
