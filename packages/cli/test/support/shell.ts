import * as Process from "@mailstream/testing/Process"
import { Effect } from "effect"
import { program } from "./program.ts"

/** Starts bash without an input: with the socket that Node would give it, it takes itself for a remote shell. */
const starter = "process.exitCode = require(\"node:child_process\").spawnSync(\"bash\", [\"-c\", process.argv[1]], " +
  "{ stdio: [\"ignore\", \"inherit\", \"inherit\"] }).status"

/** Runs a script of bash, in which `mailstream` is the program: for redirections and pipes. */
export const bash = (
  script: string,
  options: { readonly env: Record<string, string>; readonly cwd: string }
): Effect.Effect<Process.Finished> =>
  Effect.suspend(() =>
    Process.run(["-e", starter, `mailstream() { "$NODE" "$PROGRAM" "$@"; }\n${script}`], {
      ...options,
      env: { NODE: process.execPath, PROGRAM: program(), ...options.env }
    })
  )
