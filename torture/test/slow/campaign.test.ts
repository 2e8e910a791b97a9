import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import experiment from "../../experiments/campaign.ts"
import type { Plant } from "../../experiments/campaign/plants.ts"
import { trial } from "../../experiments/campaign/trial.ts"
import { resources, small } from "../support/small.ts"

small(experiment, 900_000)

describe("finds a planted fault", () => {
  const size = {
    seed: 1,
    contacts: 400,
    batch: 20,
    kills: 4,
    serverKills: 1,
    databaseKills: 0,
    pauses: 0,
    jumps: 4,
    second: 0,
    quota: 10
  }
  const faults: ReadonlyArray<readonly [what: string, plant: Plant, finding: string]> = [
    ["a key by the number of the chunk", "index", "people who were there throughout, and were not dealt with"],
    ["a key by the content of the chunk", "hash", "addresses that were written to twice"],
    ["the time of the first attempt stored after it", "late", "addresses that were written to twice"]
  ]
  it.live.each(faults)("%s", ([_, plant, finding]) =>
    Effect.gen(function*() {
      const findings = yield* trial(size, "SQLite", { plant })
      const broken = findings.filter(({ held }) => !held).map(({ what }) => what)
      assert.include(broken, finding)
    }).pipe(Effect.provide(resources)), 600_000)
})
