/**
 * Migrations that several processes may run at once.
 *
 * @since 1.0.0
 */
import * as Migrator from "@effect/sql/Migrator"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Availability from "./Availability.ts"

/**
 * Runs those migrations that the table does not name yet. Several processes may start at once: on PostgreSQL, all but the
 * first fail to create the table, and find it when they retry; on SQLite, they wait for each other.
 *
 * @since 1.0.0
 * @category combinators
 */
export const run = (
  table: string,
  migrations: Readonly<Record<string, Effect.Effect<void, SqlError, SqlClient.SqlClient>>>
): Effect.Effect<void, SqlError | Migrator.MigrationError, SqlClient.SqlClient> =>
  Migrator.make({})({ loader: Migrator.fromRecord(migrations), table }).pipe(
    Effect.retry({ while: (error) => error._tag === "SqlError", times: 5, schedule: Schedule.spaced("20 millis") }),
    (migrate) =>
      Availability.waitForLock(migrate, (error) => error._tag === "SqlError" && Availability.isLocked(error)),
    Effect.asVoid
  )
