/** The stores that checkpoints are tested in. */
import { Error as PlatformError, FileSystem, KeyValueStore } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { SqlClient, type SqlError } from "@effect/sql"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Layer, Option } from "effect"

const files = Layer.unwrapScoped(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return KeyValueStore.layerFileSystem(yield* fs.makeTempDirectoryScoped())
})).pipe(Layer.orDie, Layer.provide(NodeContext.layer))

const sql = Layer.effect(
  KeyValueStore.KeyValueStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL)`
    const failing = (method: string) => <A>(effect: Effect.Effect<A, SqlError.SqlError>) =>
      Effect.mapError(
        effect,
        ({ message }) =>
          new PlatformError.SystemError({ reason: "Unknown", module: "KeyValueStore", method, description: message })
      )
    return KeyValueStore.makeStringOnly({
      get: (key) =>
        sql<{ readonly value: string }>`SELECT value FROM entries WHERE key = ${key}`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), ({ value }) => value)),
          failing("get")
        ),
      set: (key, value) =>
        sql`INSERT INTO entries ${sql.insert({ key, value })} ON CONFLICT (key) DO UPDATE SET value = excluded.value`
          .pipe(
            Effect.asVoid,
            failing("set")
          ),
      remove: (key) => failing("remove")(Effect.asVoid(sql`DELETE FROM entries WHERE key = ${key}`)),
      clear: failing("clear")(Effect.asVoid(sql`DELETE FROM entries`)),
      size: sql<{ readonly size: number }>`SELECT count(*) AS size FROM entries`.pipe(
        Effect.map(([row]) => row?.size ?? 0),
        failing("size")
      )
    })
  })
).pipe(
  Layer.provide(
    Layer.unwrapScoped(Effect.map(Temporary.file("store.db"), (filename) => Sqlite.layer({ filename })))
  ),
  Layer.orDie
)

export const stores = { memory: KeyValueStore.layerMemory, files, SQL: sql }

/** A store that calls `set` instead of writing to the map. */
export const storeOf = (map: Map<string, string>, set: (key: string, value: string) => Effect.Effect<void>) =>
  KeyValueStore.makeStringOnly({
    get: (key) => Effect.sync(() => Option.fromNullable(map.get(key))),
    set,
    remove: (key) => Effect.sync(() => map.delete(key)),
    clear: Effect.sync(() => map.clear()),
    size: Effect.sync(() => map.size)
  })
