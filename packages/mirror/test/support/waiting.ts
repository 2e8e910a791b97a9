/** Waits for what happens outside, and makes what was done before older, without waiting for time to pass. */
import { SqlClient, type SqlError } from "@effect/sql"
import { Effect } from "effect"

const turn = Effect.promise(() => new Promise(setImmediate))

/** Waits until something is so. */
export const until = <E = never, R = never>(isSo: (() => boolean) | Effect.Effect<boolean, E, R>) =>
  Effect.repeat(Effect.zipRight(turn, typeof isSo === "function" ? Effect.sync(isSo) : isSo), { until: (done) => done })

/** Makes the copy of contacts an hour older. */
const age: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const older = (column: string) =>
    sql.literal(sql.onDialectOrElse({
      pg: () => `${column} = ${column} - interval '1 hour'`,
      orElse: () => `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '-1 hour')`
    }))
  yield* sql`UPDATE mirror_lists SET ${older("clock")}`
  yield* sql`UPDATE mirror_changes SET ${older("at")}`
  yield* sql`UPDATE contacts SET ${older("changed_at")}, ${older("deleted_at")}`
})

/** As if it were done an hour later. */
export const anHourLater = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.zipRight(age, effect)
