/**
 * A lock on a file: an entry beside it names its holder.
 *
 * On a file system, an entry can be created only if there is none, and moved by only one of several processes. So of
 * all that come at the same moment, exactly one gets the lock, also when a killed process has left its entry.
 *
 * @since 0.1.0
 */
import { type PlatformError, SystemError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Lock from "@mailstream/stream/Lock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { hasReason, unlessMissing } from "../terminal/OutputError.ts"

/**
 * Locks a file until the scope closes, or fails at once if another process holds the lock. `name` stands for the file
 * in errors, `path` is the path of the entry.
 *
 * @since 0.1.0
 * @category constructors
 */
export const acquire = (
  name: string,
  path: string
): Effect.Effect<Lock.Lock, Lock.LockError, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    let isContested = false
    const store = make(fs, path, () => {
      isContested = true
    })
    const attempt = Effect.suspend(() => {
      isContested = false
      return Effect.provideService(Lock.acquire(name), KeyValueStore.KeyValueStore, store)
    })
    // Whoever came first has the lock by now, and the next attempt names it.
    return yield* Effect.retry(attempt, { times: 10, while: () => isContested })
  })

/** A store with one entry. Its `set` replaces only what was last read. */
const make = (
  fs: FileSystem.FileSystem,
  path: string,
  onContested: () => void
): KeyValueStore.KeyValueStore => {
  let known: Option.Option<string> = Option.none()
  let own: Option.Option<string> = Option.none()

  const contested = Effect.suspend(() => {
    onContested()
    return new SystemError({
      module: "FileSystem",
      method: "link",
      reason: "AlreadyExists",
      pathOrDescriptor: path,
      description: "another process is locking it at this moment; run again"
    })
  })
  const read = (path: string): Effect.Effect<Option.Option<string>, PlatformError> =>
    unlessMissing(fs.readFileString(path))

  /** A name that no other process uses; what is left there is removed. */
  const temporary = Effect.acquireRelease(
    Effect.sync(() => `${path}.${randomUUID()}`),
    (path) => Effect.ignore(fs.remove(path, { force: true }))
  )

  /** Moves the entry of a process that is gone out of the way. */
  const takeAway = (entry: string) =>
    Effect.gen(function*() {
      const taken = yield* temporary
      if (!Option.contains(yield* read(path), entry)) return yield* contested
      yield* Effect.catchIf(fs.rename(path, taken), hasReason("NotFound"), () => contested)
      if (Option.contains(yield* read(taken), entry)) return
      // Somebody else was faster, and this is the new entry: it goes back.
      yield* Effect.ignore(fs.link(taken, path))
      return yield* contested
    })

  const set = (entry: string) =>
    Effect.gen(function*() {
      const written = yield* temporary
      yield* fs.writeFileString(written, entry, { flag: "wx" })
      if (Option.isSome(known) && Option.contains(own, known.value)) {
        yield* fs.rename(written, path)
      } else {
        if (Option.isSome(known)) yield* takeAway(known.value)
        yield* Effect.catchAll(
          fs.link(written, path),
          // A file system without links leaves it to `verify` to find out who was last.
          (error) => hasReason("AlreadyExists")(error) ? contested : fs.rename(written, path)
        )
      }
      own = Option.some(entry)
    }).pipe(Effect.scoped, Effect.uninterruptible)

  return KeyValueStore.makeStringOnly({
    get: () =>
      Effect.tap(read(path), (found) => {
        known = found
      }),
    set: (_, entry) => set(entry),
    remove: () => fs.remove(path, { force: true }),
    clear: fs.remove(path, { force: true }),
    size: Effect.map(read(path), (found) => Option.toArray(found).length)
  })
}
