import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const directory = fileURLToPath(new URL("../../../.github/workflows", import.meta.url))

const workflows = readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "utf8")] as const)

describe("the workflows", () => {
  it.each(workflows)("%s runs others' actions by commit, and without the credentials of the checkout", (_, text) => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action!)
    assert.isNotEmpty(uses)
    for (const action of uses) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    const checkouts = uses.filter((action) => action.startsWith("actions/checkout@"))
    assert.lengthOf(text.match(/persist-credentials: false/g) ?? [], checkouts.length)
  })

  it.each(workflows)("%s has the least permissions, and inserts nothing into a shell", (_, text) => {
    assert.match(text, /^permissions:( \{\}|\n {2}contents: read)$/m)
    assert.notMatch(text, /pull_request_target|write-all|secrets\./)
    const steps = text.split(/^ {6}- /m).filter((step) => step.startsWith("run:"))
    for (const step of steps) assert.notInclude(step.split(/^ {8}env:|^ {2}\S/m)[0], "${{")
  })

  it("only a release has an identity, and only its description may write", () => {
    for (const [name, text] of workflows) {
      const granted = [...text.matchAll(/^ +([\w-]+): write$/gm)].map(([, permission]) => permission)
      assert.deepStrictEqual(granted, name === "release.yml" ? ["id-token", "contents"] : [], name)
    }
  })
})
