/** What happens to the database of a copy while it is in use. */
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import type { Dice } from "@mailstream/testing/Dice"
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import { Effect, Redacted } from "effect"
import * as Database from "./database.ts"

/** Another process locks the file for a while. */
const lock = (file: string, millis: number) =>
  Effect.gen(function*() {
    const { path } = yield* Programs
    const running = yield* Process.start([path("lock"), file])
    // It fails if the mirror holds the lock at that moment.
    yield* Effect.raceFirst(running.line, running.finished)
    yield* Effect.sleep(millis)
  }).pipe(Effect.scoped)

/** All connections to the database end, and no new ones are accepted for a while, as if the server started again. */
const restart = (url: string, millis: number) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const database = new URL(url).pathname.slice(1)
    const allow = (isAllowed: boolean) => sql.unsafe(`ALTER DATABASE "${database}" ALLOW_CONNECTIONS ${isAllowed}`)
    yield* allow(false)
    yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${database}`
    yield* Effect.ensuring(Effect.sleep(millis), Effect.orDie(allow(true)))
  }).pipe(
    Effect.provide(
      PgClient.layer({
        url: Redacted.make(Object.assign(new URL(url), { pathname: "postgres" }).href),
        maxConnections: 1,
        connectTimeout: "1 minute"
      })
    )
  )

export const disturb = (target: string, dice: Dice): Effect.Effect<void, unknown, Programs> =>
  Database.isPostgres(target) ? restart(target, dice.below(500)) : lock(target, dice.below(1500))
