/**
 * How long this worker may rely on what it has claimed.
 *
 * The database knows it by one clock, this worker by two of its own, whichever shows more: one can be set, and the other
 * stands still in a machine that sleeps. It counts from before a beat was sent, and ends earlier than for the database: whoever takes over
 * later finds that requests of this worker have ended. No request begins without it, also after a pause in which nothing could be interrupted.
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type * as Transport from "@mailstream/http/Transport"
import * as Moment from "@mailstream/kernel/Moment"
import * as Postgres from "@mailstream/sql/Postgres"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"

export interface Lease {
  /** A beat that was sent at this moment has been confirmed. */
  readonly renew: (sent: Moment.Moment) => void
  readonly end: () => void
  /** For how many milliseconds it lasts. */
  readonly remaining: () => number
}

/** Which part of the time that the database grants is used. */
const part = 5 / 6

export const make = (clock: Clock.Clock, lockExpiration: Duration.Duration): Lease => {
  const lasts = Duration.toMillis(lockExpiration) * part
  let since: Moment.Moment | undefined
  let hasEnded = false
  return {
    renew: (sent) => {
      since = sent
    },
    end: () => {
      hasEnded = true
    },
    remaining: () => hasEnded || since === undefined ? 0 : Math.max(0, lasts - Moment.elapsed(since, Moment.of(clock)))
  }
}

export const isHeld = ({ remaining }: Lease): boolean => remaining() > 0

/** The lease that a fiber's work depends on. */
const current = FiberRef.unsafeMake<Lease | undefined>(undefined)

/** Nothing within the effect is stored without the lease, in the database of a client from `guardDatabase`. */
export const within = (lease: Lease) => Effect.locally(current, lease)

/** As if the database were not available: what is under way ends, and is no account's own failure. */
const ended = new SqlError({
  cause: Object.assign(new Error("Others may have the account by now"), { code: "ECANCELED" }),
  message: "The lease has ended"
})

/** A client that begins neither statements nor transactions for work whose lease has ended, also after a pause in which nothing could be interrupted. */
export const guardDatabase = (sql: SqlClient.SqlClient): SqlClient.SqlClient =>
  Postgres.guarded(
    sql,
    Effect.flatMap(FiberRef.get(current), (lease) => lease === undefined || isHeld(lease) ? Effect.void : ended)
  )

/** A transport that lets no request begin without the lease: it asks when a connection is there, before the first byte. */
export const guard = (
  { open, send }: typeof Transport.Transport.Service,
  lease: Lease
): typeof Transport.Transport.Service => {
  const guarded = (request: Transport.Request): Transport.Request => ({
    ...request,
    mayStart: () => isHeld(lease) && (request.mayStart?.() ?? true)
  })
  return { send: (request) => send(guarded(request)), open: (request) => open(guarded(request)) }
}
