/**
 * The two streams that the program writes to.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { fstatSync } from "node:fs"
import type { Target } from "../output/Format.ts"
import { OutputError } from "./OutputError.ts"

/**
 * Whoever read the output has gone: `| head` has seen enough.
 *
 * @since 0.1.0
 * @category errors
 */
export class PipeClosed extends Data.TaggedError("PipeClosed")<{}> {}

/**
 * One of the streams.
 *
 * @since 0.1.0
 * @category models
 */
export interface Output extends Target {
  /** Whether it is redirected to a regular file. */
  readonly isFile: boolean
  /** Ends when the text has been taken, so that a slow reader slows down whoever writes. */
  readonly write: (text: string) => Effect.Effect<void, PipeClosed | OutputError>
}

/**
 * @since 0.1.0
 * @category services
 */
export class Stdio extends Context.Tag("@mailstream/cli/Stdio")<Stdio, {
  /** Data, and nothing else. */
  readonly out: Output
  /** What the program has to say. */
  readonly err: Output
  /** Writes a line of what the program has to say. Where nobody listens, nothing happens. */
  readonly say: (line: string) => Effect.Effect<void>
}>() {
  /**
   * The streams of this process.
   *
   * @since 0.1.0
   */
  static readonly layer: Layer.Layer<Stdio> = Layer.scoped(
    Stdio,
    Effect.gen(function*() {
      const noColor = yield* Config.string("NO_COLOR").pipe(Config.withDefault(""))
      const term = yield* Config.string("TERM").pipe(Config.withDefault(""))
      const hasColors = noColor === "" && term !== "dumb"
      const out = yield* fromStream(process.stdout, "standard output", hasColors)
      const err = yield* fromStream(process.stderr, "standard error", hasColors)
      return { out, err, say: (line: string) => Effect.ignore(err.write(`${line}\n`)) }
    }).pipe(Effect.orDie)
  )
}

const fromStream = (stream: NodeJS.WriteStream & { readonly fd: number }, name: string, hasColors: boolean) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      // Failures are told to whoever writes; without a listener the same failure would end the process.
      const ignore = () => {}
      stream.on("error", ignore)
      return ignore
    }),
    (ignore) => Effect.sync(() => stream.off("error", ignore))
  ).pipe(
    Effect.map((): Output => ({
      isTerminal: stream.isTTY === true,
      isFile: fstatSync(stream.fd).isFile(),
      // Terminals that do not know their width have 80 columns.
      get columns() {
        return stream.columns > 0 ? stream.columns : 80
      },
      hasColors: hasColors && stream.isTTY === true,
      write: (text) =>
        text === "" ? Effect.void : Effect.async((resume) => {
          stream.write(text, (error) => resume(error ? Effect.fail(failure(name, error)) : Effect.void))
        })
    }))
  )

const failure = (name: string, error: NodeJS.ErrnoException): PipeClosed | OutputError =>
  error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED"
    ? new PipeClosed()
    : new OutputError({ file: name, description: error.message })
