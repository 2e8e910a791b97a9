/**
 * Where `--output` leads. Regular files are replaced or resumed; everything else is written to as it is.
 *
 * @since 1.0.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Device from "../terminal/Device.ts"
import { failing, OutputError, unlessMissing } from "../terminal/OutputError.ts"
import { type Output, Stdio } from "../terminal/Stdio.ts"

/**
 * @since 1.0.0
 * @category models
 */
export type Destination = RegularFile | Opened

/**
 * A regular file, or the place for a new one.
 *
 * @since 1.0.0
 * @category models
 */
export interface RegularFile {
  readonly _tag: "RegularFile"
  /** As the user typed it. */
  readonly name: string
  /** Its real path: no part of it is a link. */
  readonly path: string
  /** None if it does not exist yet. */
  readonly info: Option.Option<FileSystem.File.Info>
}

/**
 * Standard output, a device, a pipe, or anything else that cannot be replaced by a file.
 *
 * @since 1.0.0
 * @category models
 */
export interface Opened {
  readonly _tag: "Opened"
  readonly output: Output
}

/**
 * Standard output.
 *
 * @since 1.0.0
 * @category constructors
 */
export const standardOutput: Effect.Effect<Destination, never, Stdio> = Effect.map(
  Stdio,
  ({ out }) => ({ _tag: "Opened", output: out })
)

/**
 * What a path leads to, with links followed, even if they lead to a file that does not exist yet.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromPath = (
  name: string
): Effect.Effect<Destination, OutputError, FileSystem.FileSystem | Path.Path | Stdio | Scope.Scope> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const { err, out } = yield* Stdio
    const reject = (description: string) => Effect.fail(new OutputError({ file: name, description }))
    const { descriptor, path } = yield* follow(name)
    const info = yield* failing(name)(unlessMissing(fs.stat(path)))
    if (Option.isNone(info)) {
      if (Option.isSome(descriptor)) return yield* reject("the descriptor is not open")
      return name.endsWith("/") ? yield* reject("is a directory") : { _tag: "RegularFile", name, path, info }
    }
    const { type } = info.value
    if (type === "Directory") return yield* reject("is a directory")
    // Standard output was redirected to this file, so the items are expected in it, not in a replacement.
    const same = [out, err].find(({ leadsTo }) => leadsTo(info.value))
    if (same !== undefined) return { _tag: "Opened", output: same }
    if (Option.isSome(descriptor) && descriptor.value.isOwn) {
      return { _tag: "Opened", output: yield* Device.fromDescriptor(descriptor.value.fd, name) }
    }
    if (type === "File" && Option.isNone(descriptor)) return { _tag: "RegularFile", name, path, info }
    if (type === "File" || type === "CharacterDevice" || type === "FIFO") {
      return { _tag: "Opened", output: yield* Device.fromPath(path, name) }
    }
    return yield* reject("neither a file, a terminal nor a pipe; choose another file")
  })

interface Followed {
  readonly path: string
  /** If it is a descriptor of a process, rather than the path of a file. */
  readonly descriptor: Option.Option<{ readonly fd: number; readonly isOwn: boolean }>
}

/** As many links as Linux follows. */
const maxLinks = 40

/**
 * Follows links by hand. The path of the system's own function would lead through a descriptor to the file behind it,
 * and it has none for a link to a file that does not exist yet.
 */
const follow = (
  name: string
): Effect.Effect<Followed, OutputError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const { basename, dirname, isAbsolute, join } = yield* Path.Path
    const own = Option.getOrElse(yield* Effect.option(fs.realPath("/proc/self")), () => "/proc/self")
    let file = name
    for (let links = 0; links <= maxLinks; links++) {
      const directory = yield* directoryOf(name, dirname(file))
      const path = join(directory, basename(file))
      const [, process, fd] = /^(\/proc\/\d+|\/dev)(?:\/task\/\d+)?\/fd\/(\d+)$/.exec(path) ?? []
      if (fd !== undefined) {
        return { path, descriptor: Option.some({ fd: Number(fd), isOwn: process === own || process === "/dev" }) }
      }
      const link = yield* Effect.option(fs.readLink(path))
      if (Option.isNone(link)) return { path, descriptor: Option.none() }
      // Not normalized: `..` after a link is the parent of what the link leads to.
      file = isAbsolute(link.value) ? link.value : `${directory}/${link.value}`
    }
    return yield* new OutputError({ file: name, description: "too many symbolic links, or they lead in a circle" })
  })

const directoryOf = (
  name: string,
  directory: string
): Effect.Effect<string, OutputError, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.realPath(directory)).pipe(
    unlessMissing,
    failing(name),
    Effect.flatMap(Option.match({
      onNone: () =>
        new OutputError({ file: name, description: `the directory ${directory} does not exist; create it first` }),
      onSome: Effect.succeed
    }))
  )
