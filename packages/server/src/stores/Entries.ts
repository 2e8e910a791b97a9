import { ApiKey, NotFound, Resource, type Timestamp } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Entry, List } from "./Store.ts"
import { StoreError } from "./StoreError.ts"

/** How many items are read at once when everything is asked for. */
export const batch = 500

/** The list of a resource under a filter. */
export const list = <Item extends { readonly id: string }, Encoded, Filter>(
  { name, scope }: Resource.Any<Item, Encoded, Filter>,
  filter: Filter | undefined
): List => {
  const within: unknown = scope === undefined ? undefined : filter?.[scope.field]
  return typeof within === "string" ? { name, within } : { name }
}

/** The text that stands for a list. */
export const keyOf = ({ name, within }: List): string => within === undefined ? name : `${name}/${within}`

const owners: { readonly [name: string]: string | undefined } = {
  [Resource.contacts.name]: Resource.segments.name,
  [Resource.receivedEmailAttachments.name]: Resource.receivedEmails.name
}

/** The list whose items own the list: the segments, for the contacts of a segment. */
export const ownersOf = (list: List): string | undefined => list.within === undefined ? undefined : owners[list.name]

/** The lists that an item owns, or would own: the contacts of a segment, the attachments of an email. */
export const ownedBy = (name: string, id: string): ReadonlyArray<List> =>
  Object.keys(owners).filter((owned) => owners[owned] === name).map((owned) => ({ name: owned, within: id }))

/** What is said of a list within something that does not exist. */
export const ownerNotFound = ({ name }: List): NotFound =>
  new NotFound({
    statusCode: 404,
    message: name === Resource.contacts.name ? "There is no such segment." : "There is no such email."
  })

export const unknownOwner = (list: List): StoreError =>
  new StoreError({ reason: "Unknown", description: ownerNotFound(list).message })

export const unknownContact = (id: string): StoreError =>
  new StoreError({ reason: "Unknown", description: `There is no contact ${id}.` })

export const duplicate = (id: string): StoreError =>
  new StoreError({ reason: "Duplicate", description: `The id ${id} is used already.` })

/** Items as they are kept. */
export const encode = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  items: ReadonlyArray<Item>
): Effect.Effect<ReadonlyArray<Entry>, StoreError> => {
  const ids = new Set(items.map(({ id }) => id))
  if (ids.size < items.length) {
    return new StoreError({ reason: "Duplicate", description: "An id is used twice." })
  }
  return Schema.encode(Schema.Array(resource.item))(items).pipe(
    Effect.map((encoded) => encoded.map((item, index) => ({ id: items[index]!.id, json: JSON.stringify(item) }))),
    Effect.mapError((cause) => new StoreError({ reason: "Invalid", description: cause.message, cause }))
  )
}

const KeyFromJson = Schema.parseJson(ApiKey)
const decodeKey = Schema.decodeSync(KeyFromJson)
const encodeKey = Schema.encodeSync(KeyFromJson)

/** An API key as it is kept, once it was used at the given time. */
export const usedAt = (json: string, at: Timestamp.Timestamp): string =>
  encodeKey({ ...decodeKey(json), last_used_at: at })
