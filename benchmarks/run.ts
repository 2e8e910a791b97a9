/** Runs one part in this process, and sends its rows to the parent process. */
import { NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import type { Part } from "./harness.ts"
import { parts } from "./parts.ts"

const load = parts[process.argv[2] as keyof typeof parts]

NodeRuntime.runMain(
  Effect.promise<{ readonly default: Part }>(load).pipe(
    Effect.flatMap((part) => part.default),
    Effect.tap((rows) => Effect.async<void>((resume) => void process.send!(rows, () => resume(Effect.void)))),
    // The part is over, even if a peer has left something open.
    Effect.tap(() => Effect.sync((): void => process.exit()))
  )
)
