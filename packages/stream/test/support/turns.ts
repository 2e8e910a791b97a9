import { Data, Effect } from "effect"

/** Lets the event loop turn, so that sockets that can be read or written are. It waits for I/O, not for time. */
export const turns = (count: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const turn = (left: number): void => left === 0 ? resume(Effect.void) : void setImmediate(turn, left - 1)
    turn(count)
  })

class DoesNotHold extends Data.TaggedError("DoesNotHold")<{ readonly message: string }> {}

/** Fails with a claim that does not hold, instead of waiting for it for ever. */
export const claiming =
  (claim: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | DoesNotHold, R> =>
    Effect.timeoutFail(effect, { duration: "20 seconds", onTimeout: () => new DoesNotHold({ message: claim }) })
