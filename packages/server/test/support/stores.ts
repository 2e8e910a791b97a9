import { FileSystem } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { SqlStore, Store } from "@mailstream/server"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { inject } from "vitest"

/** A file in a temporary directory. */
export const temporaryFile: Effect.Effect<string, never, Scope.Scope> = Effect.flatMap(
  FileSystem.FileSystem,
  (fs) => Effect.map(fs.makeTempDirectoryScoped({ prefix: "mailstream-" }), (directory) => join(directory, "test.db"))
).pipe(Effect.provide(NodeContext.layer), Effect.orDie)

/** The address of a new, empty database. */
export const freshDatabase: Effect.Effect<Redacted.Redacted> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const name = `test_${randomUUID().replaceAll("-", "")}`
  yield* sql`CREATE DATABASE ${sql(name)}`
  const url = new URL(inject("postgres"))
  url.pathname = name
  return Redacted.make(url.href)
}).pipe(
  Effect.provide(Layer.suspend(() => PgClient.layer({ url: Redacted.make(inject("postgres")), maxConnections: 1 }))),
  Effect.orDie
)

const sqlite: Layer.Layer<Store> = Layer.unwrapScoped(
  Effect.map(temporaryFile, (filename) => SqlStore.layerSqlite({ filename }))
).pipe(Layer.orDie)

const postgres: Layer.Layer<Store> = Layer.unwrapEffect(
  Effect.map(freshDatabase, (url) => SqlStore.layerPostgres({ url }))
).pipe(Layer.orDie)

/** Every store, empty. */
export const stores: ReadonlyArray<readonly [name: string, layer: Layer.Layer<Store>]> = [
  ["memory", Store.layerMemory],
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
]
