/** What the program does if PostgreSQL does not answer. */
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { found } from "@mailstream/testing/Eventually"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Tcp from "@mailstream/testing/Tcp"
import { Context, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { inside } from "../support/inside.ts"
import { slow, start } from "../support/program.ts"
import { contacts, paging, serving } from "../support/service.ts"

const connect = (url: string) =>
  Effect.map(
    Layer.build(PgClient.layer({ url: Redacted.make(url), applicationName: "other" })),
    (context) => Context.get(context, SqlClient.SqlClient)
  )

const setup = Effect.gen(function*() {
  const items = contacts(3)
  const service = yield* serving((url) => paging(items)(url))
  const tcp = yield* Tcp.make("127.0.0.1", Number(new URL(Provided.postgres()).port))
  const url = Redacted.value(yield* Postgres.createDatabase(Provided.postgres()))
  const through = Object.assign(new URL(url), { port: String(tcp.port) }).href
  const env = { ...service.env, MAILSTREAM_DATABASE_URL: through }
  const { code } = yield* inside(["sync", "--lists", "contacts"], { env })
  assert.strictEqual(code, 0)
  return { env, sql: yield* connect(url), tcp }
})

const commands = [
  ["sync", "--lists", "contacts"],
  ["sync", "--lists", "contacts", "--every", "1h"],
  ["sync", "status"],
  ["changes", "contacts", "--follow"],
  ["changes", "contacts", "--follow", "--consumer", "crm"]
]

describe.each(commands.map((command) => [command.join(" "), command] as const))("%s", (_, command) => {
  /** To stop what never ends by itself is not a failure. */
  const endless = command.includes("--follow") || command.includes("--every")

  it.scopedLive("ends on SIGTERM while it waits for a lock", () =>
    Effect.gen(function*() {
      const { env, sql } = yield* setup
      const isLocked = yield* Deferred.make<void>()
      const lock = yield* sql`LOCK TABLE contacts, mirror_lists, mirror_changes IN ACCESS EXCLUSIVE MODE`.pipe(
        Effect.zipRight(Deferred.succeed(isLocked, undefined)),
        Effect.zipRight(Effect.never),
        sql.withTransaction,
        Effect.fork
      )
      yield* Deferred.await(isLocked)
      const program = yield* start(command, { env })
      const waiting =
        sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      yield* found("it waits", waiting, (rows) => rows.length > 0)
      yield* program.kill("SIGTERM")
      const { code, stderr } = yield* program.finished
      assert.strictEqual(code, endless ? 0 : 143)
      assert.notInclude(stderr, "Waited")
      yield* found("it no longer waits", waiting, (rows) => rows.length === 0, 5)
      yield* Fiber.interrupt(lock)
    }), slow)

  it.scopedLive("ends on SIGTERM if the network loses everything", () =>
    Effect.gen(function*() {
      const { env, sql, tcp } = yield* setup
      const program = yield* start(command, { env })
      const connected = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = 'mailstream'`
      yield* found("it is connected", connected, (rows) => rows.length > 0)
      yield* tcp.freeze
      yield* program.kill("SIGTERM")
      const { code } = yield* program.finished
      // `sync` and `sync status` may have ended before.
      assert.include(endless ? [0] : [0, 143], code)
      yield* tcp.thaw
    }), slow)
})

describe("changes --follow", () => {
  for (const consumer of [[], ["--consumer", "crm"]]) {
    it.scopedLive(`survives a restart of PostgreSQL ${consumer.join(" ")}`, () =>
      Effect.gen(function*() {
        const server = yield* Postgres.running
        const items = contacts(3)
        const service = yield* serving((url) => paging(items)(url))
        const env = { ...service.env, MAILSTREAM_DATABASE_URL: server.url }
        const sync = Effect.map(inside(["sync", "--lists", "contacts"], { env }), ({ code }) => code)
        assert.strictEqual(yield* sync, 0)
        const program = yield* start(["changes", "contacts", "--follow", ...consumer], { env })
        for (const seq of [1, 2, 3]) assert.propertyVal(JSON.parse(yield* program.line), "seq", seq)
        yield* Effect.promise(server.restart)
        assert.match(
          yield* found("it says that it waits", program.said, (line) => line.startsWith("warning")),
          /^warning: contacts: the database is unavailable: .+\. Waiting for it, for up to an hour\.$/
        )
        items.pop()
        assert.strictEqual(yield* sync, 0)
        assert.propertyVal(JSON.parse(yield* program.line), "kind", "Deleted")
        yield* program.kill("SIGTERM")
        assert.strictEqual((yield* program.finished).code, 0)
      }), slow)
  }
})
