/**
 * Where `--output` leads. Regular files are replaced or resumed. Everything else is written to, never replaced: terminals and
 * other devices, named pipes, and descriptors that the shell has opened, as `/dev/stdout` and `>(command)` are.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { constants, createWriteStream, fstatSync, openSync } from "node:fs"
import { Socket } from "node:net"
import type { Writable } from "node:stream"
import { isatty, WriteStream } from "node:tty"
import { failing, OutputError, unlessMissing } from "../terminal/Errors.ts"
import { colors, fromStream, type Output, Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"

/** A regular file, or what is opened instead of being replaced: standard output, a device, a pipe, or anything else. */
export type Destination = RegularFile | { readonly _tag: "Opened"; readonly output: Output }

/** A regular file, or the place for a new one. */
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
 * What a path leads to, with links followed, even if they lead to a file that does not exist yet. `-` is standard output, and
 * `./-` a file of that name.
 */
export const fromPath = (
  name: string
): Effect.Effect<Destination, OutputError, FileSystem.FileSystem | Path.Path | Stdio | Scope.Scope> =>
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const { err, out } = yield* Stdio
    if (name === "-") return { _tag: "Opened", output: out }
    const reject = (description: string) => Effect.fail(new OutputError({ subject: name, description }))
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
      // A descriptor that this process was started with.
      const { fd } = descriptor.value
      return { _tag: "Opened", output: fd === 1 ? out : fd === 2 ? err : yield* opened(() => fd, name) }
    }
    if (type === "File" && Option.isNone(descriptor)) return { _tag: "RegularFile", name, path, info }
    if (type === "File" || type === "CharacterDevice" || type === "FIFO") {
      return { _tag: "Opened", output: yield* fromDevice(path, name) }
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
    return yield* new OutputError({ subject: name, description: "too many symbolic links, or they lead in a circle" })
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
        new OutputError({ subject: name, description: `the directory ${directory} does not exist; create it first` }),
      onSome: Effect.succeed
    }))
  )

/** The polling interval, and how often it is polled: for one minute. */
const untilRead = Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(600))

/** A device or a named pipe. A pipe without a reader waits for one, for at most a minute, and says so. */
const fromDevice = (path: string, file: string): Effect.Effect<Output, OutputError, Scope.Scope | Stdio> =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    const tellOnce = yield* Effect.once(say(`Waiting for a reader of ${file}.`))
    // Without O_NONBLOCK, opening a pipe would block a thread until there is a reader, and no signal could end that.
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOCTTY
    return yield* opened(() => openSync(path, flags), file).pipe(
      Effect.tapError((error) => hasNoReader(error) ? tellOnce : Effect.void),
      Effect.retry({ while: hasNoReader, schedule: untilRead }),
      Effect.catchIf(
        hasNoReader,
        () => new OutputError({ subject: file, description: "has no reader; start one and run again" })
      )
    )
  })

const opened = (open: () => number, file: string): Effect.Effect<Output, OutputError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const fd = open()
        // A failed stream emits the error again when it has been closed, which may be after the last write has failed.
        return Object.assign(streamOf(fd, file).on("error", () => {}), { fd })
      },
      catch: (cause) =>
        new OutputError({
          subject: file,
          description: hasCode(cause, "EACCES") ? "permission denied" : Text.reasonOf(cause),
          cause
        })
    }),
    // Every write has been awaited, or is no longer wanted.
    (stream) => Effect.sync(() => stream.destroy())
  ).pipe(
    Effect.zipWith(colors, (stream, wanted) => fromStream(stream, file, wanted)),
    Effect.flatten
  )

const streamOf = (fd: number, file: string): Writable => {
  if (isatty(fd)) return new WriteStream(fd)
  const info = fstatSync(fd, { bigint: true })
  // A pipe that is full blocks its writer. A socket waits without occupying a thread, so that signals still work.
  return info.isFIFO() || info.isSocket()
    ? new Socket({ fd, readable: false, writable: true })
    : createWriteStream(file, { fd })
}

const hasCode = (error: unknown, code: string): boolean => Predicate.hasProperty(error, "code") && error.code === code

const hasNoReader = ({ cause }: OutputError): boolean => hasCode(cause, "ENXIO")
