/**
 * Releases locks together, and does not wait for long when a worker stops.
 *
 * When a worker joins, the others release their share of the locks. The engine does so one by one, on the connection that
 * refreshes the locks: on a busy database the refresh would come too late, and the worker would lose all of them.
 */
import { PersistenceError } from "@effect/cluster/ClusterError"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as RequestResolvers from "@effect/experimental/RequestResolver"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import type { EngineTables, Lock } from "./engineTables.ts"

class Release extends Request.TaggedClass("Release")<void, PersistenceError, Lock> {}

/** How long to wait for more. */
const window = "20 millis"

/** How long a worker that stops may take to say so. Without that, the others take over when its locks have expired. */
const farewell = Duration.seconds(1)

/** What the engine does when it stops cannot be interrupted, so that it would wait for a database that does not respond. */
const briefly = <A>(statement: Effect.Effect<A, PersistenceError>): Effect.Effect<A, PersistenceError> =>
  Effect.timeoutFail(Effect.interruptible(Effect.disconnect(statement)), {
    duration: farewell,
    onTimeout: () => new PersistenceError({ cause: new Error("the database does not respond") })
  })

/** A storage that releases locks together, and gives up after the time in which the engine expects it to be done. */
export const layer = <E, R>(
  storage: Layer.Layer<RunnerStorage.RunnerStorage, E, R>,
  tables: EngineTables,
  patience: Duration.Duration
): Layer.Layer<RunnerStorage.RunnerStorage, E, R> =>
  Layer.scoped(
    RunnerStorage.RunnerStorage,
    Effect.gen(function*() {
      const inner = yield* RunnerStorage.RunnerStorage
      const releaseAll = (releases: ReadonlyArray<Release>) =>
        tables.release(releases).pipe(
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
        unregister: (address) => briefly(inner.unregister(address)),
        releaseAll: (address) => briefly(inner.releaseAll(address)),
        release: ({ host, port }, shard) =>
          Effect.request(new Release({ address: `${host}:${port}`, shard_id: shard.toString() }), resolver)
      }
    })
  ).pipe(Layer.provide(storage))
