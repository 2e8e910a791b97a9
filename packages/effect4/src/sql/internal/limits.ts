/** The limits of statements, which some effects exceed with permission. */
import * as Rules from "@mailstream/kernel/postgres/Limits"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** The limit of statements that are known to take longer than others. */
const Allowed = Context.Reference<number | undefined>("@mailstream/effect4/sql/Allowed", {
  defaultValue: () => undefined
})

/** Lets the statements of an effect take this long in all. */
export const allow = (statement: Duration.Input) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(work, Allowed, Duration.toMillis(Duration.fromInputUnsafe(statement)))

/** The limits of a client, unless the caller allows more. */
export const current = (limits: Rules.Limits): Effect.Effect<Rules.Limits> =>
  Effect.map(Allowed, (statement) => statement === undefined ? limits : { ...limits, statement })

export const resolve = (
  { lock: givenLock, silence, statement }: {
    readonly lock?: Duration.Input | undefined
    readonly silence?: Duration.Input | undefined
    readonly statement?: Duration.Input | undefined
  }
): Rules.Limits => {
  const millis = (input: Duration.Input | undefined, otherwise: number) =>
    input === undefined ? otherwise : Math.max(0, Duration.toMillis(Duration.fromInputUnsafe(input)))
  const lock = millis(givenLock, Rules.defaults.lock)
  return {
    lock,
    silence: millis(silence, Math.min(Rules.defaults.silence, lock)),
    statement: millis(statement, Rules.defaults.statement)
  }
}
