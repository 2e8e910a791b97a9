/**
 * `npm run torture` runs all experiments and prints one table; `npm run torture -- mutation soak` runs some. A number
 * of an experiment is given by its name: `--seed 7 --rounds 500`. `--loud` lets every experiment write all its logs and
 * spans, too, which are searched for secrets.
 *
 * Each runs in a process of its own, one after the other. What was found is kept in `RESULTS.md`, between the marks of
 * the experiment, unless it ran in another size than its own.
 */
import { FileSystem } from "@effect/platform"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Clock, Console, Data, Duration, Effect } from "effect"
import { arch, cpus, platform, totalmem } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as Child from "./child.ts"
import { count, type Experiment, type Finding, type Size } from "./Experiment.ts"
import { experiments } from "./experiments.ts"

const results = fileURLToPath(new URL("RESULTS.md", import.meta.url))

class Misused extends Data.TaggedError("Misused")<{ readonly message: string }> {}
class Broken extends Data.TaggedError("Broken")<{ readonly message: string }> {}

interface Selected {
  readonly all: ReadonlyArray<Experiment>
  readonly numbers: { readonly [name: string]: number }
  readonly loud: boolean
}

const selected: Effect.Effect<Selected, Misused> = Effect.gen(function*() {
  const { tokens } = parseArgs({ args: process.argv.slice(2), strict: false, tokens: true })
  const names: Array<string> = []
  const numbers: Record<string, number> = {}
  let option: string | undefined
  let loud = false
  for (const token of tokens) {
    if (token.kind === "positional" && option !== undefined) {
      numbers[option] = Number(token.value)
      option = undefined
    } else if (token.kind === "positional") names.push(token.value)
    else if (token.kind === "option" && token.name === "loud") loud = true
    else if (token.kind === "option" && token.value !== undefined) numbers[token.name] = Number(token.value)
    else if (token.kind === "option") option = token.name
  }
  const known = Object.keys(experiments)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    return yield* new Misused({ message: `There is no experiment ${unknown}: ${known.join(", ")}.` })
  }
  const all = yield* Effect.forEach(
    names.length === 0 ? known : names,
    (name) => Effect.map(Effect.promise(experiments[name]!), (module) => module.default)
  )
  for (const [name, number] of Object.entries(numbers)) {
    if (!Number.isFinite(number) || !all.some(({ long }) => name in long)) {
      return yield* new Misused({ message: `No experiment that is run has a number --${name}.` })
    }
  }
  return { all, numbers, loud }
})

const machine =
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${arch()}, ` +
  `Node ${process.versions.node}`

const table = (rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.map((cells) => `| ${cells.map((cell) => cell.replace(/\s+/g, " ").replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n")

const cellsOf = ({ held, measured, what }: Finding): ReadonlyArray<string> => [what, measured, held ? "held" : "BROKEN"]

const described = (size: Size): string =>
  Object.entries(size).map(([name, number]) => `${name} ${name === "seed" ? number : count(number)}`).join(", ")

/** Puts a text between the marks of an experiment. */
const keep = (name: string, text: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const before = yield* files.readFileString(results)
    const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
    const [from, to] = [before.indexOf(begin), before.indexOf(end)]
    if (from === -1 || to === -1) return yield* new Misused({ message: `RESULTS.md has no place for ${name}` })
    yield* files.writeFileString(results, `${before.slice(0, from)}${begin}\n${text}\n${before.slice(to)}`)
  })

const program = Effect.gen(function*() {
  const { all, loud, numbers } = yield* selected
  const found: Array<readonly [Experiment, Finding]> = []
  for (const experiment of all) {
    const { long, name, promise } = experiment
    const given = Object.fromEntries(Object.entries(numbers).filter(([number]) => number in long))
    const size: Size = { ...long, ...given }
    yield* Console.error(`${name} (${described(size)}) …`)
    const begin = yield* Clock.currentTimeMillis
    const { findings, peak } = yield* Child.run(name, size, { loud })
    const took = Duration.format(Duration.seconds(Math.round(((yield* Clock.currentTimeMillis) - begin) / 1000)))
    found.push(...findings.map((finding) => [experiment, finding] as const))
    const rows = table([["checked", "found", ""], ["---", "---", "---"], ...findings.map(cellsOf)])
    const setting = `${described(size)}; ${took}, at most ${count(Math.round(peak))} MB; ${machine}`
    if (Object.keys(given).every((number) => number === "seed")) {
      yield* keep(name, `Promise: ${promise}.\n\n${rows}\n\n${setting}`)
    }
    yield* Console.error(`${name}: ${took}, at most ${count(Math.round(peak))} MB`)
  }
  yield* Console.log(table([
    ["experiment", "checked", "found", ""],
    ["---", "---", "---", "---"],
    ...found.map(([{ name }, finding]) => [name, ...cellsOf(finding)])
  ]))
  const broken = found.filter(([, { held }]) => !held).length
  if (broken > 0) return yield* new Broken({ message: `${broken} of ${found.length} did not hold` })
})

NodeRuntime.runMain(Effect.provide(program, NodeContext.layer))
