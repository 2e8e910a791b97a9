import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
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
