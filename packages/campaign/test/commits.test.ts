/** A commit whose response is lost. */
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Campaign } from "@mailstream/campaign"
import * as PostgresClient from "@mailstream/sql/Postgres"
import { found } from "@mailstream/testing/Eventually"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Tcp from "@mailstream/testing/Tcp"
import { Effect, Layer, Redacted } from "effect"
import { newsTo, people, quick } from "./support/people.ts"
import * as Service from "./support/service.ts"

/** Lets the first commit of a change wait for a second, and tells whether it does. */
const firstCommitOf = (change: string) =>
  Effect.gen(function*() {
    // Creates the tables.
    yield* Campaign.list
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE SEQUENCE commits`
    yield* sql.unsafe(`CREATE FUNCTION wait_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('commits') = 1 THEN PERFORM pg_sleep(1); END IF;
      RETURN NULL;
    END $$`)
    yield* sql.unsafe(`CREATE CONSTRAINT TRIGGER late AFTER ${change}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait_once()`)
    return sql<{ readonly waits: boolean }>`SELECT is_called AS waits FROM commits`
  })

describe("a commit that PostgreSQL completes after its connection was lost", () => {
  it.scopedLive.each(
    [
      ["a plan", "INSERT ON mailstream_units"],
      ["the outcome of a request", "UPDATE OF state ON mailstream_recipients"],
      ["the end", "UPDATE OF ended_at ON mailstream_campaigns"]
    ] as const
  )("is recognized: %s", ([_, change]) =>
    Effect.gen(function*() {
      const url = new URL(Redacted.value(yield* Postgres.createSchema(Provided.postgres())))
      const tcp = yield* Tcp.make("127.0.0.1", Number(url.port))
      const direct = yield* Layer.build(PgClient.layer({ url: Redacted.make(url.href) }))
      const look = yield* Effect.provide(firstCommitOf(change), direct)
      const through = Object.assign(new URL(url), { port: String(tcp.port) })
      const database = PostgresClient.layer({ url: Redacted.make(through.href), maxConnections: 4 })
      const service = yield* Service.make
      const running = yield* Campaign.run(newsTo(people(12)), { ...quick, lease: "10 seconds" }).pipe(
        Effect.provide(Layer.merge(service.client, database)),
        Effect.fork
      )
      yield* found("it waits", look, ([commits]) => commits?.waits === true)
      yield* tcp.cut
      assert.deepInclude(yield* running.await.pipe(Effect.flatten), { accepted: 12, planned: 0, undecided: 0 })
      assert.deepStrictEqual(
        [...service.addresses()].sort(),
        people(12).map(({ email }) => email).sort()
      )
      assert.deepInclude(
        yield* Campaign.status("news").pipe(Effect.provide(direct)),
        { accepted: 12, rejected: 0, planned: 0 }
      )
    }))
})
