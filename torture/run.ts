/**
 * Runs one experiment, in the process that it is started in, and tells what was found to the process that started it:
 * `run.ts NAME SIZE [loud]`.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Effect, Layer } from "effect"
import { experiments } from "./experiments.ts"
import * as Loud from "./support/loud.ts"

const [name = "", size = "{}", loud] = process.argv.slice(2)

const tell = (message: unknown) =>
  Effect.async<void>((resume) => void process.send!(message, () => resume(Effect.void)))

NodeRuntime.runMain(
  Effect.promise(experiments[name]!).pipe(
    Effect.flatMap((experiment) => experiment.default.run(JSON.parse(size))),
    Effect.catchAllCause((cause) =>
      Effect.succeed([{ what: "the experiment itself", measured: Cause.pretty(cause), held: false }])
    ),
    Effect.flatMap((findings) => tell({ findings, peak: process.resourceUsage().maxRSS / 1024 })),
    // Whatever is left open: the experiment is over.
    Effect.tap(() => Effect.sync((): void => process.exit())),
    Effect.provide(loud === "loud" ? Loud.layer : Layer.empty)
  )
)
