/**
 * Mutual exclusion for a `KeyValueStore`, also across processes and machines.
 *
 * The lock is an entry that names its holder. An entry left by a process that was killed does not count: on the same
 * machine this is known at once; a holder elsewhere counts as gone when it has not renewed its lock for 30 seconds, nor
 * does so in the next 15. So a clock that is wrong, or set, never ends a lock.
 * A `KeyValueStore` cannot compare and set, so holders `verify` the lock before every write that depends on it.
 *
 * Besides the key, `${key}.renewed` is used in the store: many stores do not replace a value atomically, so the entry
 * itself is never written again.
 *
 * @since 1.0.0
 */
import { type Applicant, decide, lifetime, renewalOf } from "@mailstream/kernel/LockRules"
import * as Processes from "@mailstream/kernel/Processes"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as BoundedStore from "./internal/boundedStore.ts"
import { Store } from "./Store.ts"

/** A point in time that a date can have. */
const Time = Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 8.64e15 }))

/**
 * Who holds a lock.
 *
 * @since 1.0.0
 * @category schemas
 */
export const Holder = Schema.Struct({
  /** Different for every acquired lock. */
  id: Schema.String,
  since: Time,
  host: Schema.optional(Schema.String),
  pid: Schema.optional(Schema.Number),
  thread: Schema.optional(Schema.Number),
  started: Schema.optional(Schema.String)
})

/**
 * @since 1.0.0
 * @category models
 */
export type Holder = typeof Holder.Type

/**
 * - `Held`: somebody else holds the lock.
 * - `Lost`: somebody else took the lock over, because this process was suspended for too long, or the entry was removed.
 * - `Store`: the store failed.
 *
 * @since 1.0.0
 * @category errors
 */
export class LockError extends Schema.TaggedError<LockError>()("LockError", {
  reason: Schema.Literals(["Held", "Lost", "Store"]),
  /** What the lock is for. */
  name: Schema.String,
  description: Schema.String,
  holder: Schema.optional(Holder)
}) {
  override get message(): string {
    return `${JSON.stringify(this.name)} ${this.description}`
  }
}

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** What the lock is for, in errors; default: its key. */
  readonly name?: string | undefined
}

/**
 * @since 1.0.0
 * @category models
 */
export interface Lock {
  /** Fails if somebody else has taken the lock over. */
  readonly verify: Effect.Effect<void, LockError>
}

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Holder))

/** How often a lock is renewed. */
const interval = Duration.millis(lifetime / 3)
/** How long a lock that seems to be expired is watched. */
const watch = Duration.millis(lifetime / 2)
/** How long the release of a lock waits for the store. After that, the lock expires. */
const patience = Duration.seconds(5)

/** The locks that this process holds or is about to acquire. */
interface Held {
  readonly ids: Set<string>
  readonly byStore: WeakMap<object, Map<string, Holder>>
}

const registry = Symbol.for("@mailstream/stream/Lock")

/** Shared by all copies of this module in a process, whichever copies of `effect` they use. */
const held = ((globalThis as { [registry]?: Held })[registry] ??= { ids: new Set(), byStore: new WeakMap() })

/** Within a process, and on the same store, nobody else comes between looking and taking. */
const reserve = (
  store: object,
  { key, name }: { readonly key: string; readonly name: string },
  holder: Holder
): Effect.Effect<void, LockError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const holders = held.byStore.get(store) ?? new Map<string, Holder>()
      const other = holders.get(key)
      if (other !== undefined) return Effect.fail(heldBy(name, other))
      held.byStore.set(store, holders.set(key, holder))
      held.ids.add(holder.id)
      return Effect.void
    }),
    () =>
      Effect.sync(() => {
        held.byStore.get(store)?.delete(key)
        held.ids.delete(holder.id)
      })
  )

const describe = ({ host, pid, since }: Holder): string => {
  const name = pid === undefined || host === undefined ? "another program" : `process ${pid} on ${host.split(" ")[0]}`
  return `${name} since ${new Date(since).toISOString()}; wait until it has finished`
}

/**
 * Acquires a lock until the scope closes, or fails if somebody else holds it: at once, unless that is in doubt. A lock left
 * by a program on another machine is taken over 45 seconds after its last renewal; until the last 15 of them, it is refused.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { Lock, Store } from "@mailstream/effect4"
 * import { Effect, Layer } from "effect"
 * import { KeyValueStore } from "effect/persistence"
 *
 * const StoreLive = Layer.effect(Store, KeyValueStore.KeyValueStore).pipe(Layer.provide(KeyValueStore.layerMemory))
 *
 * const alone = Effect.gen(function*() {
 *   const lock = yield* Lock.acquire("report")
 *   yield* Effect.log("Nobody else writes the report now.")
 *   yield* lock.verify
 * }).pipe(Effect.scoped, Effect.provide(StoreLive))
 * ```
 */
export const acquire = (
  key: string,
  options: Options = {}
): Effect.Effect<Lock, LockError, Store | Scope.Scope> =>
  Effect.gen(function*() {
    const { name = key } = options
    const shared = yield* Store
    const store = BoundedStore.make(shared)
    const failing = Effect.mapError(({ message }: BoundedStore.StoreError) =>
      new LockError({ reason: "Store", name, description: `cannot be locked: ${message}` })
    )
    const read = Effect.map(failing(store.get(key)), (text) => Option.getOrUndefined(decode(text)))
    const renewal = `${key}.renewed`
    const readRenewal = failing(store.get(renewal))

    const since = yield* Clock.currentTimeMillis
    const id = `${since.toString(36)}-${yield* Random.next}`
    const holder: Holder = { id, since, ...Processes.current() }
    const applicant: Applicant = {
      ...holder,
      isHeldHere: (id) => held.ids.has(id),
      isRunning: Processes.isRunning
    }
    const verify = Effect.flatMap(
      read,
      (found) => found?.id === id ? Effect.void : Effect.fail(lost(name, found))
    )

    const take = (
      found: Holder | undefined,
      renewed?: { readonly text: string | undefined; readonly isWatched?: boolean }
    ): Effect.Effect<void, LockError> => {
      const decision = decide(found, applicant, renewed)
      switch (decision._tag) {
        case "Keep":
          return Effect.void
        case "Refuse":
          return Effect.fail(heldBy(name, decision.holder))
        case "Ask":
          return Effect.flatMap(readRenewal, (text) => take(found, { text }))
        case "Watch":
          return Effect.flatMap(Effect.delay(Effect.zip(read, readRenewal), watch), ([now, text]) => {
            const isSame = now?.id === found?.id && text === renewed?.text
            return isSame || !now ? take(now, { text, isWatched: true }) : Effect.fail(heldBy(name, now))
          })
        case "Take":
          // Somebody who came at the same moment may have written later.
          return Effect.andThen(Effect.uninterruptible(failing(store.set(key, JSON.stringify(holder)))), verify)
      }
    }
    yield* reserve(shared, { key, name }, holder)
    const release = Effect.andThen(
      verify,
      Effect.andThen(Effect.ignore(store.remove(renewal)), store.remove(key))
    ).pipe(
      Effect.retry({ times: 3 }),
      Effect.interruptible,
      Effect.timeout(patience),
      Effect.ignore
    )
    // However the wait for the store ends, the entry may have been written by then.
    yield* Effect.addFinalizer(() => release)
    yield* Effect.flatMap(read, (found) => take(found)).pipe(
      // Of several who write at the same moment, none may have written an entry that can be read.
      Effect.retry({
        while: ({ holder, reason }) => reason === "Lost" && holder === undefined,
        schedule: Schedule.jittered(Schedule.exponential("5 millis")),
        times: 6
      }),
      Effect.mapError((error) => error.reason === "Lost" && error.holder ? heldBy(name, error.holder) : error)
    )
    const renew = Effect.flatMap(
      Clock.currentTimeMillis,
      (now) => Effect.andThen(verify, failing(store.set(renewal, renewalOf(id, now))))
    )
    // A store that cannot keep it, because the name is too long for a file, must not keep the lock either.
    yield* renew
    yield* Effect.ignore(renew).pipe(Effect.delay(interval), Effect.forever, Effect.forkScoped)
    return { verify }
  })

/**
 * A name for a file that a store writes before it moves it to its place. No other process uses it, and `isAbandoned` tells
 * later whether this process has ended without removing it.
 *
 * @since 1.0.0
 * @category drafts
 */
export const draftName: () => string = Processes.draftName

/**
 * Whether this is a `draftName` of a process on this machine that has ended, so that the file can be removed. The files of live
 * processes, of other machines and of anybody else are not.
 *
 * @since 1.0.0
 * @category drafts
 */
export const isAbandoned: (name: string) => boolean = Processes.isAbandoned

const heldBy = (name: string, holder: Holder): LockError =>
  new LockError({
    reason: "Held",
    name,
    holder,
    description: `is in use by ${describe(holder)}`
  })

const lost = (name: string, holder: Holder | undefined): LockError =>
  new LockError({
    reason: "Lost",
    name,
    holder,
    description: holder === undefined
      ? "is no longer locked: its lock was removed; run again"
      : `was taken over by ${describe(holder)}`
  })
