/**
 * The file of refused lines. It is created for the first one. A run that resumes an import first removes what a killed one
 * wrote after the bytes that are known to be valid, so that each line is in it once.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { LockError } from "@mailstream/stream/Lock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as LockFile from "../output/LockFile.ts"
import { syncDirectory, writeTo } from "../output/OutputFile.ts"
import { failing, OutputError, unlessMissing } from "../terminal/Errors.ts"
import * as Refusal from "./Refusal.ts"

export interface RefusedFile {
  /** Writes to its end, and syncs it to disk. Returns its size. */
  readonly append: (text: string) => Effect.Effect<number, OutputError | LockError>
}

/** Long enough to recognize a file. */
const beginning = 64

/** Refuses a file that holds something else. */
const check = (fs: FileSystem.FileSystem, path: string, input: Refusal.Input) =>
  Effect.gen(function*() {
    const opened = yield* unlessMissing(fs.open(path, { flag: "r" }))
    if (Option.isNone(opened)) return true
    const found = Option.getOrElse(yield* opened.value.readAlloc(beginning), () => new Uint8Array())
    return Refusal.isReplaceable(input, Buffer.from(found).toString())
  }).pipe(
    Effect.scoped,
    failing(path),
    Effect.filterOrFail(
      (isReplaceable) => isReplaceable,
      () =>
        new OutputError({
          subject: path,
          description: "already exists and holds no refused lines; remove it, or choose another file with --refused"
        })
    )
  )

/** The file at a path, of which `valid` bytes belong to this import. */
export const make = (
  path: string,
  input: Refusal.Input,
  valid: number
): Effect.Effect<RefusedFile, OutputError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path | Scope.Scope>()
    if (valid === 0) yield* check(fs, path, input)
    else {
      const size = yield* failing(path)(unlessMissing(fs.stat(path)))
      if (Option.isNone(size) || Number(size.value.size) < valid) {
        return yield* new OutputError({
          subject: path,
          description:
            "shorter than the last run left it; put it back, or choose another name for --resume to start over"
        })
      }
    }
    const opened = yield* Effect.cached(
      Effect.gen(function*() {
        yield* LockFile.acquire(path, `${path}.lock`)
        const file = yield* failing(path)(fs.open(path, { flag: "a" }))
        yield* failing(path)(file.truncate(valid))
        yield* syncDirectory(path)
        return file
      }).pipe(Effect.provide(context))
    )
    let size = valid
    return {
      append: (text) =>
        Effect.gen(function*() {
          const file = yield* opened
          yield* failing(path)(Effect.zipRight(writeTo(file, text), file.sync))
          size += Buffer.byteLength(text)
          return size
        })
    }
  })
