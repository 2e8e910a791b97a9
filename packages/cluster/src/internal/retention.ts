/** Drops what is old from the copy of an account, after a pass, also after one that failed: its key may be refused for ever. */
import type * as Mirror from "@mailstream/mirror/Mirror"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Tables from "./tables.ts"

/** How long things are kept; for ever, if it is not said. */
export interface Policy {
  readonly keepDeleted: Duration.Duration | undefined
  readonly keepChanges: Duration.Duration | undefined
}

/** How many rows of each kind are dropped after one pass. What is left is dropped after the next ones. */
const atMost = 10_000

/** How long that may take: other accounts wait for the place. */
const longest = Duration.seconds(2)

export const apply = (
  id: string,
  mirror: Mirror.MirrorService,
  { keepChanges, keepDeleted }: Policy
): Effect.Effect<void> =>
  Effect.gen(function*() {
    const copy = yield* mirror.forAccount(id)
    if (keepDeleted !== undefined) yield* copy.purge(keepDeleted, { atMost })
    if (keepChanges !== undefined) yield* copy.prune(keepChanges, { atMost })
  }).pipe(
    Effect.timeoutOption(longest),
    // The pass itself has ended, and that is recorded.
    Effect.catchAll((error) => Effect.logDebug(`Could not drop what is old; later: ${Tables.reasonOf(error)}`)),
    Effect.when(() => keepDeleted !== undefined || keepChanges !== undefined),
    Effect.asVoid
  )
