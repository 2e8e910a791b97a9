/** Points in time in any zone. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Timestamp } from "@mailstream/core"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, FastCheck as fc, Layer } from "effect"
import { layerOf, setup, sync } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact, make, uuid } from "./support/service.ts"

const zones = ["Z", "+00", "+00:00", "+0000", "+02", "+02:00", "-0730", "-11:59", "+1400", "+14:30", "-23:59"]

const digits = (number: number, length: number): string => String(number).padStart(length, "0")

const times = fc.record({
  day: fc.integer({ min: 1, max: 28 }),
  month: fc.integer({ min: 1, max: 12 }),
  hour: fc.integer({ min: 0, max: 23 }),
  second: fc.integer({ min: 0, max: 59 }),
  fraction: fc.option(fc.integer({ min: 0, max: 999_999 })),
  length: fc.integer({ min: 1, max: 6 }),
  separator: fc.constantFrom(" ", "T"),
  zone: fc.constantFrom(...zones)
}).map(({ day, fraction, hour, length, month, second, separator, zone }) => {
  const after = fraction === null ? "" : `.${digits(fraction, 6).slice(0, length)}`
  return Timestamp.Timestamp.make(
    `2026-${digits(month, 2)}-${digits(day, 2)}${separator}${digits(hour, 2)}:30:${digits(second, 2)}${after}${zone}`
  )
})

/** In UTC, with six digits. */
const canonical = (time: Timestamp.Timestamp): string => {
  const micros = Timestamp.toEpochMicros(time)
  const text = new Date(Number(micros / 1_000_000n) * 1000).toISOString().slice(0, 19)
  return `${text}.${digits(Number(micros % 1_000_000n), 6)}Z`
}

describe.each(databases)("points in time in %s", (name, open) => {
  it.scopedLive("are in the order of time, whatever their zone, and items keep what was received", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      const given = [
        Timestamp.Timestamp.make("2026-01-01T00:00:00+02:00"),
        Timestamp.Timestamp.make("2025-12-31T23:00:00Z"),
        // PostgreSQL has no value for an offset of 16 hours or more.
        ...fc.sample(times, 200).filter((time) => name === "SQLite" || !time.endsWith("-23:59"))
      ]
      service.lists.set("/contacts", given.map((created_at, index) => contact(index + 1, { created_at })))
      yield* Effect.gen(function*() {
        yield* sync("contacts")
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ id: string; created_at: string | Date; json: string | object }>`
          SELECT id, created_at, json FROM contacts ORDER BY created_at, id`
        const byId = new Map(given.map((time, index) => [uuid(index + 1), time]))
        const sorted = [...byId].sort(([a, x], [b, y]) => Timestamp.Order(x, y) || (a < b ? -1 : 1))
        assert.deepStrictEqual(rows.map(({ id }) => id), sorted.map(([id]) => id))
        for (const { created_at, id, json } of rows) {
          if (name === "SQLite") assert.strictEqual(created_at, canonical(byId.get(id)!))
          const item = typeof json === "string" ? JSON.parse(json) : json
          assert.strictEqual(item.created_at, byId.get(id))
        }
      }).pipe(Effect.provide(layer))
    }))
})

describe("a SQLite file of an older version", () => {
  const older = `
    DROP VIEW current_contacts;
    ALTER TABLE contacts DROP COLUMN created_at;
    ALTER TABLE contacts ADD COLUMN created_at TEXT GENERATED ALWAYS AS (json ->> 'created_at') VIRTUAL;
    CREATE VIEW current_contacts AS SELECT account, id, json, first_seen_at, changed_at, created_at FROM contacts
      WHERE deleted_at IS NULL;
    ALTER TABLE mirror_lists DROP COLUMN clock;
    DELETE FROM mirror_migrations WHERE migration_id > 1`

  for (const index of ["", "CREATE INDEX mine ON contacts (created_at)"]) {
    it.scopedLive(
      index === "" ? "is brought up to date" : "keeps a column that an index depends on",
      () =>
        Effect.gen(function*() {
          const service = yield* make
          const filename = yield* Temporary.file("mail.db")
          service.lists.set("/contacts", [contact(1, { created_at: "2026-01-01T00:00:00+02:00" })])
          const opened = Layer.build(Sqlite.layer({ filename }))
          const time = Effect.gen(function*() {
            const sql = yield* SqlClient.SqlClient
            const [row] = yield* sql<{ created_at: string }>`SELECT created_at FROM current_contacts`
            return row?.created_at
          })
          const first = layerOf(service, yield* opened)
          yield* Effect.gen(function*() {
            yield* sync("contacts")
            const sql = yield* SqlClient.SqlClient
            for (const statement of [...older.split(";"), index].filter((text) => text !== "")) {
              yield* sql.unsafe(statement)
            }
            assert.strictEqual(yield* time, "2026-01-01T00:00:00+02:00")
          }).pipe(Effect.provide(first))
          const expected = index === "" ? "2025-12-31T22:00:00.000000Z" : "2026-01-01T00:00:00+02:00"
          assert.strictEqual(yield* Effect.provide(time, layerOf(service, yield* opened)), expected)
        })
    )
  }
})
