/** Workers of a cluster in processes of their own, on a database of their own, and what they cost. */
import { PgClient } from "@effect/sql-pg"
import * as Postgres from "@mailstream/testing/Postgres"
import { Context, Data, Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

/** What a process has cost since it began. */
export interface Cost {
  /** CPU time, in milliseconds. */
  readonly cpu: number
  readonly statements: number
}

/** What a process takes now, in bytes. */
export interface Memory {
  readonly rss: number
  readonly heap: number
}

export type Report = Cost & Memory

class TooSlow extends Data.TaggedError("TooSlow")<{ readonly message: string }> {}

/** A mirror on one machine, or a worker if it has a name. */
export const keeper = (env: Record<string, string>, execArgv = process.execArgv) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      fork(fileURLToPath(new URL("keeper.js", import.meta.url)), { env: { ...process.env, ...env }, execArgv })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

export const workers = (count: number, env: Record<string, string>, execArgv = process.execArgv) =>
  Effect.forEach(Array.from({ length: count }), (_, at) => keeper({ ...env, NAME: `worker-${at}` }, execArgv))

export const told = (child: ChildProcess): Effect.Effect<Report> =>
  Effect.map(Effect.promise(() => once(child, "message")), ([report]) => report)

export const asked = (child: ChildProcess): Effect.Effect<Report> =>
  Effect.zipRight(Effect.sync(() => child.send("report")), told(child))

export const sum = (costs: ReadonlyArray<Cost>): Cost => ({
  cpu: costs.reduce((sum, { cpu }) => sum + cpu, 0),
  statements: costs.reduce((sum, { statements }) => sum + statements, 0)
})

type Count = Effect.Effect<ReadonlyArray<{ readonly count: string }>, unknown>

/** A new database, and what was written to the log of all databases. */
export const database = Effect.gen(function*() {
  const url = yield* Effect.flatMap(Postgres.Postgres, ({ database }) => database)
  const sql = Context.get(yield* Layer.build(PgClient.layer({ url, maxConnections: 1 })), PgClient.PgClient)
  const wal = Effect.map(
    sql<{ readonly bytes: string }>`SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS bytes`,
    ([row]) => Number(row?.bytes)
  )
  /** Waits until a query counts nothing. */
  const untilNone = (what: string, query: Count, patience: Duration.DurationInput = "10 minutes") =>
    Effect.repeat(Effect.orElseSucceed(query, () => []), {
      until: ([row]) => row?.count === "0",
      schedule: Schedule.spaced("200 millis")
    }).pipe(
      Effect.timeoutFail({
        duration: patience,
        onTimeout: () => new TooSlow({ message: `${what}: not within ${Duration.format(patience)}` })
      })
    )
  return { url: Redacted.value(url), sql, wal, untilNone }
})
