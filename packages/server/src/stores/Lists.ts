/** Lists by name, and which list owns which. */
import { NotFound, Resource, type SegmentId } from "@mailstream/core"
import { StoreError } from "./StoreError.ts"
import type { List } from "./StoreService.ts"

/** All contacts, in whatever segment. */
export const contacts: List = { name: Resource.contacts.name }

/** All API keys. */
export const apiKeys: List = { name: Resource.apiKeys.name }

/** The contacts of a segment. */
export const membersOf = (segment: SegmentId): List => ({ ...contacts, within: segment })

/** The list of a resource under a filter. */
export const fromResource = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  filter: Filter | undefined
): List => ({ name: resource.name, within: Resource.ownerId(resource, filter) })

/** Identifies a list by one string. */
export const keyOf = ({ name, within }: List): string => within === undefined ? name : `${name}/${within}`

/** Whether a list shows the contacts of a segment, which are stored as items of the list of all contacts. */
export const isMembership = (list: List): boolean => list.name === contacts.name && list.within !== undefined

const scopeOf = (list: List) => Resource.all.find(({ name }) => name === list.name)?.scope

/** The name of the list whose items own this one: `segments` for the contacts of a segment. */
export const ownersOf = (list: List): string | undefined => list.within === undefined ? undefined : scopeOf(list)?.owner

/** The lists that an item owns: the contacts of a segment, the attachments of an email. */
export const ownedBy = (name: string, id: string): ReadonlyArray<List> =>
  Resource.all.filter(({ scope }) => scope?.owner === name).map((owned) => ({ name: owned.name, within: id }))

const ownerMessage = (list: List): string => `The ${scopeOf(list)?.noun} does not exist.`

/** Reading from a list whose owner does not exist. */
export const ownerNotFound = (list: List): NotFound => new NotFound({ statusCode: 404, message: ownerMessage(list) })

/** Writing to a list whose owner does not exist. */
export const unknownOwner = (list: List): StoreError =>
  new StoreError({ reason: "Unknown", description: ownerMessage(list) })

/** Reading from a cursor that was never an item of the list. */
export const unknownCursor = (cursor: string): StoreError =>
  new StoreError({ reason: "UnknownCursor", description: `${JSON.stringify(cursor)} was never an item of the list.` })
