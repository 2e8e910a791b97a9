/** Which contacts are in which segment. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Entries from "../Entries.ts"
import * as Lists from "../Lists.ts"
import type { StoreError } from "../StoreError.ts"
import type { Entry, List, StoreService } from "../StoreService.ts"
import type { Database, Tables } from "./Database.ts"
import * as Places from "./Places.ts"

export const join = (database: Database): StoreService["join"] => (segment, contacts) => {
  if (contacts.length === 0) return Effect.void
  const list = Lists.membersOf(segment)
  return database.transaction(Effect.gen(function*() {
    if (!(yield* Places.hasOwner(database, list))) return yield* Lists.unknownOwner(list)
    yield* Places.inBatches(
      [...new Set(contacts)],
      (batch) => Effect.zipRight(checkContacts(database, batch), add(database, list, batch))
    )
  }))
}

export const leave = ({ account, sql, transaction }: Database): StoreService["leave"] => (segment, contacts) =>
  transaction(
    Places.inBatches(contacts, (batch) =>
      sql`UPDATE mailstream_members SET live = 0
        WHERE account = ${account} AND segment = ${segment} AND ${sql.in("contact", batch)}`)
  )

/** Adds contacts as the newest members of a segment. Former members get their old places back. */
export const add = (
  tables: Tables,
  list: List,
  contacts: ReadonlyArray<string>
): Effect.Effect<void, SqlError> =>
  Effect.gen(function*() {
    const { account, sql } = tables
    const first = yield* Places.take(tables, list, contacts.length)
    const rows = contacts.map((contact, index) => ({
      account,
      segment: list.within,
      seq: first + index,
      contact,
      live: 1
    }))
    yield* Places.inBatches(rows, (batch) =>
      sql`INSERT INTO mailstream_members ${sql.insert(batch)}
        ON CONFLICT (account, segment, contact) DO UPDATE SET live = 1`)
  })

/** Removes deleted contacts from every segment. */
export const removeContacts = (
  { account, sql }: Tables,
  contacts: ReadonlyArray<string>
): Effect.Effect<unknown, SqlError> =>
  sql`UPDATE mailstream_members SET live = 0 WHERE account = ${account} AND ${sql.in("contact", contacts)}`

/** Forgets the members of deleted segments. */
export const removeSegments = (
  { account, sql }: Tables,
  segments: ReadonlyArray<string>
): Effect.Effect<unknown, SqlError> =>
  sql`DELETE FROM mailstream_members WHERE account = ${account} AND ${sql.in("segment", segments)}`

const checkContacts = (
  { account, sql }: Tables,
  ids: ReadonlyArray<string>
): Effect.Effect<void, SqlError | StoreError> =>
  Effect.flatMap(
    sql<Entry>`SELECT id FROM mailstream_items
      WHERE account = ${account} AND list = ${Lists.contacts.name} AND live = 1 AND ${sql.in("id", ids)}`,
    (found) => {
      const known = new Set(found.map(({ id }) => id))
      const unknown = ids.find((id) => !known.has(id))
      return unknown === undefined ? Effect.void : Entries.unknownContact(unknown)
    }
  )
