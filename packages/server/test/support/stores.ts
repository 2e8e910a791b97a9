import { SqlStore, Store } from "@mailstream/server"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Layer, type Redacted } from "effect"

/** A file in a temporary directory. */
export const temporaryFile = Temporary.file("test.db")

/** The URL of a new, empty database. */
export const freshDatabase: Effect.Effect<Redacted.Redacted> = Effect.suspend(() =>
  Postgres.createDatabase(Provided.postgres())
)

const sqlite: Layer.Layer<Store> = Layer.unwrapScoped(
  Effect.map(temporaryFile, (filename) => SqlStore.layerSqlite({ filename }))
).pipe(Layer.orDie)

const postgres: Layer.Layer<Store> = Layer.unwrapEffect(
  Effect.map(Effect.suspend(() => Postgres.createSchema(Provided.postgres())), (url) => SqlStore.layerPostgres({ url }))
).pipe(Layer.orDie)

/** Every store, empty. */
export const stores: ReadonlyArray<readonly [name: string, layer: Layer.Layer<Store>]> = [
  ["memory", Store.layerMemory],
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
]
