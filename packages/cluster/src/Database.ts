/**
 * PostgreSQL, set up for workers.
 *
 * @since 1.0.0
 */
import type * as PgClient from "@effect/sql-pg/PgClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { integer, type InvalidOption, unless } from "@mailstream/core/InvalidOption"
import * as Url from "@mailstream/kernel/postgres/Url"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** `postgres://user:password@host:5432/database`, with a percent-encoded password: `@` is `%40`, `#` is `%23`, `/` is `%2F`, `?` is `%3F`, `%` is `%25`. */
  readonly url: Redacted.Redacted
  /** The most connections of this process; default: 10. One of them is only for beats. */
  readonly maxConnections?: number | undefined
}

/** How soon a dead connection is noticed: accounts wait for it. */
const silence = "5 seconds"

/**
 * A worker that was paused in a transaction keeps rows locked: no longer than until others take over its accounts. No transaction of a
 * worker waits for anything but the database.
 */
const settings = { idle_in_transaction_session_timeout: "10s" }

/** A URL of anything else would be taken for the name of a host. */
const check = (url: Redacted.Redacted): Either.Either<Redacted.Redacted, InvalidOption> =>
  Either.gen(function*() {
    const problem = Url.problem(Redacted.value(url))
    yield* unless(problem === undefined, "url", problem ?? "")
    yield* unless(
      /^postgres(ql)?:$/.test(URL.parse(Redacted.value(url))?.protocol ?? ""),
      "url",
      "must be the URL of a PostgreSQL database, as in postgres://user@host/database"
    )
    return url
  })

/**
 * A client for workers, for `Status.read` and for `Control`. Neither side waits for long for a session that has vanished. Any other
 * `PgClient` will do: workers give its statements the same limits.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer = (
  { maxConnections = 10, url }: Options
): Layer.Layer<SqlClient.SqlClient | PgClient.PgClient, SqlError | InvalidOption> =>
  Layer.unwrapEffect(Effect.gen(function*() {
    return Postgres.layer({
      url: yield* check(url),
      silence,
      settings,
      maxConnections: yield* integer("maxConnections", maxConnections, { min: 3 })
    })
  }))
