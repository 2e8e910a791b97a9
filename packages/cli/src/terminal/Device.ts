/**
 * What `--output` can name besides regular files: terminals and other devices, named pipes, and descriptors that the
 * shell has opened, as `/dev/stdout` and `>(command)` are. They are written to, never replaced.
 *
 * @since 1.0.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { constants, createWriteStream, fstatSync, openSync } from "node:fs"
import { Socket } from "node:net"
import type { Writable } from "node:stream"
import { isatty, WriteStream } from "node:tty"
import { OutputError } from "./OutputError.ts"
import { colors, fromStream, type Output, Stdio } from "./Stdio.ts"

/**
 * A descriptor that this process was started with. `file` stands for it in errors.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromDescriptor = (fd: number, file: string): Effect.Effect<Output, OutputError, Stdio | Scope.Scope> =>
  Effect.flatMap(Stdio, ({ err, out }) => {
    if (fd === 1) return Effect.succeed(out)
    return fd === 2 ? Effect.succeed(err) : Effect.mapError(opened(() => fd, file), (error) => failure(file, error))
  })

/** The polling interval, and how often it is polled: for one minute. */
const untilRead = Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(600))

/**
 * A device or a named pipe. A pipe without a reader waits for one, for at most a minute.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromPath = (path: string, file: string): Effect.Effect<Output, OutputError, Scope.Scope> =>
  // Without O_NONBLOCK, opening a pipe would block a thread until there is a reader, and no signal could end that.
  opened(
    () => openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK | constants.O_NOCTTY),
    file
  )
    .pipe(
      Effect.retry({ while: hasNoReader, schedule: untilRead }),
      Effect.mapError((error) =>
        hasNoReader(error)
          ? new OutputError({ file, description: "has no reader; start one and run again" })
          : failure(file, error)
      )
    )

/** A failed system call. */
class SystemFailure
  extends Data.TaggedError("SystemFailure")<{ readonly code: unknown; readonly description: string }>
{}

const opened = (open: () => number, file: string): Effect.Effect<Output, SystemFailure, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const fd = open()
        // A failed stream emits the error again when it has been closed, which may be after the last write has failed.
        return Object.assign(streamOf(fd, file).on("error", () => {}), { fd })
      },
      catch: (error) =>
        new SystemFailure({
          code: Predicate.hasProperty(error, "code") ? error.code : undefined,
          description: error instanceof Error ? error.message : String(error)
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

const hasNoReader = ({ code }: SystemFailure): boolean => code === "ENXIO"

const failure = (file: string, { code, description }: SystemFailure): OutputError =>
  new OutputError({ file, description: code === "EACCES" ? "permission denied" : description })
