/** Contacts that follow from their number alone; the newest has the highest. */
import { Contact } from "@mailstream/core"
import { Schema } from "effect"

export const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

export const numberOf = (id: string): number => Number(id.slice(-12))

/** As it is sent. */
export const wireOf = (n: number): typeof Contact.Encoded => ({
  id: idOf(n),
  email: `contact-${n}@example.com`,
  first_name: "Zoë",
  last_name: `Contact ${n}`,
  created_at: "2025-11-30 20:41:40.84216+00",
  unsubscribed: n % 7 === 0
})

export const contact: (n: number) => Contact = (() => {
  const decode = Schema.decodeSync(Contact)
  return (n) => decode(wireOf(n))
})()

/** The envelope around the contacts with these numbers. */
export const page = (numbers: ReadonlyArray<number>, has_more: boolean) => ({
  object: "list",
  has_more,
  data: numbers.map(wireOf)
})
