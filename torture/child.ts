/** An experiment in a process of its own, whose output and files are searched for secrets. */
import { Duration, Effect } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Finding, Size } from "./Experiment.ts"
import { count, none } from "./Experiment.ts"
import * as Mark from "./support/mark.ts"
import * as Scan from "./support/scan.ts"
import * as Temporary from "./support/temporary.ts"

/** What an experiment has told. */
export interface Told {
  readonly findings: ReadonlyArray<Finding>
  /** Of the process that it ran in, in megabytes. */
  readonly peak: number
}

const script = fileURLToPath(new URL("run.ts", import.meta.url))

/** A file, a span or a log is no place for a key, nor a span or a log for an address that anybody can download from. */
const marks = [Mark.key, Mark.signature]

const broken = (measured: string): Told => ({
  findings: [{ what: "the experiment itself", measured, held: false }],
  peak: 0
})

/** Whatever hangs is a finding. */
const limit = Duration.hours(2)

/** Lets it clean up: others may have been started by it. */
const stop = (child: ChildProcess): Effect.Effect<void> =>
  Effect.async((resume) => {
    const last = setTimeout(() => child.kill("SIGKILL"), 10_000)
    child.once("exit", () => {
      clearTimeout(last)
      resume(Effect.void)
    })
    child.kill("SIGTERM")
  })

export const run = (name: string, size: Size, options: { readonly loud: boolean }): Effect.Effect<Told> =>
  Effect.gen(function*() {
    const directory = yield* Temporary.directory
    const output = Scan.make(marks)
    const told = yield* Effect.async<Told>((resume) => {
      const child = fork(script, [name, JSON.stringify(size), ...(options.loud ? ["loud"] : [])], {
        execArgv: ["--import", "tsx", "--expose-gc"],
        env: { ...process.env, TMPDIR: directory, [Temporary.keepVariable]: "1" },
        stdio: ["ignore", "pipe", "pipe", "ipc"]
      })
      let last = ""
      let message: Told | undefined
      child.stdout?.on("data", output.push)
      child.stderr?.on("data", (bytes: Buffer) => {
        output.push(bytes)
        last = (last + bytes.toString()).slice(-2000)
      })
      child.once("message", (told) => {
        message = told as Told
      })
      // Not before the output has come to its end, too.
      child.once(
        "close",
        (code, signal) => resume(Effect.succeed(message ?? broken(`ended with ${code ?? signal}: ${last}`)))
      )
      return stop(child)
    }).pipe(
      Effect.timeoutTo({
        duration: limit,
        onSuccess: (told) => told,
        onTimeout: () => broken(`did not end within ${Duration.format(limit)}`)
      })
    )
    const files = yield* Scan.directory(directory, [Mark.key])
    const searched = `${count(output.size())} bytes of output${options.loud ? ", all logs and spans among them," : ""}`
    return {
      ...told,
      findings: [...told.findings, none("secrets", [...output.found(), ...files], `${searched} and its files`)]
    }
  }).pipe(Effect.scoped)
