import { HttpServer } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Health, type Status, Worker } from "@mailstream/cluster"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Http from "@mailstream/testing/HttpServer"
import * as Port from "@mailstream/testing/Port"
import * as Temporary from "@mailstream/testing/Temporary"
import { Context, Deferred, Effect, Fiber, Layer, Tracer } from "effect"
import * as Inside from "./support/inside.ts"
import { make } from "./support/processes.ts"
import { parse } from "./support/prometheus.ts"
import { until } from "./support/waiting.ts"

const get = (url: string) =>
  Effect.promise(() => fetch(url).then(async (response) => ({ response, body: await response.text() })))

describe("the address of a worker's status", () => {
  it.scoped("must be named, because Node would bind all of them", () =>
    Effect.gen(function*() {
      const worker = Layer.mock(Worker.Worker, { name: "one", prefix: "", isReady: Effect.succeed(true) })
      const sql = Sqlite.layer({ filename: yield* Temporary.file("mail.db") })
      const error = yield* Effect.flip(
        Layer.build(Layer.provide(Health.layer({ port: 0, host: "" }, worker), sql))
      )
      assert(error._tag === "InvalidOption")
      assert.match(error.message, /^host must not be empty/)
    }))
})

describe("the server of a worker", () => {
  it.scoped("is refused before the worker does anything if its port is taken", () =>
    Effect.gen(function*() {
      const { port } = new URL(yield* Http.serve((_, response) => Http.sendJson(response, 200, {})))
      let isStarted = false
      const worker = Layer.sync(Worker.Worker, () => {
        isStarted = true
        return { name: "one", prefix: "", isReady: Effect.succeed(true), problem: Effect.succeedNone }
      })
      const sql = Sqlite.layer({ filename: yield* Temporary.file("mail.db") })
      const error = yield* Effect.flip(
        Layer.build(Layer.provide(Health.layer({ port: Number(port) }, worker), sql))
      )
      assert(error._tag === "ServeError")
      assert.match(String(error.cause), new RegExp(`EADDRINUSE.*:${port}$`))
      assert.isFalse(isStarted)
    }))

  it.scopedLive("responds while the worker starts, and while it stops", () =>
    Effect.gen(function*() {
      const [port = 0] = yield* Effect.promise(() => Port.free(1))
      const probe = Effect.forEach(["live", "ready"], (path) =>
        Effect.map(get(`http://127.0.0.1:${port}/health/${path}`), ({ response }) => response.status))
      const seen: Array<ReadonlyArray<number>> = []
      const looking = Effect.map(probe, (found) =>
        void seen.push(found))
      const worker = Layer.scoped(
        Worker.Worker,
        Effect.as(Effect.zipRight(looking, Effect.addFinalizer(() => looking)), {
          name: "one",
          prefix: "",
          isReady: Effect.succeed(true),
          problem: Effect.succeedNone
        })
      )
      const sql = Sqlite.layer({ filename: yield* Temporary.file("mail.db") })
      yield* Effect.scoped(
        Effect.zipRight(Layer.build(Layer.provide(Health.layer({ port }, worker), sql)), looking)
      )
      assert.deepStrictEqual(seen, [[200, 503], [200, 200], [200, 503]])
    }))
})

describe("the health of a worker", () => {
  it.scopedLive("leaves no spans: proxies put tokens into requests", () =>
    Effect.gen(function*() {
      const spans: Array<string> = []
      const worker = Layer.mock(Worker.Worker, { name: "one", prefix: "", isReady: Effect.succeed(true) })
      const sql = Sqlite.layer({ filename: yield* Temporary.file("mail.db") })
      const tracer = yield* Effect.tracer
      const server = yield* Layer.build(Layer.provide(Health.layer({ port: 0 }, worker), sql)).pipe(
        Effect.map(Context.get(HttpServer.HttpServer)),
        Effect.withTracer(Tracer.make({
          context: (f, fiber) => tracer.context(f, fiber),
          span: (name, ...rest) => {
            spans.push(name)
            return tracer.span(name, ...rest)
          }
        }))
      )
      const headers = { "x-forwarded-access-token": "re_token" }
      yield* Effect.promise(() =>
        fetch(`${HttpServer.formatAddress(server.address)}/health/live?token=re_token`, { headers })
      )
      assert.deepStrictEqual(spans, [])
    }))

  it.scopedLive("is served for orchestrators, and its status for people", () =>
    Effect.gen(function*() {
      const cluster = yield* make
      cluster.service.add("acme")
      const hostile = `<script>alert(1)</script>`
      cluster.service.add(hostile, { isRefused: true })
      yield* cluster.writeAccounts
      const url = yield* Inside.start(cluster)
      assert.strictEqual((yield* get(`${url}/health/live`)).response.status, 200)
      const ready = yield* until("it is ready", get(`${url}/health/ready`), ({ response }) => response.status === 200)
      assert.include(JSON.parse(ready.body), { status: "ready" })
      const read = Effect.map(get(`${url}/status.json`), ({ body }) => JSON.parse(body))
      const status = yield* until("one is copied, and one fails", read, ({ accounts }) =>
        accounts?.failing === 1 && accounts.neverCopied === 1)
      assert.strictEqual(status.failures[0].account, hostile)
      assert.strictEqual(status.runners.length, 1)
      assert.notInclude(JSON.stringify(status), "re_secret")

      const account = (id: string) =>
        get(`${url}/account.json?id=${encodeURIComponent(id)}`)
      const acme: Status.AccountStatus = JSON.parse((yield* account("acme")).body)
      assert.strictEqual(acme.account, "acme")
      assert.strictEqual((yield* account("nobody")).response.status, 404)
      assert.strictEqual((yield* account("\0")).response.status, 404)
      assert.strictEqual((yield* account("")).response.status, 400)
      const crowd = yield* Effect.all(
        Array.from({ length: 100 }, () => [get(`${url}/status.json`), account("acme"), get(`${url}/metrics`)]).flat(),
        { concurrency: "unbounded" }
      )
      for (const { body, response } of crowd) {
        assert.strictEqual(response.status, 200)
        assert.notInclude(body, "mailstream_cluster_database_up 0")
      }

      const scrape = yield* get(`${url}/metrics`)
      assert.strictEqual(scrape.response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
      const values = parse(scrape.body)
      assert.strictEqual(values.get("mailstream_cluster_database_up"), 1)
      assert.strictEqual(values.get("mailstream_cluster_accounts{state=\"all\"}"), 2)
      assert.strictEqual(values.get("mailstream_cluster_accounts{state=\"failing\"}"), 1)
      assert.strictEqual(values.get("mailstream_cluster_workers{state=\"healthy\"}"), 1)
      assert.isAbove(values.get("mailstream_cluster_turns_total{outcome=\"Failed\"}") ?? 0, 0)
      assert.isAbove(values.get("mailstream_cluster_turn_duration_count{time_unit=\"milliseconds\"}") ?? 0, 0)
      assert.isAbove(values.get("process_resident_memory_bytes") ?? 0, 10_000_000)
      assert.isAbove(values.get("process_cpu_seconds_total") ?? 0, 0)
      assert.notInclude(scrape.body, "re_secret")

      // The page needs nothing that its policy does not allow.
      const page = yield* get(`${url}/`)
      assert.match(
        page.response.headers.get("content-security-policy") ?? "",
        /^default-src 'none'; script-src 'self';/
      )
      assert.notMatch(page.response.headers.get("content-security-policy") ?? "", /unsafe/)
      assert.notMatch(page.body, /<script>|<style|style=| on[a-z]+=|https?:/)
      for (const [, path] of page.body.matchAll(/(?:src|href)="([^"]+)"/g)) {
        const { body, response } = yield* get(`${url}${path}`)
        assert.strictEqual(response.status, 200)
        assert.notMatch(body, /innerHTML|eval\(|document\.write/)
      }
      assert.strictEqual((yield* get(`${url}/nothing`)).response.status, 404)
    }), 60_000)

  it.scopedLive.each(["cluster_accounts", "cluster_workers"])(
    "responds in time while %s is locked, however many ask",
    (table) =>
      Effect.gen(function*() {
        const cluster = yield* make
        const { sql } = cluster
        cluster.service.add("acme")
        yield* cluster.writeAccounts
        const url = yield* Inside.start(cluster)
        const scrape = Effect.map(
          get(`${url}/metrics`),
          ({ body, response }) => [response.status, parse(body)] as const
        )
        const up = "mailstream_cluster_database_up"
        yield* until("it works", scrape, ([, values]) => values.get(up) === 1)
        const isLocked = yield* Deferred.make<void>()
        const release = yield* Deferred.make<void>()
        const locking = yield* sql`LOCK TABLE ${sql(table)} IN ACCESS EXCLUSIVE MODE`.pipe(
          Effect.zipRight(Deferred.succeed(isLocked, undefined)),
          Effect.zipRight(Deferred.await(release)),
          sql.withTransaction,
          Effect.fork
        )
        yield* Deferred.await(isLocked)
        // Before Prometheus gives up, which waits for ten seconds by default.
        const asked = ["status.json", "account.json?id=acme"].flatMap((path) =>
          Array.from({ length: 10 }, () => get(`${url}/${path}`))
        )
        const [scrapes, responses] = yield* Effect.all([
          Effect.replicateEffect(Effect.timeout(scrape, "8 seconds"), 2),
          Effect.timeout(Effect.all(asked, { concurrency: "unbounded" }), "8 seconds")
        ], { concurrency: "unbounded" })
        for (const [status, values] of scrapes) {
          assert.strictEqual(status, 200)
          const families = [...values.keys()].filter((key) =>
            /^mailstream_cluster_(accounts|workers|longest|oldest)/.test(key)
          )
          assert.deepStrictEqual([values.get(up), families], [0, []])
        }
        for (const { body, response } of responses) {
          assert.deepStrictEqual([response.status, JSON.parse(body)], [503, {
            reason: "the database does not respond"
          }])
        }
        const [waiting] = yield* sql<{ readings: number }>`SELECT count(*)::int AS readings FROM pg_stat_activity
          WHERE wait_event_type = 'Lock' AND query LIKE '%"neverCopied"%' AND pid <> pg_backend_pid()`
        assert.isAtMost(waiting?.readings ?? 0, 1)
        yield* Deferred.succeed(release, undefined)
        yield* Fiber.join(locking)
        yield* until("it works again", scrape, ([, values]) => values.get(up) === 1)
      }),
    60_000
  )
})
