import type * as KeyValueStore from "@effect/platform/KeyValueStore"
import { within } from "@mailstream/kernel/Waiting"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** How long a store may take to respond. */
const patience = Duration.seconds(30)

/** A store that fails if it does not respond. */
export const make = (store: KeyValueStore.KeyValueStore) => ({
  get: (key: string) => bounded(store.get(key)),
  set: (key: string, value: string) => bounded(store.set(key, value)),
  /** Some stores fail to remove what is not there. */
  remove: (key: string) => bounded(Effect.whenEffect(store.remove(key), store.has(key)))
})

const bounded = <A, E extends Error>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | Cause.TimeoutException> =>
  within(
    effect,
    patience,
    () => new Cause.TimeoutException(`the store did not respond within ${Duration.format(patience)}`)
  )
