/** Changes of accounts while workers run: workers notice them by themselves. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import type * as Tables from "./tables.ts"

/** Makes accounts due now, however long they would have waited. During a pass, another one follows. A pause stays. */
export const due = (sql: SqlClient.SqlClient): Fragment => sql`next_at = LEAST(next_at, now()), asked_at = now()`

/**
 * Selects the accounts that fulfil a condition, and locks them in the order of their ids: whatever changes several of them begins with
 * this, because two that lock the same rows in different orders wait for each other until PostgreSQL ends one of them.
 */
export const locked = (sql: SqlClient.SqlClient, names: Tables.Names, condition: Fragment): Fragment =>
  sql`locked AS MATERIALIZED (SELECT id FROM ${sql(names.accounts)} WHERE ${condition} ORDER BY id FOR UPDATE)`

/** Changes the rows of these accounts, and returns which of them there are. */
export const change = (
  sql: SqlClient.SqlClient,
  names: Tables.Names,
  ids: ReadonlyArray<string>,
  set: Fragment,
  condition: Fragment = sql`removed_at IS NULL`
): Effect.Effect<ReadonlyArray<string>, SqlError> => {
  const these = sql`${condition} AND id IN (SELECT value FROM jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`
  return Effect.map(
    sql<{ readonly id: string }>`WITH ${locked(sql, names, these)}
      UPDATE ${sql(names.accounts)} a SET ${set} FROM locked WHERE a.id = locked.id RETURNING a.id`,
    (rows) => rows.map(({ id }) => id)
  )
}
