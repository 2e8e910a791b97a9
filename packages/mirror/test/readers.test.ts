/** Looking at a copy needs no permission to write. */
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Mirror } from "@mailstream/mirror"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { contacts } from "@mailstream/stream"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Array, Context, Effect, Layer, Redacted, type Scope, Stream } from "effect"
import { layerOf, sync } from "./support/copying.ts"
import type { Database } from "./support/databases.ts"
import { contact, make } from "./support/service.ts"

type Services = Layer.Layer.Success<ReturnType<typeof layerOf>>

/** A database whose owner can write, and someone else who can only read. */
interface Shared {
  readonly owner: Database
  /** Opens it for the other one, who may read what is there by now. */
  readonly reader: Effect.Effect<Database, unknown, Scope.Scope>
}

const sqlite: Effect.Effect<Shared, unknown, Scope.Scope> = Effect.gen(function*() {
  const filename = yield* Temporary.file("mail.db")
  const owner = yield* Layer.build(Sqlite.layer({ filename }))
  return { owner, reader: Layer.build(Sqlite.layer({ filename, readonly: true })) }
})

const postgres: Effect.Effect<Shared, unknown, Scope.Scope> = Effect.gen(function*() {
  const url = yield* Postgres.createSchema(Provided.postgres())
  const open = (url: Redacted.Redacted) =>
    Effect.map(
      Layer.build(PgClient.layer({ url })),
      (context) => Context.make(SqlClient.SqlClient, Context.get(context, SqlClient.SqlClient))
    )
  const owner = yield* open(url)
  const reader = Effect.gen(function*() {
    const sql = Context.get(owner, SqlClient.SqlClient)
    const [row] = yield* sql<{ schema: string }>`SELECT current_schema() AS schema`
    const name = `reader_of_${row!.schema}`
    yield* Effect.acquireRelease(
      sql.unsafe(`
        CREATE ROLE "${name}" LOGIN PASSWORD 'reader';
        GRANT USAGE ON SCHEMA "${row!.schema}" TO "${name}";
        GRANT SELECT ON ALL TABLES IN SCHEMA "${row!.schema}" TO "${name}"`),
      () => Effect.orDie(sql.unsafe(`DROP OWNED BY "${name}"; DROP ROLE "${name}"`))
    )
    const readers = new URL(Redacted.value(url))
    readers.username = name
    readers.password = "reader"
    return yield* open(Redacted.make(readers.href))
  })
  return { owner, reader }
})

const shared: ReadonlyArray<readonly [name: string, share: Effect.Effect<Shared, unknown, Scope.Scope>]> = [
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
]

describe.each(shared)("a copy in %s", (_, share) => {
  it.scopedLive("shows someone who may only read its status, its changes, and what a pass would change", () =>
    Effect.gen(function*() {
      const service = yield* make
      const { owner, reader } = yield* share
      service.lists.set("/contacts", Array.makeBy(250, (index) => contact(250 - index)))
      yield* Effect.provide(sync("contacts"), layerOf(service, owner))

      const readers = yield* Layer.build(layerOf(service, yield* reader))
      yield* Effect.gen(function*() {
        const statuses = yield* Mirror.status
        assert.strictEqual(statuses.find(({ list }) => list === "contacts")?.items, 250)
        assert.strictEqual(yield* Stream.runCount(Mirror.changes(contacts)), 250)
        service.lists.set("/contacts", Array.makeBy(251, (index) => contact(251 - index)))
        assert.deepStrictEqual(
          yield* sync("contacts", { dryRun: true }),
          { created: 1, updated: 0, deleted: 0, unchanged: 250 }
        )
      }).pipe(Effect.provide(readers))

      // What writes is refused, and the owner is not disturbed.
      const refused = <A, E extends { readonly _tag: string }>(write: Effect.Effect<A, E, Services>) =>
        Effect.map(Effect.flip(Effect.provide(write, readers)), (error) => assert.strictEqual(error._tag, "SqlError"))
      yield* refused(sync("contacts"))
      yield* refused(Mirror.process(contacts, "crm", () => Effect.void))
      yield* refused(Mirror.purge("1 day"))
      assert.deepStrictEqual(
        yield* Effect.provide(sync("contacts"), layerOf(service, owner)),
        { created: 1, updated: 0, deleted: 0, unchanged: 250 }
      )
    }))
})
