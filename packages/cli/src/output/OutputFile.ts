/** Files that are written atomically. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { randomUUID } from "node:crypto"
import { failing, type OutputError } from "../terminal/Errors.ts"
import type { RegularFile } from "./Destination.ts"

/** Writes text. */
export interface Write<E = OutputError> {
  (text: string): Effect.Effect<void, E>
}

/**
 * Gives `use` a temporary file in the same directory. Once it is complete and synced to disk, it replaces the file,
 * keeping its permissions, unless a `mode` is given, and, if possible, its owner. If `use` fails or is interrupted, the
 * temporary file is removed and the file is unchanged.
 */
export const replace = <A, E, R>(
  { info, name, path: target }: RegularFile,
  use: (write: Write) => Effect.Effect<A, E, R>,
  { mode = modeOf(info) }: { readonly mode?: number | undefined } = {}
): Effect.Effect<A, E | OutputError, R | FileSystem.FileSystem | Path.Path> =>
  Effect.scoped(Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    // Renaming asks for no permission to write to the file that is replaced.
    if (Option.isSome(info)) yield* failing(name)(fs.access(target, { writable: true }))
    // Not made of the name of the file, which may be as long as a name can be.
    const temporary = path.join(path.dirname(target), `.mailstream-${randomUUID()}.tmp`)
    yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(temporary, { force: true })))
    const opened = yield* failing(name)(fs.open(temporary, { flag: "wx", mode }))
    const result = yield* use((text) => failing(name)(writeTo(opened, text)))
    if (Option.isSome(info)) {
      yield* Effect.ignore(chown(fs, temporary, info.value))
      // The mode of a new file is limited by the umask.
      yield* failing(name)(fs.chmod(temporary, mode))
    }
    yield* failing(name)(opened.sync)
    yield* Effect.uninterruptible(failing(name)(fs.rename(temporary, target)))
    yield* syncDirectory(target)
    return result
  }))

const modeOf = Option.match({
  onNone: () => 0o666,
  onSome: ({ mode }: FileSystem.File.Info) => mode & 0o777
})

const chown = (fs: FileSystem.FileSystem, path: string, { gid, uid }: FileSystem.File.Info) =>
  Effect.flatMap(Option.all([uid, gid]), ([uid, gid]) => fs.chown(path, uid, gid))

/** Writes text to the end of an open file. */
export const writeTo = (opened: FileSystem.File, text: string): Effect.Effect<void, PlatformError> =>
  // A write that has started finishes before the file is closed.
  text === "" ? Effect.void : Effect.uninterruptible(opened.writeAll(Buffer.from(text)))

/** Syncs the directory of a new or renamed file to disk, if the system supports it. */
export const syncDirectory = (
  file: string
): Effect.Effect<void, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const directory: Effect.Effect<FileSystem.File, unknown, Scope.Scope> = fs.open(path.dirname(file), { flag: "r" })
    yield* Effect.scoped(Effect.ignore(Effect.flatMap(directory, (opened) => opened.sync)))
  })
