/**
 * Migrations that several processes may run at once.
 *
 * @since 1.0.0
 */
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Sql from "@mailstream/kernel/Sql"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Availability from "./Availability.ts"
import * as Postgres from "./Postgres.ts"
import { StatementTimeout } from "./StatementTimeout.ts"

/**
 * Migrations by their name, which begins with their number: `0001_create`.
 *
 * @since 1.0.0
 * @category models
 */
export type Migrations = Readonly<Record<string, Effect.Effect<void, SqlError, SqlClient.SqlClient>>>

/**
 * Whether the table names all migrations. Needs no permission to write. Fails if it names one with a higher number: a newer version has
 * changed the tables, and may keep in them what this one does not know.
 *
 * @since 1.0.0
 * @category combinators
 */
export const areDone = (
  table: string,
  migrations: Migrations
): Effect.Effect<boolean, SqlError | Migrator.MigrationError, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const sql = Postgres.bounded(yield* SqlClient.SqlClient)
    const rows = yield* Effect.catchIf(
      sql`SELECT migration_id FROM ${sql(table)}`.values,
      // The table does not exist, or running the migrations reports what is wrong.
      (error) => !isTimeout(error),
      () => Effect.succeed([])
    )
    const done = new Set(rows.map(([id]) => Number(id)))
    const known = Object.keys(migrations).map((name) => Number.parseInt(name))
    const standing = Sql.standing(table, done, known)
    if (typeof standing === "string") return standing === "Done"
    return yield* new Migrator.MigrationError({ reason: "bad-state", message: standing.problem })
  })

const isTimeout = ({ cause }: SqlError): boolean => cause instanceof StatementTimeout

/** How long a migration may take: it may create an index of a large table. */
const longest = "1 hour"

/**
 * Runs the migrations that the table does not name yet. Several processes may start at once: on PostgreSQL, all but the
 * first fail to create the table, and find it when they retry; on SQLite, they wait for each other. On PostgreSQL, statements have
 * the limits of `Postgres.bounded`, but may take an hour. Tables that a newer version has changed are refused, as by `areDone`.
 *
 * @since 1.0.0
 * @category combinators
 */
export const run = (
  table: string,
  migrations: Migrations
): Effect.Effect<void, SqlError | Migrator.MigrationError, SqlClient.SqlClient> =>
  Migrator.make({})({ loader: Migrator.fromRecord(migrations), table }).pipe(
    Effect.retry({
      while: (error) => error._tag === "SqlError" && !isTimeout(error),
      times: 5,
      schedule: Schedule.spaced("20 millis")
    }),
    (migrate) =>
      Availability.waitForLock(migrate, (error) => error._tag === "SqlError" && Availability.isLocked(error)),
    Effect.updateService(SqlClient.SqlClient, (sql) => Postgres.bounded(sql)),
    Postgres.allow(longest),
    Effect.unlessEffect(areDone(table, migrations)),
    Effect.asVoid
  )
