/** What every store decides alike, from what it has found. */
import { ApiKey, NotFound, type Resource, type Timestamp } from "@mailstream/core"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Campaign } from "./Campaigns.ts"
import * as Lists from "./Lists.ts"
import { StoreError } from "./StoreError.ts"
import type { Cursor, Entry, Fields, List } from "./StoreService.ts"

/** How many items are read at a time when a complete list is requested. */
export const batchSize = 500

const refuse = (reason: StoreError["reason"], description: string, cause?: unknown) =>
  Either.left(new StoreError({ reason, description, cause }))

/** An object as it is stored. */
export const toEntry = (list: List, fields: Fields): Entry => {
  const item: Record<string, unknown> = {}
  const details: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) (Lists.shows(list, name) ? item : details)[name] = value
  const { due } = fields
  return {
    id: String(fields["id"]),
    json: JSON.stringify(item),
    details: Object.keys(details).length === 0 ? null : JSON.stringify(details),
    name: Lists.nameOf(list, fields),
    due: typeof due === "number" ? due : null,
    campaign: Lists.campaignOf(list, fields),
    recipient: Lists.recipientOf(list, fields),
    state: Lists.stateOf(list, fields)
  }
}

/** An object that was stored. */
export const toFields = ({ details, json }: Pick<Entry, "details" | "json">): Fields => ({
  ...JSON.parse(json),
  ...details === null ? {} : JSON.parse(details)
})

/** Items of a resource as they are stored, each with its own id. */
export const encode = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  items: ReadonlyArray<Item>
): Either.Either<ReadonlyArray<Entry>, StoreError> =>
  new Set(items.map(({ id }) => id)).size < items.length
    ? refuse("Duplicate", "Two of the items have the same id.")
    : Either.all(items.map((item) => Schema.encodeEither(resource.item)(item))).pipe(
      Either.map((encoded) =>
        encoded.map((item, index) => toEntry({ name: resource.name }, { ...items[index]!, ...item }))
      ),
      Either.orElse((cause) => refuse("Invalid", cause.message, cause))
    )

const notFound = (message: string) => Either.left(new NotFound({ statusCode: 404, message }))

/** Updating needs an item, and keeps its id. Returns the new item, and how it is stored. */
export const update = <Item extends { readonly id: string }, Encoded, Filter, E>(
  resource: Resource.Any<Item, Encoded, Filter>,
  found: string | null | undefined,
  change: (item: Item) => Either.Either<Item, E>
): Either.Either<{ readonly item: Item; readonly entry: Entry }, E | NotFound | StoreError> =>
  Either.gen(function*() {
    if (found === undefined || found === null) {
      return yield* notFound(`There is no such item among the ${resource.title}.`)
    }
    const stored = yield* Either.orElse(
      Schema.decodeUnknownEither(resource.item)(JSON.parse(found)),
      (cause) => refuse("Failed", "A stored item does not match its schema.", cause)
    )
    const item = yield* change(stored)
    if (item.id !== stored.id) return yield* refuse("Invalid", "The id of an item cannot be changed.")
    const [entry] = yield* encode(resource, [item])
    return { item, entry: entry! }
  })

const ownerMessage = (list: List): string => `The ${Lists.ownerNoun(list)} does not exist.`

/** Inserting needs the list's owner, and ids that the list never had. */
export const mayInsert = (
  list: List,
  found: { readonly hasOwner: boolean; readonly used: string | undefined }
): Either.Either<void, StoreError> => {
  if (!found.hasOwner) return refuse("Unknown", ownerMessage(list))
  return found.used === undefined ? Either.void : refuse("Duplicate", `The id ${found.used} is already in use.`)
}

/** Joining needs a segment and contacts that exist. */
export const mayJoin = (
  list: List,
  found: { readonly hasOwner: boolean; readonly unknown: string | undefined }
): Either.Either<void, StoreError> => {
  if (!found.hasOwner) return refuse("Unknown", ownerMessage(list))
  return found.unknown === undefined ? Either.void : refuse("Unknown", `The contact ${found.unknown} does not exist.`)
}

/** Reading needs the list's owner, and a cursor that has a place in the list. */
export const mayRead = (
  list: List,
  { after, before }: Cursor,
  found: { readonly hasOwner: boolean; readonly hasCursor: boolean }
): Either.Either<void, NotFound | StoreError> => {
  if (!found.hasOwner) return notFound(ownerMessage(list))
  return mayContinue(after ?? before, found)
}

/** Continuing needs a cursor that has a place in the list. */
export const mayContinue = (
  cursor: string | undefined,
  { hasCursor }: { readonly hasCursor: boolean }
): Either.Either<void, StoreError> =>
  hasCursor ? Either.void : refuse("UnknownCursor", `${JSON.stringify(cursor)} was never an item of the list.`)

/** How many emails have each last event, by its name. */
export const counts = (found: Iterable<readonly [event: string | null, count: number]>): Campaign["events"] =>
  Object.fromEntries(
    [...found].map(([event, count]) => [event ?? "unknown", count] as const).sort(([a], [b]) => a < b ? -1 : 1)
  )

/** A secret belongs to one account. */
export const mayUseSecret = (account: string, owner: string | undefined): Either.Either<void, StoreError> =>
  owner === undefined || owner === account
    ? Either.void
    : refuse("Duplicate", "The API key belongs to another account. Use another key for this one.")

const KeyFromJson = Schema.parseJson(ApiKey)
const decodeKey = Schema.decodeSync(KeyFromJson)
const encodeKey = Schema.encodeSync(KeyFromJson)

/** A stored API key with a new `last_used_at`. */
export const usedAt = (json: string, at: Timestamp.Timestamp): string =>
  encodeKey({ ...decodeKey(json), last_used_at: at })
