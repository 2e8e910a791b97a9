/** What the README says. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Campaign } from "@mailstream/campaign"
import { contacts } from "@mailstream/stream"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { databases, messageTo, service } from "./support/campaigns.ts"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")

/** The queries of the README. */
const queries = [...readme.matchAll(/```sql\n([^]*?)```/g)].flatMap(([, block = ""]) =>
  block.split(";").map((query) => query.replace(/^\s*--.*$/gm, "").trim()).filter((query) => query !== "")
)

/** The columns that the table of tables names. */
const columns = [...readme.matchAll(/^\| `(mailstream_\w+)` \| [^|]+ \| (.+) \|$/gm)].map((
  [, table = "", text = ""]
) => ({
  table,
  names: [...text.replaceAll(/\([^)]*\)/g, "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)
}))

describe.each(databases)("the README, on %s", (_, open) => {
  it.scopedLive("has queries and columns that the tables have", () =>
    Effect.gen(function*() {
      let index = 0
      const campaign = Campaign.make("news-2026-11", {
        audience: contacts.items(),
        message: (contact) =>
          index++ < 4
            ? Campaign.skip("unsubscribed")
            : { ...messageTo(contact), ...(index < 7 ? { to: "nobody" } : {}) }
      })
      yield* Effect.gen(function*() {
        yield* Campaign.run(campaign)
        const sql = yield* SqlClient.SqlClient
        assert.strictEqual(queries.length, 4)
        const [far, why, minutes, bounced] = yield* Effect.forEach(
          queries,
          (query) => sql.unsafe<Record<string, unknown>>(query)
        )
        assert.deepInclude(far![0], { name: "news-2026-11", paused: null })
        assert.deepStrictEqual([far![0]!["accepted"], far![0]!["skipped"]].map(Number), [24, 4])
        assert.deepStrictEqual(why!.map(({ people, state }) => [state, Number(people)]), [["skipped", 4], [
          "rejected",
          2
        ]])
        assert.strictEqual(minutes!.reduce((sum, { emails }) => sum + Number(emails), 0), 24)
        for (const { unix_time } of minutes!) assert.strictEqual(Number(unix_time) % 60, 0)
        assert.deepStrictEqual(bounced, [])
        assert.sameMembers(columns.map(({ table }) => table), [
          "mailstream_campaigns",
          "mailstream_recipients",
          "mailstream_units"
        ])
        for (const { names, table } of columns) {
          assert.isAtLeast(names.length, 7)
          yield* sql.unsafe(`SELECT ${names.join(", ")} FROM ${table}`)
        }
      }).pipe(Effect.provide(yield* open))
    }).pipe(Effect.provide(service(30))))
})
