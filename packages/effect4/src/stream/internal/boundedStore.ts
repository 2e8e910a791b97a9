import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { within } from "../../internal/waiting.ts"
import type { Store } from "../Store.ts"

/** How long a store may take to respond. */
const patience = Duration.seconds(30)

/** What a store says. */
export interface StoreError {
  readonly message: string
}

/** A store that fails if it does not respond. */
export const make = (store: typeof Store.Service) => ({
  get: (key: string) => bounded(Effect.map(store.get(key), (text) => text ?? undefined)),
  set: (key: string, value: string) => bounded(Effect.asVoid(store.set(key, value))),
  /** Some stores fail to remove what is not there. */
  remove: (key: string) =>
    bounded(Effect.flatMap(store.has(key), (exists) => exists ? Effect.asVoid(store.remove(key)) : Effect.void))
})

const bounded = <A>(effect: Effect.Effect<A, unknown>): Effect.Effect<A, StoreError> =>
  within(
    Effect.mapError(effect, messageOf),
    patience,
    () => ({ message: `the store did not respond within ${Duration.format(patience)}` })
  )

const messageOf = (error: unknown): StoreError => ({ message: error instanceof Error ? error.message : String(error) })
