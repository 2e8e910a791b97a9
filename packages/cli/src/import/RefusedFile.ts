/**
 * The file of refused lines. It is created for the first one, under a name that no file has: a file that this import has not
 * made is never changed. Its name is stored before it is created, so that a run that resumes the import recognizes it, and
 * first removes what a killed one wrote after the bytes that are known to be valid: each line is in it once.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type { LockError } from "@mailstream/stream/Lock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { syncDirectory, writeTo } from "../output/OutputFile.ts"
import { failing, hasReason, OutputError, unlessMissing } from "../terminal/Errors.ts"
import type { Part } from "./ImportState.ts"
import * as Refusal from "./Refusal.ts"

export interface RefusedFile {
  /** The files of earlier imports of the same input, which somebody could take for the one of this import. */
  readonly earlier: ReadonlyArray<string>
  /** Writes to its end, and syncs it to disk. Returns its size. */
  readonly append: (text: string) => Effect.Effect<number, OutputError | LockError>
}

/** Where refused lines are written. */
export interface Place {
  /** A path without the extension, which a number may be added to; or the complete path. */
  readonly path: string
  readonly input: Refusal.Input
  /** Whether the user has chosen it, so that no other one will do. */
  readonly isChosen: boolean
}

/** The paths to try, in this order. */
export const pathAt = ({ input, isChosen, path }: Place, attempt: number): string =>
  isChosen ? path : `${path}${attempt === 1 ? "" : `-${attempt}`}.${input}`

/** Long enough to recognize a file. */
const beginning = 64

/** Whether there is no file at the path of this import, or one that a run of it may have begun. */
const isOwn = (fs: FileSystem.FileSystem, path: string, input: Refusal.Input) =>
  Effect.gen(function*() {
    const opened = yield* unlessMissing(fs.open(path, { flag: "r" }))
    if (Option.isNone(opened)) return true
    const found = Option.getOrElse(yield* opened.value.readAlloc(beginning), () => new Uint8Array())
    return Refusal.isReplaceable(input, Buffer.from(found).toString())
  }).pipe(Effect.scoped, failing(path))

const exists = (path: string) =>
  new OutputError({
    subject: path,
    description: "already exists; remove it, or choose another file with --refused"
  })

/** Fails if the file that an earlier run has left is not there any more. */
const checkLeft = (fs: FileSystem.FileSystem, path: string, valid: number) =>
  Effect.flatMap(
    failing(path)(unlessMissing(fs.stat(path))),
    (info) =>
      Option.isSome(info) && Number(info.value.size) >= valid ? Effect.void : new OutputError({
        subject: path,
        description: "shorter than the last run left it; put it back, or choose another name for --resume to start over"
      })
  )

/** Creates the file at the first path that is free, each of which is claimed before. */
const create = (
  fs: FileSystem.FileSystem,
  place: Place,
  claim: (path: string) => Effect.Effect<void, OutputError | LockError>
) => {
  const from = (
    attempt: number
  ): Effect.Effect<readonly [path: string, file: FileSystem.File], OutputError | LockError, Scope.Scope> =>
    Effect.gen(function*() {
      const path = pathAt(place, attempt)
      const next = place.isChosen ? exists(path) : Effect.suspend(() => from(attempt + 1))
      if (yield* failing(path)(fs.exists(path))) return yield* next
      yield* claim(path)
      const opened = yield* fs.open(path, { flag: "ax" }).pipe(
        Effect.asSome,
        Effect.catchIf(hasReason("AlreadyExists"), () => Effect.succeedNone),
        failing(path)
      )
      return Option.isSome(opened) ? [path, opened.value] as const : yield* next
    })
  return from(1)
}

/** The files that earlier imports have left at the paths that this one tries, besides its own. */
const findEarlier = (fs: FileSystem.FileSystem, place: Place, own: string | undefined) =>
  Effect.gen(function*() {
    const found: Array<string> = []
    if (place.isChosen) return found
    for (let attempt = 1;; attempt++) {
      const path = pathAt(place, attempt)
      if (!(yield* failing(path)(fs.exists(path)))) return found
      // What cannot be read is no reason to stop.
      if (path !== own && (yield* Effect.orElseSucceed(isOwn(fs, path, place.input), () => false))) found.push(path)
    }
  })

/** The file of an import that has done this much. `claim` stores the path of a file that is about to be created. */
export const make = (
  place: Place,
  { isComplete, refused: claimed, refusedBytes: valid }: Pick<Part, "isComplete" | "refused" | "refusedBytes">,
  claim: (path: string) => Effect.Effect<void, OutputError | LockError>
): Effect.Effect<RefusedFile, OutputError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const context = yield* Effect.context<FileSystem.FileSystem | Path.Path | Scope.Scope>()
    const own = claimed !== null && (valid > 0 || (yield* isOwn(fs, claimed, place.input))) ? claimed : undefined
    if (!isComplete) {
      if (valid > 0 && own !== undefined) yield* checkLeft(fs, own, valid)
      if (own === undefined && place.isChosen && (yield* failing(place.path)(fs.exists(place.path)))) {
        return yield* exists(place.path)
      }
    }
    const opened = yield* Effect.cached(
      Effect.gen(function*() {
        const [path, file] = own === undefined
          ? yield* create(fs, place, claim)
          : [own, yield* failing(own)(fs.open(own, { flag: "a" }))] as const
        if (own !== undefined) yield* failing(path)(file.truncate(valid))
        yield* syncDirectory(path)
        return [path, file] as const
      }).pipe(Effect.provide(context))
    )
    const earlier = isComplete ? [] : yield* findEarlier(fs, place, own)
    let size = valid
    return {
      earlier,
      append: (text) =>
        Effect.gen(function*() {
          const [path, file] = yield* opened
          yield* failing(path)(Effect.zipRight(writeTo(file, text), file.sync))
          size += Buffer.byteLength(text)
          return size
        })
    }
  })
