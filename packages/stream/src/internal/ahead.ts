import type * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"

/**
 * `Stream.paginateChunkEffect`, with exactly so many steps taken ahead of the chunk in use.
 *
 * `Stream.buffer` would hold one step more in its queue and another one in the hand of its producer. Here the producer
 * needs a place before it begins a step, and a place becomes free when the chunk of a step is handed over.
 */
export const ahead = <S, A, E, R>(
  begin: S,
  step: (state: S) => Effect.Effect<readonly [Chunk.Chunk<A>, Option.Option<S>], E, R>,
  steps: number
): Stream.Stream<A, E, R> =>
  Stream.unwrapScoped(Effect.gen(function*() {
    const places = yield* Effect.makeSemaphore(steps)
    const taken = yield* Queue.unbounded<Exit.Exit<readonly [Chunk.Chunk<A>, Option.Option<S>], E>>()

    const produce = (state: S): Effect.Effect<void, never, R> =>
      places.take(1).pipe(
        Effect.zipRight(Effect.exit(step(state))),
        Effect.tap((exit) => Queue.offer(taken, exit)),
        Effect.flatMap((exit) =>
          Exit.isSuccess(exit) && Option.isSome(exit.value[1]) ? produce(exit.value[1].value) : Effect.void
        )
      )

    // The scope is the stream's: when it ends, so does a request that is under way.
    yield* Effect.forkScoped(produce(begin))

    return Stream.paginateChunkEffect(undefined, () =>
      Queue.take(taken).pipe(
        Effect.zipLeft(places.release(1)),
        Effect.flatten,
        Effect.map(([chunk, next]) => [chunk, Option.map(next, () => undefined)] as const)
      ))
  }))
