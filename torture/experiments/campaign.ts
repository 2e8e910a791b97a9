/**
 * A campaign whose runner is killed, suspended and run twice at random moments, while the service and the database are killed, while
 * responses are lost, emails refused and quotas used up, while the audience changes, and while clocks move by more than a day.
 */
import { Effect } from "effect"
import * as Experiment from "../Experiment.ts"
import type { StoreName } from "./campaign/database.ts"
import { type Size, trial, type Variant } from "./campaign/trial.ts"

const variants: ReadonlyArray<readonly [name: string, StoreName, Variant]> = [
  ["SQLite", "SQLite", {}],
  ["PostgreSQL", "PostgreSQL", {}],
  ["SQLite, with a key that may only send", "SQLite", { isRestricted: true }]
]

export default Experiment.make<Size>({
  name: "campaign",
  promise:
    "at most one email is accepted for each contact, exactly one for those who were there throughout, and every state is true",
  small: {
    seed: 1,
    contacts: 800,
    batch: 20,
    kills: 8,
    serverKills: 2,
    databaseKills: 2,
    pauses: 1,
    jumps: 3,
    second: 0.33,
    quota: 0.4
  },
  long: {
    seed: 1,
    contacts: 100_000,
    batch: 100,
    kills: 200,
    serverKills: 50,
    databaseKills: 50,
    pauses: 20,
    jumps: 30,
    second: 0.33,
    quota: 0.1
  },
  run: (size) =>
    Effect.map(
      Effect.forEach(variants, ([name, store, variant]) =>
        Effect.map(
          trial(size, store, variant),
          (findings) => findings.map((finding) => ({ ...finding, what: `${name}: ${finding.what}` }))
        ), { concurrency: 3 }),
      (findings) => findings.flat()
    )
})
