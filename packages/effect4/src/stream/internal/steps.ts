import { isReadonlyArrayNonEmpty, type NonEmptyReadonlyArray } from "effect/Array"
import type * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Pull from "effect/Pull"
import type * as Scope from "effect/Scope"
import { monotonicMillis } from "../../internal/fibers.ts"
import { type Entry, isAlone } from "./requests.ts"

/** What is needed to divide a source into steps. */
export interface Source<In, E, R> {
  readonly pull: Pull.Pull<NonEmptyReadonlyArray<In>, E, void, R>
  readonly entry: (input: In) => Entry<In>
  readonly batchSize: number
  /** How long to wait for more; undefined: until the batch is full, or the source has ended without a failure. */
  readonly within: Duration.Duration | undefined
}

/**
 * The next emails that are sent with one request: as many as a batch may have, fewer if no more arrive in time or if the source
 * ends, or one with attachments. Fails when the source has ended and there are none.
 *
 * Waiting for more never interrupts the source: a pull has a fiber of its own, which the next step continues to wait for.
 */
export const make = <In, E, R>(
  { batchSize, entry, pull, within }: Source<In, E, R>
): Effect.Effect<Pull.Pull<NonEmptyReadonlyArray<Entry<In>>, E, void, R>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const clock = yield* Effect.clockWith(Effect.succeed)
    let arrived: ReadonlyArray<In> = []
    let index = 0
    /** The email at `index`, once it was made. */
    let held: Entry<In> | undefined
    let pulling: Fiber.Fiber<NonEmptyReadonlyArray<In>, Cause.Done | E> | undefined

    const peek = (): Entry<In> | undefined => index < arrived.length ? held ??= entry(arrived[index]!) : undefined

    const take = (next: Entry<In>): Entry<In> => {
      held = undefined
      index++
      return next
    }

    /** After the end of the source, it ends again. */
    const more: Pull.Pull<boolean, E, void, R> = Effect.suspend(() =>
      Effect.flatMap(
        pulling === undefined ? Effect.forkIn(pull, scope) : Effect.succeed(pulling),
        (fiber) => {
          pulling = fiber
          return Effect.map(Fiber.join(fiber), (chunk) => {
            pulling = undefined
            arrived = chunk
            index = 0
            return true
          })
        }
      )
    )

    return Effect.gen(function*() {
      const step: Array<Entry<In>> = []
      let deadline = Infinity
      while (true) {
        let next = peek()
        while (next !== undefined) {
          if (isAlone(next)) return isReadonlyArrayNonEmpty(step) ? step : [take(next)]
          step.push(take(next))
          if (isReadonlyArrayNonEmpty(step) && step.length === batchSize) return step
          next = peek()
        }
        if (!isReadonlyArrayNonEmpty(step)) {
          yield* more
        } else if (within === undefined) {
          // What is sent together must not depend on when a source fails.
          const hasMore = yield* Pull.catchDone(more, () => Effect.succeed(false))
          if (!hasMore) return step
        } else {
          deadline = Math.min(deadline, monotonicMillis(clock) + Duration.toMillis(within))
          const isInTime = yield* more.pipe(
            Effect.timeoutOrElse({
              duration: Math.max(0, deadline - monotonicMillis(clock)),
              orElse: () => Effect.succeed(false)
            }),
            // However the source has ended, it does so again after this step.
            Effect.catchCause(() => Effect.succeed(false))
          )
          if (!isInTime) return step
        }
      }
    })
  })
