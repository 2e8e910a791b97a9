/** What is known about a change while it is made, for the errors of a call that is ended from outside. */
import type { RequestError } from "@mailstream/core"
import * as Operation from "@mailstream/core/Operation"
import { Transport } from "@mailstream/http/Transport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import type { Outcome } from "../MailstreamError.ts"

/** A call that changes something. */
export interface Change {
  readonly repetition: Operation.Repetition
  readonly idempotencyKey: string | undefined
  /** What became of it, if it ends now. */
  outcome: Outcome
  /** What became of the attempts that have failed. */
  known: Outcome
}

export const make = (repetition: Operation.Repetition, idempotencyKey?: string): Change => ({
  repetition,
  idempotencyKey,
  outcome: "not_processed",
  known: "not_processed"
})

/** An attempt has failed. */
export const failed = (change: Change, error: RequestError): void => {
  if (Operation.outcomeOf(change.repetition, error) === "unknown") change.known = "unknown"
  change.outcome = change.known
}

const current = FiberRef.unsafeMake<Change | undefined>(undefined)

/** The requests of an effect are attempts of this change. */
export const attempting = <A, E, R>(effect: Effect.Effect<A, E, R>, change: Change): Effect.Effect<A, E, R> =>
  Effect.locally(effect, current, change)

/** A transport that takes note of the attempts of changes: once one has begun, its outcome is unknown. */
export const noting: (layer: Layer.Layer<Transport>) => Layer.Layer<Transport> = Layer.map((context) => {
  const transport = Context.get(context, Transport)
  return Context.make(Transport, {
    ...transport,
    send: (request) =>
      request.method === "GET" ? transport.send(request) : FiberRef.getWith(current, (change) => {
        if (change !== undefined) change.outcome = "unknown"
        return transport.send(request)
      })
  })
})
