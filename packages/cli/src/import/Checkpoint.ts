/** Where an import stores how much of it is done. */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { LockError } from "@mailstream/stream/Lock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as LockFile from "../output/LockFile.ts"
import * as ResumeFile from "../output/ResumeFile.ts"
import { failing, type InputError, type OutputError, unlessMissing } from "../terminal/Errors.ts"
import * as ImportState from "./ImportState.ts"

export interface Checkpoint {
  /** What earlier runs have done. */
  readonly done: ImportState.Done
  /** Stores what is done, atomically. Fails if this process no longer holds the lock. */
  readonly save: (done: ImportState.Done) => Effect.Effect<void, OutputError | LockError>
}

/** For an import that cannot be resumed. */
export const none: Checkpoint = { done: ImportState.none, save: () => Effect.void }

/** Opens what is stored under a name, and keeps other runs with the same name away until the scope closes. */
export const open = (
  name: string,
  file: string,
  subject: ImportState.Subject
): Effect.Effect<
  Checkpoint,
  InputError | OutputError | LockError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const lock = yield* LockFile.acquire(`--resume ${name}`, `${file}.lock`)
    const stored = Option.getOrUndefined(yield* failing(file)(unlessMissing(fs.readFileString(file))))
    const done = yield* ImportState.decide(subject, { name, file, stored })
    const save = (done: ImportState.Done) =>
      Effect.zipRight(
        lock.verify,
        failing(file)(ResumeFile.replace(file, ImportState.encode({ version: 1, subject, done })))
      ).pipe(Effect.provide(context))
    // Before anything is done, so that a directory that cannot be written to is noticed.
    if (stored === undefined) yield* save(done)
    return { done, save }
  })
