import { Effect, Mailbox, type Scope } from "effect"
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"
import { bundle } from "./bundle.ts"

/** For tests that start the program several times, on a machine that has other things to do. */
export const slow = 60_000

export interface Finished {
  /** The exit code, or the name of the signal that killed it. */
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly pid: number
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** The next line of the output. */
  readonly line: Effect.Effect<string>
  /** The next line of what it has to say. */
  readonly said: Effect.Effect<string>
  readonly kill: (signal: NodeJS.Signals) => Effect.Effect<void>
  readonly finished: Effect.Effect<Finished>
}

export interface Options {
  readonly env?: Record<string, string> | undefined
  readonly cwd?: string | undefined
  /** Where nobody reads the output until somebody asks for it. */
  readonly unread?: boolean | undefined
}

/** The lines of a stream, one by one. */
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

const ended = (child: ChildProcessByStdio<Writable, Readable, Readable>) =>
  Effect.async<number | string>((resume) => {
    const done = () => child.exitCode ?? child.signalCode
    if (done() !== null) return resume(Effect.succeed(done()!))
    child.once("exit", (code, signal) => resume(Effect.succeed(code ?? signal ?? "unknown")))
  })

/** Starts the program; when the scope is closed, it is killed. */
export const start = (args: ReadonlyArray<string>, options: Options = {}): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.gen(function*() {
    const program = yield* Effect.promise(bundle)
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [program, ...args], {
          cwd: options.cwd,
          // Nothing of the machine that the tests run on is known to the program.
          env: { PATH: process.env["PATH"], ...options.env },
          stdio: ["pipe", "pipe", "pipe"]
        })
      ),
      (child) => Effect.zipRight(Effect.sync(() => child.kill("SIGKILL")), ended(child))
    )
    let stdout = ""
    let stderr = ""
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    const said = yield* linesOf(child.stderr)
    let line: Effect.Effect<string> = Effect.die("The output is not read.")
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

/** Runs the program to its end. */
export const run = (args: ReadonlyArray<string>, options: Options = {}): Effect.Effect<Finished> =>
  Effect.scoped(Effect.flatMap(start(args, options), ({ finished }) => finished))

/** A directory for one test. */
export const directory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "mailstream-cli-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

export const jsonLines = (text: string): ReadonlyArray<Record<string, unknown>> =>
  text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))
