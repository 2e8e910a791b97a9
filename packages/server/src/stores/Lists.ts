/** Lists by name, and which list owns which. */
import { Resource } from "@mailstream/core"
import * as AST from "effect/SchemaAST"
import type { Entry, Fields, List } from "./StoreService.ts"

/** All contacts, in any segment or none. */
export const contacts: List = { name: Resource.contacts.name }

/** All segments. */
export const segments: List = { name: Resource.segments.name }

/** All emails. */
export const emails: List = { name: Resource.emails.name }

/** All API keys. */
export const apiKeys: List = { name: Resource.apiKeys.name }

/** The contacts of a segment. */
export const membersOf = (segment: string): List => ({ ...contacts, within: segment })

/** The list of a resource under a filter. */
export const fromResource = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  filter: Filter | undefined
): List => ({ name: resource.name, within: Resource.ownerId(resource, filter) })

/** Identifies a list by one string. */
export const keyOf = ({ campaign, name, within }: List): string =>
  campaign !== undefined ? `${name}?${campaign}` : within === undefined ? name : `${name}/${within}`

/** Whether a list shows the contacts of a segment, which are stored as items of the list of all contacts. */
export const isMembership = (list: List): boolean => list.name === contacts.name && list.within !== undefined

/** Whether a list shows the segments of a contact, which are stored as items of the list of all segments. */
export const isOfContact = (list: List): boolean => list.name === segments.name && list.within !== undefined

/** The list that the items of a list are stored in: what can also be listed as such is stored once. */
export const homeOf = (list: List): List =>
  list.campaign !== undefined || (list.within !== undefined && scopeOf(list)?.required === false)
    ? { name: list.name }
    : list

/** The field by which items are told to be within an owner, unless there is more to it than one owner. */
const ownerField = (list: List): string | undefined =>
  list.within === undefined || homeOf(list) === list || isMembership(list) || isOfContact(list)
    ? undefined
    : scopeOf(list)?.field

/** What the fields of the objects of a list must be, and so of those in its home; undefined: anything. */
export const conditionsOf = (list: List): List["where"] => {
  const field = ownerField(list)
  return field === undefined ? list.where : { ...list.where, [field]: list.within! }
}

/** Entries that say which owner they are within, if their home does not. */
export const placed = (list: List, entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
  const field = ownerField(list)
  return field === undefined || shows(list, field) ? entries : entries.map((entry) => ({
    ...entry,
    details: JSON.stringify({ ...JSON.parse(entry.details ?? "{}"), [field]: list.within })
  }))
}

/** The field that an object can be found by, beside its id. */
const nameFields: { readonly [list: string]: string } = {
  [Resource.contacts.name]: "email",
  [Resource.suppressions.name]: "email",
  [Resource.templates.name]: "alias",
  [Resource.contactProperties.name]: "key"
}

/** What an object can be found by, beside its id. Addresses are compared without case. */
export const nameOf = (list: List, fields: Fields): string | null => {
  const field = nameFields[list.name]
  const name = field === undefined ? undefined : fields[field]
  // PostgreSQL has no text with this character: such an object is found by its id alone.
  return typeof name === "string" && !name.includes("\0") ? normalize(list, name) : null
}

/** A name as it is stored. */
export const normalize = (list: List, name: string): string =>
  nameFields[list.name] === "email" ? name.toLowerCase() : name

/** The tag of an email of a campaign. The name may contain what separates it from the rest. */
const campaignTag = /^([A-Za-z0-9_-]{1,100})_[0-9a-f]+_[0-9]+$/

/** The campaign of an email. */
export const campaignOf = (list: List, { tags }: Fields): string | null => {
  if (list.name !== emails.name || !Array.isArray(tags)) return null
  const tag = tags.find((tag) => tag?.name === "mailstream")
  return campaignTag.exec(String(tag?.value))?.[1] ?? null
}

/** `ada@example.com` of `Ada <ada@example.com>`. */
export const addressOf = (text: string): string => (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim().toLowerCase()

/** The address that an email is for. */
export const recipientOf = (list: List, { to }: Fields): string | null => {
  const first = list.name === emails.name && Array.isArray(to) ? to[0] : undefined
  return typeof first === "string" && !first.includes("\0") ? addressOf(first) : null
}

/** The last event of an email. */
export const stateOf = (list: List, { last_event }: Fields): string | null =>
  list.name === emails.name && typeof last_event === "string" && !last_event.includes("\0") ? last_event : null

const itemFields = new Map(
  Resource.all.map(({ item, name }) => [
    name as string,
    new Set(AST.getPropertySignatures(AST.encodedAST(item.ast)).map(({ name }) => String(name)))
  ])
)

/** Whether a list shows a field of its objects. */
export const shows = ({ name }: List, field: string): boolean => itemFields.get(name)?.has(field) ?? true

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
