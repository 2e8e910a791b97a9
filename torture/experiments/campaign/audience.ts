/** Who is written to, and what: everything follows from the number of a contact, so that the judge knows it, too. */
import { Campaign } from "@mailstream/campaign"
import { type Contact, Resource } from "@mailstream/core"
import { Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import type { Dice } from "@mailstream/testing/Dice"
import { Effect } from "effect"

/** The segment that is written to. */
export const segment = SampleData.segment(0)

/** The one that some of its contacts are moved to for a while. */
const other = SampleData.segment(1)

export const addressOf = (number: number): string => `contact-${number}@example.com`

export const numberOf = (address: string): number => Number(/^contact-(\d+)@/.exec(address)?.[1])

export const contactOf = (number: number): Contact => ({ ...SampleData.contact(number), email: addressOf(number) })

/**
 * What becomes of somebody in the end.
 *
 * - `refused`: the service refuses the email, and accepts the others of the batch.
 * - `poisonous`: the service refuses every batch that the email is in.
 * - `alone`: the email has an attachment, so it is not sent in a batch.
 */
export type Kind = "written" | "alone" | "refused" | "poisonous" | "skipped"

export const kindOf = (number: number): Kind =>
  number % 50 === 7
    ? "refused"
    : number % 400 === 13
    ? "poisonous"
    : number % 100 === 3
    ? "alone"
    : number % 30 === 11
    ? "skipped"
    : "written"

/** Every fifth contact comes and goes. The others stay in the segment throughout. */
export const isVolatile = (number: number): boolean => number % 5 === 0

/** By which a request is recognized that the service refuses. */
export const poison = "poisonous"

/** A message that has other bytes whenever it is made. */
export const message = ({ email }: Pick<Contact, "email">): Campaign.Message => {
  const kind = kindOf(numberOf(email))
  if (kind === "skipped") return Campaign.skip("not interested")
  if (kind === "refused") return { to: email, template: { id: "no-such-template" } }
  const letter = {
    from: "Ada <ada@example.com>",
    to: email,
    subject: kind === "poisonous" ? poison : "News",
    text: `Written at ${performance.now()}.`
  }
  return kind === "alone" ? { ...letter, attachments: [{ filename: "a.txt", content: "SGVsbG8=" }] } : letter
}

/** How many contacts are created at once. */
const batch = 1000

/** Creates the audience. */
export const enroll = (contacts: number) =>
  Effect.gen(function*() {
    const store = yield* Store
    yield* store.insert(Resource.segments, [segment, other])
    for (let start = 0; start < contacts; start += batch) {
      yield* admit(Array.from({ length: Math.min(batch, contacts - start) }, (_, index) => start + index))
    }
  })

const admit = (numbers: ReadonlyArray<number>) =>
  Effect.gen(function*() {
    const store = yield* Store
    const contacts = numbers.map(contactOf)
    yield* store.insert(Resource.contacts, contacts)
    yield* store.join(segment.id, contacts.map(({ id }) => id))
  })

/** Makes random changes of the audience. One that is not possible, as for a contact that is gone, changes nothing. */
export const stir = (
  dice: Dice,
  { contacts, count, fresh }: { readonly contacts: number; readonly count: number; readonly fresh: number }
) =>
  Effect.forEach(Array.from({ length: count }, (_, index) => fresh + index), (number) =>
    Effect.gen(function*() {
      const store = yield* Store
      const { id } = contactOf(5 * dice.below(Math.ceil(contacts / 5)))
      yield* dice.weigh<Effect.Effect<void, unknown, Store>>([
        [3, () => admit([number])],
        [1, () => store.delete(Resource.contacts, [id])],
        [3, () => Effect.zipRight(store.leave(segment.id, [id]), store.join(other.id, [id]))],
        [3, () => Effect.zipRight(store.leave(other.id, [id]), store.join(segment.id, [id]))]
      ])
    }).pipe(Effect.ignore), { discard: true })
