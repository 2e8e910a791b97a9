/**
 * Files that are written over several runs of the program, each of which may be killed at any moment.
 *
 * `FILE.mailstream-resume` is replaced atomically after each page. It holds the number of valid bytes in `FILE` and the
 * checkpoint that belongs to them. `FILE` is synced to disk before that, and a new run truncates it to its valid bytes,
 * so that each item is in `FILE` exactly once. `FILE.mailstream-resume.lock` names the process that is writing.
 *
 * @since 1.0.0
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import type * as Path from "@effect/platform/Path"
import type { LockError } from "@mailstream/stream/Lock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { failing, OutputError, unlessMissing } from "../terminal/OutputError.ts"
import type { RegularFile } from "./Destination.ts"
import type { Format } from "./Format.ts"
import * as LockFile from "./LockFile.ts"
import { syncDirectory, type Write, writeTo } from "./OutputFile.ts"

/**
 * What a file was started with: it is resumed with the same only.
 *
 * @since 1.0.0
 * @category models
 */
export interface Subject {
  /** The base URL of the service, as the client uses it. */
  readonly service: string
  readonly list: string
  /** The filter of the list: `{ segment_id: "…" }`. */
  readonly filter: { readonly [field: string]: string }
  /** The name that the user gave it. */
  readonly key: string
  readonly format: Format
  /** The fields that were chosen, if not all of them. */
  readonly columns?: ReadonlyArray<string> | undefined
  /** Where the walk started. */
  readonly begin: string
}

/**
 * @since 1.0.0
 * @category models
 */
export interface ResumeFile {
  /** The number of valid bytes. */
  readonly size: number
  /** Writes to the end of the file, and syncs it to disk. Fails if the file is not locked for this process any more. */
  readonly append: Write<OutputError | LockError>
  /** Stores each value together with the size of the file at that moment, atomically. */
  readonly store: KeyValueStore.KeyValueStore
}

const common = {
  key: Schema.String,
  format: Schema.Literal("table", "ndjson", "csv", "json"),
  begin: Schema.String,
  bytes: Schema.NonNegativeInt,
  checkpoint: Schema.Record({ key: Schema.String, value: Schema.String })
}

const Version2 = Schema.Struct({
  version: Schema.Literal(2),
  service: Schema.String,
  list: Schema.String,
  filter: Schema.Record({ key: Schema.String, value: Schema.String }),
  columns: Schema.optional(Schema.Array(Schema.String)),
  ...common
})

/** The version before files knew their service. Their checkpoint knows the list and its filter. */
const Version1 = Schema.Struct({ version: Schema.Literal(1), ...common })

type Stored = typeof Version2.Type

const decode = Schema.decode(Schema.parseJson(Schema.Union(Version2, Version1)))

const encode = Schema.encodeSync(Schema.parseJson(Version2))

/** What a run must have in common with the first one, and how errors call it. */
const labels = [
  ["service", "service"],
  ["list", "list"],
  ["filter", "filter"],
  ["key", "key"],
  ["format", "format"],
  ["columns", "columns"],
  ["begin", "start position"]
] as const

/**
 * The name of the file that stores the position.
 *
 * @since 1.0.0
 * @category getters
 */
export const positionFile = (file: string): string => `${file}.mailstream-resume`

/**
 * Fails if a file is written with `--resume`: whatever replaces it would take its items from the run that resumes it.
 *
 * @since 1.0.0
 * @category combinators
 */
export const rejectResumable = (
  { name: file, path }: Pick<RegularFile, "name" | "path">
): Effect.Effect<void, OutputError, FileSystem.FileSystem> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const statePath = positionFile(path)
    // If the name of the file is as long as a name can be, it cannot have been written this way.
    if (yield* Effect.orElseSucceed(fs.exists(statePath), () => false)) {
      const description = `was written with --resume; to replace it, remove ${statePath} first`
      return yield* new OutputError({ file, description })
    }
  })

const own = (record: Stored["checkpoint"], key: string): string | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

const isSameFile = (one: FileSystem.File.Info, other: FileSystem.File.Info): boolean =>
  one.dev === other.dev && Option.getOrUndefined(one.ino) === Option.getOrUndefined(other.ino)

/**
 * Opens a file to resume it, or creates it. An existing file that was not created this way is rejected.
 *
 * @since 1.0.0
 * @category constructors
 */
export const open = (
  { name: file, path }: Pick<RegularFile, "name" | "path">,
  subject: Subject
): Effect.Effect<ResumeFile, OutputError | LockError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const statePath = positionFile(path)
    const lock = yield* LockFile.acquire(file, `${statePath}.lock`)
    // What was known of the file before it was locked may have changed since.
    const info = yield* failing(file)(unlessMissing(fs.stat(path)))
    const reject = (description: string) => Effect.fail(new OutputError({ file, description }))

    const save = (state: Stored): Effect.Effect<void, PlatformError> =>
      Effect.scoped(Effect.gen(function*() {
        const temporary = `${statePath}.tmp`
        // A run that was killed may have left one. It is never written to: somebody could have put a link there.
        yield* fs.remove(temporary, { force: true })
        const opened = yield* fs.open(temporary, { flag: "wx" })
        yield* writeTo(opened, encode(state))
        yield* opened.sync
        yield* fs.rename(temporary, statePath)
        yield* syncDirectory(statePath)
      })).pipe(
        Effect.onError(() => Effect.ignore(fs.remove(`${statePath}.tmp`))),
        Effect.provide(context),
        Effect.uninterruptible
      )

    const load: Effect.Effect<Stored, OutputError> = Effect.gen(function*() {
      if (yield* failing(statePath)(fs.exists(statePath))) {
        const text = yield* failing(statePath)(fs.readFileString(statePath))
        const { version: _, ...stored } = yield* Effect.orElse(decode(text), () =>
          new OutputError({
            file: statePath,
            description: `not written by --resume; to start over, remove it and ${file}`
          }))
        return { ...subject, columns: undefined, ...stored, version: 2 }
      }
      if (Option.isSome(info)) {
        return yield* reject("already exists and was not created with --resume; remove it or choose another file")
      }
      const state: Stored = { version: 2, ...subject, bytes: 0, checkpoint: {} }
      // Saved before the file is created, so that a later run recognizes the file as its own.
      yield* failing(statePath)(save(state))
      return state
    })

    let state = yield* load
    for (const [field, label] of labels) {
      const [found, wanted] = [JSON.stringify(state[field] ?? "all"), JSON.stringify(subject[field] ?? "all")]
      if (found !== wanted) {
        return yield* reject(`started with the ${label} ${found}, not ${wanted}; use the same or choose another file`)
      }
    }
    const found = Option.match(info, { onNone: () => 0, onSome: ({ size }) => Number(size) })
    if (state.bytes > found) {
      return yield* reject(`shorter than the last run left it; to start over, remove it and ${statePath}`)
    }
    const opened = yield* failing(file)(fs.open(path, { flag: "a" }))
    yield* syncDirectory(path)

    let size = state.bytes
    let isCut = false
    // Removes what a killed run wrote after the valid bytes. A complete file is not touched at all.
    const cut = Effect.suspend(() => {
      if (isCut) {
        return Effect.void
      }
      isCut = true
      return opened.truncate(size)
    })
    const checkUnchanged = Effect.gen(function*() {
      const written = yield* failing(file)(opened.stat)
      const named = yield* failing(file)(unlessMissing(fs.stat(path)))
      if (Option.isNone(named) || !isSameFile(named.value, written)) {
        return yield* reject(`removed or replaced while it was written; to start over, remove it and ${statePath}`)
      }
      if (Number(written.size) !== size) return yield* reject("another program has changed it; run again")
    })
    const append: ResumeFile["append"] = (text) =>
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

    // The lock of the file is also that of its checkpoint: what locks the checkpoint alone is not worth a write.
    const locks = new Map<string, string>()
    const isLock = (key: string) => key === `${subject.key}.lock` || key === `${subject.key}.lock.renewed`
    const set = (checkpoint: Stored["checkpoint"]) =>
      Effect.suspend(() => {
        state = { ...state, bytes: size, checkpoint }
        return save(state)
      })
    return {
      size,
      append,
      store: KeyValueStore.makeStringOnly({
        get: (key) => Effect.sync(() => Option.fromNullable(isLock(key) ? locks.get(key) : own(state.checkpoint, key))),
        set: (key, value) =>
          isLock(key) ? Effect.sync(() => locks.set(key, value)) : set({ ...state.checkpoint, [key]: value }),
        remove: (key) =>
          isLock(key)
            ? Effect.sync(() => locks.delete(key))
            : set(Object.fromEntries(Object.entries(state.checkpoint).filter(([other]) => other !== key))),
        clear: set({}),
        size: Effect.sync(() => Object.keys(state.checkpoint).length)
      })
    }
  })
