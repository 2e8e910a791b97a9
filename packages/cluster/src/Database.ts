/**
 * PostgreSQL, set up for workers.
 *
 * @since 1.0.0
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { integer, InvalidOption } from "@mailstream/core/InvalidOption"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Socket } from "node:net"

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

/** Set for every session. The zone: the engine compares times without one. The others end what a lost worker leaves. */
const settings = [
  "TimeZone=UTC",
  "idle_in_transaction_session_timeout=60s",
  "tcp_keepalives_idle=10",
  "tcp_keepalives_interval=5",
  "tcp_keepalives_count=3",
  "tcp_user_timeout=30s"
]

const keepAlive = Duration.seconds(10)

/** A connection that nothing has arrived on for this long while a statement runs is given up. Sweeps of long lists take a while. */
const silence = Duration.minutes(5)

/** A vanished database does not say so: without this, a statement would wait for a quarter of an hour or for ever. */
const socket = (): Socket => {
  const socket = new Socket().setKeepAlive(true, Duration.toMillis(keepAlive))
  return socket.setTimeout(Duration.toMillis(silence), () => socket.destroy(new Error("the connection is silent")))
}

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
 * vanished. Any other `PgClient` will do if its sessions are in UTC.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer = (
  { maxConnections = 10, url }: Options
): Layer.Layer<SqlClient.SqlClient | PgClient.PgClient, SqlError | InvalidOption> =>
  Layer.unwrapEffect(Effect.gen(function*() {
    return PgClient.layer({
      url: yield* prepare(url),
      maxConnections: yield* integer("maxConnections", maxConnections, { min: 3 }),
      stream: socket,
      connectTimeout: "5 seconds",
      applicationName: "mailstream"
    })
  }))
