import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as InstallScripts from "../../InstallScripts.ts"

const site = fileURLToPath(new URL("../../../../site", import.meta.url))

const missing = existsSync(join(site, "node_modules/.pnpm"))
  ? undefined
  : " (skipped: `npm run docs` installs what is tested)"

describe(`install scripts of what the documentation is built with${missing ?? ""}`, () => {
  it.scoped.skipIf(missing !== undefined)(
    "are reviewed for every package that has one, and no entry is left over",
    () =>
      Effect.gen(function*() {
        const { dead, packages, reviewed, unreviewed } = yield* InstallScripts.review(site)
        assert.deepStrictEqual(unreviewed, [], "list them in site/pnpm-workspace.yaml once they are reviewed")
        assert.deepStrictEqual(dead, [], "remove them from site/pnpm-workspace.yaml")
        assert.deepStrictEqual(reviewed, ["esbuild"])
        assert.isAbove(packages, 100)
      }).pipe(Effect.provide(NodeContext.layer))
  )
})
