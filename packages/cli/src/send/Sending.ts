/** Sends one batch, and decides what a failure means: that its emails are refused, or that the work stops. */
import { type Outcome, outcome, type RequestError, retryAfter } from "@mailstream/core"
import type { BatchEmail } from "@mailstream/core/SendEmail"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import { Emails } from "@mailstream/http/Services"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Retry from "../api/Retry.ts"
import { refusalOf } from "../import/Send.ts"
import * as Text from "../terminal/Text.ts"
import * as SendState from "./SendState.ts"

/** What became of a batch: of each of its emails, or of all of them. A refusal is about them, and none of them was sent. */
export type Sent =
  | { readonly results: ReadonlyArray<SendState.Result> }
  | { readonly refusal: string }
  | { readonly error: RequestError; readonly outcome: Outcome }

export interface Sending {
  /** Sends emails under a key, which was used first at a time. Does not fail. */
  readonly send: (emails: ReadonlyArray<BatchEmail>, key: string, begun: number) => Effect.Effect<Sent>
  /** Why the last request failed, if it is repeated; else empty. */
  readonly reason: () => string
}

export const make = (given: RetryPolicy.RetryPolicy | undefined): Effect.Effect<Sending, never, Emails> =>
  Effect.map(Emails, (emails) => {
    let isReached = false
    let reason = ""
    const noted = Schedule.tapInput(
      given ?? Retry.once(Effect.sync(() => isReached))(RetryPolicy.default),
      (error: RequestError) =>
        Effect.sync(() => {
          reason = Text.ofError(error)
        })
    )
    // No attempt is made under a key that the service may have forgotten.
    const within = (begun: number) => (error: RequestError) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const asked = Option.getOrElse(retryAfter(error), () => Duration.zero)
        return now + Duration.toMillis(asked) < begun + Duration.toMillis(SendState.validity)
      })
    const send: Sending["send"] = (batch, idempotencyKey, begun) =>
      emails.sendBatch(batch, {
        idempotencyKey,
        validation: "permissive",
        retry: Schedule.whileInputEffect(noted, within(begun))
      }).pipe(
        Effect.match({
          onFailure: (error): Sent => {
            const known = outcome(error)
            const refusal = known === "unknown" ? undefined : refusalOf(error)
            return refusal === undefined ? { error, outcome: known } : { refusal }
          },
          onSuccess: (results): Sent => {
            isReached = true
            reason = ""
            return {
              results: results.map((result) =>
                result._tag === "Accepted"
                  ? { status: "accepted", id: result.id }
                  : { status: "rejected", reason: result.error.message }
              )
            }
          }
        })
      )
    return { send, reason: () => reason }
  })
