/** The lists of the client that have a filter, from the table. */
import { type List, type Mailstream, type OptionalLimitList } from "@mailstream/client"
import { Resource } from "@mailstream/core"
import { Arbitrary, FastCheck as fc, Schema, String } from "effect"

type AnyResource = (typeof Resource.all)[number]

/** A list of any kind. Anything may be passed. */
export type AnyList =
  & List<{ readonly id: string }, unknown>
  & Partial<OptionalLimitList<{ readonly id: string }, unknown>>

/** The name of a list in code. */
export const nameOf = ({ identifier }: { readonly identifier: string }): string => String.uncapitalize(identifier)

export const listOf = (client: Mailstream, resource: { readonly identifier: string }): AnyList =>
  Reflect.get(client, nameOf(resource))

/** The fields of a filter: the id of an owner, and what is sent in the query. */
export const fieldsOf = ({ query, scope }: AnyResource): ReadonlyArray<string> => [
  ...(scope === undefined ? [] : [scope.field]),
  ...Object.keys(query)
]

/** Filters that are valid. */
export const filters = ({ query, scope }: AnyResource): fc.Arbitrary<Readonly<Record<string, string | undefined>>> => {
  const struct = Schema.Struct(query as Schema.Struct.Fields) as unknown as Schema.Schema<Record<string, string>>
  const owner = scope === undefined
    ? fc.constant({})
    : Arbitrary.make(scope.params as Schema.Schema<Record<string, string>>)
  return fc.tuple(owner, Arbitrary.make(struct)).map(([owner, query]) => ({ ...owner, ...query })).filter((filter) =>
    Object.values(filter).every((text) => text !== "." && text !== ".." && !/\p{Surrogate}/u.test(`${text}`))
  )
}

/** Lists with a filter. */
export const filtered: ReadonlyArray<{ readonly name: string; readonly resource: AnyResource }> = Resource.all
  .filter((resource) => fieldsOf(resource).length > 0)
  .map((resource) => ({ name: nameOf(resource), resource }))
