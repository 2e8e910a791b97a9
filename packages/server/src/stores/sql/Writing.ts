/** Inserting and deleting items. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Entries from "../Entries.ts"
import * as Lists from "../Lists.ts"
import type { StoreError } from "../StoreError.ts"
import type { Entry, List, StoreService } from "../StoreService.ts"
import type { Database, Tables } from "./Database.ts"
import * as Membership from "./Membership.ts"
import * as Places from "./Places.ts"

export const insert = (database: Database): StoreService["insert"] => (resource, items, ...[filter]) =>
  Effect.flatMap(
    Entries.encode(resource, items),
    (entries) =>
      entries.length === 0
        ? Effect.void
        : database.transaction(append(database, Lists.fromResource(resource, filter), entries))
  )

export const remove = (database: Database): StoreService["delete"] => (resource, ids, ...[filter]) => {
  const list = Lists.fromResource(resource, filter)
  return database.transaction(Places.inBatches(ids, (batch) => removeBatch(database, list, batch)))
}

/** Adds entries as the newest of a list. The contacts of a segment are items of the list of all contacts. */
export const append = (
  tables: Tables,
  list: List,
  entries: ReadonlyArray<Entry>
): Effect.Effect<void, SqlError | StoreError> =>
  Effect.gen(function*() {
    if (!(yield* Places.hasOwner(tables, list))) return yield* Lists.unknownOwner(list)
    const { account, sql } = tables
    const home = Lists.isMembership(list) ? Lists.contacts : list
    const key = Lists.keyOf(home)
    const first = yield* Places.take(tables, home, entries.length)
    yield* Places.inBatches(entries, (batch) => checkUnused(tables, home, batch))
    const rows = entries.map(({ id, json }, index) => ({ account, list: key, seq: first + index, id, live: 1, json }))
    yield* Places.inBatches(rows, (batch) => sql`INSERT INTO mailstream_items ${sql.insert(batch)}`)
    if (Lists.isMembership(list)) yield* Membership.add(tables, list, entries.map(({ id }) => id))
  })

const checkUnused = (
  { account, sql }: Tables,
  list: List,
  entries: ReadonlyArray<Entry>
): Effect.Effect<void, SqlError | StoreError> =>
  Effect.flatMap(
    sql<Entry>`SELECT id FROM mailstream_items
      WHERE account = ${account} AND list = ${Lists.keyOf(list)}
        AND ${sql.in("id", entries.map(({ id }) => id))} LIMIT 1`,
    ([used]) => used === undefined ? Effect.void : Entries.duplicate(used.id)
  )

/** Empties the places of items, and deletes what the items own. */
const removeBatch = (
  tables: Tables,
  list: List,
  ids: ReadonlyArray<string>
): Effect.Effect<void, SqlError> =>
  Effect.gen(function*() {
    const { account, sql } = tables
    yield* sql`UPDATE mailstream_items SET live = 0, json = NULL
      WHERE account = ${account} AND list = ${Lists.keyOf(list)} AND ${sql.in("id", ids)}`
    if (list.name === Lists.contacts.name) yield* Membership.removeContacts(tables, ids)
    if (list.name === Lists.apiKeys.name) {
      yield* sql`DELETE FROM mailstream_secrets WHERE account = ${account} AND ${sql.in("id", ids)}`
    }
    const [owned, memberships] = Array.partition(
      ids.flatMap((id) => Lists.ownedBy(list.name, id)),
      Lists.isMembership
    )
    if (memberships.length > 0) yield* Membership.removeSegments(tables, ids)
    if (owned.length > 0) {
      yield* sql`DELETE FROM mailstream_items
        WHERE account = ${account} AND ${sql.in("list", owned.map(Lists.keyOf))}`
    }
  })
