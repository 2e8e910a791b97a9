import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { tarballLine } from "../installs.ts"
import { table } from "../table.ts"

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")

/** The names in the last column of the compatibility table: what `npm run runtimes -- NAME` runs. */
const named = () => {
  const section = readme.split("\n## Where it runs\n")[1]?.split("\n## ")[0] ?? ""
  const rows = section.split("\n").filter((line) => line.startsWith("| ")).slice(1)
  return rows.map((row) => [...row.split("|").at(-2)!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
}

describe("the compatibility table of the README", () => {
  it("has a test behind every row", () => {
    assert.isAbove(named().length, 5)
    for (const names of named()) assert.isAbove(names.length, 0)
  })

  it("names everything that `npm run runtimes` runs, and nothing else", () => {
    assert.sameMembers([...new Set(named().flat())], table.map(({ name }) => name))
  })
})

describe("the install line for a checkout", () => {
  it("names every package that another one of the line needs", () => {
    const named = [...tarballLine.matchAll(/mailstream-(\w+)-\*\.tgz/g)].map(([, name]) => `@mailstream/${name}`)
    assert.includeMembers(named, ["@mailstream/core", "@mailstream/http", "@mailstream/stream"])
    for (const name of named) {
      const manifest = new URL(`../../packages/${name.split("/")[1]}/package.json`, import.meta.url)
      const { dependencies, peerDependencies } = JSON.parse(readFileSync(manifest, "utf8"))
      const needed = Object.keys({ ...dependencies, ...peerDependencies })
      assert.includeMembers(named, needed.filter((other) => other.startsWith("@mailstream/")), name)
    }
  })

  it("has the versions of the first install line", () => {
    const first = /^npm install @mailstream.*$/m.exec(readme)?.[0] ?? ""
    const versions = (line: string) => line.split(/\s+/).filter((word) => /^[^./].*@\d/.test(word)).sort()
    assert.isNotEmpty(versions(first))
    assert.deepStrictEqual(versions(tarballLine), versions(first))
  })
})
