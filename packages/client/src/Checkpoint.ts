/**
 * The stored positions of `process`.
 *
 * @since 1.0.0
 */
import * as Checkpoint from "@mailstream/stream/Checkpoint"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Checks from "./internal/checks.ts"
import { runDetached } from "./internal/run.ts"
import { providing } from "./internal/store.ts"
import type { Store } from "./Store.ts"

/**
 * Forgets the position stored under a key, so that the next `process` with this key starts over. Rejects with a
 * `LockError` while the key is in use.
 *
 * @since 1.0.0
 * @category processing
 */
export const clearCheckpoint = (key: string, options: { readonly store: Store }): Promise<void> =>
  runDetached(
    Effect.zipRight(
      Either.all([Checks.args({ key }), Checks.clearing(options)]),
      Effect.suspend(() => providing(options.store, Checkpoint.clear(key)))
    )
  )
