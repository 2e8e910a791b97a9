/**
 * The places of lists in the database. Items have a row in `mailstream_items`; the contacts of a segment have rows in
 * `mailstream_members` that point to those.
 */
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment, Statement } from "@effect/sql/Statement"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Lists from "../Lists.ts"
import type { List } from "../StoreService.ts"
import type { Tables } from "./Database.ts"

/** PostgreSQL returns big integers as text. */
export type Place = number | string

/** PostgreSQL rejects text with this character, so no id contains it. */
export const canBeId = (text: string | undefined): boolean => text === undefined || !text.includes("\0")

/** Whether the list's owner exists. A list without an owner always does. */
export const hasOwner = ({ account, sql }: Tables, list: List): Effect.Effect<boolean, SqlError> => {
  const owner = Lists.ownerOf(list)
  if (owner === undefined || !canBeId(owner.id)) return Effect.succeed(owner === undefined)
  return Effect.map(
    sql`SELECT 1 FROM mailstream_items
      WHERE account = ${account} AND list = ${owner.list} AND id = ${owner.id} AND live = 1`,
    Array.isNonEmptyReadonlyArray
  )
}

/** The place of an id, even if its item was deleted. */
export const placeOf = (
  { account, sql }: Tables,
  list: List,
  id: string
): Statement<{ readonly seq: Place }> =>
  Lists.isMembership(list)
    ? sql`SELECT seq FROM mailstream_members
        WHERE account = ${account} AND segment = ${list.within} AND contact = ${id}`
    : sql`SELECT seq FROM mailstream_items
        WHERE account = ${account} AND list = ${Lists.keyOf(Lists.homeOf(list))} AND id = ${id}
          ${inCampaign(sql, list)}`

/** Only the emails of a campaign, if the list is about one. */
export const inCampaign = (sql: Tables["sql"], { campaign }: List): Fragment =>
  campaign === undefined ? sql`` : sql`AND campaign = ${campaign}`

/**
 * Gives rows the next places of a list. The list stays locked until the transaction ends, so no other transaction can take
 * a place or use an id in between.
 */
export const take = <Row extends object>({ account, sql }: Tables, list: List, rows: ReadonlyArray<Row>) =>
  Effect.map(
    sql<{ readonly seq: Place }>`INSERT INTO mailstream_counters (account, list, seq)
      VALUES (${account}, ${Lists.keyOf(list)}, ${rows.length})
      ON CONFLICT (account, list) DO UPDATE SET seq = mailstream_counters.seq + excluded.seq RETURNING seq`,
    ([last]) =>
      rows.map((row, index) => ({ account, seq: Number(last?.seq) - rows.length + 1 + index, live: 1, ...row }))
  )

/** How many rows one statement handles: databases limit the number of its parameters. */
const rowsPerStatement = 1000

/** Runs statements for each batch of rows, and returns their results. */
export const inBatches = <A, B, E>(
  rows: ReadonlyArray<A>,
  run: (batch: ReadonlyArray<A>) => Effect.Effect<B, E>
): Effect.Effect<ReadonlyArray<B>, E> => Effect.forEach(Array.chunksOf(rows, rowsPerStatement), run)
