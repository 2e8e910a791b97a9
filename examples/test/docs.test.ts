import { assert, describe, it } from "@effect/vitest"
import * as Snippets from "@mailstream/testing/Snippets"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

const snippetsOf = (file: string): ReadonlyArray<Snippets.Snippet> =>
  Snippets.within(file, readFileSync(`${root}${file}`, "utf8"))

/** The published packages. */
const packages = readdirSync(`${root}packages`).filter((name) => existsSync(`${root}packages/${name}/README.md`))

const sources = packages.flatMap((name) =>
  readdirSync(`${root}packages/${name}/src`, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("internal"))
    .map((file) => `packages/${name}/src/${file}`)
)

const readmes = ["README.md", ...packages.map((name) => `packages/${name}/README.md`)]

const guides = [
  "site/pages/index.md",
  ...readdirSync(`${root}site/pages/guides`).map((name) => `site/pages/guides/${name}`)
]

describe("the code in the documentation", () => {
  it.scoped("compiles, and a broken snippet would not", () =>
    Effect.gen(function*() {
      const snippets = [...readmes, ...guides, ...sources].flatMap(snippetsOf)
      assert.isAbove(snippets.length, 20)
      const wrong = ["@mailstream/http", "@mailstream/effect4"].map((name) => ({
        place: name,
        code: `import { Contacts } from "${name}"\nconst no: number = Contacts`
      }))
      assert.sameMembers(
        (yield* Snippets.problems([...snippets, ...wrong])).map((problem) => problem.replace(/: Type .*$/, "")),
        wrong.map(({ place }) => `${place}(2,7): error TS2322`)
      )
    }), 300_000)
})
