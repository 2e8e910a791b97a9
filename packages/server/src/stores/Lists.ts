/** Lists by name, and which list owns which. */
import { Resource, type SegmentId } from "@mailstream/core"
import type { List } from "./StoreService.ts"

/** All contacts, in any segment or none. */
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

/** The item that owns a list: the segment of its contacts, the email of its attachments. */
export const ownerOf = (list: List): { readonly list: string; readonly id: string } | undefined => {
  const owners = scopeOf(list)?.owner
  return list.within === undefined || owners === undefined ? undefined : { list: owners, id: list.within }
}

/** What the owner of a list is called: `segment`. */
export const ownerNoun = (list: List): string | undefined => scopeOf(list)?.noun

/** The lists that items own: the contacts of a segment, the attachments of an email. */
export const ownedBy = (name: string, ids: ReadonlyArray<string>): ReadonlyArray<List> =>
  Resource.all.filter(({ scope }) => scope?.owner === name).flatMap((owned) =>
    ids.map((id) => ({ name: owned.name, within: id }))
  )
