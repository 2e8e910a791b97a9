import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** How long a store may take to respond. */
const patience = Duration.seconds(30)

/** A store that fails if it does not respond. */
export const make = (store: KeyValueStore.KeyValueStore) => ({
  get: (key: string) => within(store.get(key)),
  set: (key: string, value: string) => within(store.set(key, value)),
  /** Some stores fail to remove what is not there. */
  remove: (key: string) => within(Effect.whenEffect(store.remove(key), store.has(key)))
})

/**
 * Bounds the wait for an effect, even if neither of them can be interrupted: the effect is interrupted without waiting
 * for it. `Effect.timeoutFail` waits for ever in a region that cannot be interrupted, even for `Effect.disconnect`.
 */
const within = <A, E extends Error>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | Error> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const result = yield* Deferred.make<A, E | Error>()
      const running = yield* Effect.forkDaemon(Effect.intoDeferred(Effect.interruptible(effect), result))
      const silence = new Error(`the store did not respond within ${Duration.format(patience)}`)
      const timer = yield* Deferred.fail(result, silence).pipe(
        Effect.delay(patience),
        Effect.interruptible,
        Effect.forkDaemon
      )
      return yield* restore(Deferred.await(result)).pipe(
        Effect.ensuring(Effect.zipRight(Fiber.interruptFork(running), Fiber.interruptFork(timer)))
      )
    })
  )
