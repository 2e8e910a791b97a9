/** How long a statement may take, and what is decided about one that takes long. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export interface Limits {
  readonly lock: Duration.Duration
  readonly silence: Duration.Duration
  readonly statement: Duration.Duration
  /** When it is aborted, nothing is waited for any longer, whether the caller can be interrupted or not. */
  readonly signal?: AbortSignal | undefined
}

export const defaults: Limits = {
  lock: Duration.seconds(30),
  silence: Duration.seconds(10),
  statement: Duration.minutes(10)
}

/** Whether nothing is to be waited for any longer. */
export const isOver = ({ signal }: Limits): boolean => signal?.aborted === true

/** The limit of a statement that is known to take longer than others. */
export class Allowed extends Context.Reference<Allowed>()("@mailstream/sql/Postgres/Allowed", {
  defaultValue: (): Duration.Duration | undefined => undefined
}) {}

/** The limits of a client, unless the caller allows more. */
export const current = (limits: Limits): Effect.Effect<Limits> =>
  Effect.map(Allowed, (statement) => statement === undefined ? limits : { ...limits, statement })

/** What a look at a statement from another session has shown. */
export type Look = Data.TaggedEnum<{
  /** It waits for a lock. */
  Waiting: { readonly millis: number; readonly what: string; readonly holder: string | undefined }
  /** The server is working on it. */
  Working: {}
  /** The server has nothing to do for it, or no such session: the statement or its response was lost. */
  Lost: {}
  /** The server did not respond. */
  Silent: {}
  /** Nothing could be found out. */
  Unknown: {}
}>

export const Look = Data.taggedEnum<Look>()

/** Why a statement is given up. */
export type Reason = "Lock" | "Silent" | "Statement"

export type Decision =
  | { readonly _tag: "Wait"; readonly millis: number }
  | { readonly _tag: "GiveUp"; readonly reason: Reason }

/** Looks are not closer together than this. */
const closest = 50

/** What becomes of a statement that has not been answered for some milliseconds. */
export const decide = (look: Look, elapsed: number, limits: Limits): Decision => {
  const [lock, silence] = [Duration.toMillis(limits.lock), Duration.toMillis(limits.silence)]
  const left = Duration.toMillis(limits.statement) - elapsed
  if (look._tag === "Silent" || look._tag === "Lost") return { _tag: "GiveUp", reason: "Silent" }
  if (look._tag === "Waiting" && look.millis >= lock) return { _tag: "GiveUp", reason: "Lock" }
  if (left <= 0) return { _tag: "GiveUp", reason: look._tag === "Waiting" ? "Lock" : "Statement" }
  const next = look._tag === "Waiting" ? Math.min(silence, lock - look.millis) : silence
  return { _tag: "Wait", millis: Math.max(closest, Math.min(next, left)) }
}

/** How long the first look is put off. */
export const firstLook = ({ lock, silence, statement }: Limits): number =>
  Math.max(closest, Math.min(Duration.toMillis(lock), Duration.toMillis(silence), Duration.toMillis(statement)))

/** How long a look may take. It opens a connection, for which a busy machine needs longer than a short limit. */
export const longestLook = ({ silence }: Limits): number => Math.max(2000, Math.min(Duration.toMillis(silence), 10_000))

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
