/**
 * How long this worker may rely on what it has claimed.
 *
 * The database knows it by one clock, this worker by two of its own, whichever shows more: one can be set, and the other
 * stands still in a machine that sleeps. It counts from before a beat was sent, and ends earlier than for the database: whoever takes over
 * later finds that requests of this worker have ended. No request begins without it, also after a pause in which nothing could be interrupted.
 */
import type * as Transport from "@mailstream/http/Transport"
import * as Moment from "@mailstream/kernel/Moment"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"

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
