import { assert, describe, it } from "@effect/vitest"
import { Resource } from "@mailstream/core"
import { files, read, stale } from "../generate/files.ts"

describe("the code generated from the table of lists", () => {
  it.each([...files])("%s is current: run `npm run generate` after changing the table", (path, text) => {
    assert.strictEqual(read(path), text)
  })

  it("has no module for a list that is no longer in the table", () => {
    assert.deepStrictEqual(stale, [])
  })
})

describe("the table of lists", () => {
  const names: ReadonlyArray<string> = Resource.all.map(({ name }) => name)

  it("contains every exported list", () => {
    const exported = Object.values(Resource).filter((value) =>
      typeof value === "object" && value !== null && "pagination" in value
    )
    assert.sameMembers<unknown>(exported, [...Resource.all])
  })

  it("has unique names", () => {
    assert.strictEqual(new Set(names).size, names.length)
    assert.strictEqual(new Set(Resource.all.map(({ identifier }) => identifier)).size, names.length)
  })

  it("refers only to existing lists in scopes", () => {
    for (const { path, scope } of Resource.all) {
      if (scope === undefined) continue
      assert.include(names, scope.owner)
      assert.include(scope.path, `:${scope.field}`)
      assert.strictEqual(path.includes(":"), scope.required)
    }
  })
})
