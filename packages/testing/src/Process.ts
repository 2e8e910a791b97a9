/** Processes that a test starts, reads and kills. */
import { Effect, Mailbox, type Scope } from "effect"
import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"

export interface Finished {
  /** The exit code, or the signal that killed the process. */
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly pid: number
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** The next line of standard output. */
  readonly line: Effect.Effect<string>
  /** The next line of standard error. */
  readonly said: Effect.Effect<string>
  readonly kill: (signal: NodeJS.Signals) => Effect.Effect<void>
  readonly finished: Effect.Effect<Finished>
}

export interface Options {
  readonly env?: Record<string, string> | undefined
  readonly cwd?: string | undefined
  /** Leaves standard output unread until the test reads it. */
  readonly unread?: boolean | undefined
}

/** How a process ended, if it did. */
export const endOf = (child: ChildProcess): number | string | undefined =>
  child.exitCode ?? child.signalCode ?? undefined

/** Waits for the end of a process. */
export const ended = (child: ChildProcess): Effect.Effect<number | string> =>
  Effect.async((resume) => {
    const done = () => resume(Effect.sync(() => endOf(child) ?? "unknown"))
    if (endOf(child) !== undefined) return done()
    child.once("exit", done)
    return Effect.sync(() => child.off("exit", done))
  })

/** Kills a process, and waits until it is gone. */
export const kill = (child: ChildProcess): Effect.Effect<void> =>
  Effect.suspend(() => {
    child.kill("SIGKILL")
    return Effect.asVoid(ended(child))
  })

const linesOf = (stream: Readable): Effect.Effect<Mailbox.ReadonlyMailbox<string>, never, Scope.Scope> =>
  Effect.map(Mailbox.make<string>(), (mailbox) => {
    let rest = ""
    stream.setEncoding("utf8").on("data", (text: string) => {
      const parts = (rest + text).split("\n")
      rest = parts.pop() ?? ""
      for (const part of parts) mailbox.unsafeOffer(part)
    })
    return mailbox
  })

/** Starts Node with these arguments, and kills the process when the scope closes. */
export const start = (args: ReadonlyArray<string>, options: Options = {}): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.gen(function*() {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, args, {
          cwd: options.cwd,
          // The program sees nothing of the machine's own environment.
          env: { PATH: process.env["PATH"], ...options.env },
          stdio: ["pipe", "pipe", "pipe"]
        })
      ),
      kill
    )
    let stdout = ""
    let stderr = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    const said = yield* linesOf(child.stderr)
    let line: Effect.Effect<string> = Effect.die("Standard output is not read.")
    if (options.unread !== true) {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text
      })
      line = Effect.orDie((yield* linesOf(child.stdout)).take)
    }
    const closed = Effect.async<void>((resume) => {
      child.once("close", () => resume(Effect.void))
    })
    const closing = yield* Effect.fork(closed)
    return {
      pid: child.pid!,
      child,
      line,
      said: Effect.orDie(said.take),
      kill: (signal) => Effect.sync(() => child.kill(signal)),
      finished: Effect.gen(function*() {
        const code = yield* ended(child)
        if (options.unread !== true) yield* closing.await
        return { code, stdout, stderr }
      })
    }
  })

/** Runs Node with these arguments to its end. */
export const run = (args: ReadonlyArray<string>, options: Options = {}): Effect.Effect<Finished> =>
  Effect.scoped(Effect.flatMap(start(args, options), ({ finished }) => finished))
