/** Inserting, updating and deleting items, and which contacts are in which segment. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import type { StoreError } from "../StoreError.ts"
import type { Entry, List, StoreService } from "../StoreService.ts"
import type { Database, Tables } from "./Database.ts"
import * as Places from "./Places.ts"

export const insert = (database: Database): StoreService["insert"] => (resource, items, ...[filter]) =>
  Effect.flatMap(
    Effect.suspend(() => Rules.encode(resource, items)),
    (entries) =>
      entries.length === 0
        ? Effect.void
        : database.transaction(append(database, Lists.fromResource(resource, filter), entries))
  )

export const update = (database: Database): StoreService["update"] => (resource, id, change, ...[filter]) => {
  const { account, forUpdate, sql, transaction } = database
  const list = Lists.keyOf(Lists.fromResource(resource, filter))
  const isItem = sql`account = ${account} AND list = ${list} AND id = ${id} AND live = 1`
  return transaction(Effect.gen(function*() {
    const [found] = Places.canBeId(id)
      ? yield* sql<Entry>`SELECT json FROM mailstream_items WHERE ${isItem} ${forUpdate}`
      : []
    const { entry, item } = yield* Rules.update(resource, found?.json, change)
    const { json, name, recipient, state } = entry
    yield* sql`UPDATE mailstream_items SET ${sql.update({ json, name, recipient, state })} WHERE ${isItem}`
    return item
  }))
}

export const remove = (database: Database): StoreService["delete"] => (resource, ids, ...[filter]) => {
  const list = Lists.fromResource(resource, filter)
  return Effect.asVoid(
    database.transaction(Places.inBatches(ids, (batch) => removeBatch(database, list, batch)))
  )
}

export const join = (database: Database): StoreService["join"] => (segment, contacts) => {
  if (contacts.length === 0) return Effect.void
  const { account, sql } = database
  const list = Lists.membersOf(segment)
  const ids = [...new Set(contacts)]
  return database.transaction(Effect.gen(function*() {
    const hasOwner = yield* Places.hasOwner(database, list)
    const found = yield* Places.inBatches(ids, (batch) =>
      sql<Entry>`SELECT id FROM mailstream_items
        WHERE account = ${account} AND list = ${Lists.contacts.name} AND live = 1 AND ${sql.in("id", batch)}`)
    yield* Rules.mayJoin(list, { hasOwner, unknown: missingFrom(found.flat(), ids) })
    yield* addMembers(database, list, ids)
  }))
}

export const leave = (database: Database): StoreService["leave"] => (segment, contacts) =>
  database.transaction(removeMembers(database, segment, contacts))

export const removeMembers = ({ account, sql }: Tables, segment: string, contacts: ReadonlyArray<string>) =>
  Effect.asVoid(Places.inBatches(contacts, (batch) =>
    sql`UPDATE mailstream_members SET live = 0
      WHERE account = ${account} AND segment = ${segment} AND ${sql.in("contact", batch)}`))

/** Adds entries as the newest of a list. The contacts of a segment are items of the list of all contacts. */
export const append = (
  tables: Tables,
  list: List,
  entries: ReadonlyArray<Entry>
): Effect.Effect<void, SqlError | StoreError> =>
  Effect.gen(function*() {
    const { sql } = tables
    const home = Lists.homeOf(list)
    const hasOwner = yield* Places.hasOwner(tables, list)
    const placed = Lists.placed(list, entries)
    const rows = yield* Places.take(tables, home, placed.map((entry) => ({ list: Lists.keyOf(home), ...entry })))
    const added = yield* Places.inBatches(rows, (batch) =>
      sql<Entry>`INSERT INTO mailstream_items ${sql.insert(batch)}
        ON CONFLICT (account, list, id) DO NOTHING RETURNING id`)
    const ids = entries.map(({ id }) => id)
    yield* Rules.mayInsert(list, { hasOwner, used: missingFrom(added.flat(), ids) })
    if (Lists.isMembership(list)) yield* addMembers(tables, list, ids)
    if (Lists.isOfContact(list)) {
      yield* Effect.forEach(ids, (segment) => addMembers(tables, Lists.membersOf(segment), [list.within!]))
    }
  })

const missingFrom = (rows: ReadonlyArray<Entry>, ids: ReadonlyArray<string>): string | undefined => {
  const present = new Set(rows.map(({ id }) => id))
  return ids.find((id) => !present.has(id))
}

/** Adds contacts as the newest members of a segment. Former members get their old places back. */
export const addMembers = (tables: Tables, list: List, contacts: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { sql } = tables
    const rows = yield* Places.take(tables, list, contacts.map((contact) => ({ segment: list.within, contact })))
    yield* Places.inBatches(rows, (batch) =>
      sql`INSERT INTO mailstream_members ${sql.insert(batch)}
        ON CONFLICT (account, segment, contact) DO UPDATE SET live = 1`)
  })

/** Empties the places of items, and deletes what the items own. */
export const removeBatch = ({ account, sql }: Tables, list: List, ids: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const [owned, segments] = Array.partition(Lists.ownedBy(list.name, ids), Lists.isMembership)
    yield* sql`UPDATE mailstream_items
      SET live = 0, json = NULL, details = NULL, name = NULL, due = NULL, recipient = NULL, state = NULL
      WHERE account = ${account} AND list = ${Lists.keyOf(list)} AND ${sql.in("id", ids)}`
    if (list.name === Lists.contacts.name) {
      yield* sql`UPDATE mailstream_members SET live = 0 WHERE account = ${account} AND ${sql.in("contact", ids)}`
    }
    if (list.name === Lists.apiKeys.name) {
      yield* sql`DELETE FROM mailstream_secrets WHERE account = ${account} AND ${sql.in("id", ids)}`
    }
    if (segments.length > 0) {
      yield* sql`DELETE FROM mailstream_members WHERE account = ${account} AND ${sql.in("segment", ids)}`
    }
    if (owned.length > 0) {
      yield* sql`DELETE FROM mailstream_items
        WHERE account = ${account} AND ${sql.in("list", owned.map(Lists.keyOf))}`
    }
  })
