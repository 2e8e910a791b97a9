import { assert, it } from "@effect/vitest"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Programs from "@mailstream/testing/Programs"
import * as Provided from "@mailstream/testing/Provided"
import { Effect, Layer } from "effect"
import { type Experiment, Others } from "../../Experiment.ts"

/** What experiments need. */
export const resources = Layer.suspend(() =>
  Layer.mergeAll(
    Postgres.layerAt(Provided.postgres()),
    Programs.layerAt(Provided.programs()),
    Layer.succeed(Others, Effect.succeed([]))
  )
)

/** Runs the small version of an experiment: everything it looks at must be as promised. */
export const small = (experiment: Experiment, timeout = 600_000): void =>
  it.live(
    `${experiment.name}: ${experiment.promise}`,
    () =>
      Effect.map(experiment.run(experiment.small), (findings) => {
        assert.isNotEmpty(findings)
        const broken = findings.filter(({ held }) => !held)
        assert.isEmpty(broken, broken.map(({ measured, what }) => `${what}: ${measured}`).join("\n"))
      }).pipe(Effect.provide(resources)),
    timeout
  )
