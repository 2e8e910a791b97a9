/** Runs an experiment in a separate process, and searches its output and files for secrets. */
import * as Temporary from "@mailstream/testing/Temporary"
import { Duration, Effect } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Finding, Size } from "./Experiment.ts"
import { count, finding, none } from "./Experiment.ts"
import * as Mark from "./support/mark.ts"
import * as Scan from "./support/scan.ts"

/** What an experiment reports. */
export interface Report {
  readonly findings: ReadonlyArray<Finding>
  /** Peak memory of its process, in megabytes. */
  readonly peak: number
}

const script = fileURLToPath(new URL("run.ts", import.meta.url))

const broken = (measured: string): Report => ({
  findings: [finding("the experiment itself", measured, false)],
  peak: 0
})

/** An experiment that hangs is a finding. */
const limit = Duration.hours(2)

/** Lets it clean up first: it may have started other processes. */
const stop = (child: ChildProcess): Effect.Effect<void> =>
  Effect.async((resume) => {
    const last = setTimeout(() => child.kill("SIGKILL"), 10_000)
    child.once("exit", () => {
      clearTimeout(last)
      resume(Effect.void)
    })
    child.kill("SIGTERM")
  })

export const run = (name: string, size: Size, options: { readonly loud: boolean }): Effect.Effect<Report> =>
  Effect.gen(function*() {
    const directory = yield* Temporary.directory
    // The URLs with this signature may be in files, but neither in logs nor in spans.
    const output = Scan.make([Mark.key, Mark.signature])
    const report = yield* Effect.async<Report>((resume) => {
      const child = fork(script, [name, JSON.stringify(size), ...(options.loud ? ["loud"] : [])], {
        execArgv: ["--expose-gc"],
        env: { ...process.env, TMPDIR: directory, [Temporary.keepVariable]: "1" },
        stdio: ["ignore", "pipe", "pipe", "ipc"]
      })
      let last = ""
      let report: Report | undefined
      child.stdout?.on("data", output.push)
      child.stderr?.on("data", (bytes: Buffer) => {
        output.push(bytes)
        last = (last + bytes.toString()).slice(-2000)
      })
      child.on("message", (message: Report | { readonly progress: string }) => {
        if ("progress" in message) console.error(`  ${message.progress}`)
        else report = message
      })
      // After the end of its output.
      child.once(
        "close",
        (code, signal) => resume(Effect.succeed(report ?? broken(`ended with ${code ?? signal}: ${last}`)))
      )
      return stop(child)
    }).pipe(
      Effect.timeoutTo({
        duration: limit,
        onSuccess: (report) => report,
        onTimeout: () => broken(`did not end within ${Duration.format(limit)}`)
      })
    )
    const files = yield* Scan.directory(directory, [Mark.key])
    const searched = `${count(output.size())} bytes of output${options.loud ? ", with all logs and spans," : ""}`
    return {
      ...report,
      findings: [...report.findings, none("secrets", [...output.found(), ...files], `${searched} and its files`)]
    }
  }).pipe(Effect.scoped)
