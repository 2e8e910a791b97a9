/** The tables of a cluster, without a worker. */
import { SqlClient } from "@effect/sql"
import { Status } from "@mailstream/cluster"
import { Duration, Effect } from "effect"
import * as Ledger from "../../src/internal/ledger.ts"
import * as Members from "../../src/internal/members.ts"
import * as Migrations from "../../src/internal/migrations.ts"
import * as Tables from "../../src/internal/tables.ts"
import { database } from "./processes.ts"

export const settings: Members.Settings = {
  name: "one",
  lockExpiration: Duration.seconds(15),
  every: Duration.hours(1),
  maxAccounts: 8
}

/** A database with all tables of a cluster, and no worker. */
export const prepared = Effect.gen(function*() {
  const { sql, url } = yield* database
  const names = yield* Tables.names({})
  const withSql = Effect.provideService(SqlClient.SqlClient, sql)
  yield* withSql(Migrations.run(sql, names))
  const [members, ledger] = [Members.make(sql, names), Ledger.make(sql, names)]
  return {
    sql,
    url,
    names,
    ledger,
    members,
    run: withSql,
    read: withSql(Status.read()),
    join: (name = "one") => members.join({ ...settings, name }, 0),
    /** Lets the time of a worker pass. */
    expire: (id: string) =>
      sql`UPDATE cluster_workers SET alive_until = clock_timestamp() - interval '1 second' WHERE id = ${id}::uuid`
  }
})
