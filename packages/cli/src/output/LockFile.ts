/**
 * A lock on a file: a second file beside it names its holder.
 *
 * On a file system, an entry can be created only if there is none, and moved by only one of several processes. So of
 * all that come at the same moment, exactly one gets the lock, also when a killed process has left its entry.
 */
import { type PlatformError, SystemError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import * as Lock from "@mailstream/stream/Lock"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import { basename, dirname, join } from "node:path"
import { hasReason, unlessMissing } from "../terminal/Errors.ts"

/**
 * Locks a file until the scope closes, or fails at once if another process holds the lock. `name` stands for the file
 * in errors, `path` is the path of the entry.
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
    const scope = yield* Effect.scope
    const attempt = Effect.gen(function*() {
      isContested = false
      const own = yield* Scope.fork(scope, ExecutionStrategy.sequential)
      return yield* Lock.acquire(path, { name }).pipe(
        Scope.extend(own),
        // What a failed attempt has reserved would be in the way of the next one.
        Effect.onError((cause) => Scope.close(own, Exit.failCause(cause))),
        Effect.provideService(KeyValueStore.KeyValueStore, store)
      )
    })
    // Another program has acquired the lock in the meantime; the next attempt names it.
    const lock = yield* Effect.retry(attempt, { times: 10, while: () => isContested })
    yield* Effect.ignore(tidy(fs, path))
    return lock
  })

/** Removes what killed processes have left beside the entry. Those that are alive may still need theirs. */
const tidy = (fs: FileSystem.FileSystem, path: string): Effect.Effect<void, PlatformError> => {
  const prefix = `${basename(path)}.`
  return Effect.flatMap(fs.readDirectory(dirname(path)), (names) =>
    Effect.forEach(
      names.filter((name) => name.startsWith(prefix) && Lock.isAbandoned(name.slice(prefix.length))),
      (name) => Effect.ignore(fs.remove(join(dirname(path), name), { force: true })),
      { discard: true }
    ))
}

/** A store whose keys are paths. The entry at `path` replaces only what was last read there. */
const make = (
  fs: FileSystem.FileSystem,
  path: string,
  onContested: () => void
): KeyValueStore.KeyValueStore => {
  let known: Option.Option<string> = Option.none()

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

  /** A name that no other process uses. A file that is left there is removed. */
  const temporary = Effect.acquireRelease(
    Effect.sync(() => `${path}.${Lock.draftName()}`),
    (path) => Effect.ignore(fs.remove(path, { force: true }))
  )

  /** Moves the entry of a process that is gone out of the way. */
  const takeAway = (entry: string) =>
    Effect.gen(function*() {
      const taken = yield* temporary
      if (!Option.contains(yield* read(path), entry)) return yield* contested
      yield* Effect.catchIf(fs.rename(path, taken), hasReason("NotFound"), () => contested)
      if (Option.contains(yield* read(taken), entry)) return
      // Another process was faster, and this is its entry: put it back.
      yield* Effect.ignore(fs.link(taken, path))
      return yield* contested
    })

  const set = (key: string, entry: string) =>
    Effect.gen(function*() {
      const written = yield* temporary
      yield* fs.writeFileString(written, entry, { flag: "wx" })
      if (key !== path) return yield* fs.rename(written, key)
      if (Option.isSome(known)) yield* takeAway(known.value)
      yield* Effect.catchAll(
        fs.link(written, path),
        // A file system without links leaves it to `verify` to find out who was last.
        (error) => hasReason("AlreadyExists")(error) ? contested : fs.rename(written, path)
      )
    }).pipe(Effect.scoped, Effect.uninterruptible)

  return KeyValueStore.makeStringOnly({
    get: (key) =>
      Effect.tap(read(key), (found) => {
        if (key === path) known = found
      }),
    set,
    remove: (key) => fs.remove(key, { force: true }),
    clear: fs.remove(path, { force: true }),
    size: Effect.map(read(path), (found) => Option.toArray(found).length)
  })
}
