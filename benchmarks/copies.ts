/** Copies of contacts in databases: by the mirror, and by a loop that inserts what it walks. */
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import type { Mailstream } from "@mailstream/http"
import { Mirror } from "@mailstream/mirror"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { contacts } from "@mailstream/stream"
import { Chunk, Effect, Layer, Redacted, type Runtime, type Scope, Stream } from "effect"

type Services = Mirror.Mirror | Mailstream.Mailstream | SqlClient.SqlClient

/** Runs something with one database. */
export type Copy = <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.Effect<A, E>

const isPostgres = (target: string): boolean => target.startsWith("postgres")

/** Opens the database at a URL or path, with the tables of the mirror. */
export const open = (
  target: string,
  runtime: Runtime.Runtime<Mailstream.Mailstream>
): Effect.Effect<Copy, unknown, Scope.Scope> => {
  const client: Layer.Layer<SqlClient.SqlClient, unknown> = isPostgres(target)
    ? PgClient.layer({ url: Redacted.make(target) })
    : Sqlite.layer({ filename: target })
  const layer = Layer.provideMerge(Mirror.layer(), client)
  return Effect.map(
    Layer.toRuntime(layer),
    (database) => (effect) => effect.pipe(Effect.provide(database), Effect.provide(runtime))
  )
}

/** How many rows a statement inserts: more make it no faster. */
const batch = 1000

/**
 * Walks, and inserts the rows into the table of the mirror, one statement for each batch: faster than statements with
 * many rows, and than arrays of columns.
 */
export const inserted = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const statement = `INSERT INTO contacts (account, id, json, ordinal, last_change, first_seen_at, changed_at)
    SELECT 'peer', e.value ->> 'id', e.value, ${
    sql.onDialectOrElse({
      pg: () =>
        `$1::bigint + e.nr, $1::bigint + e.nr, $2::timestamptz, $2::timestamptz
        FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS e (value, nr)`,
      orElse: () => "?1 + e.key, ?1 + e.key, ?2, ?2 FROM json_each(?3) e"
    })
  }`
  let count = 0
  yield* Stream.runForEachChunk(Stream.rechunk(contacts.whole(), batch), (chunk) => {
    const from = count
    count += chunk.length
    return sql.unsafe(statement, [from, "2026-01-02T03:04:05.678Z", JSON.stringify(Chunk.toReadonlyArray(chunk))])
  })
  return count
})

/** Does at once what PostgreSQL does by itself, within a minute after many rows were inserted. */
export const settled = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`VACUUM ANALYZE`),
    orElse: () => Effect.void
  }))
