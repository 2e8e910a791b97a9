/** A PostgreSQL that does not answer: because of a lock, or of a network that loses everything. */
import { SqlClient, type SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import type { InvalidOption } from "@mailstream/core"
import type { Mailstream } from "@mailstream/http"
import { type ConsumerMoved, Mirror } from "@mailstream/mirror"
import { Postgres, StatementTimeout } from "@mailstream/sql"
import { contacts } from "@mailstream/stream"
import { found } from "@mailstream/testing/Eventually"
import * as Server from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Tcp from "@mailstream/testing/Tcp"
import { Context, Deferred, Effect, Either, Exit, Fiber, Layer, Logger, Redacted, Stream, TestClock } from "effect"
import { randomUUID } from "node:crypto"
import { layerOf, sync } from "../support/copying.ts"
import { contact, make } from "../support/service.ts"

const connect = (url: Redacted.Redacted, applicationName: string) =>
  Effect.map(
    Layer.build(PgClient.layer({ url, applicationName })),
    (context) => Context.get(context, SqlClient.SqlClient)
  )

const setup = (limits: Postgres.Limits) =>
  Effect.gen(function*() {
    const service = yield* make
    service.lists.set("/contacts", [contact(2), contact(1)])
    const url = yield* Server.createSchema(Provided.postgres())
    const tcp = yield* Tcp.make("127.0.0.1", Number(new URL(Provided.postgres()).port))
    const through = Object.assign(new URL(Redacted.value(url)), { port: String(tcp.port) })
    const name = randomUUID()
    const sql = Postgres.bounded(yield* connect(Redacted.make(through.href), name), limits)
    const other = yield* connect(url, "other")
    const layer = yield* Layer.build(layerOf(service, Context.make(SqlClient.SqlClient, sql)))
    yield* Effect.provide(sync("contacts"), layer)
    return { layer, name, other, service, tcp }
  })

/** Locks a table until the effect ends. */
const locked = <A, E, R>(sql: SqlClient.SqlClient, table: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const isLocked = yield* Deferred.make<void>()
    const fiber = yield* sql`LOCK TABLE ${sql(table)} IN ACCESS EXCLUSIVE MODE`.pipe(
      Effect.zipRight(Deferred.succeed(isLocked, undefined)),
      Effect.zipRight(Effect.never),
      sql.withTransaction,
      Effect.fork
    )
    yield* Deferred.await(isLocked)
    return yield* Effect.ensuring(effect, Fiber.interrupt(fiber))
  })

type Work = Effect.Effect<
  unknown,
  Mirror.SyncFailed | SqlError.SqlError | InvalidOption | ConsumerMoved,
  Mirror.Mirror | Mailstream.Mailstream
>

/** Whatever reads the copy or writes to it. */
const works: Record<"changes" | "process" | "purge" | "status" | "sync", Work> = {
  sync: Effect.flatMap(Mirror.Mirror, (mirror) => mirror.sync({ lists: ["contacts"] })),
  status: Effect.flatMap(Mirror.Mirror, ({ status }) => status),
  changes: Effect.flatMap(Mirror.Mirror, (mirror) => Stream.runDrain(mirror.changes(contacts))),
  process: Effect.flatMap(Mirror.Mirror, (mirror) => mirror.process(contacts, "crm", () => Effect.void)),
  purge: Effect.flatMap(Mirror.Mirror, (mirror) => mirror.purge(0))
}

describe.each(Object.entries(works))("%s on a silent PostgreSQL", (name, work) => {
  const table = name === "sync" ? "mirror_lists" : "contacts"

  it.scopedLive("fails, and says what it waited for", () =>
    Effect.gen(function*() {
      const { layer, other } = yield* setup({ lock: "200 millis" })
      const error = yield* Effect.provide(locked(other, table, Effect.flip(work)), layer)
      assert.match(
        error.message,
        new RegExp(
          `Waited [\\d.]+ s for a lock on table ${table}, which another session \\(process \\d+, other\\) holds`
        )
      )
      yield* Effect.provide(work, layer)
    }))

  it.scopedLive("can be interrupted while it waits for a lock", () =>
    Effect.gen(function*() {
      const { layer, name, other } = yield* setup({})
      const waiting =
        other`SELECT 1 FROM pg_stat_activity WHERE application_name = ${name} AND wait_event_type = 'Lock'`
      const interrupt = Effect.gen(function*() {
        const fiber = yield* Effect.fork(work)
        yield* found("it waits", waiting, (rows) => rows.length > 0)
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
        yield* found("it no longer waits", waiting, (rows) => rows.length === 0, 5)
      })
      yield* Effect.provide(locked(other, table, interrupt), layer)
    }))

  it.scopedLive("fails or can be interrupted if the network loses everything", () =>
    Effect.gen(function*() {
      const { layer, tcp } = yield* setup({ lock: "300 millis" })
      yield* Effect.gen(function*() {
        yield* tcp.freeze
        const error = yield* Effect.flip(work)
        const cause = error._tag === "SyncFailed"
          ? error.failures[0]?.error
          : error
        assert(cause?._tag === "SqlError" && cause.cause instanceof StatementTimeout)
        assert.strictEqual(cause.cause.reason, "Silent")
        const fiber = yield* Effect.fork(work)
        yield* Effect.yieldNow()
        assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(fiber)))
        yield* tcp.thaw
      }).pipe(Effect.provide(layer))
    }))
})

describe("sync of all lists", () => {
  const all = Effect.flatMap(Mirror.Mirror, (mirror) => mirror.syncEither())

  it.scopedLive("does not wait for each of them while the state of all is locked", () =>
    Effect.gen(function*() {
      const { layer, other } = yield* setup({ lock: "200 millis" })
      const reports = yield* Effect.provide(locked(other, "mirror_lists", all), layer)
      const errors = new Set(reports.map(({ result }) => Either.isLeft(result) ? result.left : undefined))
      assert.isAbove(reports.length, 1)
      assert.strictEqual(errors.size, 1)
      assert.match(`${[...errors][0]?.message}`, /for a lock on table mirror_lists/)
    }))

  it.scopedLive("copies the others while the table of one is locked", () =>
    Effect.gen(function*() {
      const { layer, other } = yield* setup({ lock: "500 millis" })
      const reports = yield* Effect.provide(locked(other, "contacts", all), layer)
      // The service has none of the others.
      const failed = reports.flatMap(({ list, result }) =>
        Either.isLeft(result) && result.left._tag !== "not_found" ? [list] : []
      )
      assert.deepStrictEqual(failed, ["contacts"])
    }))
})

describe("changes that are polled", () => {
  it.scoped("survive an outage of PostgreSQL, and say so", () =>
    Effect.gen(function*() {
      const { layer, name, other, service, tcp } = yield* setup({ lock: "300 millis" })
      const logged: Array<string> = []
      const logger = Logger.replace(Logger.defaultLogger, Logger.make(({ message }) => void logged.push(`${message}`)))
      const handled: Array<number> = []
      /** Lets time pass until something is so. */
      const passing = (what: string, isSo: () => boolean) =>
        found(what, Effect.zipRight(TestClock.adjust("1 second"), Effect.sync(isSo)), (is) => is, 20)
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const handle = ({ seq }: { readonly seq: number }) => Effect.sync(() => handled.push(seq))
        const fiber = yield* Effect.fork(mirror.process(contacts, "crm", handle, { poll: "1 second" }))
        yield* passing("all are handled", () => handled.length === 2)
        yield* other`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ${name}`
        yield* tcp.freeze
        yield* passing("it waits", () => logged.length > 0)
        assert.match(logged[0]!, /^contacts: the database is unavailable: .+\. Waiting for it, for up to an hour\.$/)
        yield* tcp.thaw
        yield* passing("it is there again", () => logged.includes("contacts: the database is available again."))
        service.lists.set("/contacts", [contact(3), contact(2), contact(1)])
        yield* Effect.retry(sync("contacts"), { times: 5 })
        yield* passing("the next one is handled", () => handled.length === 3)
        assert.deepStrictEqual(handled, [1, 2, 3])
        yield* Fiber.interrupt(fiber)
      }).pipe(Effect.provide(layer), Effect.provide(logger))
    }))

  it.scoped("fail at once without poll", () =>
    Effect.gen(function*() {
      const { layer, tcp } = yield* setup({ lock: "300 millis" })
      yield* tcp.freeze
      const error = yield* Effect.flip(Effect.provide(works.changes, layer))
      assert.strictEqual(error._tag, "SqlError")
      yield* tcp.thaw
    }))
})
