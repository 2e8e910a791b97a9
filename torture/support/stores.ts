/** Every store, each time empty. */
import { SqlStore, Store } from "@mailstream/server"
import { Effect, Layer, type Scope } from "effect"
import { join } from "node:path"
import * as Postgres from "./postgres.ts"
import * as Temporary from "./temporary.ts"

export const sqlite: Layer.Layer<Store> = Layer.unwrapScoped(
  Effect.map(Temporary.directory, (directory) => SqlStore.layerSqlite({ filename: join(directory, "store.db") }))
).pipe(Layer.orDie)

export const postgresOn = ({ database }: Postgres.Postgres): Layer.Layer<Store> =>
  Layer.unwrapEffect(Effect.map(database, (url) => SqlStore.layerPostgres({ url }))).pipe(Layer.orDie)

/** All three, as long as PostgreSQL runs. */
export const all: Effect.Effect<
  ReadonlyArray<readonly [name: string, store: Layer.Layer<Store>]>,
  never,
  Scope.Scope
> = Effect.map(Postgres.make, (postgres) => [
  ["memory", Store.layerMemory],
  ["SQLite", sqlite],
  ["PostgreSQL", postgresOn(postgres)]
])
