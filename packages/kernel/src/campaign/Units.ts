/** Units that have not been sent: their numbers, keys and bytes. */
import { freeze, type Frozen, thaw } from "./Messages.ts"
import type { Unit } from "./Rows.ts"

/** Where the numbers and keys of new units come from. */
export interface Numbering {
  readonly nextUnit: () => number
  readonly freshKey: () => string
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Numbers from this one on, and keys of the campaign and 96 random bits. */
export const numbering = (campaign: string, first: number): Numbering & { readonly count: () => number } => {
  let next = first
  return {
    count: () => next,
    nextUnit: () => next++,
    freshKey: () => `${campaign}_${hex(crypto.getRandomValues(new Uint8Array(12)))}`
  }
}

/** Emails that are sent together, or one by itself. */
export const make = ({ freshKey, nextUnit }: Numbering, emails: ReadonlyArray<Frozen>, isBatch: boolean): Unit => {
  const key = freshKey()
  return {
    unit: nextUnit(),
    key,
    isBatch,
    size: emails.length,
    body: freeze(emails, key, isBatch),
    firstAttemptAt: undefined,
    anchor: undefined,
    doubt: undefined
  }
}

/** The emails at some places of a unit that certainly were not sent, under another key. */
export const again = (
  numbering: Numbering,
  { body, isBatch }: Pick<Unit, "body" | "isBatch">,
  places: ReadonlyArray<number>
): Unit => {
  const emails = thaw(body, isBatch)
  return make(numbering, places.map((place) => emails[place]!), isBatch)
}
