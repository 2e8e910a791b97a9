/** Units that have not been sent: their numbers, keys and bytes. */
import * as Encoding from "effect/Encoding"
import { freeze, type Frozen, thaw } from "./message.ts"
import type { Unit } from "./rows.ts"

/** Where the numbers and keys of new units come from. */
export interface Numbering {
  readonly nextUnit: () => number
  readonly freshKey: () => string
}

/** Numbers from this one on, and keys of the campaign and 96 random bits. */
export const numbering = (campaign: string, first: number): Numbering & { readonly count: () => number } => {
  let next = first
  const random = () => crypto.getRandomValues(new Uint8Array(12))
  return {
    count: () => next,
    nextUnit: () => next++,
    freshKey: () => `${campaign}_${Encoding.encodeHex(random())}`
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
