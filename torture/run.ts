/** Runs one experiment in this process, and reports to the process that started it: `run.ts NAME SIZE [loud]`. */
import { NodeRuntime } from "@effect/platform-node"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Programs from "@mailstream/testing/Programs"
import * as Recorder from "@mailstream/testing/Recorder"
import { Cause, Effect, Layer } from "effect"
import * as Child from "./child.ts"
import * as Experiment from "./Experiment.ts"
import { experiments } from "./experiments.ts"

const [name = "", size = "{}", loud] = process.argv.slice(2)

const others = Effect.forEach(
  Object.keys(experiments).filter((other) => other !== name),
  (other) =>
    Effect.gen(function*() {
      const { default: experiment } = yield* Effect.promise(experiments[other]!)
      const { findings } = yield* Child.run(other, experiment.small, { loud: true })
      const { held, measured } = findings.find(({ what }) => what === "secrets")!
      return Experiment.finding(`secrets in all of ${other}`, measured, held)
    })
)

const report = (message: Child.Report) =>
  Effect.async<void>((resume) => void process.send!(message, () => resume(Effect.void)))

NodeRuntime.runMain(
  Effect.promise(experiments[name]!).pipe(
    Effect.flatMap((experiment) => experiment.default.run(JSON.parse(size))),
    Effect.catchAllCause((cause) =>
      Effect.succeed([Experiment.finding("the experiment itself", Cause.pretty(cause), false)])
    ),
    Effect.provide(Layer.mergeAll(
      Postgres.layer,
      Programs.layer,
      Layer.succeed(Experiment.Others, others),
      Layer.succeed(Experiment.Progress, (progress) => void process.send!({ progress })),
      loud === "loud" ? Recorder.layerStderr : Layer.empty
    )),
    Effect.flatMap((findings) => report({ findings, peak: process.resourceUsage().maxRSS / 1024 })),
    // Whatever was left open: the experiment is over.
    Effect.tap(() => Effect.sync((): void => process.exit()))
  )
)
