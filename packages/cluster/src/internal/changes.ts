/** Changes of accounts while workers run: workers notice them by themselves. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import type * as Tables from "./tables.ts"

/** Makes accounts due now, however long they would have waited. During a pass, another one follows. A pause stays. */
export const due = (sql: SqlClient.SqlClient): Fragment => sql`next_at = LEAST(next_at, now()), asked_at = now()`

/** Changes the rows of these accounts, and returns which of them there are. Rows are locked in one order, so that changes do not block each other. */
export const change = (
  sql: SqlClient.SqlClient,
  names: Tables.Names,
  ids: ReadonlyArray<string>,
  set: Fragment,
  condition: Fragment = sql`removed_at IS NULL`
): Effect.Effect<ReadonlyArray<string>, SqlError> => {
  const accounts = sql(names.accounts)
  return Effect.map(
    sql<{ readonly id: string }>`WITH known AS MATERIALIZED (
        SELECT id FROM ${accounts} WHERE ${condition}
          AND id IN (SELECT value FROM jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
        ORDER BY id FOR UPDATE
      ) UPDATE ${accounts} a SET ${set} FROM known WHERE a.id = known.id RETURNING a.id`,
    (rows) => rows.map(({ id }) => id)
  )
}
