import { monotonicMillis } from "@mailstream/kernel/Fibers"
import { isNonEmptyReadonlyArray, type NonEmptyReadonlyArray } from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { type Entry, isAlone } from "./requests.ts"

/** What is needed to divide a source into steps. */
export interface Source<In, E, R> {
  readonly pull: Effect.Effect<Chunk.Chunk<In>, Option.Option<E>, R>
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
): Effect.Effect<Effect.Effect<NonEmptyReadonlyArray<Entry<In>>, Option.Option<E>, R>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const clock = yield* Effect.clock
    let arrived: ReadonlyArray<In> = []
    let index = 0
    /** The email at `index`, once it was made. */
    let held: Entry<In> | undefined
    let pulling: Fiber.Fiber<Chunk.Chunk<In>, Option.Option<E>> | undefined

    const peek = (): Entry<In> | undefined => index < arrived.length ? held ??= entry(arrived[index]!) : undefined

    const take = (next: Entry<In>): Entry<In> => {
      held = undefined
      index++
      return next
    }

    /** After the end of the source, it ends again. */
    const more: Effect.Effect<true, Option.Option<E>, R> = Effect.suspend(() =>
      Effect.flatMap(
        pulling === undefined ? Effect.forkIn(pull, scope) : Effect.succeed(pulling),
        (fiber) => {
          pulling = fiber
          return Effect.map(Fiber.join(fiber), (chunk) => {
            pulling = undefined
            arrived = Chunk.toReadonlyArray(chunk)
            index = 0
            return true as const
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
          if (isAlone(next)) return isNonEmptyReadonlyArray(step) ? step : [take(next)]
          step.push(take(next))
          if (isNonEmptyReadonlyArray(step) && step.length === batchSize) return step
          next = peek()
        }
        if (!isNonEmptyReadonlyArray(step)) {
          yield* more
        } else if (within === undefined) {
          // What is sent together must not depend on when a source fails.
          const hasMore = yield* Effect.catchIf(more, Option.isNone, () => Effect.succeed(false))
          if (!hasMore) return step
        } else {
          deadline = Math.min(deadline, monotonicMillis(clock) + Duration.toMillis(within))
          const isInTime = yield* more.pipe(
            Effect.timeoutTo({
              duration: Math.max(0, deadline - monotonicMillis(clock)),
              onSuccess: (more) => more,
              onTimeout: () => false
            }),
            // However the source has ended, it does so again after this step.
            Effect.catchAllCause(() => Effect.succeed(false))
          )
          if (!isInTime) return step
        }
      }
    })
  })
