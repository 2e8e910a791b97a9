/** Emails on their way: what becomes of them, for each of their recipients. */
import { Resource } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { Fields, Lookup, StoreError } from "../../stores/Store.ts"
import type { Happening } from "../Events.ts"
import * as Contacts from "../lives/Contacts.ts"
import * as Drafts from "./Drafts.ts"

/** What can become of an email for a recipient. */
type Outcome = "delivered" | "complained" | "bounced" | "suppressed" | "failed"

/** The service's addresses for tests: `bounced@resend.dev`, also with a label, as in `bounced+today@resend.dev`. */
const testAddress = /^(delivered|bounced|complained|suppressed)(?:\+[^@]*)?@resend\.dev$/i

/** `ada@example.com` of `Ada <ada@example.com>`. */
export const addressOf = (recipient: string): string => (/<([^<>]*)>\s*$/.exec(recipient)?.[1] ?? recipient).trim()

const outcomeOf = ({ find }: Lookup, topic: Fields | undefined, address: string): Effect.Effect<Outcome, StoreError> =>
  Effect.gen(function*() {
    const test = testAddress.exec(address)?.[1]?.toLowerCase()
    if (test !== undefined) return test as Outcome
    if ((yield* find({ name: Resource.suppressions.name }, address)) !== undefined) return "suppressed"
    if (topic === undefined) return "delivered"
    const contact = yield* find({ name: Resource.contacts.name }, address)
    const isWanted = contact?.["unsubscribed"] !== true && Contacts.subscription(contact ?? {}, topic) === "opt_in"
    return isWanted ? "delivered" : "failed"
  })

/** The events of each step, and what they say beside the email. An email's last event is the last of these that it has. */
const steps: ReadonlyArray<{ readonly name: string; readonly of: ReadonlySet<Outcome>; readonly more?: Fields }> = [
  { name: "sent", of: new Set(["delivered", "complained", "bounced"]) },
  { name: "delivered", of: new Set(["delivered", "complained"]) },
  { name: "complained", of: new Set(["complained"]) },
  {
    name: "bounced",
    of: new Set(["bounced"]),
    more: {
      bounce: {
        type: "Permanent",
        subType: "General",
        message: "The recipient's email server permanently rejected the email."
      }
    }
  },
  {
    name: "suppressed",
    of: new Set(["suppressed"]),
    more: { suppressed: { type: "OnAccountSuppressionList", message: "The recipient is on the suppression list." } }
  },
  {
    name: "failed",
    of: new Set(["failed"]),
    more: { failed: { reason: "The recipient has opted out of the topic." } }
  }
]

/** What events tell about an email. */
const dataOf = (email: Fields, to: unknown): Fields => ({
  email_id: email["id"],
  created_at: email["created_at"],
  from: email["from"],
  to,
  subject: email["subject"],
  template_id: email["template_id"] ?? null,
  // Not assigned: a name can be `__proto__`.
  tags: Object.fromEntries(
    Array.isArray(email["tags"]) ? email["tags"].map(({ name, value }) => [String(name), value]) : []
  )
})

/** What becomes of an email that is sent: the fields that change, and what happens. */
export interface Sent {
  readonly changes: Fields
  readonly happenings: ReadonlyArray<Happening>
}

export const send = (objects: Lookup, email: Fields): Effect.Effect<Sent, StoreError> =>
  Effect.gen(function*() {
    const topic = typeof email["topic_id"] === "string"
      ? yield* objects.get({ name: Resource.topics.name }, email["topic_id"])
      : undefined
    const outcomes = yield* Effect.forEach(
      Drafts.recipientsOf(email),
      (recipient) => Effect.map(outcomeOf(objects, topic, addressOf(recipient)), (outcome) => ({ recipient, outcome }))
    )
    const happened = steps.flatMap(({ more, name, of }) => {
      const to = outcomes.filter(({ outcome }) => of.has(outcome)).map(({ recipient }) => recipient)
      return to.length === 0 ? [] : [{ name, data: { ...dataOf(email, to), ...more } }]
    })
    return {
      changes: { last_event: happened.at(-1)?.name ?? "sent" },
      happenings: happened.map(({ data, name }) => ({ type: `email.${name}`, data, email: String(email["id"]) }))
    }
  })

/** An email that waits for its time. */
export const schedule = (email: Fields): Sent => ({
  changes: { last_event: "scheduled" },
  happenings: [{
    type: "email.scheduled",
    data: { ...dataOf(email, email["to"]), scheduled: { scheduled_at: email["scheduled_at"] } },
    email: String(email["id"])
  }]
})
