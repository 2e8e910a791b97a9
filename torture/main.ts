/**
 * `npm run torture` runs all experiments and prints one table; `npm run torture -- mutation soak` runs some. A number
 * of an experiment is given by its name: `--seed 7 --rounds 500`. With `--loud` every experiment writes all its logs
 * and spans, which are searched for secrets.
 *
 * Each runs in a separate process, one after the other. The findings are kept in `RESULTS.md`, between the marks of
 * the experiment, unless its size was changed.
 */
import { NodeRuntime } from "@effect/platform-node"
import * as Results from "@mailstream/testing/Results"
import { Clock, Console, Data, Duration, Effect } from "effect"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as Child from "./child.ts"
import { count, type Finding, type Size } from "./Experiment.ts"
import { experiments } from "./experiments.ts"

const results = fileURLToPath(new URL("RESULTS.md", import.meta.url))

class Misused extends Data.TaggedError("Misused")<{ readonly message: string }> {}
class Broken extends Data.TaggedError("Broken")<{ readonly message: string }> {}

const selected = Effect.gen(function*() {
  const known = yield* Effect.forEach(
    Object.values(experiments),
    (load) => Effect.map(Effect.promise(load), (module) => module.default)
  )
  const numbers = known.flatMap(({ long }) => Object.keys(long)).map((name) => [name, { type: "string" }] as const)
  const { positionals, values } = yield* Effect.try({
    try: () =>
      parseArgs({ allowPositionals: true, options: { ...Object.fromEntries(numbers), loud: { type: "boolean" } } }),
    catch: (error) => new Misused({ message: String(error) })
  })
  const { loud = false, ...given } = values
  const unknown = positionals.find((name) => !(name in experiments))
  if (unknown !== undefined) {
    return yield* new Misused({ message: `unknown experiment ${unknown}: ${Object.keys(experiments).join(", ")}` })
  }
  const all = known.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const sizes = Object.entries(given).map(([name, text]) => [name, Number(text)] as const)
  const wrong = sizes.find(([name, number]) => !Number.isFinite(number) || !all.some(({ long }) => name in long))
  if (wrong !== undefined) return yield* new Misused({ message: `no selected experiment has a number --${wrong[0]}` })
  return { all, sizes, loud: loud === true }
})

const cellsOf = ({ held, measured, what }: Finding): ReadonlyArray<string> => [what, measured, held ? "held" : "BROKEN"]

const described = (size: Size): string =>
  Object.entries(size).map(([name, number]) => `${name} ${name === "seed" ? number : count(number)}`).join(", ")

const program = Effect.gen(function*() {
  const { all, loud, sizes } = yield* selected
  yield* Results.expectPlaces(results, all.map(({ name }) => name))
  const rows: Array<ReadonlyArray<string>> = []
  let broken = 0
  for (const { long, name, promise } of all) {
    const given = sizes.filter(([number]) => number in long)
    const size: Size = { ...long, ...Object.fromEntries(given) }
    yield* Console.error(`${name} (${described(size)}) …`)
    const begin = yield* Clock.currentTimeMillis
    const { findings, peak } = yield* Child.run(name, size, { loud })
    const took = Duration.format(Duration.seconds(Math.round(((yield* Clock.currentTimeMillis) - begin) / 1000)))
    const cost = `${took}, at most ${count(Math.round(peak))} MB`
    if (given.every(([number]) => number === "seed")) {
      const table = Results.table(["checked", "found", ""], findings.map(cellsOf))
      const setting = `${described(size)}; ${cost}; ${Results.machine}`
      yield* Results.keep(results, name, `Promise: ${promise}.\n\n${table}\n\n${setting}`)
    }
    yield* Console.error(`${name}: ${cost}`)
    rows.push(...findings.map((finding) => [name, ...cellsOf(finding)]))
    broken += findings.filter(({ held }) => !held).length
  }
  yield* Console.log(Results.table(["experiment", "checked", "found", ""], rows))
  if (broken > 0) return yield* new Broken({ message: `${broken} of ${rows.length} did not hold` })
})

NodeRuntime.runMain(program)
