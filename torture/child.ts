/** An experiment in a process of its own, whose output and files are searched for secrets. */
import { Effect } from "effect"
import { fork } from "node:child_process"
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
      child.once("close", (code, signal) =>
        resume(Effect.succeed(
          message ?? {
            findings: [{
              what: "the experiment itself",
              measured: `ended with ${code ?? signal}: ${last}`,
              held: false
            }],
            peak: 0
          }
        )))
      return Effect.sync(() => child.kill("SIGKILL"))
    })
    const files = yield* Scan.directory(directory, [Mark.key])
    const searched = `${count(output.size())} bytes of output${options.loud ? ", all logs and spans among them," : ""}`
    return {
      ...told,
      findings: [...told.findings, none("secrets", [...output.found(), ...files], `${searched} and its files`)]
    }
  }).pipe(Effect.scoped)
