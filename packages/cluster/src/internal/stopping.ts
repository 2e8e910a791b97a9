/**
 * Stopping in time, whatever the database does.
 *
 * The engine stops its parts one after another, some of them where they cannot be interrupted: on a database that does not respond,
 * each would wait for as long as a statement may take, and the connection for locks would be opened once more. So all of them
 * together have one deadline.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"

/** How many milliseconds a worker that stops may use the database. Without a farewell, others take over when its locks expire. */
const farewell = 2000

/** A layer on a client with limits, which hangs up if the layer has not been closed in time, and when it has been closed. */
export const layer = <A, E, R>(
  worker: Layer.Layer<A, E, R>
): Layer.Layer<A, E, Exclude<R, Scope.Scope> | SqlClient.SqlClient> =>
  Layer.scopedContext(Effect.gen(function*() {
    const controller = new AbortController()
    const hangUp = () => controller.abort()
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope, exit) =>
      Effect.acquireUseRelease(
        Effect.sync(() => setTimeout(hangUp, farewell)),
        () => Scope.close(scope, exit),
        (timer) =>
          Effect.sync(() => {
            clearTimeout(timer)
            hangUp()
          })
      ))
    return yield* Effect.updateService(
      Layer.buildWithScope(worker, scope),
      SqlClient.SqlClient,
      (sql) => Postgres.until(sql, controller.signal)
    )
  }))
