/**
 * Plays the scenarios of `COUNT` seeds from `SEED` on with both lines and the client for plain TypeScript, and writes what it
 * found as JSON.
 */
import { imported } from "../lines/time.ts"

const { compare, ofSeed } = await imported(async () => ({
  ...await import("../lines/differs.ts"),
  ...await import("../lines/scenario.ts")
}))

type Counts = Readonly<Record<string, number>>

const first = Number(process.env["SEED"])
const found = {
  seeds: 0,
  requests: 0,
  items: 0,
  spans: 0,
  waited: 0,
  ahead: 0,
  resumed: 0,
  tied: 0,
  jobs: {} as Counts,
  ends: {} as Counts,
  differences: [] as ReadonlyArray<string>
}

const add = (counts: Counts, name: string) => ({ ...counts, [name]: (counts[name] ?? 0) + 1 })

for (let seed = first; seed < first + Number(process.env["COUNT"]); seed++) {
  const scenario = ofSeed(seed)
  const { job } = scenario
  const { difference, isTied, three } = await compare(scenario)
  found.seeds++
  if (isTied) found.tied++
  found.requests += three.sent.length
  found.jobs = add(found.jobs, job._tag)
  if ("prefetch" in job && (job.prefetch ?? 0) > 0) found.ahead++
  if (three.outcomes.length > 1) found.resumed++
  for (const { end, progress, seen, spans } of three.outcomes) {
    found.items += seen.length
    found.spans += spans?.length ?? 0
    found.waited += progress.waited
    found.ends = add(
      found.ends,
      typeof end === "string" ? end : String(/"_tag":"(\w+)"/.exec(JSON.stringify(end))?.[1])
    )
  }
  if (difference !== undefined) found.differences = [...found.differences, `seed ${seed}: ${difference.between}`]
}

process.stdout.write(JSON.stringify(found))
