/**
 * Files that appear whole or not at all.
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
 * Takes text.
 *
 * @since 0.1.0
 * @category models
 */
export interface Write<E = OutputError> {
  (text: string): Effect.Effect<void, E>
}

/**
 * Gives `use` a file to write to. It has a temporary name in the same directory until all is written and on the disk;
 * then it takes the place of `file`, with the permissions that were there. When `use` fails or is interrupted, it is
 * removed, and `file` is as it was.
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
    const answer = yield* use((text) => failing(file)(writeTo(opened, text)))
    yield* failing(file)(opened.sync)
    yield* Effect.uninterruptible(failing(file)(fs.rename(temporary, target.path)))
    yield* syncDirectory(target.path)
    return answer
  }))

/**
 * Where a file really is: behind its links. Only regular files can be written: a device would be replaced by a file.
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
      return yield* new OutputError({ file, description: "it is no regular file; to write to it, redirect the output" })
    }
    return {
      path: yield* failing(file)(fs.realPath(file)),
      mode: info.value.mode & 0o777,
      size: Option.some(Number(info.value.size))
    }
  })

/**
 * Writes a text to the end of an open file.
 *
 * @since 0.1.0
 * @category combinators
 */
export const writeTo = (opened: FileSystem.File, text: string): Effect.Effect<void, PlatformError> =>
  // A write that has begun is finished before the file is closed.
  text === "" ? Effect.void : Effect.uninterruptible(opened.writeAll(Buffer.from(text)))

/**
 * Puts a new or renamed entry of a directory on the disk, where the system can do that.
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
