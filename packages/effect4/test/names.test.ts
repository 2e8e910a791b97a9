import * as Campaign3 from "@mailstream/campaign"
import * as Core3 from "@mailstream/core"
import * as Main4 from "@mailstream/effect4"
import * as Http3 from "@mailstream/http"
import * as Postgres3 from "@mailstream/sql/Postgres"
import * as Sqlite3 from "@mailstream/sql/Sqlite"
import * as Stream3 from "@mailstream/stream"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import * as Campaign4 from "../src/campaign/Campaign.ts"
import * as Core4 from "../src/core/index.ts"
import * as Http4 from "../src/http/index.ts"
import * as Postgres4 from "../src/sql/Postgres.ts"
import * as Sqlite4 from "../src/sql/Sqlite.ts"
import * as Stream4 from "../src/stream/index.ts"

/** What one line has and the other does not, and why. */
const missing: { readonly [name: string]: string } = {
  Api: "Effect calls its `http-api` unstable",
  "Attachment.fromFile": "is `AttachmentFile.fromFile`, because Effect calls `FileSystem` unstable"
}

/** What the line for Effect 4 has in addition, and why. */
const added: { readonly [name: string]: string } = {
  Store: "`KeyValueStore` is unstable, so that checkpoints are kept in a service of our own"
}

/** The names that a module exports, and those within the modules that it exports. */
const namesOf = (module: object, path = ""): ReadonlyArray<string> =>
  Object.entries(module).flatMap(([name, value]) => {
    const full = `${path}${name}`
    return [full, ...(isModule(value) ? namesOf(value, `${full}.`) : [])]
  })

const isModule = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.prototype.toString.call(value) === "[object Module]"

describe("the names for Effect 4", () => {
  it.each([
    ["core", Core3, Core4],
    ["http", Http3, Http4],
    ["stream", Stream3, Stream4]
  ])("are those of %s, or on a list with reasons", (_, three, four) => {
    const expected = namesOf(three)
      .filter((name) => missing[name] === undefined && missing[name.split(".")[0]!] === undefined)
    const actual = new Set(namesOf(four))
    assert.deepStrictEqual(expected.filter((name) => !actual.has(name)), [])
    assert.deepStrictEqual([...actual].filter((name) => !expected.includes(name) && added[name] === undefined), [])
  })
})

it("the main entry exports every name of its parts", () => {
  // Two parts that export the same namespace would cancel it out, while the types still have it.
  const parts = [Core4, Http4, Stream4].flatMap((part) => Object.keys(part))
  assert.deepStrictEqual(Object.keys(Main4).sort(), [...new Set(parts)].sort())
  assert.strictEqual(Main4.RetryPolicy, Http4.RetryPolicy)
})

it("the README names every difference", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
  const table = readme.slice(readme.indexOf("## What differs from Effect 3"))
  for (const name of [...Object.keys(missing), ...Object.keys(added)]) assert.include(table, `\`${name}\``)
})

describe("the names of campaigns for Effect 4", () => {
  it("are those of campaign: what it exports beside `Campaign` is in that module", () => {
    const { Campaign, ...errors } = Campaign3
    assert.deepStrictEqual(Object.keys(Campaign4).sort(), [...Object.keys(Campaign), ...Object.keys(errors)].sort())
  })

  it("have databases with the layers of sql", () => {
    assert.deepStrictEqual(Object.keys(Sqlite4), Object.keys(Sqlite3))
    const left = ["bounded", "ensureOwnSessions", "guarded", "reset", "until"]
    assert.deepStrictEqual(
      Object.keys(Postgres4).sort(),
      Object.keys(Postgres3).filter((name) => !left.includes(name)).sort()
    )
  })
})

describe("a module", () => {
  it("can be imported on its own, unless it is internal", async () => {
    const { items } = await import("@mailstream/effect4/stream/contacts")
    const { contacts } = await import("@mailstream/effect4")
    assert.strictEqual(items, contacts.items)
    const internal = "@mailstream/effect4/stream/internal/walk"
    assert.notStrictEqual(await import(internal).then(() => "imported", () => "refused"), "imported")
  })
})
