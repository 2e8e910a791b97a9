/**
 * `import "@mailstream/stream/contacts"`, module by module as it is published, compared with the modules of Effect that
 * it needs.
 */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as Harness from "../harness.ts"
import { publish } from "../publish.ts"

const own = "import \"@mailstream/stream/contacts\""
const needed = "the modules of Effect that it needs"

export default Effect.gen(function*() {
  const published = yield* Effect.promise(() => publish(new URL("import/", import.meta.url)))
  const importing = (program: string) => Effect.sync(() => execFileSync(process.execPath, [program]))
  const { cpu, samples } = yield* Harness.children([
    { name: needed, run: importing(published.effect) },
    { name: own, run: importing(published.own) }
  ], { rounds: 15 })
  const { modules } = published
  const share = (modules.own + modules.effect) / modules.effect
  const row = Harness.compare(samples, own, needed, 1.1)
  return [
    { ...Harness.peer(samples, needed), measured: `${modules.effect} modules, ${Harness.timeOf(samples, needed)}` },
    {
      ...row,
      measured: `${modules.own + modules.effect} modules, ${row.measured}`,
      ratio: `modules ${Harness.digits(share)} ×, ${row.ratio}`,
      reached: row.reached === true && share <= 1.1
    },
    { what: "what both of them take without any import", measured: Harness.timeOf(cpu, "node -e 0") }
  ]
}).pipe(Effect.scoped) satisfies Harness.Part
