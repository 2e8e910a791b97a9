/** Items as they are stored. */
import { ApiKey, type Resource, type Timestamp } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { StoreError } from "./StoreError.ts"
import type { Entry } from "./StoreService.ts"

/** How many items are read at a time when a complete list is requested. */
export const batchSize = 500

/** Encodes items of a resource, each with its own id. */
export const encode = <Item extends { readonly id: string }, Encoded, Filter>(
  resource: Resource.Any<Item, Encoded, Filter>,
  items: ReadonlyArray<Item>
): Effect.Effect<ReadonlyArray<Entry>, StoreError> => {
  const ids = new Set(items.map(({ id }) => id))
  if (ids.size < items.length) {
    return new StoreError({ reason: "Duplicate", description: "Two of the items have the same id." })
  }
  return Schema.encode(Schema.Array(resource.item))(items).pipe(
    Effect.map((encoded) => encoded.map((item, index) => ({ id: items[index]!.id, json: JSON.stringify(item) }))),
    Effect.mapError((cause) => new StoreError({ reason: "Invalid", description: cause.message, cause }))
  )
}

export const duplicate = (id: string): StoreError =>
  new StoreError({ reason: "Duplicate", description: `The id ${id} is already in use.` })

export const foreignSecret: StoreError = new StoreError({
  reason: "Duplicate",
  description: "The API key belongs to another account. Use another key for this one."
})

export const unknownContact = (id: string): StoreError =>
  new StoreError({ reason: "Unknown", description: `The contact ${id} does not exist.` })

const KeyFromJson = Schema.parseJson(ApiKey)
const decodeKey = Schema.decodeSync(KeyFromJson)
const encodeKey = Schema.encodeSync(KeyFromJson)

/** A stored API key with a new `last_used_at`. */
export const usedAt = (json: string, at: Timestamp.Timestamp): string =>
  encodeKey({ ...decodeKey(json), last_used_at: at })
