/** Runs one part, in the process that it is started in, and tells the rows to the process that started it. */
import { NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import type { Part } from "./harness.ts"
import { parts } from "./parts.ts"

const load = parts[process.argv[2] as keyof typeof parts]

NodeRuntime.runMain(
  Effect.promise<{ readonly default: Part }>(load).pipe(
    Effect.flatMap((part) => part.default),
    Effect.tap((rows) => Effect.async<void>((resume) => void process.send!(rows, () => resume(Effect.void)))),
    // Whatever a peer has left open: the part is over.
    Effect.tap(() => Effect.sync((): void => process.exit()))
  )
)
