import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import type { Status } from "@mailstream/cluster"
import { found } from "@mailstream/testing/Eventually"
import * as HttpServer from "@mailstream/testing/HttpServer"
import * as Postgres from "@mailstream/testing/Postgres"
import type * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Context, Deferred, Effect, Layer, Option, Redacted, type Scope } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { jsonLines, run, start } from "../support/program.ts"

const patience = 120_000

const encryption = `1:${Buffer.alloc(32, 7).toString("base64")}`
const newEncryption = `2:${Buffer.alloc(32, 9).toString("base64")}`

const database = Effect.suspend(() => Postgres.createDatabase(Provided.postgres()))

interface Account {
  readonly id: string
  readonly apiKey: string
  readonly baseUrl: string
}

/** A service with accounts, and the file that names them. */
const service = (
  count: number
): Effect.Effect<{ readonly file: string; readonly accounts: ReadonlyArray<Account> }, never, Scope.Scope> =>
  Effect.gen(function*() {
    const file = join(yield* Temporary.directory, "accounts.json")
    const running = yield* start(
      ["serve", "--port", "0", "--items", "contacts=5,topics=2", "--accounts", String(count), "--accounts-file", file]
    )
    yield* running.line
    return { file, accounts: JSON.parse(readFileSync(file, "utf8")) }
  })

interface RunningWorker extends Process.Running {
  readonly name: string
  readonly healthUrl: string
}

let started = 0

const startWorker = (args: ReadonlyArray<string>, env: Record<string, string>) =>
  Effect.gen(function*() {
    const name = `worker-${++started}`
    const running = yield* start(["worker", "--name", name, "--health-port", "0", ...args], { env })
    const line = yield* Effect.raceFirst(
      running.line,
      Effect.flatMap(running.finished, ({ code, stderr }) => Effect.dieMessage(`ended with ${code}: ${stderr}`))
    )
    const [, printed = "", healthUrl = ""] = /^mailstream worker (\S+), health at (\S+)$/.exec(line) ?? []
    assert.strictEqual(printed, name)
    return { ...running, name, healthUrl } satisfies RunningWorker
  })

/** The status, once it is as expected. */
const statusOnce = (env: Record<string, string>, isSo: (status: Status.Status) => boolean) =>
  found(
    `the status is as in ${isSo}`,
    Effect.gen(function*() {
      const { code, stderr, stdout } = yield* run(["cluster", "status"], { env })
      assert.deepStrictEqual([code, stderr], [0, ""])
      const status: Status.Status = JSON.parse(stdout)
      return status
    }),
    isSo,
    60
  )

describe("worker and cluster", () => {
  it.scopedLive("a worker ends on SIGTERM, whatever is locked", () =>
    Effect.gen(function*() {
      const { file } = yield* service(3)
      const url = yield* database
      const env = { MAILSTREAM_DATABASE_URL: Redacted.value(url) }
      const worker = yield* startWorker(["--accounts", file, "--every", "1s", "--lists", "contacts"], env)
      yield* statusOnce(env, ({ accounts }) => accounts.neverCopied === 0)
      const other = yield* Effect.map(
        Layer.build(PgClient.layer({ url, applicationName: "other" })),
        Context.get(PgClient.PgClient)
      )
      const isLocked = yield* Deferred.make<void>()
      const tables = yield* other<{ name: string }>`SELECT quote_ident(relname) AS name FROM pg_class
        WHERE relkind = 'r' AND relname LIKE 'cluster\\_%'`
      yield* other.unsafe(`LOCK TABLE ${tables.map(({ name }) => name).join(", ")} IN ACCESS EXCLUSIVE MODE`).pipe(
        Effect.zipRight(Deferred.succeed(isLocked, undefined)),
        Effect.zipRight(Effect.never),
        other.withTransaction,
        Effect.forkScoped
      )
      yield* Deferred.await(isLocked)
      const waiting = other`SELECT pid FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`
      yield* found("several statements wait", waiting, (rows) => rows.length > 1)
      yield* worker.kill("SIGTERM")
      // The limit of a wait for a lock is 30 seconds.
      const ended = yield* Effect.timeoutOption(worker.finished, "25 seconds")
      const { code, stderr } = Option.getOrThrow(ended)
      assert.strictEqual(code, 0)
      // It could not leave.
      assert.notInclude(stderr, "stopped taking part")
    }), patience)

  it.scopedLive("a worker whose health port is taken does nothing", () =>
    Effect.gen(function*() {
      const { file } = yield* service(1)
      const url = yield* database
      const { port } = new URL(yield* HttpServer.serve((_, response) => HttpServer.sendJson(response, 200, {})))
      const { code, stderr, stdout } = yield* run(["worker", "--accounts", file, "--health-port", port], {
        env: { MAILSTREAM_DATABASE_URL: Redacted.value(url) }
      })
      assert.deepStrictEqual([code, stdout], [1, ""])
      const [line = "", ...others] = stderr.trimEnd().split("\n")
      assert.isEmpty(others)
      assert.include(line, `ServeError: 127.0.0.1:${port}: the address is already in use; choose another --health-port`)
      const sql = yield* Effect.map(Layer.build(PgClient.layer({ url })), Context.get(PgClient.PgClient))
      assert.isEmpty(yield* sql`SELECT 1 FROM information_schema.tables WHERE table_schema = 'public'`)
    }), patience)

  it.scopedLive("copy the accounts in a file, tell their status, and stop in order", () =>
    Effect.gen(function*() {
      const { accounts, file } = yield* service(6)
      const url = yield* database
      const env = { MAILSTREAM_DATABASE_URL: Redacted.value(url) }
      const none = yield* run(["cluster", "status"], { env })
      assert.strictEqual(none.code, 1)
      assert.match(
        none.stderr,
        /^NoCluster: There is no table cluster_workers: no worker has ever been started .* Start one first/
      )

      const args = ["--accounts", file, "--every", "2s", "--lists", "contacts,topics", "--lock-expiration", "5s"]
      const workers = [yield* startWorker(args, env), yield* startWorker(args, env)]
      const status = yield* statusOnce(env, ({ accounts: { neverCopied, total }, runners: { length } }) =>
        total === 6 && neverCopied === 0 && length === 2)
      assert.sameMembers(
        status.runners.map(({ name }) =>
          name
        ),
        workers.map(({ name }) => name)
      )
      const table = yield* run(["cluster", "status", "--format", "table"], { env })
      assert.match(table.stdout, /^Accounts\ntotal +in_progress .+\n6 /)
      assert.match(table.stdout, /\nWorkers\nname +state .+\nworker-\d+ +healthy +1\.0\.0 /)
      const page = yield* Effect.promise(() => fetch(`${workers[0]!.healthUrl}/health/ready`))
      assert.strictEqual(page.status, 200)

      for (const { finished, kill } of workers) {
        yield* kill("SIGTERM")
        const { code, stderr, stdout } = yield* finished
        assert.strictEqual(code, 0)
        assert.lengthOf([...stderr.matchAll(/This worker has stopped taking part\.$/gm)], 1)
        for (const { apiKey } of accounts) assert.notInclude(stderr + stdout, apiKey)
        assert.notInclude(stderr + stdout, new URL(Redacted.value(url)).password + "@")
      }
    }), patience)

  it.scopedLive("log objects for programs that collect them, and end with one", () =>
    Effect.gen(function*() {
      const file = yield* Temporary.file("accounts.json")
      const { accounts: [acme] } = yield* service(1)
      writeFileSync(file, JSON.stringify([{ ...acme, apiKey: "re_secret" }]))
      const url = Redacted.value(yield* database)
      const env = { MAILSTREAM_DATABASE_URL: url, MAILSTREAM_LOG_FORMAT: "json" }
      const worker = yield* startWorker(["--accounts", file, "--every", "1s", "--lists", "contacts"], env)
      yield* statusOnce(env, ({ accounts: { failing } }) => failing === 1)
      yield* worker.kill("SIGTERM")
      const { stderr } = yield* worker.finished
      const logged = jsonLines(stderr)
      const failed = logged.find(({ account }) => account === acme?.id)
      assert.match(String(failed?.["message"]), /API key is invalid/)
      assert.deepInclude(failed, { level: "info", worker: worker.name })
      const wrong = yield* run(["cluster", "status", "--prefix", "other_"], { env })
      assert.strictEqual(wrong.code, 1)
      const [failure, ...others] = jsonLines(wrong.stderr)
      assert.isEmpty(others)
      assert.match(String(failure?.["message"]), /^NoCluster: /)
      assert.notMatch(stderr + wrong.stderr, /re_secret|:mailstream@/)
      const unknown = yield* run(["cluster", "status"], { env: { ...env, MAILSTREAM_LOG_FORMAT: "xml" } })
      assert.strictEqual(unknown.code, 2)
      assert.match(unknown.stderr, /MAILSTREAM_LOG_FORMAT is "xml", which is no format of logs\. It is text, or json\./)
    }), patience)

  it.scopedLive("say where their health is as a URL, also for IPv6", () =>
    Effect.gen(function*() {
      const { file } = yield* service(1)
      const env = { MAILSTREAM_DATABASE_URL: Redacted.value(yield* database) }
      for (const host of ["::1", "::"]) {
        const { healthUrl } = yield* startWorker(["--accounts", file, "--health-host", host], env)
        assert.match(healthUrl, /^http:\/\/\[::1?\]:\d+$/)
        const response = yield* Effect.promise(() => fetch(`${healthUrl.replace("[::]", "[::1]")}/health/live`))
        assert.strictEqual(response.status, 200)
        const { port } = new URL(healthUrl)
        const taken = yield* run(["worker", "--accounts", file, "--health-host", host, "--health-port", port], { env })
        assert.include(taken.stderr, `[${host}]:${port}: the address is already in use; choose another --health-port`)
      }
    }), patience)

  it.scopedLive("keep accounts in an encrypted table, whose keys are never an argument", () =>
    Effect.gen(function*() {
      const { accounts } = yield* service(3)
      const url = Redacted.value(yield* database)
      const env = { MAILSTREAM_DATABASE_URL: url, MAILSTREAM_ENCRYPTION_KEYS: encryption }
      const table = (...args: ReadonlyArray<string>) => run(["cluster", "accounts", ...args], { env })
      const [first, second, third] = accounts as [Account, Account, Account]

      const piped = yield* start(["cluster", "accounts", "add", "--id", first.id, "--base-url", first.baseUrl], { env })
      piped.child.stdin.end(`${first.apiKey}\n`)
      const added = (id: string, baseUrl: string | null) => `${JSON.stringify({ added: id, base_url: baseUrl })}\n`
      assert.deepStrictEqual(yield* piped.finished, { code: 0, stderr: "", stdout: added(first.id, first.baseUrl) })
      for (const { apiKey, baseUrl, id } of [second, third]) {
        const { code } = yield* run(
          ["cluster", "accounts", "add", "--id", id, "--base-url", baseUrl, "--key-variable", "THE_KEY"],
          { env: { ...env, THE_KEY: apiKey } }
        )
        assert.strictEqual(code, 0)
      }
      // The address stays when the key is replaced.
      const replaced = yield* run(["cluster", "accounts", "add", "--id", third.id, "--key-variable", "THE_KEY"], {
        env: { ...env, THE_KEY: "re_other" }
      })
      assert.deepStrictEqual(replaced, { code: 0, stderr: "", stdout: added(third.id, third.baseUrl) })
      const unset = yield* table("add", "--id", "x", "--key-variable", "NOT_SET")
      assert.deepStrictEqual([unset.code, unset.stdout], [2, ""])
      assert.match(unset.stderr, /^mailstream: --key-variable names NOT_SET, which is not set/)

      assert.deepStrictEqual(yield* table("remove", "--id", third.id), {
        code: 0,
        stderr: "",
        stdout: `{"removed":"${third.id}"}\n`
      })
      const again = yield* table("remove", "--id", third.id)
      assert.strictEqual(again.code, 1)
      assert.match(again.stderr, /^AccountsError: account "account-3": is not in the table/)
      const listed = yield* table("list")
      assert.deepStrictEqual(
        jsonLines(listed.stdout),
        [first, second].map(({ baseUrl, id }) => ({ id, base_url: baseUrl, encryption_key: 1 }))
      )

      const file = yield* Temporary.file("accounts.json")
      writeFileSync(file, JSON.stringify([first, second]))
      assert.deepStrictEqual(yield* table("import", file), { code: 0, stderr: "", stdout: "{\"imported\":2}\n" })
      const { baseUrl: _, ...withoutUrl } = second
      writeFileSync(file, JSON.stringify([first, withoutUrl]))
      assert.strictEqual((yield* table("import", file)).stdout, "{\"imported\":2,\"base_urls_kept\":1}\n")
      const input = yield* start(["cluster", "accounts", "import", "-"], { env })
      input.child.stdin.end(JSON.stringify([first, { ...second, apiKey: "" }]))
      const wrong = yield* input.finished
      assert.deepStrictEqual([wrong.code, wrong.stdout], [1, ""])
      assert.match(wrong.stderr, /^AccountsError: standard input: \[1\]\.apiKey must not be empty/)
      assert.deepStrictEqual(yield* table("list"), listed)

      const rotated = yield* run(["cluster", "accounts", "rotate"], {
        env: { ...env, MAILSTREAM_ENCRYPTION_KEYS: `${newEncryption},${encryption}` }
      })
      assert.deepStrictEqual(rotated, { code: 0, stderr: "", stdout: "{\"rotated\":2}\n" })
      const worker = yield* startWorker(["--accounts", "table", "--every", "2s", "--lists", "contacts"], {
        ...env,
        MAILSTREAM_ENCRYPTION_KEYS: newEncryption
      })
      yield* statusOnce(env, ({ accounts: { neverCopied, total } }) => total === 2 && neverCopied === 0)
      yield* worker.kill("SIGINT")
      const { code, stderr, stdout } = yield* worker.finished
      assert.strictEqual(code, 0)
      const said = [stderr, stdout, listed.stdout, listed.stderr, rotated.stdout].join("\n")
      const otherKey = `2:${Buffer.alloc(32, 10).toString("base64")}`
      const refused = yield* run(["worker", "--accounts", "table"], {
        env: { ...env, MAILSTREAM_ENCRYPTION_KEYS: otherKey }
      })
      assert.strictEqual(refused.code, 1)
      assert.match(
        refused.stderr,
        /^AccountsError: cluster_keys: the encryption key of version 2 decrypts none of the 2 API keys/m
      )
      for (const secret of [first.apiKey, second.apiKey, encryption.slice(2), newEncryption.slice(2)]) {
        assert.notInclude(said, secret)
      }
    }), patience)

  it.scopedLive(
    "send the spans of turns, and metrics, to a collector that the environment names",
    () =>
      Effect.gen(function*() {
        const { file } = yield* service(2)
        const received: Array<string> = []
        const collector = yield* HttpServer.serve((request, response) => {
          void buffer(request).then((body) => {
            received.push(body.toString("utf8"))
            HttpServer.sendJson(response, 200, {})
          })
        })
        const env = {
          MAILSTREAM_DATABASE_URL: Redacted.value(yield* database),
          OTEL_EXPORTER_OTLP_ENDPOINT: collector,
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
          OTEL_METRIC_EXPORT_INTERVAL: "500"
        }
        const worker = yield* startWorker(["--accounts", file, "--every", "1s", "--lists", "contacts"], env)
        const has = (pattern: RegExp) =>
          found(String(pattern), Effect.sync(() => received.some((body) => pattern.test(body))), (isThere) => isThere)
        yield* has(/"name":"Worker\.turn"/)
        yield* has(/"name":"mailstream_cluster_turns"/)
        yield* has(/This worker takes part\./)
        yield* worker.kill("SIGTERM")
        assert.strictEqual((yield* Effect.timeout(worker.finished, "10 seconds")).code, 0)
        // What an idle worker does is no trace.
        const spans = received.filter((body) => body.startsWith("{\"resourceSpans\""))
          .flatMap((body) =>
            JSON.parse(body).resourceSpans[0].scopeSpans[0].spans as ReadonlyArray<
              { name: string; parentSpanId?: string }
            >
          )
        assert.deepStrictEqual(
          [...new Set(spans.filter(({ parentSpanId }) => parentSpanId === undefined).map(({ name }) => name))],
          ["Worker.turn"]
        )
      }),
    patience
  )

  it.scopedLive("pause, resume, copy now, show and erase one account", () =>
    Effect.gen(function*() {
      const { accounts, file } = yield* service(2)
      const url = Redacted.value(yield* database)
      const env = { MAILSTREAM_DATABASE_URL: url }
      const [{ id }, other] = accounts as [Account, Account]
      const control = (...args: ReadonlyArray<string>) => run(["cluster", "accounts", ...args, "--id", id], { env })
      const printed = (row: object) => ({ code: 0, stderr: "", stdout: `${JSON.stringify(row)}\n` })
      yield* startWorker(["--accounts", file, "--every", "1h", "--lists", "contacts,topics"], env)
      yield* statusOnce(env, ({ accounts: { neverCopied, total } }) => total === 2 && neverCopied === 0)
      assert.deepStrictEqual(yield* control("pause"), printed({ paused: id }))
      const paused: Status.AccountStatus = JSON.parse((yield* control("get")).stdout)
      assert.isAtLeast(paused.pausedFor ?? -1, 0)
      assert.deepStrictEqual(yield* control("resume"), printed({ resumed: id }))
      assert.deepStrictEqual(yield* control("sync", "--max-deleted", "1"), printed({ due: id, max_deleted: 1 }))
      const get = Effect.map(control("get"), ({ stdout }): Status.AccountStatus => JSON.parse(stdout))
      yield* found("it is copied twice", get, ({ passes }) => passes.length === 2)
      const table = yield* control("get", "--format", "table")
      assert.match(table.stdout, /^Account\naccount +state +copy +failures.*\naccount-1 +due in \S+.* old +0/)
      assert.match(table.stdout, /\nLast passes\nended +took +created +updated +deleted.*\n.+ 0 +0 +0.*\n.+ 7 +0 +0/)

      const asks = yield* control("erase")
      assert.deepStrictEqual([asks.code, asks.stdout], [2, ""])
      assert.match(asks.stderr, /^mailstream: cluster accounts erase asks first, .+ Pass --yes/)
      writeFileSync(file, JSON.stringify([other]))
      const erased = yield* control("erase", "--yes")
      assert.deepStrictEqual([erased.code, erased.stderr], [0, ""])
      assert.deepInclude(jsonLines(erased.stdout), { table: "contacts", rows: 5 })
      for (const command of ["get", "pause", "erase"]) {
        const { code, stderr } = yield* control(command, ...(command === "erase" ? ["--yes"] : []))
        assert.strictEqual(code, 1)
        assert.match(stderr, /^UnknownAccount: There is no account "account-1" in this cluster/)
      }
    }), patience)

  it.scopedLive("say how many accounts fail, and change several of them at once", () =>
    Effect.gen(function*() {
      const { accounts: [acme] } = yield* service(1)
      const file = yield* Temporary.file("accounts.json")
      const ids = Array.from({ length: 22 }, (_, at) => `wrong-${at}`)
      writeFileSync(file, JSON.stringify(ids.map((id) => ({ ...acme, id, apiKey: "re_wrong" }))))
      const env = { MAILSTREAM_DATABASE_URL: Redacted.value(yield* database) }
      yield* startWorker(["--accounts", file, "--every", "1h", "--lists", "contacts"], env)
      yield* statusOnce(env, ({ accounts: { failing } }) => failing === 22)
      const table = yield* run(["cluster", "status", "--format", "table"], { env })
      assert.match(table.stdout, /\nFailing accounts: 20 of 22\naccount +failures/)
      const error = (yield* run(["cluster", "accounts", "get", "--id", "wrong-1", "--format", "table"], { env })).stdout
      assert.match(error, /\n\nError\ncontacts: .*API key is invalid/)

      const control = (command: string, ...ids: ReadonlyArray<string>) =>
        run(["cluster", "accounts", command, ...ids.flatMap((id) => ["--id", id])], { env })
      const printed = (...rows: ReadonlyArray<object>) => ({
        code: 0,
        stderr: "",
        stdout: rows.map((row) => `${JSON.stringify(row)}\n`).join("")
      })
      const unknown = yield* control("pause", "wrong-1", "other", "wrong-2", "another")
      assert.deepStrictEqual([unknown.code, unknown.stdout], [1, ""])
      assert.match(unknown.stderr, /^UnknownAccount: There are no accounts "other", "another" in this cluster; nothing/)
      yield* statusOnce(env, ({ accounts: { paused } }) => paused === 0)
      assert.deepStrictEqual(
        yield* control("pause", "wrong-2", "wrong-1", "wrong-2"),
        printed({ paused: "wrong-2" }, { paused: "wrong-1" })
      )
      yield* statusOnce(env, ({ accounts: { paused } }) => paused === 2)
      assert.deepStrictEqual(
        yield* control("sync", "wrong-1", "wrong-3"),
        printed({ due: "wrong-1" }, { due: "wrong-3" })
      )
      assert.deepStrictEqual(
        yield* control("resume", "wrong-1", "wrong-2"),
        printed({ resumed: "wrong-1" }, { resumed: "wrong-2" })
      )
      yield* statusOnce(env, ({ accounts: { paused } }) => paused === 0)
    }), patience)

  it.scopedLive("say what is wrong on one line, without a secret", () =>
    Effect.gen(function*() {
      const url = Redacted.value(yield* database)
      const env = { MAILSTREAM_DATABASE_URL: url }
      const file = yield* Temporary.file("accounts.json")
      writeFileSync(file, JSON.stringify([{ id: "acme", apikey: "re_secret" }]))
      const good = yield* Temporary.file("good.json")
      writeFileSync(good, JSON.stringify([{ id: "acme", apiKey: "re_secret", baseUrl: "http://127.0.0.1:1" }]))
      const lines: ReadonlyArray<readonly [args: ReadonlyArray<string>, env: Record<string, string>, said: RegExp]> = [
        [["worker", "--accounts", file], env, /^AccountsError: .+accounts\.json: .*unknown field/],
        [["worker", "--accounts", "missing.json"], env, /^AccountsError: missing\.json: there is no such file/],
        [["worker", "--accounts", "env"], env, /^mailstream: MAILSTREAM_ACCOUNTS is not set; name the accounts in it/],
        [["worker", "--accounts", "table"], env, /^mailstream: MAILSTREAM_ENCRYPTION_KEYS is not set; make a key with/],
        [["worker", "--accounts", good, "--prefix", "A-B"], env, /^mailstream: --prefix must /],
        [
          ["worker", "--accounts", good],
          { MAILSTREAM_DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/x" },
          /^DatabaseError: PostgreSQL at 127\.0\.0\.1:1: .*ECONNREFUSED/
        ],
        [
          ["cluster", "accounts", "list"],
          { ...env, MAILSTREAM_ENCRYPTION_KEYS: "1:c2hvcnQ=" },
          /^mailstream: MAILSTREAM_ENCRYPTION_KEYS: keys\[0\]\.key must be 32 bytes in Base64\./
        ]
      ]
      for (const [args, env, said] of lines) {
        const { code, stderr, stdout } = yield* run(args, { env })
        assert.match(stderr, said)
        assert.strictEqual(code, stderr.startsWith("mailstream:") ? 2 : 1, stderr)
        assert.strictEqual(stdout, "")
        assert.notMatch(stderr, /re_secret|hunter2|c2hvcnQ/)
      }
    }), patience)

  it.scopedLive("hide the password of a database from other users of the machine", () =>
    Effect.gen(function*() {
      const good = yield* Temporary.file("good.json")
      writeFileSync(good, "[]")
      const url = Redacted.value(yield* database)
      const { password } = new URL(url)
      const worker = yield* start(["worker", "--database", url, "--accounts", good])
      yield* worker.line
      const title = readFileSync(`/proc/${worker.pid}/cmdline`, "utf8")
      assert.notInclude(title, `:${password}@`)
      assert.include(title, "mailstream")
    }), patience)
})
