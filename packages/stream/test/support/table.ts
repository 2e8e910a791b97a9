/** Filters and items of any list, from the table. */
import type { Resource } from "@mailstream/core"
import * as Lists from "@mailstream/stream/Lists"
import { Arbitrary, FastCheck as fc, Schema, String } from "effect"

export type AnyResource = (typeof Resource.all)[number]

type Filter = Record<string, string>

/** Different filters of a list; one that selects everything comes first, if there is one. */
export const filtersOf = ({ isFilter, query, scope }: AnyResource): ReadonlyArray<Filter | undefined> => {
  const fields: Schema.Struct.Fields = {
    ...(scope?.params as Schema.Struct<Schema.Struct.Fields> | undefined)?.fields,
    ...query
  }
  const arbitrary = Arbitrary.make(Schema.Struct(fields) as unknown as Schema.Schema<Filter>)
  const found = fc.sample(arbitrary, { seed: 1, numRuns: 50 })
    .filter((filter) => isFilter(filter) && (scope === undefined || /^[\w-]+$/.test(filter[scope.field] ?? "")))
  const distinct = [...new Map(found.map((filter) => [JSON.stringify(filter), filter])).values()]
  return [...(isFilter(undefined) ? [undefined] : []), ...(Object.keys(fields).length === 0 ? [] : distinct)].slice(
    0,
    3
  )
}

/** Valid items, the newest first; whatever is valid in their other fields. */
export const itemsOf = (resource: AnyResource, count: number): ReadonlyArray<{ readonly id: string }> => {
  const item = resource.item as unknown as Schema.Schema<{ readonly id: string }>
  return fc.sample(Arbitrary.make(item), { seed: 1, numRuns: count }).map((sample, index) => ({
    ...sample,
    id: `00000000-0000-4000-8000-${`${count - index}`.padStart(12, "0")}`
  }))
}

/** A module of streams, whatever its items are. */
export interface Module {
  readonly items: typeof Lists.contacts.items
  readonly pages: typeof Lists.contacts.pages
  readonly process: typeof Lists.contacts.process
  readonly processPages: typeof Lists.contacts.processPages
  readonly follow?: typeof Lists.contacts.follow
  readonly whole?: typeof Lists.contacts.whole
}

const { mapLists: _, ...modules } = Lists

/** The name of a list in code: `apiKeys`. */
export const nameOf = ({ identifier }: AnyResource): string => String.uncapitalize(identifier)

/** The module of a list. Its items and filters are only known from the table. */
export const moduleOf = (resource: AnyResource): Module =>
  (modules as unknown as { readonly [name: string]: Module })[nameOf(resource)]!
