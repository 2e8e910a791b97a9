/** Deletes everything about an account. */
import type { MigrationError } from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import * as Mirror from "@mailstream/mirror/Mirror"
import type { TableInUse } from "@mailstream/mirror/MirrorError"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { AccountInUse, NoCluster, UnknownAccount } from "../ClusterError.ts"
import * as Entries from "./entries.ts"
import * as Tables from "./tables.ts"

/** Workers notice within five seconds that an account was removed; one that was lost has its accounts for as long as its lease lasts. */
const patience = Duration.seconds(30)

const interval = Duration.millis(250)

export const erase = (
  id: string,
  { prefix }: { readonly prefix?: string | undefined }
): Effect.Effect<
  ReadonlyArray<Mirror.Erased>,
  AccountInUse | UnknownAccount | NoCluster | InvalidOption | SqlError | MigrationError | TableInUse,
  SqlClient.SqlClient
> =>
  Effect.gen(function*() {
    const names = yield* Tables.names({ prefix })
    const client = yield* SqlClient.SqlClient
    const sql = Postgres.bounded(client).withoutTransforms()
    if (!(yield* Tables.exist(sql, names))) return yield* new NoCluster({ table: names.workers })
    if (!Entries.isId(id)) return yield* new UnknownAccount({ account: id })
    const [accounts, workers] = [sql(names.accounts), sql(names.workers)]
    const deleted = (table: string, condition = sql`true`) =>
      Effect.map(
        sql`DELETE FROM ${sql(table)} WHERE id = ${id} AND ${condition} RETURNING id`,
        (rows) => rows.map((): Mirror.Erased => ({ table, rows: 1 }))
      )
    const [{ hasKeys = false } = {}] = yield* sql<{ readonly hasKeys: boolean }>`SELECT
      to_regclass(${names.keys}) IS NOT NULL AS "hasKeys"`
    const keys = hasKeys ? yield* deleted(names.keys) : []
    /** Whether a worker has it, or there are workers that have not noticed that it was removed. */
    const isUsed = sql`EXISTS (SELECT FROM ${workers} w
      WHERE gone_at IS NULL AND alive_until > clock_timestamp() AND (removed_at IS NULL OR worker = w.id))`
    const waits = Effect.map(
      sql`SELECT id FROM ${accounts} WHERE id = ${id} AND ${isUsed}`,
      (rows) => rows.length > 0
    )
    const began = yield* Clock.currentTimeMillis
    while (yield* waits) {
      if ((yield* Clock.currentTimeMillis) - began > Duration.toMillis(patience)) {
        return yield* new AccountInUse({ account: id })
      }
      yield* Effect.sleep(interval)
    }
    const hasCopies = yield* Mirror.exists({ prefix })
    const copy = hasCopies
      ? yield* Effect.flatMap(Mirror.Mirror, (mirror) => mirror.forAccount(id)).pipe(
        Effect.flatMap((mirror) => mirror.erase),
        Effect.provide(Mirror.layer({ prefix }))
      )
      : []
    // Last: what was not completed is found again. Workers may have added it just now.
    const own = [...(yield* deleted(names.history)), ...(yield* deleted(names.accounts, sql`NOT ${isUsed}`))]
    const erased = [...keys, ...copy, ...own]
    if (yield* waits) return yield* new AccountInUse({ account: id })
    return erased.length === 0 ? yield* new UnknownAccount({ account: id }) : erased
  })
