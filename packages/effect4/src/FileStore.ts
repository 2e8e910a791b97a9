/**
 * A store in files, for `process` on Node.
 *
 * @since 1.0.0
 */
import { fileStore } from "@mailstream/client/file-store"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Store } from "./Store.ts"

/**
 * Keeps each text in a file of its own in a directory, which is created when it is needed. A file is replaced
 * atomically, and its contents are on the disk when `set` ends.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { contacts } from "@mailstream/effect4"
 * import * as FileStore from "@mailstream/effect4/FileStore"
 * import { Effect } from "effect"
 *
 * const program = contacts.process("sync-2026-11", (contact) => Effect.log(contact.email), { concurrency: 8 }).pipe(
 *   Effect.provide(FileStore.layer("state"))
 * )
 * ```
 */
export const layer = (directory: string): Layer.Layer<Store> =>
  Layer.sync(Store, () => {
    const { get, has, remove, set } = fileStore(directory)
    const call = <A>(run: () => Promise<A>): Effect.Effect<A, FileStoreError> =>
      Effect.tryPromise({ try: run, catch: (cause) => new FileStoreError({ cause }) })
    return {
      get: (key) => call(() => get(key)),
      set: (key, text) => call(() => set(key, text)),
      remove: (key) => call(() => remove(key)),
      has: (key) => call(() => has(key))
    }
  })

/** What the file system says: `process` fails with a `LockError` or a `CheckpointError` that repeats it. */
class FileStoreError extends Data.TaggedError("FileStoreError")<{ readonly cause: unknown }> {
  override get message(): string {
    return this.cause instanceof Error ? this.cause.message : String(this.cause)
  }
}
