/** The size of a bundle, minified and gzipped, and its startup time. */
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Harness from "../harness.ts"
import { weigh, type Weight } from "../weigh.ts"

const directory = new URL("../../", import.meta.url).href

const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

const weight = (program: string): Effect.Effect<Weight> => Effect.promise(() => weigh(directory, program))

const starting = (path: string) => Effect.sync(() => execFileSync(process.execPath, [path, "load"]))

export default Effect.gen(function*() {
  const { alone, base, contacts, core, root, schema } = yield* Effect.all({
    base: weight("base"),
    contacts: weight("contacts"),
    root: weight("root"),
    alone: weight("alone"),
    schema: weight("schema"),
    core: weight("core")
  })
  const into = yield* Temporary.directory
  writeFileSync(join(into, "base.mjs"), base.code)
  writeFileSync(join(into, "contacts.mjs"), contacts.code)
  const samples = yield* Harness.race([
    { name: "a request with effect and HttpClient alone", run: starting(join(into, "base.mjs")) },
    { name: "a program that streams contacts", run: starting(join(into, "contacts.mjs")) }
  ], { rounds: 15 })
  const start = (name: string) => Harness.spread((samples.get(name) ?? []).map(({ wall }) => wall), "ms to start")
  const { wall } = Harness.ratio(
    samples,
    "a program that streams contacts",
    "a request with effect and HttpClient alone"
  )
  return [
    {
      what: "a request with effect and HttpClient alone",
      measured: `${kB(base.bytes)}, ${start("a request with effect and HttpClient alone")}`
    },
    {
      what: "a program that streams contacts",
      measured: `${kB(contacts.bytes)}, ${start("a program that streams contacts")}`,
      ratio: `${kB(contacts.bytes - base.bytes)} more, start ${Harness.digits(wall)} ×`,
      target: "at most 15 kB more",
      reached: contacts.bytes - base.bytes <= 15_000
    },
    {
      what: "the same, with `contacts` from the package root: every way to walk",
      measured: kB(root.bytes),
      ratio: `${kB(root.bytes - base.bytes)} more`
    },
    {
      what: "a walk written with effect, effect/Schema and HttpClient alone",
      measured: kB(alone.bytes),
      ratio: `${kB(contacts.bytes - alone.bytes)} more`
    },
    { what: "effect/Schema alone", measured: kB(schema.bytes) },
    {
      what: "core",
      measured: kB(core.bytes),
      ratio: `${kB(core.bytes - schema.bytes)} more`,
      target: "at most 10 kB more",
      reached: core.bytes - schema.bytes <= 10_000
    }
  ]
}).pipe(Effect.scoped) satisfies Harness.Part
