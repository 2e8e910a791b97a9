/**
 * `import "@mailstream/stream/contacts"`, module by module as it is published, compared with the modules of Effect that
 * it needs.
 */
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import * as Children from "../children.ts"
import * as Harness from "../harness.ts"
import { publish } from "../publish.ts"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const own = "@mailstream/stream/contacts"
const needed = "the modules of Effect that it needs"
const bundled = "the same in one file, bundled by esbuild"

export default Effect.gen(function*() {
  const published = yield* Effect.promise(() => publish(here("../../.."), here("import")))
  const samples = yield* Children.race([
    { name: "node -e 0", args: ["-e", "0"] },
    { name: needed, args: [published.effect] },
    { name: own, args: [published.own] },
    { name: bundled, args: [published.bundled] }
  ], { rounds: 5 })
  const { modules } = published
  const share = (modules.own + modules.effect) / modules.effect
  const row = Harness.compare(samples, own, needed, 1.1)
  return [
    Harness.peer(samples, "node -e 0"),
    { what: needed, measured: `${modules.effect} modules, ${Harness.timeOf(samples, needed)}` },
    {
      ...row,
      measured: `${modules.own + modules.effect} modules, ${row.measured}`,
      ratio: `modules ${Harness.digits(share)} ×, ${row.ratio}`,
      reached: row.reached === true && share <= 1.1
    },
    Harness.beside(samples, bundled, needed)
  ]
}) satisfies Harness.Part
