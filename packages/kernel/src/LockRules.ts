/** The rules of a lock, as a decision without effects: who may take it. */
import type { Identity } from "./Processes.ts"

export interface Holder extends Identity {
  /** Different for every acquired lock. */
  readonly id: string
  readonly since: number
}

/** How long a holder that cannot be seen from here may take to renew its lock, in milliseconds. */
export const lifetime = 30_000

/** Who wants a lock, and what can be seen from there. */
export interface Applicant extends Holder {
  /** Whether this process holds a lock, or is about to. */
  readonly isHeldHere: (id: string) => boolean
  /** Whether a process is running; undefined if that cannot be seen. */
  readonly isRunning: (process: Identity) => boolean | undefined
}

/**
 * - `Take`: write an entry; nobody holds the lock.
 * - `Keep`: the entry is the applicant's own.
 * - `Refuse`: somebody else holds the lock.
 * - `Ask`: read when the holder last renewed its lock, and decide again.
 * - `Watch`: wait whether the holder renews its lock, and decide again. The clocks of two machines may differ, and each may
 *   be set, so a time alone is no proof that the holder is gone.
 */
export type Decision =
  | { readonly _tag: "Take" | "Keep" | "Ask" | "Watch" }
  | { readonly _tag: "Refuse"; readonly holder: Holder }

/** Decides on the entry of a lock, if there is one, and on the renewal of it, once that has been read and watched. */
export const decide = (
  found: Holder | undefined,
  applicant: Applicant,
  renewal?: { readonly text: string | undefined; readonly isWatched?: boolean }
): Decision => {
  if (found === undefined) return { _tag: "Take" }
  if (found.id === applicant.id) return { _tag: "Keep" }
  const gone = isGone(found, applicant)
  if (gone === undefined && renewal === undefined) return { _tag: "Ask" }
  if (!(gone ?? isExpired(found, applicant.since, renewal?.text))) return { _tag: "Refuse", holder: found }
  return { _tag: gone === true || renewal?.isWatched === true ? "Take" : "Watch" }
}

/** Whether a holder no longer exists; undefined if that cannot be seen, so that its renewals have to tell. */
const isGone = (
  found: Holder,
  { host, isHeldHere, isRunning, pid, started, thread }: Applicant
): boolean | undefined => {
  if (isHeldHere(found.id)) return false
  // A lock of this process that is not known here was left behind, unless it is that of another thread.
  if (found.host === host && found.pid === pid && found.started === started) {
    return found.thread === thread ? true : undefined
  }
  const running = isRunning(found)
  return running === undefined ? undefined : !running
}

/** A clock that is set back makes a lock expire as well: it would be held for ever otherwise. */
const isExpired = ({ id, since }: Holder, now: number, renewal = ""): boolean => {
  const [renewer, time] = renewal.split(" ")
  return Math.abs(now - (renewer === id ? Number(time) : since)) > lifetime
}

export const renewalOf = (id: string, now: number): string => `${id} ${now}`
