import { NodeFileSystem } from "@effect/platform-node"
import { SqlClient, type SqlError } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Accounts, Database, Status, Worker } from "@mailstream/cluster"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Recorder from "@mailstream/testing/Recorder"
import { down } from "@mailstream/testing/Sample"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Exit, Layer, Logger, Redacted, Scope } from "effect"
import { writeFileSync } from "node:fs"
import * as Migrations from "../src/internal/migrations.ts"
import * as Tables from "../src/internal/tables.ts"
import { dump } from "./support/dump.ts"
import * as Inside from "./support/inside.ts"
import { copies, database, make, quick, status } from "./support/processes.ts"
import { until } from "./support/waiting.ts"

/** What a worker says from its start to its end, before which something may happen to its database. */
const saidUntilTheEnd = (before: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlError.SqlError>) =>
  Effect.gen(function*() {
    const cluster = yield* make
    yield* cluster.writeAccounts
    const lines: Array<string> = []
    const logger = Logger.make<unknown, void>(({ annotations, logLevel, message }) => {
      if (logLevel._tag === "Info") lines.push([...[...annotations].map(([, value]) => value), message].join(": "))
    })
    yield* Inside.start(cluster, { name: "one" }).pipe(
      Effect.zipRight(until("it is there", status(cluster), ({ runners }) => runners.length === 1)),
      Effect.zipRight(before(cluster.sql)),
      Effect.scoped,
      Effect.provide(Logger.replace(Logger.defaultLogger, logger))
    )
    return lines
  })

describe("a worker whose database refuses its beats", () => {
  it.scopedLive("says why, and what to do, until it is done", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { sql } = cluster
      yield* cluster.writeAccounts
      const lines: Array<string> = []
      const logger = Logger.make<unknown, void>(({ message }) => void lines.push(String(message)))
      const line = (pattern: RegExp) =>
        until(String(pattern), Effect.sync(() => lines.some((line) => pattern.test(line))), (isThere) => isThere)
      yield* sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION ''could not extend file'' USING ERRCODE = ''53100''; END'`
      yield* Effect.gen(function*() {
        yield* Inside.start(cluster)
        yield* sql`CREATE TRIGGER refusing BEFORE UPDATE ON cluster_workers FOR EACH ROW EXECUTE FUNCTION refuse()`
        yield* line(
          /cannot be used: the disk of PostgreSQL is full: make room; the workers go on by themselves \(could not extend file\)\. It did/
        )
        yield* sql`DROP TRIGGER refusing ON cluster_workers`
        yield* line(/can be used again/)
      }).pipe(Effect.scoped, Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    }), 60_000)
})

describe("a worker that ends", () => {
  it.scopedLive("says so once it has left", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* saidUntilTheEnd(() => Effect.void), [
        "one: This worker takes part.",
        "one: This worker has stopped taking part."
      ])
    }))

  it.scopedLive("does not say so if it could not leave", () =>
    Effect.gen(function*() {
      const lines = yield* saidUntilTheEnd((sql) => sql`DROP TABLE cluster_workers CASCADE`)
      assert.notInclude(lines.join(), "stopped taking part")
    }))
})

describe("a worker", () => {
  it.scopedLive(
    "copies healthy accounts beside failing ones, which back off by themselves",
    () =>
      Effect.gen(function*() {
        const cluster = yield* make
        const { service, sql } = cluster
        // The table notes every change of an account that has failed.
        yield* Effect.provideService(Migrations.run(sql, yield* Tables.names({})), SqlClient.SqlClient, sql)
        yield* sql`CREATE TABLE failures (account text, attempts int, started timestamptz, next_at timestamptz, wait float8)`
        yield* sql`CREATE FUNCTION note_failure() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO failures
          VALUES (NEW.id, NEW.attempts, NEW.last_started, NEW.next_at, extract(epoch FROM NEW.next_at - NEW.last_finished));
          RETURN NULL; END'`
        yield* sql`CREATE TRIGGER noted AFTER UPDATE ON cluster_accounts FOR EACH ROW
          WHEN (NEW.attempts > OLD.attempts) EXECUTE FUNCTION note_failure()`
        for (const id of ["acme", "globex", "initech"]) service.add(id)
        const wrong = service.add("wrong", { isRefused: true })
        yield* cluster.writeAccounts
        yield* Inside.start(cluster, {
          maxAccounts: 2,
          every: "1 second",
          minBackoff: "2 seconds",
          maxBackoff: "1 minute"
        })
        yield* until("it has failed", status(cluster), ({ failures }) => (failures[0]?.attempts ?? 0) >= 1)
        const before = service.exchanges.length
        yield* until(
          "the others are copied again and again",
          Effect.sync(() => service.exchanges.length),
          (now) => now >= before + 20
        )
        assert.deepStrictEqual(yield* copies(cluster), { acme: 20, globex: 20, initech: 20 })
        const { accounts, failures } = yield* status(cluster)
        assert.include(accounts, { total: 4, failing: 1, neverCopied: 1 })
        assert.strictEqual(failures[0]?.account, "wrong")
        assert.match(failures[0]!.error, /^contacts, topics: GET http\S+: API key +is invalid/)
        yield* until("it has failed again", status(cluster), ({ failures }) => (failures[0]?.attempts ?? 0) >= 2)
        wrong.isRefused = false
        yield* until("it recovers", status(cluster), ({ accounts }) => accounts.failing === 0)
        assert.strictEqual((yield* copies(cluster))["wrong"], 20)
        // It waits for at least half of 2 seconds, then of 4, and no attempt begins before it is due.
        const noted = yield* sql<{ account: string; attempts: number; wait: number; in_time: boolean | null }>`
          SELECT account, attempts, wait, started >= lag(next_at) OVER (ORDER BY attempts) AS in_time
          FROM failures ORDER BY attempts`
        assert.isAtLeast(noted.length, 2)
        noted.forEach(({ account, attempts, in_time, wait }, at) => {
          assert.deepStrictEqual([account, attempts, in_time], ["wrong", at + 1, at === 0 ? null : true])
          assert.isAtLeast(wait, 2 ** at)
          assert.isAtMost(wait, 2 * 2 ** at)
        })
      }),
    60_000
  )

  it.scopedLive(
    "lets a pass fail whose end the database refuses, and gives its place to others",
    () =>
      Effect.gen(function*() {
        const cluster = yield* make
        const { service, sql } = cluster
        yield* Effect.provideService(Migrations.run(sql, yield* Tables.names({})), SqlClient.SqlClient, sql)
        yield* sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
        IF NEW.last_succeeded IS DISTINCT FROM OLD.last_succeeded OR NEW.id = ''never'' AND NEW.attempts > 0
          THEN RAISE ''not this one''; END IF;
        RETURN NEW; END'`
        yield* sql`CREATE TRIGGER refused BEFORE UPDATE ON cluster_accounts FOR EACH ROW
        WHEN (NEW.id IN ('acme', 'never')) EXECUTE FUNCTION refuse()`
        for (const id of ["acme", "globex", "initech", "never"]) service.add(id)
        yield* cluster.writeAccounts
        const lines: Array<string> = []
        const logger = Logger.make(({ logLevel, message }) => {
          lines.push(`${logLevel.label} ${String(message)}`)
        })
        yield* Inside.start(cluster, { maxAccounts: 1, every: "1 hour", minBackoff: "1 second" }).pipe(
          Effect.provide(Logger.add(logger))
        )
        const { failures: [failure] } = yield* until(
          "the others are copied",
          status(cluster),
          ({ accounts, failures }) => accounts.neverCopied === 2 && (failures[0]?.attempts ?? 0) >= 2
        )
        assert.include(failure, {
          account: "acme",
          error: "the end of the pass could not be recorded; see the log"
        })
        assert.include(lines, "WARN Could not record how a turn ended: not this one")
        yield* until(
          "an account's failure cannot be recorded, either",
          Effect.sync(() => lines),
          (lines) => lines.includes("ERROR Could not record that a turn failed: not this one")
        )
      }),
    60_000
  )

  it.scopedLive("says once that a database which only confirms its beats cannot be used", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { sql } = cluster
      yield* cluster.writeAccounts
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => {
        lines.push(String(message))
      })
      const health = yield* Effect.provide(Inside.start(cluster), Logger.add(logger))
      const ready = Effect.promise(() => fetch(`${health}/health/ready`).then(({ status }) => status))
      yield* until("it is ready", ready, (status) => status === 200)
      yield* sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''read only''; END'`
      yield* sql`CREATE TRIGGER refused BEFORE UPDATE ON cluster_accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse()`
      yield* until("it says so", ready, (status) => status === 503)
      yield* Effect.sleep("2 seconds")
      assert.strictEqual(yield* ready, 503)
      const outages = () => lines.filter((line) => line.startsWith("The database can"))
      assert.lengthOf(outages(), 1)
      assert.match(outages()[0]!, /cannot be used: read only/)
      yield* sql`DROP TRIGGER refused ON cluster_accounts`
      yield* until("it is ready again", ready, (status) => status === 200)
      assert.lengthOf(outages(), 2)
    }), 60_000)

  it.scopedLive("sends nothing for accounts that are not due", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { service } = cluster
      for (let n = 0; n < 10; n++) service.add(`account-${n}`)
      yield* cluster.writeAccounts
      yield* Inside.start(cluster, { every: "1 hour" })
      yield* until(
        "all are copied",
        status(cluster),
        ({ accounts }) => accounts.total === 10 && accounts.neverCopied === 0 && accounts.working === 0
      )
      const requests = service.exchanges.length
      // Once an account that was added is copied, the worker has looked at all of them again.
      service.add("added")
      yield* cluster.writeAccounts
      yield* until("the added one is copied", status(cluster), ({ accounts }) =>
        accounts.total === 11 && accounts.neverCopied === 0)
      assert.strictEqual(
        service.exchanges.filter(({ account }) =>
          account !== "added"
        ).length,
        requests
      )
    }), 60_000)

  it.scopedLive(
    "leaves nothing of itself behind when it stops, and its accounts to others at once",
    () =>
      Effect.gen(function*() {
        const cluster = yield* make
        const { service, sql } = cluster
        service.add("acme", { topics: down(1000, 1), delay: 300 })
        yield* cluster.writeAccounts
        const scope = yield* Scope.make()
        yield* Scope.extend(Inside.start(cluster), scope)
        yield* until("it is in a pass", Effect.sync(() => service.exchanges.length), (count) => count >= 3)
        yield* Scope.close(scope, Exit.void)
        const { accounts, runners } = yield* status(cluster)
        assert.deepStrictEqual([runners, accounts.working, accounts.due], [[], 0, 1])
        const requests = service.exchanges.length
        yield* Inside.start(cluster)
        yield* until(
          "the other one continues",
          Effect.sync(() => service.exchanges.length),
          (now) => now > requests,
          "3 seconds"
        )
        assert.lengthOf(yield* sql`SELECT id FROM cluster_accounts WHERE spent > 0`, 0)
      }),
    60_000
  )

  it.scopedLive(
    "joins again under another identity when it was taken for lost, and works on",
    () =>
      Effect.gen(function*() {
        const cluster = yield* make
        const { service, sql } = cluster
        service.add("acme", { topics: down(1000, 1), delay: 300 })
        yield* cluster.writeAccounts
        yield* Inside.start(cluster, { name: "one" })
        // In the middle of the topics, when the contacts are complete.
        yield* until("it is in a pass", Effect.sync(() => service.exchanges.length), (count) => count >= 6)
        const [before] = (yield* status(cluster)).runners
        yield* sql`UPDATE cluster_workers SET alive_until = now() - interval '1 second'`
        const { runners } = yield* until("it has joined again", status(cluster), ({ accounts, runners }) =>
          runners.some(({ id, isHealthy }) =>
            isHealthy && id !== before?.id
          ) && accounts.working === 1)
        assert.deepStrictEqual(
          runners.map(({ name }) =>
            name
          ),
          ["one"]
        )
        yield* until("the pass ends", status(cluster), ({ accounts }) => accounts.neverCopied === 0)
        // It has continued where it was.
        const paths = service.exchanges.map(({ path }) => path)
        assert.isAtMost(paths.length - new Set(paths).size, 2)
      }),
    60_000
  )

  it.scopedLive("copies in sessions whose clocks change in spring and autumn", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      cluster.service.add("acme")
      yield* cluster.writeAccounts
      const zoned = new URL(Redacted.value(cluster.url))
      zoned.searchParams.set("options", "-c TimeZone=Europe/Berlin")
      yield* Inside.start({ ...cluster, url: Redacted.make(zoned.href) })
      yield* until("it is copied", copies(cluster), ({ acme }) => acme === 20)
    }))

  it.scopedLive("shares nothing with another one in the same app", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      cluster.service.add("acme")
      yield* cluster.writeAccounts
      const workers = [0, 1].map((index) => Layer.discard(Worker.layer({ ...quick, prefix: `app${index}_` })))
      yield* Layer.build(
        Layer.mergeAll(Layer.empty, ...workers).pipe(
          Layer.provide([
            Layer.provide(Accounts.layerFile(cluster.file), NodeFileSystem.layer),
            Database.layer({ url: cluster.url }),
            UndiciTransport.layer
          ])
        )
      )
      for (const prefix of ["app0_", "app1_"]) {
        yield* until(`${prefix} is copied`, copies(cluster, prefix), ({ acme }) => acme === 20)
      }
    }))

  it.scopedLive("shares a database with another cluster", () =>
    Effect.gen(function*() {
      const [cluster, other] = [yield* make, yield* make]
      cluster.service.add("acme")
      other.service.add("acme", { contacts: down(7, 1) })
      other.service.add("globex", { contacts: down(8, 1) })
      yield* cluster.writeAccounts
      yield* other.writeAccounts
      yield* Inside.start(cluster)
      yield* Inside.start({ ...other, url: cluster.url }, { prefix: "eu_" })
      yield* until("the first is copied", copies(cluster), ({ acme }) => acme === 20)
      const second = yield* until("the other is copied", copies(cluster, "eu_"), ({ acme, globex }) =>
        acme !== undefined && globex !== undefined)
      assert.deepStrictEqual(second, { acme: 7, globex: 8 })
      for (const prefix of ["", "eu_"]) {
        assert.lengthOf((yield* status(cluster, prefix)).runners, 1)
      }
      assert.deepStrictEqual(yield* copies(cluster), { acme: 20 })
    }), 60_000)

  it.scopedLive("warns of accounts that are gone from its file, from its start on", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      for (const id of ["acme", "globex", "initech"]) cluster.service.add(id)
      yield* cluster.writeAccounts
      const lines: Array<string> = []
      const logger = Logger.make<unknown, void>(({ annotations, logLevel, message }) => {
        if (logLevel._tag === "Warning") lines.push([...[...annotations].flat(), message].join(" "))
      })
      yield* Inside.start(cluster, { name: "one" }).pipe(
        Effect.zipRight(Effect.sync(() => writeFileSync(cluster.file, "[]"))),
        Effect.zipRight(until("it is said", Effect.sync(() => lines), ({ length }) => length > 0)),
        Effect.scoped,
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      assert.match(lines[0] ?? "", /^worker one Accounts: 0, after 3 before: .+accounts\.json\. /)
    }), 60_000)

  it.scopedLive("keeps keys out of the database, the logs and the spans", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      const { service, sql } = cluster
      service.add("acme")
      service.add("wrong", { isRefused: true })
      yield* cluster.writeAccounts
      const log: Array<string> = []
      yield* Inside.start(cluster).pipe(Effect.provide(Recorder.layerText((line) => log.push(line))))
      yield* until("one is copied, and one fails", status(cluster), ({ accounts }) =>
        accounts.failing === 1 && accounts.neverCopied === 1)
      assert.isAbove(log.length, 5)
      assert.match(log.join(""), /Worker\.turn[^]*mailstream\.account[^]*mailstream\.turn/)
      for (const text of [log.join(""), yield* dump(sql)]) {
        assert.include(text, "wrong")
        assert.notInclude(text, "re_secret")
      }
    }), 60_000)
})

describe("a worker does not start", () => {
  const starting = (options: Worker.Options, client: Layer.Layer<SqlClient.SqlClient, unknown>) =>
    Effect.flip(Layer.build(
      Worker.layer(options).pipe(
        Layer.provide(Layer.orDie(Layer.mergeAll(Accounts.layerMemory([]), UndiciTransport.layer, client)))
      )
    ))

  it.scopedLive.each<readonly [options: Worker.Options, message: RegExp]>([
    [{ every: 0 }, /^every must be a finite duration of at least 1s/],
    [{ every: Infinity }, /^every must be a finite duration/],
    [{ slice: -1 }, /^slice must be/],
    [{ lockExpiration: "1 second" }, /^lockExpiration must be a finite duration of at least 3s/],
    [{ maxAccounts: 0 }, /^maxAccounts must be an integer from 1 to 1000/],
    [{ maxAccounts: 1.5 }, /^maxAccounts must be/],
    [{ name: "one\n" }, /^name must have no control characters/],
    [{ prefix: "EU-" }, /^prefix must consist of/],
    [{ prefix: "x".repeat(25) }, /^prefix must consist of at most 24/],
    [{ minBackoff: "1 minute", maxBackoff: "1 second" }, /^maxBackoff must be a finite duration of at least 1m/],
    [{ baseUrl: "api.example.com" }, /^baseUrl must be an http or https URL/],
    [{ lists: [] }, /^lists must have at least one of/],
    [{ lanes: 0 }, /^lanes must be an integer from 1 to 100/],
    [{ pageSize: 101 }, /^pageSize must be an integer from 1 to 100/],
    [{ maxDeleted: NaN }, /^maxDeleted must be a number from 0 to 1/],
    [{ timeout: 0 }, /^timeout must be a duration/],
    [{ rateLimit: { requests: 0 } }, /^rateLimit.requests must be/],
    [{ hostRateLimit: { requests: -1 } }, /^hostRateLimit.requests must be/],
    [{ hostRateLimit: { requests: 1, per: 0 } }, /^hostRateLimit.per must be/]
  ])("with %j", ([options, message]) =>
    Effect.gen(function*() {
      const error = yield* starting(options, Sqlite.layer({ filename: yield* Temporary.file("mail.db") }))
      assert(error._tag === "InvalidOption")
      assert.match(error.message, message)
    }))

  it.scopedLive("on SQLite", () =>
    Effect.gen(function*() {
      const error = yield* starting({}, Sqlite.layer({ filename: yield* Temporary.file("mail.db") }))
      assert(error._tag === "UnsuitableDatabase")
      assert.match(error.message, /needs PostgreSQL/)
    }))

  it.scopedLive("where none has ever been, there is no status either", () =>
    Effect.gen(function*() {
      const { sql } = yield* database
      const error = yield* Effect.flip(Effect.provideService(Status.read(), SqlClient.SqlClient, sql))
      assert(error._tag === "NoCluster")
      assert.match(error.message, /There is no table cluster_workers/)
    }))
})
