import { assert, describe, it } from "@effect/vitest"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { report } from "../Report.ts"
import { reports } from "../reports.ts"

describe("the reports about what is exported", () => {
  it("are current: run npm run api, and review what has changed", async () => {
    const all = await reports()
    assert.includeMembers(all.map(({ file }) => basename(dirname(file))), ["core", "http", "stream", "client"])
    for (const { file, text } of all) {
      assert.isTrue(existsSync(file) && readFileSync(file, "utf8").replaceAll("\r\n", "\n") === text, file)
    }
  }, 120_000)

  it.scoped("contain declarations, but neither comments, imports nor internals", () =>
    Effect.gen(function*() {
      const directory = yield* Temporary.directory
      const write = (path: string, text: string) => {
        mkdirSync(dirname(join(directory, path)), { recursive: true })
        writeFileSync(join(directory, path), text)
      }
      const exports = {
        ".": { types: "./dist/index.d.ts" },
        "./*": { types: "./dist/*.d.ts" },
        "./internal/*": null,
        "./internal/shared": { types: "./dist/internal/shared.d.ts" }
      }
      write("package.json", JSON.stringify({ name: "some", publishConfig: { exports } }))
      write(
        "dist/index.d.ts",
        "export * as Thing from \"./Thing.js\";\nexport {};\nexport { part } from \"./parts/Part.ts\";\n"
      )
      write("src/Thing.ts", "")
      write("dist/parts/Part.d.ts", "export declare const part: 1;\n")
      write("dist/Gone.d.ts", "export declare const gone: 1;\n")
      write("dist/internal/shared.d.ts", "export declare const shared: 1;\n")
      write(
        "dist/Thing.d.ts",
        "import type { Other } from \"./Other.js\";\n/** Words. */\nexport declare const one: (\n  a: Other) =>    number;\n" +
          "/** @internal */\nexport declare const hidden: 1;\n//# sourceMappingURL=Thing.d.ts.map\n"
      )
      assert.strictEqual(
        report(directory)?.split("\n\n").slice(2).join("\n\n"),
        "## some\n\n```ts\nexport * as Thing from \"./Thing.js\";\nexport { part } from \"./parts/Part.js\";\n```\n\n" +
          "## some/Thing\n\n```ts\nexport declare const one: (a: Other) => number;\n```\n\n" +
          "## some: ./parts/Part\n\n```ts\nexport declare const part: 1;\n```\n"
      )
    }))
})
