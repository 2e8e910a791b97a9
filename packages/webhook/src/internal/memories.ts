/** What was handled, for a while: the oldest are forgotten first. */
import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import { within } from "@mailstream/kernel/Waiting"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

export interface Limits {
  /** In milliseconds. */
  readonly window: number
  readonly capacity: number
}

export interface Memory<out E> {
  readonly has: (key: string) => Effect.Effect<boolean, E>
  readonly add: (key: string) => Effect.Effect<void, E>
}

/** In the memory of the process. */
export const inProcess = ({ capacity, window }: Limits): Memory<never> => {
  /** When each was added, in this order. */
  const times = new Map<string, number>()
  /** Forgets from the oldest on. A clock that was set back only makes it later. */
  const forget = (now: number): void => {
    for (const [key, time] of times) {
      if (times.size <= capacity && now - time < window) return
      times.delete(key)
    }
  }
  const at = <A>(use: (now: number) => A): Effect.Effect<A> => Effect.map(Clock.currentTimeMillis, use)
  return {
    has: (key) =>
      at((now) => {
        forget(now)
        return times.has(key)
      }),
    add: (key) =>
      at((now) => {
        times.delete(key)
        forget(now)
        times.set(key, now)
        forget(now)
      })
  }
}

/** The numbers of the oldest and the newest entry of the queue. */
const Queue = Schema.parseJson(Schema.Struct({ first: Schema.NonNegativeInt, next: Schema.NonNegativeInt }))

/** How long a store may take. */
const patience = Duration.seconds(30)

const decodeQueue = Schema.decodeOption(Queue)

/**
 * In a store: an entry for each, with its time, and a queue of them, so that old ones are removed: a store cannot list what is in it.
 * Processes that write the queue at the same moment may leave an entry in the store for ever, but never forget one too early.
 */
export const inStore = <E>(
  store: KeyValueStore.KeyValueStore,
  { capacity, prefix, window }: Limits & { readonly prefix: string },
  onError: (message: string) => E
): Memory<E> => {
  const turns = Effect.unsafeMakeSemaphore(1)
  const nameOf = (key: string): string => `${prefix}${key}`
  const queueName = `${prefix}queue`
  const slotOf = (index: number): string => `${queueName}-${index}`
  const read = (name: string) => Effect.map(store.get(name), Option.getOrUndefined)
  const isOld = (time: string | undefined, now: number): boolean => !(now - Number(time ?? NaN) < window)
  const bounded = <A>(effect: Effect.Effect<A, Error>): Effect.Effect<A, E> =>
    Effect.mapError(
      within(effect, patience, () =>
        new Cause.TimeoutException(`the store did not respond within ${Duration.format(patience)}`)),
      ({ message }) =>
        onError(message)
    )

  /** Removes the oldest entries: two at most, so that the queue shrinks and nobody waits. */
  const forget = ({ first, next }: typeof Queue.Type, now: number) =>
    Effect.gen(function*() {
      let index = first
      for (; index < Math.min(first + 2, next); index++) {
        const key = yield* read(slotOf(index))
        if (key === undefined) continue
        const time = yield* read(nameOf(key))
        if (next - index <= capacity && !isOld(time, now)) break
        // Some stores fail to remove what is not there.
        if (time !== undefined) yield* store.remove(nameOf(key))
        yield* store.remove(slotOf(index))
      }
      return index
    })

  return {
    has: (key) =>
      bounded(Effect.gen(function*() {
        const time = yield* read(nameOf(key))
        return time !== undefined && !isOld(time, yield* Clock.currentTimeMillis)
      })),
    add: (key) =>
      bounded(
        turns.withPermits(1)(Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          yield* store.set(nameOf(key), String(now))
          const queue = Option.getOrElse(Option.flatMap(yield* store.get(queueName), decodeQueue), () => ({
            first: 0,
            next: 0
          }))
          const next = queue.next + 1
          yield* store.set(slotOf(queue.next), key)
          yield* store.set(queueName, JSON.stringify({ first: yield* forget({ ...queue, next }, now), next }))
        }))
      )
  }
}
