/** Waiting for something to become true, for as long as a busy machine may need. */
import { Duration, Effect } from "effect"
import { inspect } from "node:util"

export const until = <A, E, R>(
  what: string,
  look: Effect.Effect<A, E, R>,
  isSo: (found: A) => boolean,
  patience: Duration.DurationInput = "25 seconds"
): Effect.Effect<A, E, R> => {
  let last: A | undefined
  const attempt: Effect.Effect<A, E, R> = Effect.flatMap(look, (found) => {
    last = found
    return isSo(found) ? Effect.succeed(found) : Effect.zipRight(Effect.sleep("200 millis"), attempt)
  })
  return Effect.flatMap(Effect.timeoutOption(attempt, patience), (found) =>
    found._tag === "Some"
      ? Effect.succeed(found.value)
      : Effect.dieMessage(
        `${what}: not within ${Duration.format(patience)}; last seen: ${
          inspect(last, { depth: 5, breakLength: Infinity })
        }`
      ))
}
