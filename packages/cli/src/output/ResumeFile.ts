/**
 * Files that are written over several runs of the program, each of which may be killed at any moment.
 *
 * `FILE.mailstream-resume` is replaced atomically after each page. It holds the number of valid bytes in `FILE` and the
 * checkpoint that belongs to them. `FILE` is synced to disk before that, and a new run truncates it to its valid bytes,
 * so that each item is in `FILE` exactly once. `FILE.mailstream-resume.lock` names the process that is writing.
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import type * as Path from "@effect/platform/Path"
import type { LockError } from "@mailstream/stream/Lock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { failing, OutputError, unlessMissing } from "../terminal/Errors.ts"
import type { RegularFile } from "./Destination.ts"
import * as LockFile from "./LockFile.ts"
import { syncDirectory, type Write, writeTo } from "./OutputFile.ts"
import * as ResumeState from "./ResumeState.ts"

interface ResumeFile {
  /** The number of valid bytes. */
  readonly size: number
  /** Writes to the end of the file, and syncs it to disk. Fails if this process no longer holds the lock. */
  readonly append: Write<OutputError | LockError>
  /** Stores each value together with the size of the file at that moment, atomically. */
  readonly store: KeyValueStore.KeyValueStore
}

/** The name of the file that stores the position. */
export const positionFile = (file: string): string => `${file}.mailstream-resume`

/** Fails if a file is written with `--resume`: replacing it would drop items that the next run relies on. */
export const rejectResumable = (
  { name: file, path }: Pick<RegularFile, "name" | "path">
): Effect.Effect<void, OutputError, FileSystem.FileSystem> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const stateFile = positionFile(path)
    // If the name of the file is as long as a name can be, it cannot have been written this way.
    if (yield* Effect.orElseSucceed(fs.exists(stateFile), () => false)) {
      const description = `was written with --resume; to replace it, remove ${stateFile} first`
      return yield* new OutputError({ subject: file, description })
    }
  })

/** Opens a file to resume it, or creates it. An existing file that was not created this way is rejected. */
export const open = (
  { name: file, path }: Pick<RegularFile, "name" | "path">,
  subject: ResumeState.Subject
): Effect.Effect<ResumeFile, OutputError | LockError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const stateFile = positionFile(path)
    const save = (state: ResumeState.State) => Effect.provide(replace(stateFile, ResumeState.encode(state)), context)
    const lock = yield* LockFile.acquire(file, `${stateFile}.lock`)
    // What was known of the file before it was locked may have changed since.
    const info = Option.getOrUndefined(yield* failing(file)(unlessMissing(fs.stat(path))))
    const { isNew, state } = yield* ResumeState.decide(subject, {
      file,
      size: info === undefined ? undefined : Number(info.size),
      stateFile,
      stored: Option.getOrUndefined(yield* failing(stateFile)(unlessMissing(fs.readFileString(stateFile))))
    })
    // Saved before the file is created, so that a later run recognizes the file as its own.
    if (isNew) yield* failing(stateFile)(save(state))
    const opened = yield* failing(file)(fs.open(path, { flag: "a" }))
    yield* syncDirectory(path)
    let size = state.bytes
    let isCut = false
    // Removes what a killed run wrote after the valid bytes. A complete file is not touched at all.
    const cut = Effect.suspend(() => {
      if (isCut) return Effect.void
      isCut = true
      return opened.truncate(size)
    })
    const checkUnchanged = Effect.gen(function*() {
      const written = yield* failing(file)(opened.stat)
      const named = yield* failing(file)(unlessMissing(fs.stat(path)))
      const reject = (description: string) => new OutputError({ subject: file, description })
      if (Option.isNone(named) || !isSameFile(named.value, written)) {
        return yield* reject(`removed or replaced while it was written; to start over, remove it and ${stateFile}`)
      }
      if (Number(written.size) !== size) return yield* reject("another program has changed it; run again")
    })
    const append = (text: string) =>
      Effect.gen(function*() {
        yield* lock.verify
        yield* failing(file)(cut)
        yield* checkUnchanged
        yield* failing(file)(Effect.zipRight(writeTo(opened, text), opened.sync))
        size += Buffer.byteLength(text)
        // Only what this process alone has written may be stored as done.
        yield* checkUnchanged
        yield* lock.verify
      }).pipe(Effect.uninterruptible)
    return { size, append, store: storeIn(state, (state) => save({ ...state, bytes: size })) }
  })

/** Replaces what is stored, atomically. */
export const replace = (
  stateFile: string,
  text: string
): Effect.Effect<void, PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const temporary = `${stateFile}.tmp`
    yield* Effect.gen(function*() {
      // A run that was killed may have left one. It is never written to: it could be a link.
      yield* fs.remove(temporary, { force: true })
      const opened = yield* fs.open(temporary, { flag: "wx" })
      yield* writeTo(opened, text)
      yield* opened.sync
      yield* fs.rename(temporary, stateFile)
      yield* syncDirectory(stateFile)
    }).pipe(Effect.scoped, Effect.onError(() => Effect.ignore(fs.remove(temporary))))
  }).pipe(Effect.uninterruptible)

const isSameFile = (one: FileSystem.File.Info, other: FileSystem.File.Info): boolean =>
  one.dev === other.dev && Option.getOrUndefined(one.ino) === Option.getOrUndefined(other.ino)

/** The checkpoint as a store. The lock of the file is also that of its checkpoint, which needs none on disk. */
const storeIn = (
  initial: ResumeState.State,
  save: (state: ResumeState.State) => Effect.Effect<void, PlatformError>
): KeyValueStore.KeyValueStore => {
  const stored = new Map(Object.entries(initial.checkpoint))
  const locks = new Map<string, string>()
  const isLock = (key: string) => key === `${initial.key}.lock` || key === `${initial.key}.lock.renewed`
  const change = (f: () => void) =>
    Effect.suspend(() => {
      f()
      return save({ ...initial, checkpoint: Object.fromEntries(stored) })
    })
  return KeyValueStore.makeStringOnly({
    get: (key) => Effect.sync(() => Option.fromNullable((isLock(key) ? locks : stored).get(key))),
    set: (key, value) => isLock(key) ? Effect.sync(() => locks.set(key, value)) : change(() => stored.set(key, value)),
    remove: (key) => isLock(key) ? Effect.sync(() => locks.delete(key)) : change(() => stored.delete(key)),
    clear: change(() => stored.clear()),
    size: Effect.sync(() => stored.size)
  })
}
