/** Workers as processes. */
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Status, type Worker } from "@mailstream/cluster"
import * as Port from "@mailstream/testing/Port"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { writeFileSync } from "node:fs"
import * as Service from "./service.ts"

export interface RunningWorker extends Process.Running {
  readonly name: string
  readonly healthUrl: string
  /** Everything that it has written so far. */
  readonly output: () => string
}

export interface Cluster {
  readonly service: Service.Service
  readonly url: Redacted.Redacted
  readonly sql: PgClient.PgClient
  /** The file with the accounts. */
  readonly file: string
  /** Writes the accounts of the service to the file. */
  readonly writeAccounts: Effect.Effect<void>
  /** Starts a worker, and waits until it runs. */
  readonly start: (
    options?: Worker.Options,
    env?: Record<string, string>
  ) => Effect.Effect<RunningWorker, never, Scope.Scope>
}

/** A client of a new database. */
export const database: Effect.Effect<
  { readonly url: Redacted.Redacted; readonly sql: PgClient.PgClient },
  never,
  Scope.Scope
> = Effect.gen(function*() {
  const url = yield* Postgres.createDatabase(Provided.postgres())
  const sql = Context.get(
    yield* Effect.orDie(Layer.build(PgClient.layer({ url, maxConnections: 2 }))),
    PgClient.PgClient
  )
  return { url, sql }
})

/** What makes the tests quick. A busy machine loses locks that expire this soon, which must do no harm. */
export const quick: Worker.Options = {
  every: "2 seconds",
  lockExpiration: "4 seconds",
  minBackoff: "1 second",
  lists: ["contacts", "topics"]
}

/** A service, a new database, and workers on both. */
export const make: Effect.Effect<Cluster, never, Scope.Scope> = Effect.gen(function*() {
  const service = yield* Service.make
  const { sql, url } = yield* database
  const file = yield* Temporary.file("accounts.json")
  return {
    service,
    url,
    sql,
    file,
    writeAccounts: Effect.sync(() => writeFileSync(file, service.file())),
    start: (options = {}, env = {}) =>
      Effect.gen(function*() {
        const [health = 0] = yield* Effect.promise(() => Port.free(1))
        const name = `worker-${health}`
        const running = yield* Process.start([Provided.program("clusterWorker")], {
          env: {
            DATABASE: Redacted.value(url),
            ACCOUNTS: file,
            HEALTH: String(health),
            OPTIONS: JSON.stringify({ ...quick, name, ...options }),
            ...env
          }
        })
        let output = ""
        running.child.stderr.on("data", (text: string) => {
          output += text
        })
        running.child.stdout.on("data", (text: string) => {
          output += text
        })
        const started = Effect.repeat(running.line, { until: (line) => line.startsWith("started ") })
        const ended = Effect.flatMap(
          running.finished,
          ({ code }) => Effect.dieMessage(`ended with ${code}: ${output.slice(-3000)}`)
        )
        yield* Effect.raceFirst(started, ended)
        return {
          ...running,
          name: options.name ?? name,
          healthUrl: `http://127.0.0.1:${health}`,
          output: () => output
        }
      })
  }
})

/** How many contacts the copy of each account has. */
export const copies = ({ sql }: Cluster, prefix = "") =>
  Effect.map(
    sql<{ account: string; count: number }>`SELECT account, count(*)::int AS count
      FROM ${sql(`${prefix}current_contacts`)} GROUP BY account`,
    (rows) => Object.fromEntries(rows.map(({ account, count }) => [account, count]))
  )

/** The status of a cluster. */
export const status = ({ sql }: Pick<Cluster, "sql">, prefix?: string) =>
  Effect.provideService(Status.read({ prefix }), SqlClient.SqlClient, sql)
