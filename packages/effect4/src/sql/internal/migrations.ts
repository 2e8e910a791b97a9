/** Migrations that several processes may run at once, of tables that both lines have. */
import * as Sql from "@mailstream/kernel/Sql"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { MigrationError } from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { StatementTimeout } from "../StatementTimeout.ts"
import * as Database from "./database.ts"
import { allow } from "./limits.ts"

/** The statements of each migration, by its name, which begins with its number, for either database. */
export type Migrations = (isPostgres: boolean) => Readonly<Record<string, ReadonlyArray<string>>>

const isTimeout = ({ reason: { cause } }: SqlError): boolean => cause instanceof StatementTimeout

const numberOf = (name: string): number => Number.parseInt(name)

/** The numbers of the migrations that have been run, as a table of Effect's `Migrator` names them. */
const done = ({ run, sql }: Database.Database, table: string) =>
  Effect.map(
    run(sql`SELECT migration_id AS id FROM ${sql(table)}`),
    (rows) => new Set(rows.map((row) => Number(Reflect.get(row, "id"))))
  )

const isDone = (
  table: string,
  names: ReadonlyArray<string>,
  numbers: ReadonlySet<number>
): Effect.Effect<boolean, MigrationError> => {
  const standing = Sql.standing(table, numbers, names.map(numberOf))
  return typeof standing === "string"
    ? Effect.succeed(standing === "Done")
    : Effect.fail(new MigrationError({ kind: "BadState", message: standing.problem }))
}

/**
 * Runs the migrations that the table does not name yet. Several processes may start at once: on PostgreSQL, those that fail to create
 * the table find it when they retry; on SQLite, they wait for each other. Tables that a newer version has changed are refused.
 */
export const ensure = (
  table: string,
  migrations: Migrations
): Effect.Effect<void, SqlError | MigrationError, SqlClient> =>
  Effect.gen(function*() {
    const database = yield* Database.current
    const { isPostgres, run, sql, transaction } = database
    const all = Object.entries(migrations(isPostgres))
    const names = all.map(([name]) => name)
    const numbers = yield* Effect.catchIf(
      done(database, table),
      // The table does not exist, or running the migrations reports what is wrong.
      (error) => !isTimeout(error),
      () => Effect.succeed(new Set<number>())
    )
    if (yield* isDone(table, names, numbers)) return
    const migrate = Effect.gen(function*() {
      yield* run(
        isPostgres
          ? sql`CREATE TABLE IF NOT EXISTS ${sql(table)} (
  migration_id integer primary key,
  created_at timestamp with time zone not null default now(),
  name text not null
)`
          : sql`CREATE TABLE IF NOT EXISTS ${sql(table)} (
  migration_id integer PRIMARY KEY NOT NULL,
  created_at datetime NOT NULL DEFAULT current_timestamp,
  name VARCHAR(255) NOT NULL
)`
      )
      if (isPostgres) yield* run(sql`LOCK TABLE ${sql(table)} IN ACCESS EXCLUSIVE MODE`)
      const numbers = yield* done(database, table)
      if (yield* isDone(table, names, numbers)) return
      for (const [name, statements] of all) {
        if (numbers.has(numberOf(name))) continue
        const [, title] = /^\d+_(.+)$/.exec(name) ?? []
        yield* run(sql`INSERT INTO ${sql(table)} (migration_id, name) VALUES (${numberOf(name)}, ${title})`)
        for (const statement of statements) yield* run(sql.unsafe(statement))
      }
    })
    yield* transaction(migrate).pipe(
      Effect.retry({
        while: (error) => error._tag === "SqlError" && !isTimeout(error),
        times: 5,
        schedule: Schedule.spaced("20 millis")
      }),
      allow("1 hour")
    )
  })
