/** Single objects in the database. */
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import type { StoreError } from "../StoreError.ts"
import type { Entry, Fields, List, Lookup, Objects, StoreService } from "../StoreService.ts"
import type { Database, Run } from "./Database.ts"
import * as Places from "./Places.ts"
import * as SqlJournal from "./SqlJournal.ts"
import * as Writing from "./Writing.ts"

export const make = (database: Database): Pick<StoreService, keyof Lookup | "atomically"> => {
  const { account, run, sql, transaction } = database
  // One change at a time in an account. On SQLite, there is only one in the whole database anyway.
  const lock = sql.onDialectOrElse({
    pg: () => sql`SELECT pg_advisory_xact_lock(hashtext(${`mailstream ${account}`}))`,
    orElse: () => undefined
  })
  const objects = objectsIn(database)
  return {
    ...lookupIn(database, sql``, run),
    atomically: (work) => transaction(lock === undefined ? work(objects) : Effect.zipRight(lock, work(objects)))
  }
}

/** Inside of a transaction: its failures become those of the transaction. */
const inside: Run = (work) => work as Effect.Effect<never, never>

const lookupIn = (database: Database, lock: Fragment, run: Run): Lookup => {
  const { account, sql } = database
  const first = (list: List, condition: Fragment, text: string): Effect.Effect<Fields | undefined, StoreError> =>
    !Places.canBeId(text) || !Places.canBeId(list.within) ? Effect.succeed(undefined) : run(Effect.map(
      sql<Entry>`SELECT json, details FROM mailstream_items
        WHERE account = ${account} AND list = ${Lists.keyOf(list)} AND live = 1 AND ${condition}
        ORDER BY seq DESC LIMIT 1 ${lock}`,
      ([entry]) => entry === undefined ? undefined : Rules.toFields(entry)
    ))
  return {
    ...SqlJournal.reading(database, run),
    get: (list, id) => first(list, sql`id = ${id}`, id),
    find: (list, name) => first(list, sql`name = ${Lists.normalize(list, name)}`, name),
    due: (list, now) =>
      run(Effect.map(
        sql<Entry>`SELECT id FROM mailstream_items
          WHERE account = ${account} AND list = ${Lists.keyOf(list)} AND due IS NOT NULL AND due <= ${now} AND live = 1
          ORDER BY due LIMIT ${Rules.batchSize}`,
        (rows) => rows.map(({ id }) => id)
      ))
  }
}

const objectsIn = (database: Database): Objects => {
  const { account, forUpdate, sql } = database
  return {
    ...lookupIn(database, forUpdate, inside),
    ...SqlJournal.writing(database, inside),
    all: (list) =>
      inside(Effect.map(
        Lists.isMembership(list)
          ? sql<Entry>`SELECT i.json AS json, i.details AS details FROM mailstream_members m
            JOIN mailstream_items i ON i.account = m.account AND i.list = ${Lists.contacts.name} AND i.id = m.contact
            WHERE m.live = 1 AND i.live = 1 AND m.account = ${account} AND m.segment = ${list.within} ORDER BY m.seq`
          : sql<Entry>`SELECT json, details FROM mailstream_items
            WHERE account = ${account} AND list = ${
            Lists.keyOf(list.campaign === undefined ? list : Lists.homeOf(list))
          }
              AND live = 1 ${Places.inCampaign(sql, list)} ORDER BY seq`,
        (rows) => rows.map(Rules.toFields)
      )),
    add: (list, objects) =>
      objects.length === 0
        ? Effect.void
        : inside(Writing.append(database, list, objects.map((fields) => Rules.toEntry(list, fields)))),
    put: (list, fields) => {
      const { details, due, id, json, name, recipient, state } = Rules.toEntry(list, fields)
      return inside(Effect.asVoid(
        sql`UPDATE mailstream_items SET ${sql.update({ json, details, name, due, recipient, state })}
          WHERE account = ${account} AND list = ${Lists.keyOf(list)} AND id = ${id} AND live = 1`
      ))
    },
    remove: (list, ids) =>
      inside(Effect.asVoid(Places.inBatches(ids, (batch) => Writing.removeBatch(database, list, batch)))),
    join: (segment, contacts) =>
      contacts.length === 0
        ? Effect.void
        : inside(Writing.addMembers(database, Lists.membersOf(segment), contacts)),
    leave: (segment, contacts) => inside(Writing.removeMembers(database, segment, contacts))
  }
}
