/** What sessions are set to, so that the server ends what a lost client leaves behind. */
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Socket } from "node:net"
import { sessionOf } from "./driver.ts"
import type { Limits } from "./limits.ts"

type Settings = Readonly<Record<string, string>>

/** The client looks first, because it can say who holds the lock. */
const margin = Duration.seconds(15)

/** No statement takes longer, whatever its caller allows. */
const longest = "4h"

const limiting = ({ lock }: Limits): Settings => ({
  lock_timeout: String(Duration.toMillis(Duration.sum(lock, margin))),
  statement_timeout: longest
})

/** For sessions that belong to this library. */
export const own = (limits: Limits, more: Settings): Settings => ({
  ...limiting(limits),
  idle_in_transaction_session_timeout: "60s",
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "30s",
  ...more
})

const set = (connection: Connection, settings: Settings, isLocal: boolean): Effect.Effect<void, SqlError> => {
  const names = Object.keys(settings)
  const calls = names.map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, ${isLocal})`)
  return Effect.asVoid(connection.execute(`SELECT ${calls.join(", ")}`, Object.entries(settings).flat(), undefined))
}

/** Limits a transaction of a session that belongs to somebody else. */
export const bound = (connection: Connection, limits: Limits): Effect.Effect<void, SqlError> =>
  set(connection, { ...limiting(limits), idle_in_transaction_session_timeout: "30s" }, true)

/** Applies settings to each session once. */
export const prepare = (settings: Settings): (connection: Connection) => Effect.Effect<void, SqlError> => {
  const prepared = new WeakSet<object>()
  return (connection) => {
    const session = sessionOf(connection) ?? connection
    return prepared.has(session)
      ? Effect.void
      : Effect.zipRight(set(connection, settings, false), Effect.sync(() => prepared.add(session)))
  }
}

/** A vanished server does not say so. */
export const socket = (): Socket => new Socket().setKeepAlive(true, 10_000)
