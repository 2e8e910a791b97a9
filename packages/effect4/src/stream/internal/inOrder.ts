import * as Array from "effect/Array"
import type { NonEmptyReadonlyArray } from "effect/Array"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Pull from "effect/Pull"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"

/** What became of the emails that were sent together. */
export interface Step<A, F> {
  readonly results: ReadonlyArray<A>
  readonly failures: ReadonlyArray<F>
}

/**
 * Sends steps, at most `concurrency` of them at a time, and returns a pull of their results, in order.
 *
 * Not `Stream.mapEffect`, which interrupts other requests when one fails: whether their emails were sent would be unknown. Here,
 * the failure of a step ends the production of further ones, also while that waits for the source; the steps that were begun
 * are completed.
 */
export const inOrder = <A, F, Emails, E, R, E2>(
  steps: Pull.Pull<Emails, E, void, R>,
  send: (step: Emails) => Effect.Effect<Step<A, F>>,
  options: {
    readonly concurrency: number
    readonly onFailure: (failures: NonEmptyReadonlyArray<F>) => E2
  }
): Effect.Effect<Pull.Pull<NonEmptyReadonlyArray<A>, E | E2>, never, R | Scope.Scope> =>
  Effect.gen(function*() {
    type Ended = Cause.Done | E | E2
    type Begun = Deferred.Deferred<Step<A, F>, Ended>
    const scope = yield* Effect.scope
    /** The steps that were begun, in order. Permits bound their number; the consumer returns them. */
    const queue = yield* Queue.unbounded<Begun>()
    const permits = yield* Semaphore.make(options.concurrency)
    const failures: globalThis.Array<F> = []

    const enqueued: Effect.Effect<Begun> = Effect.tap(
      Deferred.make<Step<A, F>, Ended>(),
      (begun) => Queue.offer(queue, begun)
    )

    const begin = (step: Emails): Effect.Effect<unknown> =>
      Effect.withFiber((producer) =>
        Effect.flatMap(enqueued, (begun) =>
          Effect.suspend(() => send(step)).pipe(
            // Whether or not anybody is waiting for the results.
            Effect.tap(({ failures }) =>
              failures.length > 0 ? Effect.sync(() => producer.interruptUnsafe()) : Effect.void
            ),
            Effect.interruptible,
            Deferred.into(begun),
            Effect.forkIn(scope)
          ))
      )

    const producer = yield* steps.pipe(
      Effect.tap(() => permits.take(1)),
      // A step that is in the queue is sent.
      Effect.flatMap((step) => Effect.uninterruptible(begin(step))),
      Effect.forever,
      Effect.catchCause((cause) => Effect.flatMap(enqueued, (end) => Deferred.failCause(end, cause))),
      Effect.forkIn(scope)
    )

    const failed = Effect.suspend((): Effect.Effect<never, Cause.Done | E2> => {
      const [first, ...others] = failures
      return first === undefined ? Cause.done() : Effect.fail(options.onFailure([first, ...others]))
    })

    /** After a failure, only steps that were begun before. */
    const next: Effect.Effect<Option.Option<Begun>> = Effect.suspend(() =>
      failures.length === 0
        ? Effect.asSome(Queue.take(queue))
        : Effect.andThen(Fiber.interrupt(producer), Queue.poll(queue))
    )

    const pull: Pull.Pull<NonEmptyReadonlyArray<A>, E | E2> = Effect.flatMap(
      next,
      (begun) =>
        Option.isNone(begun) ? failed : Deferred.await(begun.value).pipe(
          // The failure of a request matters more than how the source has ended.
          Effect.catchCause((cause): Effect.Effect<never, Ended> =>
            failures.length === 0 ? Effect.failCause(cause) : failed
          ),
          Effect.tap(() => permits.release(1)),
          Effect.flatMap((step) => {
            failures.push(...step.failures)
            return Array.isReadonlyArrayNonEmpty(step.results) ? Effect.succeed(step.results) : pull
          })
        )
    )
    return pull
  })
