/** A stream, pulled one chunk at a time by promises: one fiber for each chunk. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Failure } from "./errors.ts"

/** A chunk; at the end, a failure with `None`. */
export type Pulled<A> = Exit.Exit<Chunk.Chunk<A>, Option.Option<Failure>>

/** It does not refer to the iterator that uses it, so that a dropped iterator can be told from one in use. */
export interface Pull<out A> {
  /** The next chunk. Calls must not overlap. */
  readonly next: () => Promise<Pulled<A>>
  /** Interrupts a pending `next`, and releases what the stream holds. */
  readonly stop: () => Promise<void>
}

export const make = <A, R>(
  runtime: Runtime.Runtime<R>,
  stream: Stream.Stream<A, Failure, R>,
  onStop: () => void
): Pull<A> => {
  type Step = Effect.Effect<Chunk.Chunk<A>, Option.Option<Failure>, R>
  const scope = Effect.runSync(Scope.make())
  let running: Fiber.RuntimeFiber<void, Option.Option<Failure>> | undefined
  let stopped: Promise<void> | undefined
  let step: Step = Effect.flatMap(Scope.extend(Stream.toPull(stream), scope), (pull: Step) => {
    step = pull
    return pull
  })
  return {
    next: () =>
      new Promise((resolve) => {
        let pulled = Chunk.empty<A>()
        // The fiber returns nothing: fibers that have ended outlive minor garbage collections, and so would their pages;
        // see `benchmarks/RESULTS.md`, "client".
        running = Runtime.runFork(runtime)(Effect.map(step, (chunk) => {
          pulled = chunk
        }))
        running.addObserver((exit) => {
          running = undefined
          resolve(Exit.as(exit, pulled))
        })
      }),
    stop: () => {
      if (stopped === undefined) {
        onStop()
        const ended = running === undefined ? Effect.void : Fiber.interrupt(running)
        stopped = Runtime.runPromise(runtime)(Effect.zipRight(ended, Scope.close(scope, Exit.void)))
      }
      return stopped
    }
  }
}
