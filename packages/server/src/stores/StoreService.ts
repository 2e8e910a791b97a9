/**
 * The interface of a store, and its models. Every store implements `StoreService`, and the app uses nothing else.
 *
 * A list is an append-only sequence of places: an inserted item takes the next place, an updated item keeps its place, and
 * a deleted item leaves its place empty. The order therefore never changes, and a cursor keeps its meaning even after its
 * item is deleted.
 *
 * Items are stored as the JSON text that is sent: they are encoded once, when they are inserted or updated.
 *
 * A store is the view of one account (see `forAccount`): it never reads or changes anything of another account. Only
 * secrets are looked up across accounts, because the secret determines the account.
 *
 * @since 1.0.0
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
import type * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type * as Stream from "effect/Stream"
import * as Account from "./Account.ts"
import type { ReadCampaigns } from "./Campaigns.ts"
import type { Fields } from "./Fields.ts"
import type { Agenda, ReadJournal, WriteJournal } from "./Journal.ts"
import type { StoreError } from "./StoreError.ts"

export type { Fields }

/**
 * One list of a store: all items of a resource, or only those within an owner.
 *
 * @since 1.0.0
 * @category models
 */
export interface List {
  /** The name of the resource. */
  readonly name: string
  /** The id of the owner: the segment of the contacts, or the email of the attachments. */
  readonly within?: string | undefined
  /** Only the objects whose fields have these values. */
  readonly where?: { readonly [field: string]: string } | undefined
  /** Only the emails of the campaign with this name. */
  readonly campaign?: string | undefined
}

/**
 * Looks up objects.
 *
 * @since 1.0.0
 * @category models
 */
export interface Lookup extends ReadJournal {
  /** The object with an id. */
  readonly get: (list: List, id: string) => Effect.Effect<Fields | undefined, StoreError>

  /** The object with another name, such as the address of a contact: see `Lists.nameOf`. */
  readonly find: (list: List, name: string) => Effect.Effect<Fields | undefined, StoreError>

  /** The ids of objects that are due, those that were due first; not more than a few hundred at a time. */
  readonly due: (list: List, now: number) => Effect.Effect<ReadonlyArray<string>, StoreError>
}

/**
 * Looks up and changes objects, while nothing else changes anything in the account.
 *
 * @since 1.0.0
 * @category models
 */
export interface Objects extends Lookup, WriteJournal {
  /** All objects of a list, or all contacts of a segment. */
  readonly all: (list: List) => Effect.Effect<ReadonlyArray<Fields>, StoreError>

  /** Adds objects as the newest of their list. Their ids must be new. */
  readonly add: (list: List, objects: ReadonlyArray<Fields>) => Effect.Effect<void, StoreError>

  /** Replaces an object. It stays where it is in every list. */
  readonly put: (list: List, object: Fields) => Effect.Effect<void, StoreError>

  /** Deletes objects and what they own. */
  readonly remove: (list: List, ids: ReadonlyArray<string>) => Effect.Effect<void, StoreError>

  /** Adds contacts to a segment; both must exist. */
  readonly join: (segment: string, contacts: ReadonlyArray<string>) => Effect.Effect<void, StoreError>

  /** Removes contacts from a segment. */
  readonly leave: (segment: string, contacts: ReadonlyArray<string>) => Effect.Effect<void, StoreError>
}

/**
 * Selects the items after or before an item, or all of them.
 *
 * @since 1.0.0
 * @category models
 */
export type Cursor = Omit<PageRequest.PageRequest, "limit">

/**
 * Consecutive items of a list, newest first.
 *
 * @since 1.0.0
 * @category models
 */
export interface Slice {
  /** Items as JSON. */
  readonly items: ReadonlyArray<string>
  readonly has_more: boolean
}

/**
 * An item as it is stored.
 *
 * @since 1.0.0
 * @category models
 */
export interface Entry {
  readonly id: string
  /** What lists show of it. */
  readonly json: string
  /** The other fields, as JSON. */
  readonly details: string | null
  /** What it can be found by, beside its id. */
  readonly name: string | null
  /** When it changes by itself. */
  readonly due: number | null
  /** The campaign of an email. It never changes. */
  readonly campaign: string | null
  /** The address that an email is for. */
  readonly recipient: string | null
  /** The last event of an email. */
  readonly state: string | null
}

/**
 * The stored form of an API key's secret.
 *
 * @since 1.0.0
 * @category models
 */
export interface Secret {
  readonly account: string
  readonly id: ApiKeyId
  /** SHA-256, in hexadecimal. */
  readonly hash: string
  /** What the key may do; null: everything. */
  readonly permission: string | null
}

/**
 * The part of a hash that a secret is looked up by. Comparing the rest is left to the caller, in constant time.
 *
 * @since 1.0.0
 * @category getters
 */
export const prefixOf = (hash: string): string => hash.slice(0, 16)

/**
 * The owner to insert items into: attachments always need an email, contacts may be put into a segment.
 *
 * @since 1.0.0
 * @category models
 */
export type Into<Filter> = undefined extends Filter ? [filter?: Filter] : [filter: Filter]

/**
 * The owner of items that are updated or deleted: attachments are identified within their email.
 *
 * @since 1.0.0
 * @category models
 */
export type From<Filter> = undefined extends Filter ? [] : [filter: Filter]

/**
 * @since 1.0.0
 * @category models
 */
export interface StoreService extends Lookup, ReadCampaigns {
  /** The same store as another account sees it. */
  readonly forAccount: (account: string) => StoreService

  /**
   * Waits until this process has changed something in the account more than `since` times, and returns how often it has.
   * What other processes change in the same database is not counted.
   */
  readonly changed: (since: number) => Effect.Effect<number>

  /**
   * Runs work on the objects of the account, while nothing else changes any of them. Nothing is changed if it fails, except
   * in memory: so work that may fail does so before it changes anything. It must not wait for anything but the store.
   */
  readonly atomically: <A, E>(work: (objects: Objects) => Effect.Effect<A, E>) => Effect.Effect<A, E | StoreError>

  /**
   * Prepends items to their list one by one, so the last becomes the newest. Inserts all of them or none. Fields that are not
   * in the item's schema are stored as well, but lists do not show them.
   */
  readonly insert: <Item extends { readonly id: string }, Encoded, Filter>(
    resource: Resource.Any<Item, Encoded, Filter>,
    items: ReadonlyArray<Item>,
    ...into: Into<Filter>
  ) => Effect.Effect<void, StoreError>

  /**
   * Replaces an item with what `change` makes of it, and returns the new item. It stays where it is in every list. Nothing
   * else can change the item in between, and nothing is changed if `change` fails. Fails with `not_found` if there is no
   * such item, and with the reason `Invalid` if the new one does not match its schema or has another id.
   */
  readonly update: <Item extends { readonly id: string }, Encoded, Filter, E = never>(
    resource: Resource.Any<Item, Encoded, Filter>,
    id: Item["id"],
    change: (item: Item) => Either.Either<Item, E>,
    ...from: From<Filter>
  ) => Effect.Effect<Item, E | NotFound | StoreError>

  /**
   * Deletes items and what they own: the memberships of a segment, the attachments of an email, the secret of an API
   * key. Unknown ids are ignored.
   */
  readonly delete: <Item extends { readonly id: string }, Encoded, Filter>(
    resource: Resource.Any<Item, Encoded, Filter>,
    ids: ReadonlyArray<Item["id"]>,
    ...from: From<Filter>
  ) => Effect.Effect<void, StoreError>

  /** Prepends contacts to a segment. A contact that was a member before gets its old place back. */
  readonly join: (segment: SegmentId, contacts: ReadonlyArray<ContactId>) => Effect.Effect<void, StoreError>

  /** Removes contacts from a segment. */
  readonly leave: (segment: SegmentId, contacts: ReadonlyArray<ContactId>) => Effect.Effect<void, StoreError>

  /**
   * One page. Fails with `not_found` if the list's owner does not exist, and with the reason `UnknownCursor` if the
   * cursor was never an item of the list.
   */
  readonly page: (
    list: List,
    request: Cursor & { readonly limit: number }
  ) => Effect.Effect<Slice, NotFound | StoreError>

  /**
   * The complete list: its first items, and the others as they are pulled. Excludes items inserted in the meantime. Fails as
   * `page` does.
   */
  readonly all: (
    list: List,
    request: Cursor
  ) => Effect.Effect<Stream.Stream<string, StoreError>, NotFound | StoreError>

  /**
   * Adds a usable API key. Does nothing if its secret is already known; fails with the reason `Duplicate` if it belongs to
   * another account.
   */
  readonly insertKey: (key: ApiKey, hash: string, permission?: string) => Effect.Effect<void, StoreError>

  /** The secrets of all accounts whose hash has this prefix (see `prefixOf`): almost always at most one. */
  readonly findSecrets: (prefix: string) => Effect.Effect<ReadonlyArray<Secret>, StoreError>

  /** Records that a key was used. Does not wait for other writers: it is not worth a delay. */
  readonly touchKey: (id: ApiKeyId, at: Timestamp.Timestamp) => Effect.Effect<void, StoreError>

  /** What is to be done by itself in all accounts. */
  readonly agenda: (now: number) => Effect.Effect<Agenda, StoreError>
}

/**
 * A store as an account sees it. The store itself is what the default account sees.
 *
 * @since 1.0.0
 * @category getters
 */
export const storeOf = (store: StoreService, account: string): StoreService =>
  account === Account.defaultId ? store : store.forAccount(account)
