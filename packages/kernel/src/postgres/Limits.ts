/** How long a statement may take, and what is decided about one that takes long. Times are in milliseconds. */
export interface Limits {
  /** How long it may wait for a lock, and a caller for a connection. */
  readonly lock: number
  /** How often one without a response is looked at from another session. */
  readonly silence: number
  /** How long it may take in all. */
  readonly statement: number
}

export const defaults: Limits = { lock: 30_000, silence: 10_000, statement: 600_000 }

/** What a look at a statement from another session has shown. */
export type Look =
  /** It waits for a lock. */
  | { readonly _tag: "Waiting"; readonly millis: number; readonly what: string; readonly holder: string | undefined }
  /** The server is working on it. */
  | { readonly _tag: "Working" }
  /** The server has nothing to do for it, or no such session: the statement or its response was lost. */
  | { readonly _tag: "Lost" }
  /** The server did not respond. */
  | { readonly _tag: "Silent" }
  /** Nothing could be found out. */
  | { readonly _tag: "Unknown" }

/** Why a statement is given up. */
export type Reason = "Lock" | "Silent" | "Statement"

export type Decision =
  | { readonly _tag: "Wait"; readonly millis: number }
  | { readonly _tag: "GiveUp"; readonly reason: Reason }

/** Looks are not closer together than this. */
const closest = 50

/** What becomes of a statement that has not been answered for some milliseconds. */
export const decide = (look: Look, elapsed: number, { lock, silence, statement }: Limits): Decision => {
  const left = statement - elapsed
  if (look._tag === "Silent" || look._tag === "Lost") return { _tag: "GiveUp", reason: "Silent" }
  if (look._tag === "Waiting" && look.millis >= lock) return { _tag: "GiveUp", reason: "Lock" }
  if (left <= 0) return { _tag: "GiveUp", reason: look._tag === "Waiting" ? "Lock" : "Statement" }
  const next = look._tag === "Waiting" ? Math.min(silence, lock - look.millis) : silence
  return { _tag: "Wait", millis: Math.max(closest, Math.min(next, left)) }
}

/** How long the first look is put off. */
export const firstLook = ({ lock, silence, statement }: Limits): number =>
  Math.max(closest, Math.min(lock, silence, statement))

/** How long a look may take. It opens a connection, for which a busy machine needs longer than a short limit. */
export const longestLook = ({ silence }: Pick<Limits, "silence">): number => Math.max(2000, Math.min(silence, 10_000))

/** A length of time in seconds, as in a sentence. */
const inSeconds = (millis: number): string =>
  `${millis < 1000 ? (millis / 1000).toFixed(1) : Math.round(millis / 1000)} s`

/** Says why a statement was given up. */
export const sentence = (reason: Reason, look: Look, elapsed: number): string => {
  if (reason === "Silent") return `PostgreSQL has not responded for ${inSeconds(elapsed)}`
  if (look._tag === "Waiting") {
    const holder = look.holder === undefined ? "another session" : `another session (${look.holder})`
    return `Waited ${inSeconds(look.millis)} for a lock on ${look.what}, which ${holder} holds`
  }
  return `The statement took longer than ${inSeconds(elapsed)}, and was cancelled`
}

/** PostgreSQL's own code for why a statement was given up. */
export const codeOf = (reason: Reason): string => reason === "Lock" ? "55P03" : reason === "Silent" ? "08006" : "57014"

// What sessions are set to, so that the server ends what a lost client leaves behind.

export type Settings = Readonly<Record<string, string>>

/** The client looks first, because it can say who holds the lock. */
const margin = 15_000

/** The longest time that PostgreSQL and timers understand, in milliseconds. */
export const longestWait: number = 2 ** 31 - 1

/** No statement takes longer, whatever its caller allows. */
const longest = "4h"

/** For sessions of any client. */
export const limiting = ({ lock }: Pick<Limits, "lock">): Settings => ({
  lock_timeout: String(Math.min(lock + margin, longestWait)),
  statement_timeout: longest
})

/** For sessions that belong to this library. */
export const own = (limits: Pick<Limits, "lock">, more: Settings): Settings => ({
  ...limiting(limits),
  idle_in_transaction_session_timeout: "60s",
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
  tcp_user_timeout: "30s",
  ...more
})

export const calls = (settings: Settings, isLocal: boolean): ReadonlyArray<string> =>
  Object.keys(settings).map((_, index) => `set_config($${2 * index + 1}, $${2 * index + 2}, ${isLocal})`)

export const parameters = (settings: Settings): ReadonlyArray<string> => Object.entries(settings).flat()

/** Why a pooler cannot be used. */
export const shared =
  "A pooler shares the sessions of PostgreSQL between its clients, as PgBouncer does with pool_mode = transaction or " +
  "statement: use pool_mode = session, or connect to PostgreSQL itself"
