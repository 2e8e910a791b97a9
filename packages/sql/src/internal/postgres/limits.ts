/** How long a statement may take, and what is decided about one that takes long: the rules of the kernel, with durations. */
import * as Rules from "@mailstream/kernel/postgres/Limits"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

export { type Decision, type Reason, sentence } from "@mailstream/kernel/postgres/Limits"

export interface Limits {
  readonly lock: Duration.Duration
  readonly silence: Duration.Duration
  readonly statement: Duration.Duration
  /** When it is aborted, nothing is waited for any longer, whether the caller can be interrupted or not. */
  readonly signal?: AbortSignal | undefined
}

export const defaults: Limits = {
  lock: Duration.millis(Rules.defaults.lock),
  silence: Duration.millis(Rules.defaults.silence),
  statement: Duration.millis(Rules.defaults.statement)
}

/** Limits in milliseconds. */
export const inMillis = ({ lock, silence, statement }: Limits): Rules.Limits => ({
  lock: Duration.toMillis(lock),
  silence: Duration.toMillis(silence),
  statement: Duration.toMillis(statement)
})

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
export type Look = Rules.Look

export const Look = Data.taggedEnum<Look>()

/** What becomes of a statement that has not been answered for some milliseconds. */
export const decide = (look: Look, elapsed: number, limits: Limits): Rules.Decision =>
  Rules.decide(look, elapsed, inMillis(limits))

/** How long the first look is put off. */
export const firstLook = (limits: Limits): number => Rules.firstLook(inMillis(limits))

/** How long a look may take. */
export const longestLook = (limits: Limits): number => Rules.longestLook(inMillis(limits))
