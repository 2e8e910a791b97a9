import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Resource, TopicId } from "@mailstream/core"
import { Auth, Server, SqlStore, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { jumping, settle } from "@mailstream/testing/Clock"
import { found } from "@mailstream/testing/Eventually"
import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import * as Tcp from "@mailstream/testing/Tcp"
import { Array, Context, Deferred, Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs"
import { type AddressInfo, connect, createServer, type Server as TcpServer, type Socket } from "node:net"
import { assertError, page, post, type Received, send } from "./support/http.ts"
import { freshDatabase, temporaryFile } from "./support/stores.ts"

/** Locks a file in another process, and returns how to unlock it. */
const lock = (file: string): Effect.Effect<{ readonly unlock: Effect.Effect<unknown> }, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { child, finished, line } = yield* Process.start([Provided.program("lock"), file])
    assert.strictEqual(yield* line, "locked")
    return { unlock: Effect.zipRight(Effect.sync(() => child.stdin.end()), finished) }
  })

/** A server on a file. */
const onFile = (filename: string) =>
  Server.layerTest({ store: Layer.orDie(Layer.fresh(SqlStore.layerSqlite({ filename }))) })

const create = post("/topics", { name: "News" })

const assertUnavailable = (response: Received): void => {
  assertError(response, 503, "service_unavailable")
  assert.strictEqual(response.headers.get("retry-after"), "1")
}

const assertCreated = ({ status, text }: Received): void => assert.strictEqual(status, 201, text)

const topics = Effect.map(page("/topics?limit=100"), ({ data }) => data.length)

describe("a SQLite file that another process has locked", () => {
  it.scoped(
    "can be read, rejects writes with a 503, and accepts them again once it is unlocked",
    () =>
      Effect.gen(function*() {
        const file = yield* temporaryFile
        yield* Effect.gen(function*() {
          yield* SampleData.insert({ contacts: 3 })
          assertCreated(yield* create)
          const { unlock } = yield* lock(file)
          for (let round = 0; round < 2; round++) {
            const responses = yield* jumping(Effect.all(Array.replicate(create, 8), { concurrency: "unbounded" }))
            for (const response of responses) assertUnavailable(response)
            assert.strictEqual((yield* page("/contacts")).data.length, 3)
            assert.strictEqual(yield* topics, 1)
          }
          yield* unlock
          for (let count = 2; count < 10; count++) {
            assertCreated(yield* create)
            assert.strictEqual(yield* topics, count)
          }
        }).pipe(Effect.provide(onFile(file)))
      }),
    60_000
  )

  it.scoped("is waited for", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      yield* Effect.gen(function*() {
        const { unlock } = yield* lock(file)
        const creating = yield* Effect.fork(Effect.all(Array.replicate(create, 8), { concurrency: "unbounded" }))
        // While they wait, others are served.
        yield* Effect.repeatN(page("/contacts"), 5)
        assert.strictEqual(creating.unsafePoll(), null)
        yield* unlock
        for (const response of yield* jumping(Fiber.join(creating))) assertCreated(response)
        assert.strictEqual(yield* topics, 8)
      }).pipe(Effect.provide(onFile(file)))
    }), 60_000)

  it.scoped.each(["new", "used before"])(
    "is waited for at the start of a server, too: a file that is %s",
    (kind) =>
      Effect.gen(function*() {
        const file = yield* temporaryFile
        if (kind === "used before") yield* Effect.scoped(Layer.build(onFile(file)))
        const { unlock } = yield* lock(file)
        const starting = yield* Effect.fork(Effect.provide(create, onFile(file)))
        yield* settle
        yield* unlock
        assertCreated(yield* jumping(Fiber.join(starting)))
      }),
    60_000
  )

  it.scoped("costs no open files", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      yield* Effect.gen(function*() {
        const store = yield* Store
        const insert = Effect.suspend(() => store.insert(Resource.topics, [{ id: TopicId.make(randomUUID()) }]))
        const { unlock } = yield* lock(file)
        const open = () => readdirSync("/proc/self/fd").length
        const before = open()
        for (let round = 0; round < 10; round++) {
          const error = yield* Effect.flip(jumping(insert))
          assert.strictEqual(error.reason, "Unavailable")
        }
        assert.isAtMost(open(), before + 5)
        yield* unlock
        yield* insert
      }).pipe(Effect.provide(onFile(file)))
    }), 60_000)
})

describe("a SQLite file that is gone", () => {
  it.scopedLive("is a 503 until it is back, and what replaces it is served", () =>
    Effect.gen(function*() {
      const file = yield* temporaryFile
      const apiKey = Redacted.make("re_same")
      // What will replace it: a copy with the same key, and two topics.
      yield* Effect.gen(function*() {
        yield* Auth.insertKey({ secret: apiKey })
        const store = yield* Store
        yield* store.insert(Resource.topics, Array.makeBy(2, () => ({ id: TopicId.make(randomUUID()) })))
      }).pipe(Effect.provide(Layer.fresh(SqlStore.layerSqlite({ filename: `${file}.other` }))))
      const server = Server.layerTest({ apiKey, store: Layer.orDie(SqlStore.layerSqlite({ filename: file })) })
      yield* Effect.gen(function*() {
        assertCreated(yield* create)
        renameSync(file, `${file}.away`)
        assertUnavailable(yield* create)
        assertUnavailable(yield* send("/topics"))
        // No empty file took its place.
        assert.isFalse(existsSync(file))
        renameSync(`${file}.away`, file)
        assertCreated(yield* create)
        assert.strictEqual(yield* topics, 2)

        rmSync(file)
        assertUnavailable(yield* create)
        copyFileSync(`${file}.other`, file)
        assertCreated(yield* create)
        assert.strictEqual(yield* topics, 3)
      }).pipe(Effect.provide(server))
    }), 60_000)
})

describe("a SQLite file on a full disk", () => {
  it.scopedLive(
    "can be read, rejects writes with a 503, and accepts them again once there is room",
    () =>
      Effect.gen(function*() {
        const apiKey = Redacted.make("re_full")
        const { line, pid } = yield* Process.start([
          Provided.program("serve"),
          Redacted.value(apiKey),
          "sqlite",
          yield* temporaryFile
        ])
        /** How far the process may write into a file, in bytes. */
        const limit = (size: string) =>
          Effect.sync(() => execFileSync("prlimit", ["--pid", String(pid), `--fsize=${size}:unlimited`]))
        const baseUrl = yield* line
        yield* Effect.gen(function*() {
          assertCreated(yield* create)
          yield* limit("1000")
          for (let round = 0; round < 3; round++) assertUnavailable(yield* create)
          assert.strictEqual(yield* topics, 1)
          yield* limit("unlimited")
          assertCreated(yield* create)
          assert.strictEqual(yield* topics, 2)
        }).pipe(Effect.provideService(Server.TestServer, { apiKey, baseUrl }))
      }),
    60_000
  )
})

/** A way to PostgreSQL that can be cut off, as if the database were restarted. */
const cuttable = (url: URL) =>
  Effect.gen(function*() {
    const sockets = new Set<Socket>()
    let isCut = false
    const proxy = yield* Effect.acquireRelease(
      Effect.async<TcpServer>((resume) => {
        const proxy = createServer((client) => {
          const database = connect(Number(url.port), url.hostname)
          for (const [socket, other] of [[client, database], [database, client]] as const) {
            sockets.add(socket)
            socket.on("error", () => {})
            socket.on("close", () => other.destroy())
            socket.pipe(other)
          }
          if (isCut) client.resetAndDestroy()
        }).listen(0, "127.0.0.1", () => resume(Effect.succeed(proxy)))
      }),
      (proxy) => Effect.sync(() => void proxy.close())
    )
    const { port } = proxy.address() as AddressInfo
    return {
      url: Redacted.make(Object.assign(new URL(url), { port: String(port) }).href),
      cut: () => {
        isCut = true
        for (const socket of sockets) socket.resetAndDestroy()
        sockets.clear()
      },
      restore: () => {
        isCut = false
      }
    }
  })

describe("PostgreSQL that is restarted", () => {
  it.scopedLive("is a 503 until it is back", () =>
    Effect.gen(function*() {
      const way = yield* cuttable(new URL(Redacted.value(yield* freshDatabase)))
      const server = Server.layerTest({ store: Layer.orDie(SqlStore.layerPostgres({ url: way.url })) })
      yield* Effect.gen(function*() {
        assertCreated(yield* create)
        for (let round = 0; round < 2; round++) {
          // In the middle of requests, too.
          const requests = yield* Effect.fork(
            Effect.all(Array.replicate(create, 30), { concurrency: "unbounded" })
          )
          yield* Effect.yieldNow()
          way.cut()
          for (const response of yield* Fiber.join(requests)) {
            if (response.status !== 201) assertUnavailable(response)
          }
          assertUnavailable(yield* create)
          assertUnavailable(yield* send("/topics"))
          assertUnavailable(yield* send("/contacts"))
          way.restore()
          assertCreated(yield* create)
          assert.strictEqual((yield* send("/topics")).status, 200)
        }
      }).pipe(Effect.provide(server))
    }), 60_000)
})

describe("PostgreSQL that does not respond", () => {
  // What succeeds takes less, also on a busy machine.
  const timeout = "2 seconds"

  it.scopedLive("because a table is locked is a 503 until it is unlocked", () =>
    Effect.gen(function*() {
      const url = yield* freshDatabase
      const server = Server.layerTest({ store: Layer.orDie(SqlStore.layerPostgres({ url, timeout })) })
      const sql = Context.get(yield* Layer.build(PgClient.layer({ url, maxConnections: 1 })), PgClient.PgClient)
      yield* Effect.gen(function*() {
        assertCreated(yield* create)
        for (const table of ["mailstream_items", "mailstream_secrets", "mailstream_counters"]) {
          yield* sql.withTransaction(Effect.gen(function*() {
            yield* sql`LOCK TABLE ${sql(table)} IN ACCESS EXCLUSIVE MODE`
            // More than there are connections.
            const responses = yield* Effect.all(Array.replicate(create, 15), { concurrency: "unbounded" })
            for (const response of responses) assertUnavailable(response)
          }))
          assertCreated(yield* create)
        }
        // Nothing was created by those that were refused.
        assert.strictEqual(yield* topics, 4)
      }).pipe(Effect.provide(server))
    }), 60_000)

  it.scopedLive("because a table is locked is a 503 for a complete list, too", () =>
    Effect.gen(function*() {
      const url = yield* freshDatabase
      const server = Server.layerTest({ store: Layer.orDie(SqlStore.layerPostgres({ url, timeout })) })
      const sql = Context.get(yield* Layer.build(PgClient.layer({ url, maxConnections: 1 })), PgClient.PgClient)
      yield* Effect.gen(function*() {
        yield* SampleData.insert({ contacts: 3 })
        const lists = ["/contacts", "/contacts?limit=5"]
        yield* sql.withTransaction(Effect.gen(function*() {
          yield* sql`LOCK TABLE mailstream_items IN ACCESS EXCLUSIVE MODE`
          for (const list of lists) assertUnavailable(yield* send(list))
        }))
        for (const list of lists) assert.strictEqual((yield* send(list)).status, 200)
        assert.strictEqual((yield* page("/contacts")).data.length, 3)
      }).pipe(Effect.provide(server))
    }), 60_000)

  const silent = (store: (url: Redacted.Redacted) => Layer.Layer<Store, unknown>) =>
    Effect.gen(function*() {
      const url = new URL(Redacted.value(yield* freshDatabase))
      const tcp = yield* Tcp.make(url.hostname, Number(url.port))
      const way = Redacted.make(Object.assign(new URL(url), { port: String(tcp.port) }).href)
      yield* Effect.gen(function*() {
        assertCreated(yield* create)
        for (let round = 0; round < 2; round++) {
          yield* tcp.freeze
          const responses = yield* Effect.all(Array.replicate(create, 15), { concurrency: "unbounded" })
          for (const response of responses) assertUnavailable(response)
          assertUnavailable(yield* send("/contacts"))
          yield* tcp.thaw
          yield* found("it is used again", create, ({ status }) => status === 201)
          assert.strictEqual((yield* send("/contacts")).status, 200)
        }
      }).pipe(Effect.provide(Server.layerTest({ store: Layer.orDie(store(way)) })))
    })

  it.scopedLive(
    "because nothing arrives is a 503 until it does",
    () => silent((url) => SqlStore.layerPostgres({ url, timeout })),
    60_000
  )

  it.scopedLive(
    "because nothing arrives is a 503 on any client",
    () => silent((url) => Layer.provide(SqlStore.layerWith({ timeout }), PgClient.layer({ url }))),
    60_000
  )

  it.scopedLive("does not hold up a shutdown", () =>
    Effect.gen(function*() {
      const url = new URL(Redacted.value(yield* freshDatabase))
      const tcp = yield* Tcp.make(url.hostname, Number(url.port))
      const way = Redacted.make(Object.assign(new URL(url), { port: String(tcp.port) }).href)
      const scope = yield* Scope.make()
      const asked = yield* Deferred.make<void>()
      let isFrozen = false
      const store = Layer.map(Layer.orDie(SqlStore.layerPostgres({ url: way, timeout })), (context) => {
        const inner = Context.get(context, Store)
        const told = Effect.suspend(() => isFrozen ? Deferred.succeed(asked, undefined) : Effect.void)
        return Context.make(Store, {
          ...inner,
          findSecrets: (prefix) => Effect.zipRight(told, inner.findSecrets(prefix))
        })
      })
      const context = yield* Layer.buildWithScope(Server.layerTest({ store, shutdownTimeout: "5 minutes" }), scope)
      yield* Effect.gen(function*() {
        assertCreated(yield* create)
        yield* tcp.freeze
        isFrozen = true
        const creating = yield* Effect.fork(create)
        yield* Deferred.await(asked)
        yield* Scope.close(scope, Exit.void)
        assertUnavailable(yield* Fiber.join(creating))
      }).pipe(Effect.provide(context))
    }), 20_000)

  it.scopedLive("when a server starts, can be interrupted", () =>
    Effect.gen(function*() {
      const url = yield* freshDatabase
      yield* Effect.scoped(Layer.build(SqlStore.layerPostgres({ url })))
      const sql = Context.get(yield* Layer.build(PgClient.layer({ url, maxConnections: 2 })), PgClient.PgClient)
      const locking = yield* sql.reserve
      yield* locking.executeUnprepared(
        "BEGIN; LOCK TABLE mailstream_migrations IN ACCESS EXCLUSIVE MODE",
        [],
        undefined
      )
      const starting = yield* Effect.fork(
        Effect.scoped(Layer.build(SqlStore.layerPostgres({ url, timeout: "1 hour" })))
      )
      yield* found(
        "it waits for the lock",
        sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM pg_locks
          WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        ([row]) => row?.count === 1
      )
      yield* Fiber.interrupt(starting)
      yield* locking.executeUnprepared("ROLLBACK", [], undefined)
    }), 20_000)
})
