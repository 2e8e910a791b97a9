import type * as Cause from "effect/Cause"
import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** What a step gives, and the state from which the next one is taken. */
type Step<S, A> = readonly [Chunk.Chunk<A>, Option.Option<S>]

/**
 * `Stream.paginateChunkEffect`, with exactly so many steps taken ahead of the chunk in use. A chunk is handed over when
 * the request for the next one is on its way, so that also whoever is busy with it, and lets nobody else run, has the
 * next one sooner.
 *
 * `Stream.buffer` would hold one step more in its queue and another one in the hand of its producer. Here the producer
 * needs a place before it begins a step, and a place becomes free when the chunk of a step is handed over. There is one
 * producer and one consumer, so that a queue and a semaphore would be more than is needed.
 */
export const ahead = <S, A, E, R>(
  begin: S,
  step: (state: S) => Effect.Effect<Step<S, A>, E, R>,
  steps: number
): Stream.Stream<A, E, R> =>
  Stream.unwrapScoped(Effect.gen(function*() {
    type Taken = Effect.Effect<Step<S, A>, E>
    const ready: Array<Taken> = []
    let places = steps
    let consumer: ((taken: Taken) => void) | undefined
    let producer: ((free: Effect.Effect<void>) => void) | undefined

    const place: Effect.Effect<void> = Effect.async((resume) => {
      producer = resume
    })

    const produce = (state: S): Effect.Effect<void, never, R> =>
      Effect.suspend(() => {
        if (places === 0) return Effect.zipRight(place, produce(state))
        places--
        return Effect.matchCauseEffect(step(state), settle)
      })

    const settle = {
      onFailure: (cause: Cause.Cause<E>) => hand(Effect.failCause(cause), Option.none()),
      onSuccess: (taken: Step<S, A>) => hand(Effect.succeed(taken), taken[1])
    }

    const hand = (taken: Taken, next: Option.Option<S>): Effect.Effect<void, never, R> => {
      if (consumer === undefined) {
        ready.push(taken)
      } else {
        places++
        const resume = consumer
        consumer = undefined
        later(() => resume(taken))
      }
      return Option.isSome(next) ? produce(next.value) : Effect.void
    }

    const take = Effect.async<Step<S, A>, E>((resume) => {
      const taken = ready.shift()
      if (taken === undefined) {
        consumer = resume
        return
      }
      places++
      if (producer === undefined) return resume(taken)
      producer(Effect.void)
      producer = undefined
      later(() => resume(taken))
    })

    // The scope is the stream's: when it ends, so does a request that is under way.
    yield* Effect.forkScoped(produce(begin))

    return Stream.paginateChunkEffect(begin, () => take)
  }))

const { setImmediate: turn = setTimeout } = globalThis as { readonly setImmediate?: (call: () => void) => unknown }

/**
 * Calls when what has been begun is on its way. A client may send a request by itself in the next turn of the event loop
 * only: undici does, to see first whether the connection is still there.
 */
const later = (call: () => void): void => {
  turn(() => turn(call))
}
