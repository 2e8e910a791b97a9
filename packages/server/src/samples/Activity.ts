/**
 * Changes in a running service, so that programs that follow it have something to see: items are created, updated and
 * deleted, at a steady rate, and in an order that depends on the seed alone.
 *
 * Only items that were created here change; sample data and what clients created stay as they are. At most 50 of them exist
 * in a list at a time.
 *
 * @since 1.0.0
 */
import { type Broadcast, type Contact, type Email, type NotFound, Resource, Timestamp } from "@mailstream/core"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Schedule from "effect/Schedule"
import { PCGRandom } from "effect/Utils"
import * as Account from "../stores/Account.ts"
import * as Checks from "../stores/Checks.ts"
import { Store, type StoreError, storeOf, type StoreService } from "../stores/Store.ts"
import * as Changes from "./Changes.ts"
import type { Sample } from "./Dice.ts"
import * as Samples from "./Samples.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** How many changes are made in each `per`; at most 1000 a second. */
  readonly changes: number
  /** Default: one second. */
  readonly per?: Duration.DurationInput | undefined
  /** Each seed gives different changes; default: 0. */
  readonly seed?: number | undefined
  /** The accounts whose items change, one at a time; default: `Account.defaultId` alone. */
  readonly accounts?: ReadonlyArray<string> | undefined
}

/** A list in which something happens. */
interface Actor {
  /** How often in comparison with the others. */
  readonly weight: number
  readonly apply: (
    store: StoreService,
    change: Changes.Change,
    context: { readonly seed: number; readonly account: string; readonly at: Timestamp.Timestamp }
  ) => Effect.Effect<unknown, NotFound | StoreError>
}

type Created = { readonly created_at?: Timestamp.Timestamp | null | undefined }

const actor = <Item extends Created & { readonly id: string }, Encoded>(
  weight: number,
  resource: Resource.Any<Item, Encoded, undefined>,
  sample: Sample<Item>,
  begin: Partial<Omit<Item, "id" | "created_at">>,
  change: (item: Item, at: Timestamp.Timestamp) => Partial<Omit<Item, "id">>
): Actor => ({
  weight,
  apply: (store, { kind, number }, { account, at, seed }) => {
    const item = sample(number, seed, account)
    switch (kind) {
      case "Create":
        return store.insert(resource, [{ ...item, ...begin, created_at: at }])
      case "Update":
        return store.update(resource, item.id, (item) => Either.right({ ...item, ...change(item, at) }))
      case "Delete":
        return store.delete(resource, [item.id])
    }
  }
})

/** All contacts, in any segment or none. */
const contacts: Resource.Any<Contact, typeof Contact.Encoded, undefined> = {
  ...Resource.contacts,
  isFilter: Predicate.isUndefined,
  scope: undefined
}

const afterEvent: { readonly [event: string]: Email["last_event"] } = {
  queued: "sent",
  sent: "delivered",
  delivered: "opened",
  opened: "clicked"
}

const afterStatus: { readonly [status: string]: Broadcast["status"] } = { draft: "queued", queued: "sent" }

const actors: { readonly [list: string]: Actor } = {
  [contacts.name]: actor(4, contacts, Samples.contact, {}, ({ unsubscribed }) => ({ unsubscribed: !unsubscribed })),
  [Resource.emails.name]: actor(
    3,
    Resource.emails,
    Samples.email,
    { last_event: "queued", scheduled_at: null },
    ({ last_event }) => ({ last_event: afterEvent[last_event ?? ""] ?? "delivered" })
  ),
  [Resource.topics.name]: actor(1, Resource.topics, Samples.topic, {}, ({ visibility }) => ({
    visibility: visibility === "public" ? "private" : "public"
  })),
  [Resource.templates.name]: actor(
    1,
    Resource.templates,
    Samples.template,
    { status: "draft", published_at: null, updated_at: null },
    ({ published_at }, at) => ({ status: "published", published_at: published_at ?? at, updated_at: at })
  ),
  [Resource.broadcasts.name]: actor(
    1,
    Resource.broadcasts,
    Samples.broadcast,
    { status: "draft", scheduled_at: null, sent_at: null },
    ({ status }, at) => {
      const next = afterStatus[status ?? ""] ?? "canceled"
      return { status: next, ...next === "sent" ? { sent_at: at } : {} }
    }
  )
}

const weights: Changes.Weights = Record.map(actors, ({ weight }) => weight)

/** The shortest time between two timers: at a higher rate, several changes are made at once. */
const shortest = 10

const check = ({ accounts = [Account.defaultId], changes, per = "1 second", seed = 0 }: Options) =>
  Either.gen(function*() {
    yield* InvalidOption.integer("changes", changes, { min: 1 })
    yield* InvalidOption.integer("seed", seed, { min: 0 })
    yield* InvalidOption.unless(accounts.length > 0, "accounts", "must have at least one account")
    for (const [index, id] of accounts.entries()) yield* Checks.accountId(`accounts[${index}]`, id)
    const interval = Duration.toMillis(yield* InvalidOption.duration("per", per)) / changes
    yield* InvalidOption.unless(interval >= 1, "changes", "must be at most 1000 in a second")
    const count = Math.ceil(shortest / interval)
    return { accounts, seed, count, interval: Duration.millis(interval * count) }
  })

const outcomeOf = (error: NotFound | StoreError): Changes.Outcome | undefined =>
  error._tag === "not_found" ? "Missing" : error.reason === "Duplicate" ? "Taken" : undefined

/**
 * Makes changes until it is interrupted. What the store refuses, because it is not available, is left out.
 *
 * @since 1.0.0
 * @category combinators
 */
export const run = (options: Options): Effect.Effect<never, InvalidOption.InvalidOption, Store> =>
  Effect.gen(function*() {
    const { accounts, count, interval, seed } = yield* check(options)
    const store = yield* Store
    const random = new PCGRandom(seed, 211)
    const state = new Map<string, Changes.Items>()

    const change = Effect.gen(function*() {
      const account = accounts[random.integer(accounts.length)]!
      const keyOf = (list: string) => `${list} ${account}`
      const itemsOf = (list: string) => state.get(keyOf(list)) ?? Changes.none
      const change = Changes.next(random, weights, itemsOf)
      const at = Timestamp.fromDateTime(yield* DateTime.now)
      const outcome = yield* actors[change.list]!.apply(storeOf(store, account), change, { seed, account, at }).pipe(
        Effect.as<Changes.Outcome>("Done"),
        Effect.catchAll((error) => {
          const outcome = outcomeOf(error)
          return outcome === undefined
            ? Effect.as(Effect.logDebug("Could not make a change.", error), undefined)
            : Effect.succeed(outcome)
        })
      )
      if (outcome !== undefined) state.set(keyOf(change.list), Changes.after(itemsOf(change.list), change, outcome))
    })

    yield* Effect.sleep(interval)
    yield* Effect.repeat(Effect.replicateEffect(change, count, { discard: true }), Schedule.spaced(interval))
    return yield* Effect.never
  })

/**
 * Makes changes as long as the layer is in use.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Server, Store } from "@mailstream/server"
 * import * as Activity from "@mailstream/server/Activity"
 * import { Layer, Redacted } from "effect"
 *
 * const ServerLive = Layer.merge(
 *   Server.layer({ port: 8080, apiKeys: [Redacted.make("re_local")] }),
 *   Activity.layer({ changes: 30, per: "1 minute" })
 * ).pipe(Layer.provide(Store.layerMemory))
 * ```
 */
export const layer = (options: Options): Layer.Layer<never, InvalidOption.InvalidOption, Store> =>
  Layer.scopedDiscard(
    // Checked first, so that a wrong option fails the layer.
    Effect.zipRight(check(options), Effect.forkScoped(run(options)))
  )
