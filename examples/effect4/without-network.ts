/**
 * Code that uses the API, and a test for it that needs no network.
 *
 * node examples/effect4/without-network.ts
 */
import { type Contact, ContactId, Contacts, contacts, Timestamp } from "@mailstream/effect4"
import { Effect, Stream } from "effect"
import { strictEqual } from "node:assert"

/** The code under test: how many contacts have unsubscribed? */
const unsubscribed = contacts.items().pipe(
  Stream.filter((contact) => contact.unsubscribed),
  Stream.runCount
)

const contact = (number: number): Contact => ({
  id: ContactId.make(`5f0c1a52-0000-4000-8000-${String(number).padStart(12, "0")}`),
  email: `person-${number}@example.com`,
  first_name: null,
  last_name: null,
  created_at: Timestamp.Timestamp.make("2025-11-30 20:41:40.84216+00"),
  unsubscribed: number % 10 === 0
})

/** The same paging as the real service, on given values: 250 contacts, newest first. */
const ContactsTest = Contacts.layerTest(Array.from({ length: 250 }, (_, index) => contact(250 - index)))

const test = Effect.gen(function*() {
  strictEqual(yield* unsubscribed, 25)
  yield* Effect.log("25 of 250 contacts have unsubscribed, as expected")
})

Effect.runPromise(Effect.provide(test, ContactsTest))
