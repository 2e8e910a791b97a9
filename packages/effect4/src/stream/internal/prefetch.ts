import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** What a step emits, and the state of the next step. */
type Step<S, A> = readonly [ReadonlyArray<A>, Option.Option<S>]

/**
 * `Stream.paginate`, except that a separate fiber runs exactly `steps` steps ahead of the page in use. Pages and failures are the
 * same, as `prefetch.test.ts` checks.
 *
 * `Stream.buffer` would run further ahead: by one step in its queue, and another that its producer waits to enqueue.
 */
export const paginateWithPrefetch = <S, A, E, R>(
  initial: S,
  step: (state: S) => Effect.Effect<Step<S, A>, E, R>,
  steps: number
): Stream.Stream<A, E, R> =>
  Stream.unwrap(Effect.suspend(() => {
    const handover = new Handover<Step<S, A>, E>(steps)

    const produce = (state: S): Effect.Effect<void, never, R> => Effect.matchCauseEffect(step(state), offer)
    const offer = {
      onFailure: (cause: Cause.Cause<E>) => handover.offer(Effect.failCause(cause)),
      onSuccess: (taken: Step<S, A>) => {
        const [, next] = taken
        const offered = handover.offer(Effect.succeed(taken))
        return Option.isSome(next) ? Effect.flatMap(offered, () => produce(next.value)) : offered
      }
    }

    // The scope is the stream's, so that a request in flight is aborted when the stream ends.
    return Effect.as(
      Effect.forkScoped(produce(initial)),
      Stream.paginate(initial, () => handover.take)
    )
  }))

/**
 * A queue between one producer and one consumer. The producer waits while the queue is full.
 *
 * Each operation is a single `Effect.callback`: a fiber can yield between two effects, so checking the queue in one effect and
 * waiting in the next could miss what the other fiber does in between.
 *
 * What resumes a fiber runs it at once, within the operation of the other one: the state is complete before that.
 */
class Handover<A, E> {
  readonly #capacity: number
  readonly #queue: Array<Effect.Effect<A, E>> = []
  #consumer: ((taken: Effect.Effect<A, E>) => void) | undefined
  #producer: ((proceed: Effect.Effect<void>) => void) | undefined

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Adds a result, and completes when there is room for another one. */
  offer(result: Effect.Effect<A, E>): Effect.Effect<void> {
    return Effect.callback((resume) => {
      const consumer = this.#consumer
      this.#consumer = undefined
      if (consumer === undefined) this.#queue.push(result)
      else afterNextRequest(() => consumer(result))
      if (this.#queue.length < this.#capacity) resume(Effect.void)
      else this.#producer = resume
    })
  }

  /** Takes the oldest result as soon as there is one. */
  readonly take: Effect.Effect<A, E> = Effect.callback((resume) => {
    const result = this.#queue.shift()
    if (result === undefined) {
      this.#consumer = resume
      return
    }
    const producer = this.#producer
    this.#producer = undefined
    afterNextRequest(() => resume(result))
    producer?.(Effect.void)
  })
}

const { setImmediate: nextTurn = setTimeout } = globalThis as { readonly setImmediate?: (call: () => void) => unknown }

/**
 * Delays the consumer until the producer, which may proceed now, has sent its next request: a consumer that blocks the
 * event loop while it uses a page would otherwise hold that request back. It takes two turns of the event loop, because
 * undici waits for one to see whether its connection is still open.
 */
const afterNextRequest = (call: () => void): void => {
  nextTurn(() => nextTurn(call))
}
