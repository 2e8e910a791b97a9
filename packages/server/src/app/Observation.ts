/** What an operator sees of each request. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberRef from "effect/FiberRef"
import * as LogLevel from "effect/LogLevel"
import * as Account from "../stores/Account.ts"
import * as Monotonic from "./Monotonic.ts"
import type { Request } from "./Request.ts"
import type { Response } from "./Response.ts"

/**
 * What an operator sees of a request: neither its key nor its body.
 *
 * @since 1.0.0
 * @category models
 */
export interface Observation {
  /** The account of its key; `undefined` if it was not authorized, or needed no key. */
  readonly account: string | undefined
  readonly method: string
  /** Without the query, and without addresses: `/contacts/<address>`. */
  readonly path: string
  /** When it was authorized, in milliseconds since the epoch. */
  readonly startedAt: number
  /** When its response was ready: later than `startedAt` by the time that passed, even if the clock was set meanwhile. */
  readonly endedAt: number
  /** The status of the response; `undefined` if the client hung up first. */
  readonly status: number | undefined
  /** The other end of the connection, if known: `127.0.0.1:40312`. No two processes share one at the same time. */
  readonly peer: string | undefined
  readonly userAgent: string | undefined
}

/** Is told about every request. */
export interface Observer {
  (observation: Observation): Effect.Effect<void>
}

/** Observes how a request of an account is handled. */
export interface Observe {
  (
    request: Request,
    path: string,
    account: string | undefined,
    respond: Effect.Effect<Response>
  ): Effect.Effect<Response>
}

/** Tells an observer about requests, and logs them if the log level is `Debug` or below; nothing if there is neither. */
export const make = (onRequest: Observer | undefined): Effect.Effect<Observe | undefined> =>
  Effect.map(FiberRef.get(FiberRef.currentMinimumLogLevel), (level) => {
    const logs = LogLevel.lessThanEqual(level, LogLevel.Debug)
    const observers = [...logs ? [log] : [], ...onRequest === undefined ? [] : [onRequest]]
    return observers.length === 0 ? undefined : observeWith(observers)
  })

const observeWith =
  (observers: ReadonlyArray<Observer>): Observe => ({ header, method, peer }, path, account, respond) =>
    Effect.clockWith((clock) => {
      const startedAt = clock.unsafeCurrentTimeMillis()
      const began = Monotonic.unsafeMillis(clock)
      const from = peer()
      return Effect.onExit(respond, (exit) => {
        const observation: Observation = {
          account,
          method,
          path: withoutAddresses(withoutKey(path, header("authorization"))),
          startedAt,
          endedAt: startedAt + Monotonic.unsafeMillis(clock) - began,
          status: Exit.isSuccess(exit) ? exit.value.status : undefined,
          peer: from,
          userAgent: header("user-agent")
        }
        return Effect.forEach(observers, (observer) => observer(observation), { discard: true }).pipe(
          Effect.catchAllCause((cause) => Effect.logError("Failed to observe a request.", cause))
        )
      })
    })

/** Somebody may have put the key into the path, too. */
const withoutKey = (path: string, authorization: string | undefined): string => {
  const secret = authorization?.split(" ").at(-1) ?? ""
  return secret === "" ? path : path.replaceAll(secret, "<key>")
}

/** Contacts can be named by their addresses, which are nobody else's business. */
const withoutAddresses = (path: string): string => path.replace(/[^/]*(?:@|%40)[^/]*/gi, "<address>")

/** How much of a path is logged. */
const maxLength = 200

/** A path may be anything: terminals obey control characters. */
const printable = (path: string): string =>
  (path.length > maxLength ? `${path.slice(0, maxLength)}…` : path).replace(/[^\x20-\x7e…]/g, "?")

const log: Observer = ({ account, endedAt, method, path, startedAt, status }) => {
  const line = `${method} ${printable(path)} ${status ?? "aborted"} ${(endedAt - startedAt).toFixed(1)}ms`
  return account === undefined || account === Account.defaultId
    ? Effect.logDebug(line)
    : Effect.annotateLogs(Effect.logDebug(line), { account })
}
