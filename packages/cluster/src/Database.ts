/**
 * PostgreSQL, set up for workers.
 *
 * @since 1.0.0
 */
import type * as PgClient from "@effect/sql-pg/PgClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { integer, InvalidOption } from "@mailstream/core/InvalidOption"
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
  /** `postgres://user:password@host:5432/database`. */
  readonly url: Redacted.Redacted
  /** The most connections of this process; default: 10. One of them is reserved for locks. */
  readonly maxConnections?: number | undefined
}

/** Set for every session from its beginning: the engine compares times without a zone. */
const settings = ["TimeZone=UTC"]

/** The URL with the settings, after those that it has already. */
const prepare = (url: Redacted.Redacted): Either.Either<Redacted.Redacted, InvalidOption> => {
  const parsed = URL.parse(Redacted.value(url))
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    const description = "must be the URL of a PostgreSQL database, as in postgres://user@host/database"
    return Either.left(new InvalidOption({ option: "url", description }))
  }
  const given = parsed.searchParams.get("options") ?? ""
  parsed.searchParams.set("options", [given, ...settings.map((setting) => `-c ${setting}`)].join(" ").trim())
  return Either.right(Redacted.make(parsed.href))
}

/**
 * A client for workers, and for `Status.read`. Its sessions are in UTC, and neither side waits for long for one that has
 * vanished. Any other `PgClient` will do if its sessions are in UTC; workers give its statements the same limits.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer = (
  { maxConnections = 10, url }: Options
): Layer.Layer<SqlClient.SqlClient | PgClient.PgClient, SqlError | InvalidOption> =>
  Layer.unwrapEffect(Effect.gen(function*() {
    return Postgres.layer({
      url: yield* prepare(url),
      maxConnections: yield* integer("maxConnections", maxConnections, { min: 3 })
    })
  }))
