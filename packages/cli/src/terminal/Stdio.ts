/** Standard output and standard error. */
import type { File } from "@effect/platform/FileSystem"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { fstatSync } from "node:fs"
import type { Writable } from "node:stream"
import { OutputError, PipeClosed } from "./Errors.ts"
import * as Text from "./Text.ts"

/** What formatting needs to know of where text goes. */
export interface Target {
  readonly isTerminal: boolean
  /** The width of the window, if it is a terminal. */
  readonly columns: number
  readonly hasColors: boolean
}

/** One of the streams. */
export interface Output extends Target {
  /** Whether it is redirected to a regular file. */
  readonly isFile: boolean
  /** Whether it leads to the same file, pipe or terminal as a path. */
  readonly leadsTo: (found: Pick<File.Info, "dev" | "ino">) => boolean
  /** Completes when the text has been flushed, so that a slow reader slows the writer down. */
  readonly write: (text: string) => Effect.Effect<void, PipeClosed | OutputError>
}

export class Stdio extends Context.Tag("@mailstream/cli/Stdio")<Stdio, {
  /** Standard output: data only. */
  readonly out: Output
  /** Standard error: messages, progress and prompts. */
  readonly err: Output
  /**
   * Writes a line to standard error, without the passwords of database URLs, and without anything that controls a terminal.
   * Failures are ignored.
   */
  readonly say: (line: string) => Effect.Effect<void>
  /** Whether the last line of the terminal is one that changes, and is cleared before others are written. */
  readonly isLive: MutableRef.MutableRef<boolean>
}>() {
  /** The streams of this process. */
  static readonly layer: Layer.Layer<Stdio> = Layer.scoped(
    Stdio,
    Effect.gen(function*() {
      const wanted = yield* colors
      const out = yield* fromStream(process.stdout, "standard output", wanted)
      const err = yield* fromStream(process.stderr, "standard error", wanted)
      return make(out, err)
    })
  )
}

/** The service for these streams. */
export const make = (out: Output, err: Output): Context.Tag.Service<Stdio> => {
  const isLive = MutableRef.make(false)
  return {
    out,
    err,
    isLive,
    say: (line) => Effect.suspend(() => Effect.ignore(err.write(`${message(line, isLive)}\n`)))
  }
}

/** Clears the last line of the terminal. */
export const clear = "\r\u001b[K"

/** A message as it is written, in place of a line that changes. */
export const message = (line: string, isLive: MutableRef.MutableRef<boolean>): string =>
  (MutableRef.getAndSet(isLive, false) ? clear : "") + Text.displayable(Text.withoutPasswords(line))

/** Writes a line to standard error if it is a terminal, for the person who watches it. */
export const tell = (line: string): Effect.Effect<void, never, Stdio> =>
  Effect.flatMap(Stdio, ({ err, say }) => err.isTerminal ? say(line) : Effect.void)

/** As `tell`, but dimmed. */
export const hint = (line: string): Effect.Effect<void, never, Stdio> =>
  Effect.flatMap(Stdio, ({ err }) => tell(Text.styled(err, "dim", line)))

/** Where colors are used: on terminals only (`auto`), everywhere, or nowhere. */
type Colors = "auto" | "always" | "never"

/** What the environment asks for. As in Node, `FORCE_COLOR` takes precedence. */
export const colors: Effect.Effect<Colors> = Config.all({
  force: Config.option(Config.string("FORCE_COLOR")),
  no: Config.string("NO_COLOR").pipe(Config.withDefault("")),
  term: Config.string("TERM").pipe(Config.withDefault(""))
}).pipe(
  Effect.map(({ force, no, term }): Colors => {
    if (Option.isSome(force)) return /^(0|false)$/.test(force.value) ? "never" : "always"
    return no !== "" || term === "dumb" ? "never" : "auto"
  }),
  Effect.orDie
)

/** An output that writes to a stream of Node. `name` stands for it in errors. */
export const fromStream = (
  stream: Writable & { readonly fd: number; readonly isTTY?: boolean; readonly columns?: number },
  name: string,
  wanted: Colors
): Effect.Effect<Output, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      // `write` reports failures. Without a listener the same failure would also end the process.
      const ignore = () => {}
      stream.on("error", ignore)
      return ignore
    }),
    (ignore) => Effect.sync(() => stream.off("error", ignore))
  ).pipe(
    Effect.map((): Output => {
      // As big integers: after any other look at a pipe, Node no longer resolves links to what is imported.
      const info = fstatSync(stream.fd, { bigint: true })
      return {
        isTerminal: stream.isTTY === true,
        isFile: info.isFile(),
        // A terminal that does not know its width is taken to have 80 columns.
        get columns() {
          return stream.columns !== undefined && stream.columns > 0 ? stream.columns : 80
        },
        hasColors: wanted === "always" || wanted === "auto" && stream.isTTY === true,
        leadsTo: ({ dev, ino }) => Number(info.dev) === dev && Option.contains(ino, Number(info.ino)),
        write: (text) =>
          text === "" ? Effect.void : Effect.async((resume) => {
            stream.write(text, (error) => resume(error ? Effect.fail(failure(name, error)) : Effect.void))
          })
      }
    })
  )

const failure = (name: string, error: NodeJS.ErrnoException): PipeClosed | OutputError =>
  error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED"
    ? new PipeClosed()
    : new OutputError({ subject: name, description: error.message })
