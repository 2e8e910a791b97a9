/**
 * The stored positions of `process`.
 *
 * @since 1.0.0
 */
import * as Checkpoint from "@mailstream/stream/Checkpoint"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { capture } from "./internal/caller.ts"
import * as Checks from "./internal/checks.ts"
import { clearing } from "./internal/options.ts"
import { runDetached } from "./internal/run.ts"
import { providing } from "./internal/store.ts"
import type { Cancelable } from "./List.ts"
import type { Store } from "./Store.ts"

/**
 * Forgets the position stored under a key, so that the next `process` with this key starts over. Rejects with a
 * `LockError` while the key is in use.
 *
 * @since 1.0.0
 * @category processing
 */
export const clearCheckpoint = (
  key: string,
  options: { readonly store: Store } & Cancelable
): Promise<void> => {
  const checked = Either.flatMap(Checks.key(key, "key"), () => clearing(options))
  return runDetached(
    Effect.flatMap(checked, ({ store }) => providing(store, Checkpoint.clear(key))),
    {
      signal: Either.getOrUndefined(Either.map(checked, ({ signal }) => signal)),
      caller: capture(clearCheckpoint)
    }
  )
}
