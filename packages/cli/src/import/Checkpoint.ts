/** Where work on an input stores how much of it is done. */
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

export interface Checkpoint<Done> {
  /** What earlier runs have done. */
  readonly done: Done
  /** Stores what is done, atomically. Fails if this process no longer holds the lock. */
  readonly save: (done: Done) => Effect.Effect<void, OutputError | LockError>
}

/** For work that cannot be resumed. */
export const none = <Done>(initial: Done): Checkpoint<Done> => ({ done: initial, save: () => Effect.void })

/** Opens what is stored under a name, and keeps other runs with the same name away until the scope closes. */
export const open = <Done>(
  kind: ImportState.Kind<Done>,
  initial: Done,
  { file, name, subject }: {
    readonly name: string
    readonly file: string
    readonly subject: ImportState.Subject
  }
): Effect.Effect<
  Checkpoint<Done>,
  InputError | OutputError | LockError,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const lock = yield* LockFile.acquire(`--resume ${name}`, `${file}.lock`)
    const stored = Option.getOrUndefined(yield* failing(file)(unlessMissing(fs.readFileString(file))))
    const done = yield* ImportState.decide(kind, subject, { name, file, stored, initial })
    const save = (done: Done) =>
      Effect.zipRight(
        lock.verify,
        failing(file)(ResumeFile.replace(file, kind.encode(subject, done)))
      ).pipe(Effect.provide(context))
    // Before anything is done, so that a directory that cannot be written to is noticed.
    if (stored === undefined) yield* save(done)
    return { done, save }
  })
