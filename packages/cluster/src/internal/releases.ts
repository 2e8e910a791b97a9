/**
 * Releases locks together.
 *
 * When a worker joins, the others release their share of the locks. The engine does so one by one, on the connection that
 * refreshes the locks: on a busy database the refresh would come too late, and the worker would lose all of them.
 */
import { PersistenceError } from "@effect/cluster/ClusterError"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as RequestResolvers from "@effect/experimental/RequestResolver"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import type * as Tables from "./tables.ts"

/** Releases one lock. */
class Release extends Request.TaggedClass("Release")<void, PersistenceError, {
  readonly address: string
  readonly shard_id: string
}> {}

/** How long to wait for more. */
const window = "20 millis"

/** A storage that releases locks together, and gives up after the time in which the engine expects it to be done. */
export const layer = <E, R>(
  storage: Layer.Layer<RunnerStorage.RunnerStorage, E, R>,
  { locks }: Tables.Names,
  patience: Duration.Duration
): Layer.Layer<RunnerStorage.RunnerStorage, E, R | SqlClient.SqlClient> =>
  Layer.scoped(
    RunnerStorage.RunnerStorage,
    Effect.gen(function*() {
      const inner = yield* RunnerStorage.RunnerStorage
      const sql = (yield* SqlClient.SqlClient).withoutTransforms()
      const releaseAll = (releases: ReadonlyArray<Release>) =>
        sql`DELETE FROM ${sql(locks)} l USING jsonb_to_recordset(${
          JSON.stringify(releases.map(({ address, shard_id }) => ({ address, shard_id })))
        }::jsonb)
          AS r (address text, shard_id text) WHERE l.address = r.address AND l.shard_id = r.shard_id`.pipe(
          Effect.timeout(patience),
          Effect.mapError((cause) => new PersistenceError({ cause })),
          Effect.exit,
          Effect.flatMap((exit) =>
            Effect.forEach(releases, (release) => Request.complete(release, Exit.asVoid(exit)), { discard: true })
          )
        )
      const resolver = yield* RequestResolvers.dataLoader(RequestResolver.makeBatched(releaseAll), { window })
      return {
        ...inner,
        release: ({ host, port }, shard) =>
          Effect.request(new Release({ address: `${host}:${port}`, shard_id: shard.toString() }), resolver)
      }
    })
  ).pipe(Layer.provide(storage))
