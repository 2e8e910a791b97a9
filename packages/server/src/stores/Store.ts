/**
 * Where the service keeps its objects. Every list is an append-only sequence of places: an item that is inserted takes
 * the next place, an item that is deleted leaves its place behind. So the order never changes, and a cursor keeps its
 * meaning whatever happens to its item.
 *
 * Items are kept as the JSON text that is sent: they are encoded once, when they are inserted.
 *
 * @since 0.1.0
 */
import type {
  ApiKey,
  ApiKeyId,
  ContactId,
  NotFound,
  PageRequest,
  Resource,
  SegmentId,
  Timestamp
} from "@mailstream/core"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import * as memory from "./memory/MemoryStore.ts"
import { StoreError } from "./StoreError.ts"

export {
  /**
   * @since 0.1.0
   * @category errors
   */
  StoreError
}

/**
 * One list of a store: all items of a resource, or those within something else.
 *
 * @since 0.1.0
 * @category models
 */
export interface List {
  /** The name of the resource. */
  readonly name: string
  /** The id of the segment or the email that the items are in. */
  readonly within?: string | undefined
}

/**
 * Which items of a list: those after or before an item, or all.
 *
 * @since 0.1.0
 * @category models
 */
export type Cursor = Omit<PageRequest.PageRequest, "limit">

/**
 * A part of a list, the newest item first.
 *
 * @since 0.1.0
 * @category models
 */
export interface Slice {
  /** Items as JSON. */
  readonly items: ReadonlyArray<string>
  readonly has_more: boolean
}

/**
 * An item as it is kept.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  readonly id: string
  readonly json: string
}

/**
 * What is kept of the secret of an API key.
 *
 * @since 0.1.0
 * @category models
 */
export interface Secret {
  readonly id: ApiKeyId
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string
}

/**
 * Where an item is put: attachments always into an email, contacts into a segment where one is given.
 *
 * @since 0.1.0
 * @category models
 */
export type Into<Filter> = {} extends Filter ? [filter?: Filter] : [filter: Filter]

/**
 * Where an item is found: attachments in their email.
 *
 * @since 0.1.0
 * @category models
 */
export type From<Filter> = {} extends Filter ? [] : [filter: Filter]

/**
 * @since 0.1.0
 * @category services
 * @example
 * ```ts
 * import { type Contact, Resource } from "@mailstream/core"
 * import { Store } from "@mailstream/server"
 * import { Effect } from "effect"
 *
 * const program = (contacts: ReadonlyArray<Contact>) =>
 *   Effect.gen(function*() {
 *     const store = yield* Store
 *     yield* store.insert(Resource.contacts, contacts)
 *     yield* store.delete(Resource.contacts, contacts.slice(0, 1).map((contact) => contact.id))
 *     return yield* store.page({ name: "contacts" }, { limit: 20 })
 *   })
 * ```
 */
export class Store extends Context.Tag("@mailstream/server/Store")<Store, {
  /** Puts items at the front of their list, one by one: the last becomes the newest. All of them, or none. */
  readonly insert: <Item extends { readonly id: string }, Encoded, Filter>(
    resource: Resource.Any<Item, Encoded, Filter>,
    items: ReadonlyArray<Item>,
    ...into: Into<Filter>
  ) => Effect.Effect<void, StoreError>

  /**
   * Deletes items, and with them what they hold: the memberships of a segment, the attachments of an email, the secret
   * of an API key. Ids that no item has are passed over.
   */
  readonly delete: <Item extends { readonly id: string }, Encoded, Filter>(
    resource: Resource.Any<Item, Encoded, Filter>,
    ids: ReadonlyArray<Item["id"]>,
    ...from: From<Filter>
  ) => Effect.Effect<void, StoreError>

  /** Puts contacts at the front of a segment. One that left it before gets its old place back. */
  readonly join: (segment: SegmentId, contacts: ReadonlyArray<ContactId>) => Effect.Effect<void, StoreError>

  /** Takes contacts out of a segment. */
  readonly leave: (segment: SegmentId, contacts: ReadonlyArray<ContactId>) => Effect.Effect<void, StoreError>

  /** One page. `not_found` where the cursor, or what the list is within, never existed. */
  readonly page: (
    list: List,
    request: Cursor & { readonly limit: number }
  ) => Effect.Effect<Slice, NotFound | StoreError>

  /** Everything at once, read while it is pulled. Items that are inserted meanwhile are not part of it. */
  readonly all: (
    list: List,
    request: Cursor
  ) => Effect.Effect<Stream.Stream<string, StoreError>, NotFound | StoreError>

  /** Adds an API key that can be used. Nothing happens where its secret is known already. */
  readonly insertKey: (key: ApiKey, hash: string) => Effect.Effect<void, StoreError>

  /** The secrets whose hash starts with these 16 digits: one, or none. */
  readonly findSecrets: (prefix: string) => Effect.Effect<ReadonlyArray<Secret>, StoreError>

  /** Notes that a key was used. */
  readonly touchKey: (id: ApiKeyId, at: Timestamp.Timestamp) => Effect.Effect<void, StoreError>
}>() {
  /**
   * Keeps everything in memory. A page costs the same at any depth.
   *
   * @since 0.1.0
   */
  static readonly layerMemory: Layer.Layer<Store> = Layer.sync(Store, memory.make)
}
