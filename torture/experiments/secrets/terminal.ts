/** The command-line program, in as many ways as it can be made to say something. */
import { Effect } from "effect"
import { execFile } from "node:child_process"
import * as Mark from "../../support/mark.ts"

export interface Said {
  readonly stdout: string
  readonly stderr: string
}

/** Runs the program to its end, whatever that is. */
export const run = (
  program: string,
  args: ReadonlyArray<string>,
  env: { readonly [name: string]: string }
): Effect.Effect<Said> =>
  Effect.async((resume) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { env: { ...process.env, ...env }, maxBuffer: 1 << 28 },
      (_, stdout, stderr) => resume(Effect.succeed({ stdout, stderr }))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** What is asked of it; `directory` is where it may write. */
export const commands = (directory: string, email: string): ReadonlyArray<ReadonlyArray<string>> =>
  [
    ["contacts", "list", "--output", `${directory}/contacts.csv`],
    ["contacts", "list", "--output", `${directory}/contacts.ndjson`, "--resume", "secrets"],
    ["received-email-attachments", "list", "--email", email],
    ["topics", "create", "--name", "News"],
    ["contacts", "list", "--api-key", Mark.key]
  ].map((args) => [...args, "--log-level", "all"])
