/** What the lists of one client share: the services, and everything that runs on them. */
import type { ApiClient } from "@mailstream/http/ApiClient"
import type * as Mailstream from "@mailstream/http/Mailstream"
import * as Chunk from "effect/Chunk"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Logger } from "../Logger.ts"
import type { Walk } from "../Walk.ts"
import { type Caller, capture, traced } from "./caller.ts"
import type { Change } from "./change.ts"
import { type Failure, interruption } from "./errors.ts"
import { collecting, type Defaults } from "./options.ts"
import * as Pulls from "./pull.ts"
import { interrupt, runtimeOf, toPromise } from "./run.ts"
import * as Walks from "./walk.ts"

export type Services = Mailstream.Mailstream | ApiClient

export interface Connection {
  /** How calls are retried that do not say it. */
  readonly defaults: Defaults
  readonly run: <A>(effect: Effect.Effect<A, Failure, Services>, call: Call) => Promise<A>
  /** A walk that begins anew with every iteration. `first` requests no more items than there may be. */
  readonly walk: <A>(
    stream: Stream.Stream<A, Failure, Services>,
    call: Call,
    first?: (limit: number) => Stream.Stream<A, Failure, Services>
  ) => Walk<A>
  /** Stops everything that is running, and releases the transport. */
  readonly close: () => Promise<void>
}

/** Who calls, and until when. */
export interface Call {
  readonly signal: AbortSignal | undefined
  readonly caller: Caller
  /** If it changes something: then its errors say what became of it. */
  readonly change?: Change | undefined
}

export const make = (
  context: Context.Context<Services>,
  scope: Scope.CloseableScope,
  { defaults, logger }: { readonly defaults: Defaults; readonly logger: Logger | false | undefined }
): Connection => {
  const runtime = runtimeOf(context, logger)
  const fork = Runtime.runFork(runtime)
  const fibers = new Set<Fiber.RuntimeFiber<unknown, unknown>>()
  const pulls = new Set<Pulls.Pull<unknown>>()
  let closing: Promise<void> | undefined

  // An iterator that is dropped without `return` may have left a response open.
  const dropped = new FinalizationRegistry<Pulls.Pull<unknown>>((pull) => void pull.stop())

  const connection: Connection = {
    defaults,
    run: (effect, call) => {
      if (closing !== undefined) return Promise.reject(traced(interruption(undefined, call.change), call.caller))
      if (call.signal?.aborted === true) {
        return Promise.reject(traced(interruption(call.signal, call.change), call.caller))
      }
      const fiber = fork(effect)
      fibers.add(fiber)
      fiber.addObserver(() => fibers.delete(fiber))
      return toPromise(fiber, call)
    },
    walk: (stream, { caller, signal }, first = (limit) => Stream.take(stream, limit)) => {
      const toArray: Walk<unknown>["toArray"] = (options) =>
        connection.run(
          Effect.flatMap(
            collecting(options),
            ({ limit }) => Effect.map(Stream.runCollect(first(limit)), Chunk.toArray)
          ),
          { signal, caller: capture(toArray) }
        )
      return Walks.make({
        signal,
        caller,
        toArray: toArray as Walk<never>["toArray"],
        begin: (iterator) => {
          const pull = Pulls.make(runtime, stream, () => {
            pulls.delete(pull)
            dropped.unregister(pull)
          })
          pulls.add(pull)
          dropped.register(iterator, pull, pull)
          return pull
        },
        closed: () => closing === undefined ? undefined : interruption(undefined)
      })
    },
    close: () =>
      closing ??= Promise.all([
        ...[...pulls].map((pull) => pull.stop()),
        ...[...fibers].map((fiber) => {
          interrupt(fiber)
          return new Promise<void>((resolve) => fiber.addObserver(() => resolve()))
        })
      ]).then(() => Runtime.runPromise(runtime)(Scope.close(scope, Exit.void)))
  }
  return connection
}
