/**
 * The stored positions of `process`.
 *
 * @since 1.0.0
 */
import { clearCheckpoint } from "@mailstream/client"
import type * as Effect from "effect/Effect"
import type { CommitError } from "./Errors.ts"
import { call, commitError } from "./internal/border.ts"
import * as Stores from "./internal/store.ts"
import { Store } from "./Store.ts"

/**
 * Removes the position stored under a key, so that the next `process` with this key starts over. Fails with a
 * `LockError` while the key is in use.
 *
 * @since 1.0.0
 * @category combinators
 */
export const clear = (key: string): Effect.Effect<void, CommitError, Store> =>
  Store.use((store) => call(() => clearCheckpoint(key, { store: Stores.toClient(store) }), commitError))
