/** The lines for Effect 3 and Effect 4, and the client for plain TypeScript, against the same random services. */
import { Command } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { Programs } from "@mailstream/testing/Programs"
import { Effect, Record, Schema } from "effect"
import * as Experiment from "../Experiment.ts"

interface Size extends Experiment.Size {
  readonly seeds: number
  /** How many seeds a process plays. */
  readonly each: number
  /** How many processes there are at once. */
  readonly together: number
}

const Counts = Schema.Record({ key: Schema.String, value: Schema.Number })

/** What a process writes. */
const Found = Schema.Struct({
  seeds: Schema.Number,
  requests: Schema.Number,
  items: Schema.Number,
  spans: Schema.Number,
  /** In milliseconds. */
  waited: Schema.Number,
  /** How many scenarios prefetch. */
  ahead: Schema.Number,
  /** How many scenarios resume a checkpoint. */
  resumed: Schema.Number,
  /** How many differ only in which of two things comes first that happen in the same millisecond. */
  tied: Schema.Number,
  jobs: Counts,
  ends: Counts,
  differences: Schema.Array(Schema.String)
})

const play = (seed: number, count: number) =>
  Effect.gen(function*() {
    const { path } = yield* Programs
    const text = yield* Command.make(process.execPath, path("lines")).pipe(
      Command.env({ SEED: String(seed), COUNT: String(count) }),
      Command.stderr("inherit"),
      Command.string
    )
    return yield* Schema.decodeUnknown(Schema.parseJson(Found))(text)
  })

const run = ({ each, seed, seeds, together }: Size) =>
  Effect.gen(function*() {
    const progress = yield* Experiment.Progress
    let played = 0
    const parts = Array.from({ length: Math.ceil(seeds / each) }, (_, part) => part * each)
    const found = yield* Effect.forEach(
      parts,
      (part) =>
        Effect.tap(play(seed + part, Math.min(each, seeds - part)), (found) =>
          Effect.sync(() => {
            played += found.seeds
            progress(`${Experiment.count(played)} of ${Experiment.count(seeds)} seeds`)
          })),
      { concurrency: together }
    )
    const sum = (key: "seeds" | "requests" | "items" | "spans" | "waited" | "ahead" | "resumed" | "tied") =>
      found.reduce((sum, part) => sum + part[key], 0)
    const merged = (key: "jobs" | "ends") =>
      found.reduce<Readonly<Record<string, number>>>((all, part) => Record.union(all, part[key], (a, b) => a + b), {})
    const listed = (counts: Readonly<Record<string, number>>) =>
      Object.entries(counts).sort(([, a], [, b]) => b - a).map(([name, n]) => `${name} ${Experiment.count(n)}`).join(
        ", "
      )
    const all = `${Experiment.count(sum("seeds"))} seeds, of which ${Experiment.count(sum("ahead"))} prefetch and ${
      Experiment.count(sum("resumed"))
    } resume checkpoints of other runs, also across lines; ${
      Experiment.count(sum("tied"))
    } agree only at times at which nothing else happens`
    const traffic = `${Experiment.count(sum("requests"))} requests, ${Experiment.count(sum("items"))} items or pages, ${
      Experiment.count(sum("spans"))
    } spans, ${Experiment.count(Math.round(sum("waited") / 1000))} s of waits`
    return [
      Experiment.none(
        "differences in requests, their times, items, errors, spans, logs or checkpoints",
        found.flatMap(({ differences }) => differences),
        all
      ),
      Experiment.finding("compared", traffic, sum("requests") > seeds && sum("spans") > sum("requests")),
      Experiment.finding("ways to read", listed(merged("jobs")), Object.keys(merged("jobs")).length === 5),
      Experiment.finding("how they ended", listed(merged("ends")), Object.keys(merged("ends")).length > 5)
    ]
  }).pipe(Effect.provide(NodeContext.layer))

export default Experiment.make<Size>({
  name: "lines",
  promise: "Effect 3, Effect 4 and plain TypeScript do the same, and resume each other",
  small: { seed: 100_001, seeds: 200, each: 100, together: 2 },
  long: { seed: 1, seeds: 10_000, each: 500, together: 2 },
  run
})
