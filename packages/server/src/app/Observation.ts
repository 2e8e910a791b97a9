/** What an operator sees of each request. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
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
  /** Without the query. */
  readonly path: string
  /** When it was authorized, in milliseconds since the epoch. */
  readonly startedAt: number
  /** When its response was ready. */
  readonly endedAt: number
  /** The status of the response; `undefined` if the client hung up first. */
  readonly status: number | undefined
  /** The other end of the connection, if known: `127.0.0.1:40312`. No two processes share one at the same time. */
  readonly peer: string | undefined
  readonly userAgent: string | undefined
}

/** Observes how a request of an account is handled. */
export const make = (onRequest: (observation: Observation) => Effect.Effect<void>) =>
(
  { header, method, peer }: Request,
  path: string,
  account: string | undefined,
  respond: Effect.Effect<Response>
): Effect.Effect<Response> =>
  Effect.clockWith((clock) => {
    const startedAt = clock.unsafeCurrentTimeMillis()
    const from = peer()
    return Effect.onExit(respond, (exit) =>
      onRequest({
        account,
        method,
        path,
        startedAt,
        endedAt: clock.unsafeCurrentTimeMillis(),
        status: Exit.isSuccess(exit) ? exit.value.status : undefined,
        peer: from,
        userAgent: header("user-agent")
      }).pipe(
        Effect.catchAllCause((cause) => Effect.logError("Failed to observe a request.", cause))
      ))
  })
