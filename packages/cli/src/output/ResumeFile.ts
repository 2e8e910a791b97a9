/**
 * Files that are written over several runs of the program, each of which may be killed at any instant.
 *
 * Beside `FILE` there is `FILE.mailstream-resume`, which is replaced as a whole after each page: how many bytes of
 * `FILE` are good, and the checkpoint of the walk that belongs to them. The bytes are on the disk before the file beside
 * says so, and a new run cuts off what stands behind them. So each item is in `FILE` exactly once.
 *
 * @since 0.1.0
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { failing, OutputError } from "../terminal/OutputError.ts"
import type { Format } from "./Format.ts"
import { resolve, syncDirectory, type Write, writeTo } from "./OutputFile.ts"

/**
 * What a file belongs to: with anything else it is not continued.
 *
 * @since 0.1.0
 * @category models
 */
export interface Subject {
  /** What the user calls it. */
  readonly key: string
  readonly format: Format
  /** Where the walk began. */
  readonly begin: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ResumeFile {
  /** How many bytes are good. */
  readonly size: number
  /** Writes to the end of the file, up to the disk. */
  readonly append: Write
  /** What is set here is stored together with the size that the file has then, at once. */
  readonly store: KeyValueStore.KeyValueStore
}

const Stored = Schema.parseJson(Schema.Struct({
  version: Schema.Literal(1),
  key: Schema.String,
  format: Schema.Literal("table", "ndjson", "csv", "json"),
  begin: Schema.String,
  bytes: Schema.NonNegativeInt,
  checkpoint: Schema.Record({ key: Schema.String, value: Schema.String })
}))

type Stored = typeof Stored.Type

/**
 * The name of the file beside.
 *
 * @since 0.1.0
 * @category getters
 */
export const beside = (file: string): string => `${file}.mailstream-resume`

/**
 * Opens a file to go on with it, or begins it. A file that is there already and was not begun in this way is left
 * alone.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = (
  file: string,
  subject: Subject
): Effect.Effect<ResumeFile, OutputError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const target = yield* resolve(file)
    const statePath = beside(target.path)
    const refuse = (description: string) => Effect.fail(new OutputError({ file, description }))

    const save = (state: Stored): Effect.Effect<void, PlatformError> =>
      Effect.scoped(Effect.gen(function*() {
        const temporary = `${statePath}.tmp`
        const opened = yield* fs.open(temporary, { flag: "w" })
        yield* writeTo(opened, Schema.encodeSync(Stored)(state))
        yield* opened.sync
        yield* fs.rename(temporary, statePath)
        yield* syncDirectory(statePath)
      })).pipe(Effect.provide(context), Effect.uninterruptible)

    const load: Effect.Effect<Stored, OutputError> = Effect.gen(function*() {
      if (yield* failing(statePath)(fs.exists(statePath))) {
        const text = yield* failing(statePath)(fs.readFileString(statePath))
        return yield* Effect.orElse(Schema.decode(Stored)(text), () =>
          new OutputError({ file: statePath, description: "it is not what a run with --resume leaves behind" }))
      }
      if (Option.isSome(target.size)) {
        return yield* refuse("it is there already, and was not begun with --resume; remove it or name another file")
      }
      const state: Stored = { version: 1, ...subject, bytes: 0, checkpoint: {} }
      // Before the file itself, so that it is never taken for one that somebody else has begun.
      yield* failing(statePath)(save(state))
      return state
    })

    let state = yield* load
    for (const field of ["key", "format", "begin"] as const) {
      if (state[field] !== subject[field]) {
        return yield* refuse(
          `it was begun with the ${field} ${JSON.stringify(state[field])}, not ${JSON.stringify(subject[field])}`
        )
      }
    }
    if (
      state.bytes > Option.getOrElse(target.size, () =>
        0)
    ) {
      return yield* refuse(`it is shorter than it was; to begin anew, remove it and ${statePath}`)
    }
    const opened = yield* failing(file)(fs.open(target.path, { flag: "a" }))
    yield* syncDirectory(target.path)

    let size = state.bytes
    let isCut = false
    // What a run that was killed has left behind the good bytes. A file that is complete is not even touched.
    const cut = Effect.suspend(() => {
      if (isCut) return Effect.void
      isCut = true
      return opened.truncate(size)
    })
    const append: Write = (text) =>
      Effect.gen(function*() {
        yield* failing(file)(cut)
        if (Number((yield* failing(file)(opened.stat)).size) !== size) {
          return yield* refuse("somebody else writes to it")
        }
        yield* failing(file)(Effect.zipRight(writeTo(opened, text), opened.sync))
        size += Buffer.byteLength(text)
      }).pipe(Effect.uninterruptible)

    const set = (checkpoint: Stored["checkpoint"]) =>
      Effect.suspend(() => {
        state = { ...state, bytes: size, checkpoint }
        return save(state)
      })
    return {
      size,
      append,
      store: KeyValueStore.makeStringOnly({
        get: (key) => Effect.sync(() => Option.fromNullable(state.checkpoint[key])),
        set: (key, value) => set({ ...state.checkpoint, [key]: value }),
        remove: (key) => set(Object.fromEntries(Object.entries(state.checkpoint).filter(([other]) => other !== key))),
        clear: set({}),
        size: Effect.sync(() => Object.keys(state.checkpoint).length)
      })
    }
  })
