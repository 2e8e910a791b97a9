import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as EmailOperations from "../../core/EmailOperations.ts"
import {
  type ApiError,
  type BatchEmail,
  type EmailId,
  outcome,
  type RequestError,
  type SendEmail
} from "../../core/index.ts"
import * as Operation from "../../core/Operation.ts"
import type * as RetryPolicy from "../../http/RetryPolicy.ts"
import type { Emails } from "../../http/Services.ts"

/** An input, and the email that was made from it. */
export interface Entry<In> {
  readonly input: In
  readonly email: SendEmail
}

/** What became of an email. It was not sent if another one of its batch failed before. */
export type Fate =
  | { readonly _tag: "Accepted"; readonly id: EmailId }
  | { readonly _tag: "Rejected"; readonly error: ApiError }
  | Failed
  | { readonly _tag: "NotSent" }

interface Failed {
  readonly _tag: "Failed"
  readonly error: RequestError
}

/** Emails with attachments cannot be part of a batch. */
export const isAlone = ({ email }: Entry<unknown>): boolean => !isForBatch(email)

/** Whatever is not an email is refused before it is sent. */
const isForBatch = (email: SendEmail): email is BatchEmail =>
  !Predicate.isObject(email) || email.attachments === undefined

/** Sends emails with one request; emails that the service refuses together, with several. */
export const sender = (emails: typeof Emails.Service, retry: RetryPolicy.RetryPolicy | undefined) => {
  const request = (
    entries: ReadonlyArray<Entry<unknown>>,
    idempotencyKey: string | undefined
  ): Effect.Effect<ReadonlyArray<Fate>, RequestError> => {
    const batch = entries.map(({ email }) => email).filter(isForBatch)
    return batch.length === entries.length
      ? emails.sendBatch(batch, { idempotencyKey, retry, validation: "permissive" })
      : Effect.map(emails.send(entries[0]!.email, { idempotencyKey, retry }), ({ id }) => [{ _tag: "Accepted", id }])
  }

  const send = (
    entries: ReadonlyArray<Entry<unknown>>,
    key: string | undefined
  ): Effect.Effect<ReadonlyArray<Fate>> =>
    Effect.catch(request(entries, key), (error): Effect.Effect<ReadonlyArray<Fate>> => {
      if (!isRefusal(error, entries)) {
        const failed: Fate = { _tag: "Failed", error }
        return Effect.succeed(entries.map(() => failed))
      }
      return entries.length === 1 ? Effect.succeed([{ _tag: "Rejected", error }]) : halves(entries, key)
    })

  /** Finds the emails to blame, if the service does not name them. */
  const halves = (
    entries: ReadonlyArray<Entry<unknown>>,
    key: string | undefined
  ): Effect.Effect<ReadonlyArray<Fate>> => {
    const middle = Math.ceil(entries.length / 2)
    const keyOf = (part: number) => key === undefined ? undefined : `${key}/${part}`
    return Effect.flatMap(send(entries.slice(0, middle), keyOf(0)), (first) =>
      Effect.map(
        first.some(({ _tag }) => _tag === "Failed")
          ? Effect.succeed(entries.slice(middle).map((): Fate => ({ _tag: "NotSent" })))
          : send(entries.slice(middle), keyOf(1)),
        (second) => [...first, ...second]
      ))
  }

  /** One fate for each entry, in order. What is refused locally needs no request. */
  return (
    entries: ReadonlyArray<Entry<unknown>>,
    idempotencyKey: string | undefined
  ): Effect.Effect<ReadonlyArray<Fate>> =>
    Effect.suspend(() => {
      const refusals = entries.map(refusalOf)
      const valid = entries.filter((_, index) => refusals[index] === undefined)
      if (valid.length === entries.length) return send(entries, idempotencyKey)
      const sent = valid.length === 0 ? Effect.succeed([]) : send(valid, idempotencyKey)
      return Effect.map(sent, (fates) => {
        let next = 0
        return refusals.map((error): Fate => error === undefined ? fates[next++]! : { _tag: "Rejected", error })
      })
    })
}

/** Why an email cannot be sent, if that is known without asking. */
const refusalOf = ({ email }: Entry<unknown>): ApiError | undefined =>
  Result.match(Operation.input(EmailOperations.operations.send, email), {
    onFailure: (error) => error,
    onSuccess: () => undefined
  })

/** Whether an error is about the emails themselves, and none of them was sent. */
const isRefusal = (error: RequestError, entries: ReadonlyArray<Entry<unknown>>): error is ApiError => {
  if (outcome(error) === "unknown") return false
  switch (error._tag) {
    case "validation_error":
    case "invalid_attachment":
    case "invalid_parameter":
    case "missing_required_field":
      return true
    // Of a template. Anything else that is not found is the address of the API.
    case "not_found":
      return entries.some(({ email }) => email.template !== undefined)
    default:
      return false
  }
}
