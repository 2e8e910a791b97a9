/**
 * Files that are written atomically.
 *
 * @since 0.1.0
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { failing, OutputError } from "../terminal/OutputError.ts"

/**
 * Writes text.
 *
 * @since 0.1.0
 * @category models
 */
export interface Write<E = OutputError> {
  (text: string): Effect.Effect<void, E>
}

/**
 * Gives `use` a temporary file in the same directory. Once it is complete and synced to disk, it replaces `file`,
 * keeping its permissions. If `use` fails or is interrupted, the temporary file is removed and `file` is unchanged.
 *
 * @since 0.1.0
 * @category combinators
 */
export const replace = <A, E, R>(
  file: string,
  use: (write: Write) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | OutputError, R | FileSystem.FileSystem | Path.Path> =>
  Effect.scoped(Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const target = yield* resolve(file)
    const temporary = path.join(path.dirname(target.path), `.${path.basename(target.path)}.${randomUUID()}.tmp`)
    yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(temporary, { force: true })))
    const opened = yield* failing(file)(fs.open(temporary, { flag: "wx", mode: target.mode }))
    const result = yield* use((text) => failing(file)(writeTo(opened, text)))
    yield* failing(file)(opened.sync)
    yield* Effect.uninterruptible(failing(file)(fs.rename(temporary, target.path)))
    yield* syncDirectory(target.path)
    return result
  }))

/**
 * The real path of a file, with links resolved. Only regular files are accepted: a device would be replaced by a file.
 *
 * @since 0.1.0
 * @category combinators
 */
export const resolve = (
  file: string
): Effect.Effect<
  { readonly path: string; readonly mode: number; readonly size: Option.Option<number> },
  OutputError,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const info = yield* fs.stat(file).pipe(
      Effect.asSome,
      Effect.catchIf((error) => error._tag === "SystemError" && error.reason === "NotFound", () =>
        Effect.succeed(Option.none<FileSystem.File.Info>())),
      failing(file)
    )
    if (Option.isNone(info)) {
      return { path: path.resolve(file), mode: 0o666, size: Option.none() }
    }
    if (info.value.type !== "File") {
      return yield* new OutputError({
        file,
        description: "not a regular file; to write to it, redirect standard output"
      })
    }
    return {
      path: yield* failing(file)(fs.realPath(file)),
      mode: info.value.mode & 0o777,
      size: Option.some(Number(info.value.size))
    }
  })

/**
 * Writes text to the end of an open file.
 *
 * @since 0.1.0
 * @category combinators
 */
export const writeTo = (opened: FileSystem.File, text: string): Effect.Effect<void, PlatformError> =>
  // A write that has started finishes before the file is closed.
  text === "" ? Effect.void : Effect.uninterruptible(opened.writeAll(Buffer.from(text)))

/**
 * Syncs the directory of a new or renamed file to disk, if the system supports it.
 *
 * @since 0.1.0
 * @category combinators
 */
export const syncDirectory = (
  file: string
): Effect.Effect<void, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const directory: Effect.Effect<FileSystem.File, unknown, Scope.Scope> = fs.open(path.dirname(file), { flag: "r" })
    yield* Effect.scoped(Effect.ignore(Effect.flatMap(directory, (opened) => opened.sync)))
  })
