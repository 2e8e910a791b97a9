/** What is sent. Everything follows from the number of a send, so a sender that is started again repeats the same bytes. */
import type { BatchEmail } from "@mailstream/core/SendEmail"

/** One call of `send` or `sendBatch`. */
export interface Send {
  readonly number: number
  readonly kind: "single" | "strict" | "permissive"
  readonly idempotencyKey: string
  readonly emails: ReadonlyArray<BatchEmail>
  /** Whether it gives up after a few attempts, so that sends fail in every way. */
  readonly isHasty: boolean
}

/** What a sender was told about a send; `begun` if it did not live to be told. */
export type Told =
  | { readonly _tag: "begun" | "not_processed" | "unknown" }
  /** The id of each email, or null if it was rejected. */
  | { readonly _tag: "done"; readonly ids: ReadonlyArray<string | null> }

/** A line that a sender prints. */
export interface Entry {
  readonly number: number
  readonly told: Told
  /** How many requests this sender has made so far. */
  readonly requests: number
}

/** The address that identifies an email. */
export const addressOf = (number: number, index: number): string => `send-${number}-${index}@example.com`

/** Only the service knows that there is no such template. */
const unacceptable = (to: string): BatchEmail => ({ to, template: { id: "no-such-template" } })

const acceptable = (to: string): BatchEmail => ({
  from: "Ada <ada@example.com>",
  to,
  subject: `To ${to}`,
  text: "Once, and only once."
})

export const isAcceptable = ({ template }: BatchEmail): boolean => template === undefined

export const make = (number: number): Send => {
  const kind = number % 8 < 5 ? "single" : number % 8 === 7 ? "permissive" : "strict"
  const emails = Array.from({ length: kind === "single" ? 1 : 2 + number % 9 }, (_, index) => {
    // Some emails of every permissive batch, one of some strict ones, and some single ones.
    const isRefused = kind === "permissive" ? index % 3 === 1 : number % 5 === 0 && index === 0
    return (isRefused ? unacceptable : acceptable)(addressOf(number, index))
  })
  return { number, kind, idempotencyKey: `torture/${number}`, emails, isHasty: number % 3 === 0 }
}
