/** Which rows a pass has not seen, whatever other programs have deleted meanwhile. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Array, Effect, FastCheck as fc } from "effect"
import * as Copy from "../src/internal/copy.ts"
import * as Database from "../src/internal/database.ts"
import * as Feeds from "../src/internal/feeds.ts"
import * as Find from "../src/internal/find.ts"
import { Seen, toRanges } from "../src/internal/seen.ts"
import { layerOf, setup, sync } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact, make, uuid } from "./support/service.ts"

/** Numbers that have a count, a sum and a sum of squares in common. */
const alike = [[1, 2, 6], [0, 4, 5]] as const

const ordinals = fc.oneof(
  fc.uniqueArray(fc.integer({ min: 1, max: 12_000 }), { maxLength: 40 }),
  fc.tuple(fc.constantFrom(...alike), fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 1, max: 400 })).map(
    ([numbers, from, step]) => numbers.map((number) => from + step * number)
  )
)

const different = fc.tuple(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 1, max: 400 })).map(([from, step]) =>
  alike.map((numbers) => numbers.map((number) => from + step * number))
)

describe.each(databases)("rows in %s that were not seen", (_, open) => {
  it.scopedLive("are found exactly", () =>
    Effect.gen(function*() {
      const { database, layer } = yield* setup(open)
      const sql = yield* Effect.provide(SqlClient.SqlClient, database)
      const { table } = Feeds.all.find(({ table }) => table.name === "contacts")!
      const copy = Copy.make(Database.make(sql, { schema: undefined, prefix: "" }), "default", table)
      yield* Effect.provide(Effect.void, layer)
      const check = (rows: ReadonlyArray<number>, seen: ReadonlyArray<number>) =>
        Effect.gen(function*() {
          yield* sql`DELETE FROM contacts`
          if (rows.length > 0) {
            yield* sql`INSERT INTO contacts ${
              sql.insert(rows.map((ordinal) => ({
                account: "default",
                id: uuid(ordinal),
                json: "{}",
                ordinal,
                last_change: 0,
                first_seen_at: "2026-01-01T00:00:00.000Z",
                changed_at: "2026-01-01T00:00:00.000Z"
              })))
            }`
          }
          const found = yield* Find.unseen(copy, seenOf(seen))
          const gone = Array.difference(rows, seen).sort((a, b) => a - b)
          assert.deepStrictEqual(found, { count: rows.length, gone })
        })
      for (const [rows, seen] of fc.sample(fc.tuple(ordinals, ordinals), 20)) yield* check(rows, seen)
      for (const [rows = [], seen = []] of fc.sample(different, 5)) yield* check(rows, seen)
    }))

  it.scopedLive("are found even if as many others with the same sums were deleted by hand", () =>
    Effect.gen(function*() {
      const service = yield* make
      const database = yield* open
      const numbers = Array.range(1, 100)
      service.lists.set("/contacts", numbers.map((number) => contact(number)))
      const [byHand, byService] = alike.map((numbers) => numbers.map((number) => 15 * number + 3))
      yield* Effect.gen(function*() {
        const pass = sync("contacts", { pageSize: 1 })
        yield* pass
        yield* pass
        const sql = yield* SqlClient.SqlClient
        yield* sql`DELETE FROM contacts WHERE ordinal IN ${sql.in(byHand!)}`
        service.lists.set(
          "/contacts",
          numbers.filter((number) => !byService!.includes(number)).map((number) => contact(number))
        )
        yield* pass
        const rows = yield* sql<{ id: string }>`SELECT id FROM contacts WHERE deleted_at IS NULL ORDER BY id`
        assert.deepStrictEqual(
          rows.map(({ id }) => id),
          numbers.filter((number) => !byService!.includes(number)).map(uuid)
        )
      }).pipe(Effect.provide(layerOf(service, database)))
    }))
})

const seenOf = (ordinals: ReadonlyArray<number>): Seen => {
  const seen = new Seen()
  seen.add(toRanges(ordinals))
  return seen
}
