/** A service, an empty database, and the copy of the one in the other. */
import type { SqlClient } from "@effect/sql"
import { Mirror } from "@mailstream/mirror"
import { Effect, Layer, type Scope, Stream } from "effect"
import type { Database } from "./databases.ts"
import { make, type Service } from "./service.ts"

export const layerOf = (
  service: Service,
  database: Database,
  options?: Mirror.Options
): Layer.Layer<Layer.Layer.Success<Service["client"]> | Mirror.Mirror | SqlClient.SqlClient> =>
  Layer.orDie(
    Layer.merge(service.client, Layer.provideMerge(Mirror.layer(options), Layer.succeedContext(database)))
  )

export const setup = (open: Effect.Effect<Database, never, Scope.Scope>) =>
  Effect.gen(function*() {
    const service = yield* make
    const database = yield* open
    return { service, database, layer: yield* Layer.build(layerOf(service, database)) }
  })

/** The result of a pass over one list. */
export const sync = (list: Mirror.Name, options: Mirror.SyncOptions = {}) =>
  Effect.flatMap(Mirror.Mirror, (mirror) => mirror.syncEither({ ...options, lists: [list] })).pipe(
    Effect.flatMap(([report]) => report!.result)
  )

/** The changes of a list. */
export const changes = <Item extends { readonly id: string }, Encoded>(list: Mirror.Module<Item, Encoded>) =>
  Stream.unwrap(Effect.map(Mirror.Mirror, (mirror) => mirror.changes(list)))
