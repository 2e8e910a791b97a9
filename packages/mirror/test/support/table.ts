/** A service with some items in every list of the table, and within every owner. */
import { Resource } from "@mailstream/core"
import { Mirror } from "@mailstream/mirror"
import { Arbitrary, FastCheck as fc, Schema } from "effect"
import { type Item, type Service, uuid } from "./service.ts"

type AnyResource = (typeof Resource.all)[number]

/** How many items a list has, and how many each of its first owners. */
export const size = 3

const resourceOf = (name: string): AnyResource => {
  const resource = Resource.all.find((resource) => resource.name === name)
  if (resource === undefined) throw new Error(`There is no list ${name}.`)
  return resource
}

/** Valid items, the newest first. Their other fields are any that are valid. */
const itemsOf = ({ item, name }: AnyResource, first: number): ReadonlyArray<Item> => {
  const schema: Schema.Schema<Item, Item> = item as never
  const seed = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), first)
  return fc.sample(Arbitrary.make(schema), { seed, numRuns: size }).map((sample, index) => ({
    ...Schema.encodeSync(schema)(sample),
    id: uuid(first + size - index)
  }))
}

/** A list that is copied: its table, and what it holds. */
export interface Copied {
  readonly name: Mirror.Name
  readonly resource: AnyResource
  /** The paths of the list: one, or one for each owner. */
  readonly paths: ReadonlyArray<readonly [path: string, owner: string | undefined]>
  /** Whether it holds which items belong to which owners. */
  readonly isMembership: boolean
}

const ownersOf = (resource: AnyResource): ReadonlyArray<string> =>
  resource.scope === undefined ? [] : itemsOf(resourceOf(resource.scope.owner), 0).map(({ id }) => id)

/** Every list that is copied, as the table says. */
export const copied: ReadonlyArray<Copied> = Mirror.copied.map(({ name, owner }): Copied => {
  const resource = Resource.all.find((resource) => resource.name === name) ??
    Resource.all.find(({ name: own, scope }) => scope?.required === false && `${scope.noun}-${own}` === name)
  if (resource === undefined) throw new Error(`${name} is not in the table.`)
  const { scope } = resource
  const isMembership = resource.name !== name
  if (owner === undefined || scope === undefined) {
    return { name, resource, paths: [[resource.path, undefined]], isMembership }
  }
  const paths = ownersOf(resource).map((id) => [scope.path.replace(`:${scope.field}`, id), id] as const)
  return { name, resource, paths, isMembership }
})

/** Fills every list. What is within an owner differs from owner to owner, unless it is listed elsewhere, too. */
export const serveAll = ({ lists }: Service): void => {
  for (const { isMembership, paths, resource } of copied) {
    for (const [index, [path]] of paths.entries()) {
      lists.set(path, isMembership ? itemsOf(resource, 0).slice(index) : itemsOf(resource, index * size))
    }
  }
}
