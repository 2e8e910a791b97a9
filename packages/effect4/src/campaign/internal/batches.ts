import { isReadonlyArrayNonEmpty, type NonEmptyReadonlyArray } from "effect/Array"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import { monotonicMillis } from "../../internal/fibers.ts"

/** What a batch may hold. */
export interface Options<in A> {
  /** What an element takes of it. */
  readonly cost: (element: A) => number
  /** What the elements of a batch may cost together. */
  readonly max: number
  /** How many milliseconds a batch that is not full waits for more. */
  readonly longest: number
}

/**
 * The elements of a stream in batches. The stream is pulled once ahead at most; waiting for more never interrupts it: a pull has a fiber
 * of its own, which the next batch continues to wait for. If the stream fails, so does this, without what has no batch yet.
 */
export const batches = <A, E, R>(
  self: Stream.Stream<A, E, R>,
  { cost, longest, max }: Options<A>
): Stream.Stream<ReadonlyArray<A>, E, R> =>
  Stream.unwrap(Effect.gen(function*() {
    const scope = yield* Effect.scope
    const clock = yield* Effect.clockWith(Effect.succeed)
    const pull = yield* Stream.toPull(self)
    let arrived: ReadonlyArray<A> = []
    let index = 0
    let pulling: Fiber.Fiber<NonEmptyReadonlyArray<A>, Cause.Done | E> | undefined

    /** After the end of the stream, it ends again. */
    const more: Pull.Pull<boolean, E, void, R> = Effect.suspend(() =>
      Effect.flatMap(
        pulling === undefined ? Effect.forkIn(pull, scope) : Effect.succeed(pulling),
        (fiber) => {
          pulling = fiber
          return Effect.map(Fiber.join(fiber), (elements) => {
            pulling = undefined
            arrived = elements
            index = 0
            return true
          })
        }
      )
    )

    const next = Effect.gen(function*() {
      const batch: Array<A> = []
      let spent = 0
      let deadline = Infinity
      while (true) {
        while (index < arrived.length) {
          const element = arrived[index]!
          const price = cost(element)
          if (batch.length > 0 && spent + price > max) return [batch] as const
          batch.push(element)
          spent += price
          index++
        }
        if (!isReadonlyArrayNonEmpty(batch)) {
          yield* more
          continue
        }
        deadline = Math.min(deadline, monotonicMillis(clock) + longest)
        const hasMore = yield* more.pipe(
          Effect.timeoutOrElse({
            duration: Math.max(0, deadline - monotonicMillis(clock)),
            orElse: () => Effect.succeed(false)
          }),
          Pull.catchDone(() => Effect.succeed(false))
        )
        if (!hasMore) return [batch] as const
      }
    })
    return Stream.fromPull(Effect.succeed(next))
  }))
