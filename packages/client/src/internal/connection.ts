/** What the lists of one client share: the services, and everything that runs on them. */
import type { ApiClient } from "@mailstream/http/ApiClient"
import type * as Mailstream from "@mailstream/http/Mailstream"
import * as Chunk from "effect/Chunk"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberRef from "effect/FiberRef"
import * as HashSet from "effect/HashSet"
import * as Logger from "effect/Logger"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { ClientClosed } from "../MailstreamError.ts"
import type { Walk } from "../Walk.ts"
import * as Checks from "./checks.ts"
import type { Failure } from "./errors.ts"
import * as Pulls from "./pull.ts"
import { interrupt, toPromise } from "./run.ts"
import * as Walks from "./walk.ts"

export type Services = Mailstream.Mailstream | ApiClient

export interface Connection {
  readonly run: <A>(
    effect: Effect.Effect<A, Failure, Services>,
    signal: AbortSignal | undefined
  ) => Promise<A>
  /** A walk that begins anew with every iteration. `first` requests no more items than there may be. */
  readonly walk: <A>(
    stream: Stream.Stream<A, Failure, Services>,
    signal: AbortSignal | undefined,
    first?: (limit: number) => Stream.Stream<A, Failure, Services>
  ) => Walk<A>
  /** Stops everything that is running, and releases the transport. */
  readonly close: () => Promise<void>
}

const closedError = () => new ClientClosed({ message: "The client is closed: create another one." })

/** Warnings belong to standard error. */
const loggers = HashSet.make(Logger.withConsoleError(Logger.logfmtLogger))

export const make = (context: Context.Context<Services>, scope: Scope.CloseableScope): Connection => {
  const runtime = Runtime.setFiberRef(
    Runtime.make({ ...Runtime.defaultRuntime, context }),
    FiberRef.currentLoggers,
    loggers
  )
  const fork = Runtime.runFork(runtime)
  const fibers = new Set<Fiber.RuntimeFiber<unknown, unknown>>()
  const pulls = new Set<Pulls.Pull<unknown>>()
  let closing: Promise<void> | undefined

  // An iterator that is dropped without `return` may have left a response open.
  const dropped = new FinalizationRegistry<Pulls.Pull<unknown>>((pull) => void pull.stop())

  const connection: Connection = {
    run: (effect, signal) => {
      if (closing !== undefined) return Promise.reject(closedError())
      if (signal?.aborted === true) return Promise.reject(signal.reason)
      const fiber = fork(effect)
      fibers.add(fiber)
      fiber.addObserver(() => fibers.delete(fiber))
      return toPromise(fiber, signal, closedError)
    },
    walk: (stream, signal, first = (limit) => Stream.take(stream, limit)) =>
      Walks.make({
        signal,
        toArray: (options) =>
          connection.run(
            Effect.flatMap(
              Checks.collecting(options),
              () => Effect.map(Stream.runCollect(first(options.limit)), Chunk.toArray)
            ),
            signal
          ),
        begin: (iterator) => {
          const pull = Pulls.make(runtime, stream, () => {
            pulls.delete(pull)
            dropped.unregister(pull)
          })
          pulls.add(pull)
          dropped.register(iterator, pull, pull)
          return pull
        },
        closed: () => closing === undefined ? undefined : closedError()
      }),
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
