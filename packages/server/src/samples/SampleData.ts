/**
 * Sample data: any amount, realistically varied, and always the same. An item is determined by the seed, its list and
 * its number alone, so a longer list starts with the shorter one.
 *
 * @since 1.0.0
 */
import { type ContactId, Resource } from "@mailstream/core"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import * as Account from "../stores/Account.ts"
import * as FirstUse from "../stores/FirstUse.ts"
import { Store, type StoreError, storeOf, type StoreService } from "../stores/Store.ts"
import type { Sample } from "./Dice.ts"
import * as Samples from "./Samples.ts"

export type { Sample }

export * from "./Samples.ts"

/**
 * What is being filled, and how many items each list gets.
 *
 * @since 1.0.0
 * @category models
 */
export interface Context {
  /** As the account sees it. */
  readonly store: StoreService
  readonly seed: number
  /** Default: `Account.defaultId`. */
  readonly account?: string | undefined
  readonly counts: { readonly [list: string]: number | undefined }
  /** Leaves out items that the store already knows, a batch at a time. Default: fails. */
  readonly skipDuplicates?: boolean | undefined
}

/**
 * A list that can be filled with sample data.
 *
 * @since 1.0.0
 * @category models
 */
export interface SampleList {
  /** The name of the list: `api-keys`. */
  readonly name: string
  /** Inserts this many items. */
  readonly fill: (count: number, context: Context) => Effect.Effect<void, StoreError>
}

/** How many items are inserted at once. */
const batch = 1000

const isDuplicate = ({ reason }: StoreError): boolean => reason === "Duplicate"

const list = <Item>(
  { name }: { readonly name: string },
  sample: Sample<Item>,
  insert: (
    context: Context,
    items: ReadonlyArray<Item>,
    numbers: ReadonlyArray<number>
  ) => Effect.Effect<void, StoreError>
): SampleList => ({
  name,
  fill: (count, context) =>
    Effect.iterate(0, {
      while: (start) => start < count,
      body: (start) => {
        const numbers = Array.range(start, Math.min(start + batch, count) - 1)
        const items = numbers.map((number) => sample(number, context.seed, context.account))
        const inserted = insert(context, items, numbers)
        return Effect.as(
          context.skipDuplicates === true ? Effect.catchIf(inserted, isDuplicate, () => Effect.void) : inserted,
          start + batch
        )
      }
    })
})

/**
 * The lists that can be filled, in this order. Attachments come with their emails.
 *
 * @since 1.0.0
 * @category samples
 */
export const samples = {
  domains: list(Resource.domains, Samples.domain, ({ store }, items) => store.insert(Resource.domains, items)),
  apiKeys: list(Resource.apiKeys, Samples.apiKey, ({ store }, items) => store.insert(Resource.apiKeys, items)),
  segments: list(Resource.segments, Samples.segment, ({ store }, items) => store.insert(Resource.segments, items)),
  broadcasts: list(
    Resource.broadcasts,
    Samples.broadcast,
    ({ store }, items) => store.insert(Resource.broadcasts, items)
  ),
  contacts: list(Resource.contacts, Samples.contact, (context, contacts, numbers) =>
    Effect.zipRight(
      context.store.insert(Resource.contacts, contacts),
      join(context, contacts.map(({ id }, index) => ({ id, number: numbers[index]! })))
    )),
  receivedEmails: list(
    Resource.receivedEmails,
    Samples.receivedEmail,
    ({ account, seed, store }, emails, numbers) =>
      Effect.zipRight(
        store.insert(Resource.receivedEmails, emails),
        Effect.forEach(
          emails,
          ({ id }, index) =>
            store.insert(Resource.receivedEmailAttachments, Samples.attachments(numbers[index]!, seed, account), {
              email_id: id
            }),
          {
            discard: true
          }
        )
      )
  ),
  emails: list(Resource.emails, Samples.email, ({ store }, items) => store.insert(Resource.emails, items)),
  templates: list(Resource.templates, Samples.template, ({ store }, items) => store.insert(Resource.templates, items)),
  topics: list(Resource.topics, Samples.topic, ({ store }, items) => store.insert(Resource.topics, items))
} satisfies { readonly [list: string]: SampleList }

/**
 * How many items each list gets; default: none. Every second contact is in one of the first 100 segments, and some are in
 * two. Each received email has up to three attachments.
 *
 * @since 1.0.0
 * @category models
 */
export type Options = { readonly [List in keyof typeof samples]?: number | undefined } & {
  /** Each seed gives different data; default: 0. */
  readonly seed?: number | undefined
  /** The account that gets the data; each has different data. Default: `Account.defaultId`. */
  readonly account?: string | undefined
}

/** Segments beyond this number have no members: every batch of contacts is matched against each of the others. */
const joined = 100

const join = (
  { account, counts, seed, store }: Context,
  contacts: ReadonlyArray<{ readonly id: ContactId; readonly number: number }>
): Effect.Effect<void, StoreError> => {
  const segments = Math.min(counts["segments"] ?? 0, joined)
  return Effect.forEach(Array.take(Array.range(0, segments), segments), (index) =>
    store.join(
      Samples.segment(index, seed, account).id,
      contacts.filter(({ number }) => segmentsOf(number, segments).includes(index)).map(({ id }) => id)
    ), { discard: true })
}

/** Every second contact is in one segment, every tenth in the next one too. */
const segmentsOf = (number: number, segments: number): ReadonlyArray<number> => {
  const home = (number >> 1) % segments
  return number % 2 === 1 ? [] : number % 10 === 0 ? [home, (home + 1) % segments] : [home]
}

/**
 * Inserts sample data into an account. In each list, the item with the highest number is the newest.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { Store } from "@mailstream/server"
 * import * as SampleData from "@mailstream/server/SampleData"
 * import { Effect } from "effect"
 *
 * const page = Effect.gen(function*() {
 *   yield* SampleData.insert({ contacts: 1000, segments: 3 })
 *   const store = yield* Store
 *   return yield* store.page({ name: "contacts" }, { limit: 10 })
 * }).pipe(Effect.provide(Store.layerMemory))
 * ```
 */
export const insert = (options: Options): Effect.Effect<void, StoreError, Store> => fillStore(options, false)

const fillStore = (options: Options, skipDuplicates: boolean): Effect.Effect<void, StoreError, Store> =>
  Effect.flatMap(Store, (store) => fill(storeOf(store, options.account ?? Account.defaultId), options, skipDuplicates))

const fill = (
  store: StoreService,
  { account, seed = 0, ...counts }: Options,
  skipDuplicates: boolean
): Effect.Effect<void, StoreError> =>
  Effect.forEach(
    Struct.entries(samples),
    ([list, { fill }]) => fill(counts[list] ?? 0, { store, seed, account, counts, skipDuplicates }),
    { discard: true }
  )

/**
 * Inserts sample data when the layer is built. Items that the account already has, or had, are left as they are: a
 * database is filled only once.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<never, StoreError, Store> =>
  Layer.effectDiscard(fillStore(options, true))

/**
 * A store whose accounts have sample data: each is filled when it is first used, so that a server with many accounts
 * starts at once. Items that an account already has, or had, are left as they are: a database is filled only once.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Server, Store } from "@mailstream/server"
 * import * as SampleData from "@mailstream/server/SampleData"
 * import { Array, Layer, Redacted } from "effect"
 *
 * const accounts = Array.makeBy(200, (index) => ({
 *   id: `account-${index + 1}`,
 *   apiKey: Redacted.make(`re_local-${index + 1}`)
 * }))
 *
 * const ServerLive = Server.layer({ accounts }).pipe(
 *   Layer.provide(SampleData.layerLazy({ contacts: 2000, topics: 50 })),
 *   Layer.provide(Store.layerMemory)
 * )
 * ```
 */
export const layerLazy = (options: Omit<Options, "account">): Layer.Layer<Store, never, Store> =>
  Layer.scoped(
    Store,
    Effect.flatMap(Store, (store) =>
      FirstUse.make(store, (account) => fill(storeOf(store, account), { ...options, account }, true)))
  )
