/**
 * `npm run bench` runs all parts and prints one table; `npm run bench -- walk` runs one. The results are kept in
 * `RESULTS.md`, each part between its marks, and drawn beside it (`walk.svg`).
 *
 * The parts run from a bundle, one after the other, each in a separate process: neither a loader nor another part
 * affects the measurements.
 */
import { NodeRuntime } from "@effect/platform-node"
import * as Results from "@mailstream/testing/Results"
import { Console, Data, Effect } from "effect"
import { build } from "esbuild"
import { fork } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { arch, loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import { bundle as bundleProgram } from "../packages/cli/build/bundle.ts"
import { bundle as bundleClient } from "../packages/client/build/bundle.ts"
import * as Chart from "./chart.ts"
import type { Row } from "./harness.ts"
import { parts } from "./parts.ts"
import * as Record from "./record.ts"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const results = here("RESULTS.md")
const bundle = here("node_modules/.bench")

class UnknownPart extends Data.TaggedError("UnknownPart")<{ readonly message: string }> {}
class Failed extends Data.TaggedError("Failed")<{ readonly message: string }> {}

const selected: Effect.Effect<ReadonlyArray<string>, UnknownPart> = Effect.suspend(() => {
  const names = process.argv.slice(2)
  const known = Object.keys(parts)
  const unknown = names.find((name) => !known.includes(name))
  return unknown === undefined
    ? Effect.succeed(names.length === 0 ? known : names)
    : new UnknownPart({ message: `unknown part ${unknown}; the parts are ${known.join(", ")}` })
})

/** Programs of a folder, by name. */
const programs = (folder: string, names: ReadonlyArray<string>): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, here(`${folder}/${name}.ts`)]))

/** Bundles the packages of this repository as plain JavaScript; all others stay external. */
const bundled = Effect.promise(() =>
  build({
    entryPoints: {
      ...programs(".", ["copier", "keeper", "mailer", "run", "sender", "service"]),
      ...programs("../packages/effect4/test/programs", ["walk3", "walk4"])
    },
    outdir: bundle,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    logLevel: "warning",
    plugins: [{
      name: "packages",
      setup: ({ onResolve, resolve }) =>
        onResolve({ filter: /^[^./#]/ }, async ({ importer, kind, path, pluginData, resolveDir }) => {
          if (path.startsWith("@mailstream/") || pluginData === "resolved") return undefined
          // There, `effect` is another version than here.
          if (!/[\\/]packages[\\/]effect4[\\/]/.test(importer)) return { external: true }
          const found = await resolve(path, { importer, kind, resolveDir, pluginData: "resolved" })
          return { external: true, path: found.path }
        })
    }]
  })
)

const run = (part: string): Effect.Effect<ReadonlyArray<Row>, Failed> =>
  Effect.async((resume) => {
    const child = fork(`${bundle}/run.js`, [part], { execArgv: ["--expose-gc"] })
    child.once("message", (rows) => resume(Effect.succeed(rows as ReadonlyArray<Row>)))
    child.once("exit", (code) => resume(new Failed({ message: `${part} exited with code ${code}` })))
    return Effect.sync(() => child.kill())
  })

const versionOf = (name: string): string =>
  `${name} ${JSON.parse(readFileSync(here(`node_modules/${name}/package.json`), "utf8")).version}`

const machine = (): string =>
  `${Results.machine}, load ${loadavg()[0]?.toFixed(1)}; ` +
  ["effect", "@effect/platform", "@effect/platform-node", "resend"].map(versionOf).join(", ")

const table = (rows: ReadonlyArray<Row>): string =>
  Results.table(
    ["what", "measured: median (spread)", "ratio", "target", ""],
    rows.map(({ measured, ratio = "", reached, target = "", what }) => [
      what,
      measured,
      ratio,
      target,
      reached === undefined ? "" : reached ? "reached" : "missed"
    ])
  )

/** Keeps what a part has measured, beside what it has measured on other kinds of machines. */
const keep = (part: string, measured: Record.Measured): Effect.Effect<void, Results.NoPlace> =>
  Effect.suspend(() => {
    const recorded = readFileSync(results, "utf8").split(`<!-- ${part} -->`)[1]?.split(`<!-- end of ${part} -->`)[0] ??
      ""
    const text = Record.write(Record.replace(Record.read(recorded), measured))
    // Drawn as it stands there: rows that were only measured on one kind of machine come last.
    const read = Record.read(text)
    if (!Chart.isDrawn(read)) return Results.keep(results, part, text)
    writeFileSync(here(`${part}.svg`), Chart.draw(part, read))
    return Results.keep(results, part, `${text}\n\n![${part}](${part}.svg)`)
  })

const program = Effect.gen(function*() {
  const names = yield* selected
  yield* Results.expectPlaces(results, names)
  yield* bundled
  if (names.includes("start")) {
    yield* Effect.promise(() => bundleProgram(`${bundle}/mailstream`, { drivers: "path", extension: ".js" }))
    // As in the package.
    yield* Effect.sync(() => writeFileSync(`${bundle}/mailstream/package.json`, `{ "type": "module" }`))
  }
  if (names.includes("client")) yield* Effect.promise(() => bundleClient(`${bundle}/client`))
  yield* Console.log(machine())
  const all: Array<Row> = []
  for (const name of names) {
    yield* Console.error(`${name} …`)
    const on = machine()
    const rows = yield* run(name)
    yield* keep(name, { arch: arch(), machine: on, rows })
    all.push(...rows.map((row) => ({ ...row, what: `${name}: ${row.what}` })))
  }
  yield* Console.log(table(all))
})

NodeRuntime.runMain(program)
