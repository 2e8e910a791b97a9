import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Experiment } from "../../Experiment.ts"

/** Runs the small version of an experiment: everything that it looked at must be as promised. */
export const small = (experiment: Experiment): void =>
  it.live(
    `${experiment.name}: ${experiment.promise}`,
    () =>
      Effect.map(experiment.run(experiment.small), (findings) => {
        assert.isNotEmpty(findings)
        assert.deepStrictEqual(findings.filter(({ held }) => !held), [])
      }),
    120_000
  )
