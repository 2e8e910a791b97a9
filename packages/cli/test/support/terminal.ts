import { Effect, type Scope } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { program } from "./program.ts"

/** `script` of util-linux gives a program a terminal. */
export const hasTerminals: boolean = spawnSync("script", ["--version"]).stdout?.toString().includes("util-linux") ??
  false

interface Options {
  readonly env?: Record<string, string> | undefined
  readonly cwd?: string | undefined
  readonly columns?: number | undefined
}

/** A program on a terminal, killed when the scope closes. */
export interface Session {
  /** Waits until the terminal shows something, after what was waited for before. Returns what was shown until then. */
  readonly until: (pattern: RegExp) => Effect.Effect<string>
  readonly type: (text: string) => Effect.Effect<void>
  /** Everything that was shown, once the program has ended. */
  readonly ended: Effect.Effect<string>
}

/** Starts a command of the shell on a terminal. Ctrl+C ends the program, but not the shell. */
export const session = (
  command: string,
  { columns = 100, cwd, env }: Options = {}
): Effect.Effect<Session, never, Scope.Scope> =>
  Effect.gen(function*() {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn("script", ["-qfec", `trap : INT; stty cols ${columns} rows 30; ${command}`, "/dev/null"], {
          cwd,
          env: { PATH: process.env["PATH"], TERM: "xterm", SHELL: "/bin/sh", ...env }
        })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    let shown = ""
    let seen = 0
    let look = () => {}
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text
      look()
    })
    const closed = Effect.async<void>((resume) => {
      child.once("close", () => resume(Effect.void))
    })
    const closing = yield* Effect.fork(closed)
    return {
      type: (text) => Effect.sync(() => void child.stdin.write(text)),
      until: (pattern) =>
        Effect.async((resume) => {
          look = () => {
            const found = pattern.exec(shown.slice(seen))
            if (found === null) return
            const text = shown.slice(seen, seen + found.index + found[0].length)
            seen += text.length
            look = () => {}
            resume(Effect.succeed(text))
          }
          look()
        }),
      ended: Effect.map(closing.await, () => shown)
    }
  })

/** What was shown without the progress line, which a table that is late begins with. */
export const withoutProgress = (shown: string): string => shown.replace(/(\r\u001b\[K[^\r\n]*)*\r\u001b\[K/g, "")

/** Everything that the program sends to the terminal. */
export const onTerminal = (
  line: string,
  { shown = [], typed, ...options }: Options & {
    /** What happens once the terminal shows some text, one after the other. */
    readonly shown?: ReadonlyArray<readonly [pattern: RegExp, then: () => void]> | undefined
    /** What is typed once the terminal shows some text. */
    readonly typed?: { readonly after: RegExp; readonly text: string } | undefined
  } = {}
): Effect.Effect<string> =>
  Effect.gen(function*() {
    const { ended, type, until } = yield* session(`"${process.execPath}" "${program()}" ${line}`, options)
    for (const [pattern, then] of shown) yield* Effect.tap(until(pattern), () => Effect.sync(then))
    if (typed !== undefined) yield* Effect.zipRight(until(typed.after), type(typed.text))
    return yield* ended
  }).pipe(Effect.scoped)
