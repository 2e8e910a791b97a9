/**
 * Random changes in the lists of a service that keeps them in a database: items come, change, go, and sometimes return
 * under the same id.
 */
import { SqlClient } from "@effect/sql"
import { Resource } from "@mailstream/core"
import { Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import type { Dice } from "@mailstream/testing/Dice"
import { Effect } from "effect"

/** How many items of each list there are in the beginning. */
export interface Counts {
  readonly contacts: number
  readonly segments: number
  readonly receivedEmails: number
  readonly topics: number
}

/** Replaces the fields of an item that exists, in a way that the store itself does not have. */
const update = (list: string, id: string, fields: object) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ json: string }>`SELECT json FROM mailstream_items
      WHERE list = ${list} AND id = ${id} AND live = 1`
    if (row === undefined) return
    const json = JSON.stringify({ ...JSON.parse(row.json), ...fields })
    yield* sql`UPDATE mailstream_items SET json = ${json} WHERE list = ${list} AND id = ${id} AND live = 1`
  })

/** Brings back an item that was deleted, at its old place. Returns whether it was deleted. */
const revive = (list: string, item: { readonly id: string }) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const revived = yield* sql`UPDATE mailstream_items SET live = 1, json = ${JSON.stringify(item)}
      WHERE list = ${list} AND id = ${item.id} AND live = 0 RETURNING id`
    return revived.length > 0
  })

/**
 * Makes one random change. New contacts get this number. Of topics and emails there are about as many at any time, half
 * of those that could exist: each email costs a pass a request.
 */
const mutate = (dice: Dice, counts: Counts, fresh: number) =>
  Effect.gen(function*() {
    const store = yield* Store
    const contact = SampleData.contact(dice.below(counts.contacts))
    const segment = SampleData.segment(dice.below(counts.segments))
    const topic = SampleData.topic(dice.below(2 * counts.topics))
    const number = dice.below(2 * counts.receivedEmails)
    const email = SampleData.receivedEmail(number)
    const sql = yield* SqlClient.SqlClient
    /** An email and its attachments appear at once. */
    const receive = <E, R>(received: Effect.Effect<boolean, E, R>) =>
      sql.withTransaction(Effect.if(received, {
        onTrue: () =>
          store.insert(Resource.receivedEmailAttachments, SampleData.attachments(number), { email_id: email.id }),
        onFalse: () => Effect.void
      }))
    yield* dice.weigh<Effect.Effect<unknown, unknown, SqlClient.SqlClient>>([
      [
        8,
        () => update(Resource.contacts.name, contact.id, { last_name: dice.text(20), unsubscribed: dice.chance(0.5) })
      ],
      [4, () => store.insert(Resource.contacts, [SampleData.contact(fresh)])],
      [4, () => store.delete(Resource.contacts, [contact.id])],
      [2, () => revive(Resource.contacts.name, contact)],
      [4, () => store.join(segment.id, [contact.id])],
      [4, () => store.leave(segment.id, [contact.id])],
      [1, () => store.delete(Resource.segments, [segment.id])],
      [1, () => revive(Resource.segments.name, segment)],
      [3, () => update(Resource.topics.name, topic.id, { name: dice.text(20) })],
      [2, () => store.insert(Resource.topics, [topic])],
      [2, () => store.delete(Resource.topics, [topic.id])],
      [1, () => revive(Resource.topics.name, topic)],
      [2, () => receive(Effect.as(store.insert(Resource.receivedEmails, [email]), true))],
      [2, () => store.delete(Resource.receivedEmails, [email.id])],
      [1, () => receive(revive(Resource.receivedEmails.name, email))]
    ])
  })

/** Makes N random changes, one after the other. One that is not possible, as for a contact that is gone, changes nothing. */
export const run = (
  dice: Dice,
  counts: Counts,
  options: { readonly count: number; readonly fresh: number }
): Effect.Effect<void, never, Store | SqlClient.SqlClient> =>
  Effect.forEach(
    Array.from({ length: options.count }, (_, index) => options.fresh + index),
    (fresh) => Effect.ignore(mutate(dice, counts, fresh)),
    { discard: true }
  )
