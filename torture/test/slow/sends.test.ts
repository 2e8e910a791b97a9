import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import experiment from "../../experiments/sends.ts"
import { type Plant, trial } from "../../experiments/sends/trial.ts"
import * as Service from "../../support/service.ts"
import { resources, small } from "../support/small.ts"

small(experiment)

describe("finds a planted fault", () => {
  const size = { seed: 1, sends: 60, senders: 2, kills: 1, serverKills: 5 }
  const faults: ReadonlyArray<readonly [what: string, plant: Plant, finding: string]> = [
    ["a client with a new key for each attempt", "newKeys", "emails that were accepted twice"],
    ["a server that forgets keys", "forgetful", "emails that were accepted twice"],
    [
      "a server that acknowledges before it commits",
      "early",
      "emails reported as accepted that are not in the store"
    ]
  ]
  it.live.each(faults)("%s", ([_, plant, finding]) =>
    Effect.gen(function*() {
      const findings = yield* trial(size, plant)(yield* Service.place("SQLite"))
      const broken = findings.filter(({ held }) => !held).map(({ what }) => what)
      assert.include(broken, finding)
    }).pipe(Effect.scoped, Effect.provide(resources)), 300_000)
})
