/**
 * Sample data: any amount, realistically varied, and always the same. An item depends only on the seed, its list and its
 * number, so a longer list starts with the shorter one.
 *
 * @since 1.0.0
 */
import { type Contact, type Email, type ReceivedEmail, Resource } from "@mailstream/core"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import * as Account from "../stores/Account.ts"
import * as Checks from "../stores/Checks.ts"
import * as FirstUse from "../stores/FirstUse.ts"
import { Store, type StoreError, storeOf, type StoreService } from "../stores/Store.ts"
import * as Contents from "./Contents.ts"
import type { Sample } from "./Dice.ts"
import * as Samples from "./Samples.ts"

export type { Sample }

export * from "./Samples.ts"

/**
 * The store to fill, and how many items each list gets.
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
  /** Skips items that the store already has, a batch at a time, instead of failing. Default: false. */
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

const listWith = <Item>(
  { name }: { readonly name: string },
  sample: Sample<Item>,
  /** Inserts items; the first of them has the number `start`. */
  insert: (context: Context, items: ReadonlyArray<Item>, start: number) => Effect.Effect<void, StoreError>
): SampleList => ({
  name,
  fill: (count, context) =>
    Effect.iterate(0, {
      while: (start) => start < count,
      body: (start) => {
        const items = Array.makeBy(
          Math.min(batch, count - start),
          (index) => sample(start + index, context.seed, context.account)
        )
        const inserted = insert(context, items, start)
        return Effect.as(
          context.skipDuplicates === true ? Effect.catchIf(inserted, isDuplicate, () => Effect.void) : inserted,
          start + batch
        )
      }
    })
})

const list = <Item extends { readonly id: string }, Encoded>(
  resource: Resource.Any<Item, Encoded, undefined>,
  sample: Sample<Item>,
  /** Adds what lists do not show. */
  complete: (item: Item) => Item = identity
): SampleList => listWith(resource, sample, ({ store }, items) => store.insert(resource, items.map(complete)))

/** Segments beyond this number have no members: every batch of contacts is matched against each of the others. */
const joined = 100

const join = ({ account, counts, seed, store }: Context, contacts: ReadonlyArray<Contact>, start: number) => {
  const segments = Math.min(counts["segments"] ?? 0, joined)
  return Effect.forEach(Array.take(Array.range(0, segments), segments), (segment) =>
    store.join(
      Samples.segment(segment, seed, account).id,
      contacts.filter((_, index) => segmentsOf(start + index, segments).includes(segment)).map(({ id }) => id)
    ), { discard: true })
}

/** Every second contact is in one segment, every tenth in the next one too. */
const segmentsOf = (number: number, segments: number): ReadonlyArray<number> => {
  const home = (number >> 1) % segments
  return number % 2 === 1 ? [] : number % 10 === 0 ? [home, (home + 1) % segments] : [home]
}

const attach = ({ account, seed, store }: Context, emails: ReadonlyArray<ReceivedEmail>, start: number) =>
  Effect.forEach(
    emails,
    ({ id }, index) =>
      store.insert(Resource.receivedEmailAttachments, Samples.attachments(start + index, seed, account), {
        email_id: id
      }),
    { discard: true }
  )

const attachToSent = ({ account, seed, store }: Context, emails: ReadonlyArray<Email>, start: number) =>
  Effect.forEach(
    emails,
    ({ id }, index) =>
      store.insert(Resource.emailAttachments, Samples.emailAttachments(start + index, seed, account), { email_id: id }),
    { discard: true }
  )

/**
 * The lists that can be filled, in this order. Attachments come with their emails.
 *
 * @since 1.0.0
 * @category samples
 */
export const samples = {
  domains: list(Resource.domains, Samples.domain),
  apiKeys: list(Resource.apiKeys, Samples.apiKey),
  segments: listWith(
    Resource.segments,
    Samples.segment,
    ({ store }, segments) => store.insert(Resource.segments, segments)
  ),
  broadcasts: list(Resource.broadcasts, Samples.broadcast, Contents.broadcast),
  contactProperties: list(Resource.contactProperties, Samples.contactProperty),
  contacts: listWith(
    Resource.contacts,
    Samples.contact,
    (context, contacts, start) =>
      Effect.zipRight(
        context.store.insert(
          Resource.contacts,
          contacts.map((contact, index) =>
            Contents.contact(contact, start + index, {
              ...context,
              properties: context.counts["contactProperties"] ?? 0
            })
          )
        ),
        join(context, contacts, start)
      )
  ),
  receivedEmails: listWith(
    Resource.receivedEmails,
    Samples.receivedEmail,
    (context, emails, start) =>
      Effect.zipRight(
        context.store.insert(Resource.receivedEmails, emails.map(Contents.receivedEmail)),
        attach(context, emails, start)
      )
  ),
  emails: listWith(
    Resource.emails,
    Samples.email,
    (context, emails, start) =>
      Effect.zipRight(
        context.store.insert(Resource.emails, emails.map(Contents.email)),
        attachToSent(context, emails, start)
      )
  ),
  templates: list(Resource.templates, Samples.template, Contents.template),
  topics: list(Resource.topics, Samples.topic),
  suppressions: listWith(
    Resource.suppressions,
    Samples.suppression,
    ({ store }, suppressions) => store.insert(Resource.suppressions, suppressions)
  ),
  webhooks: list(Resource.webhooks, Samples.webhook, Contents.webhook)
} satisfies { readonly [list: string]: SampleList }

/**
 * How many items each list gets; default: none. Every second contact is in one of the first 100 segments, and some are in
 * two. Each received email has up to three attachments, and so has every third email. If there are contact properties, every
 * third contact has values for the first three of them.
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

const check = ({ account = Account.defaultId, seed = 0, ...counts }: Options) =>
  Either.gen(function*() {
    yield* Checks.accountId("account", account)
    yield* InvalidOption.integer("seed", seed, { min: 0 })
    for (const list of Struct.keys(samples)) yield* InvalidOption.integer(list, counts[list] ?? 0, { min: 0 })
    return { account, seed, counts }
  })

const fill = (
  store: StoreService,
  { account, counts, seed }: Either.Either.Right<ReturnType<typeof check>>,
  skipDuplicates: boolean
): Effect.Effect<void, StoreError> =>
  Effect.forEach(
    Struct.entries(samples),
    ([list, { fill }]) =>
      fill(counts[list] ?? 0, { store: storeOf(store, account), seed, account, counts, skipDuplicates }),
    { discard: true }
  )

const fillStore = (
  options: Options,
  skipDuplicates: boolean
): Effect.Effect<void, StoreError | InvalidOption.InvalidOption, Store> =>
  Effect.zipWith(Store, check(options), (store, checked) => fill(store, checked, skipDuplicates)).pipe(Effect.flatten)

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
export const insert = (
  options: Options
): Effect.Effect<void, StoreError | InvalidOption.InvalidOption, Store> => fillStore(options, false)

/**
 * Inserts sample data when the layer is built. Leaves items alone that the account already has, or had: a database is
 * filled only once.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<never, StoreError | InvalidOption.InvalidOption, Store> => Layer.effectDiscard(fillStore(options, true))

/**
 * A store whose accounts have sample data: each is filled when it is first used, so that a server with many accounts
 * starts at once. Leaves items alone that an account already has, or had: a database is filled only once.
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
export const layerLazy = (
  options: Omit<Options, "account">
): Layer.Layer<Store, InvalidOption.InvalidOption, Store> =>
  Layer.scoped(
    Store,
    Effect.gen(function*() {
      const store = yield* Store
      const checked = yield* check(options)
      return yield* FirstUse.make(store, (account) => fill(store, { ...checked, account }, true))
    })
  )
