import { assert, describe, it } from "@effect/vitest"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { contacts, Progress, topics } from "@mailstream/stream"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as Tcp from "@mailstream/testing/Tcp"
import { Effect, Layer, Redacted, Stream } from "effect"
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { directory, run, slow, start } from "../support/program.ts"

/** The service, once it is listening. */
const serve = (...args: ReadonlyArray<string>) => serveIn({}, ...args)

/** As `serve`, with variables of the environment. */
const serveIn = (env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const program = yield* start(["serve", "--port", "0", ...args], { env })
    const [, baseUrl = ""] = /^mailstream listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(yield* program.line) ?? []
    assert.notStrictEqual(baseUrl, "")
    return { ...program, baseUrl }
  })

const client = (baseUrl: string, apiKey = "re_local") =>
  Mailstream.layer({ baseUrl, apiKey: Redacted.make(apiKey) }).pipe(Layer.provide(UndiciTransport.layer))

interface WrittenAccount {
  readonly id: string
  readonly baseUrl: string
  readonly apiKey: string
}

const readAccounts = (file: string): ReadonlyArray<WrittenAccount> => JSON.parse(readFileSync(file, "utf8"))

const statusOf = (url: string, headers: Record<string, string> = {}) =>
  Effect.promise(() => fetch(url, { redirect: "manual", headers }).then(({ status }) => status))

const count = <E, R>(stream: Stream.Stream<unknown, E, R>) => Stream.runCount(stream)

describe("serve", () => {
  it.scoped("prints its address, a generated key and the inbox, and ends by a signal", () =>
    Effect.gen(function*() {
      const service = yield* serve()
      const [, key = ""] = /^API key: (re_\S{20,})$/.exec(yield* service.said) ?? []
      assert.strictEqual(yield* count(contacts.items()).pipe(Effect.provide(client(service.baseUrl, key))), 1000)
      const [, inbox = ""] = /^Inbox: (http:\S+\/inbox\?token=\S+)$/.exec(yield* service.said) ?? []
      assert.strictEqual(yield* statusOf(inbox.replace(/\?.*/, "")), 401)
      assert.isBelow(yield* statusOf(inbox), 400)
      yield* service.kill("SIGINT")
      assert.deepStrictEqual(yield* service.finished, {
        code: 0,
        stdout: `mailstream listening on ${service.baseUrl}\n`,
        stderr: `API key: ${key}\nInbox: ${inbox}\n`
      })
    }), slow)

  it.scoped("has an inbox with a given token, which it does not print, or none", () =>
    Effect.gen(function*() {
      const [token, other] = ["token-of-this-test", "another-of-this-test"]
      const args = ["--items", "0", "--api-key", "re_local"]
      const ways = [
        yield* serveIn({ MAILSTREAM_INBOX_TOKEN: token }, ...args),
        yield* serveIn({ MAILSTREAM_INBOX_TOKEN: other }, ...args, "--inbox-token", token)
      ]
      for (const { baseUrl, finished, kill } of ways) {
        assert.isBelow(yield* statusOf(`${baseUrl}/inbox?token=${token}`), 400)
        assert.strictEqual(yield* statusOf(`${baseUrl}/inbox?token=${other}`), 401)
        yield* kill("SIGTERM")
        const { stderr, stdout } = yield* finished
        assert.deepStrictEqual([stdout, stderr], [`mailstream listening on ${baseUrl}\n`, `Inbox: ${baseUrl}/inbox\n`])
      }
      for (const [key, ...more] of [["re_local"], ["re_local-1", "--accounts", "2"]]) {
        const without = yield* serveIn({ MAILSTREAM_INBOX_TOKEN: token }, ...args, ...more, "--no-inbox")
        assert.strictEqual(yield* statusOf(`${without.baseUrl}/inbox?token=${token}`), 401)
        assert.strictEqual(yield* statusOf(`${without.baseUrl}/inbox`, { authorization: `Bearer ${key}` }), 404)
        yield* without.kill("SIGTERM")
        assert.strictEqual((yield* without.finished).stderr, "")
      }
    }), slow)

  it.scoped(
    "has the items that --items names, and does not print a given key",
    () =>
      Effect.gen(function*() {
        const some = yield* serve("--items", "contacts=123,topics=7", "--api-key", "re_local")
        const counts = Effect.all([count(contacts.items()), count(topics.items())])
        assert.deepStrictEqual(yield* Effect.provide(counts, client(some.baseUrl)), [123, 7])
        yield* some.kill("SIGTERM")
        const { code, stderr, stdout } = yield* some.finished
        assert.strictEqual(code, 0)
        assert.match(stderr, /^Inbox: [^\n]+\n$/)
        assert.notInclude(stdout + stderr, "re_local")
        const each = yield* serve("--items", "150", "--api-key", "re_local")
        assert.deepStrictEqual(yield* Effect.provide(counts, client(each.baseUrl)), [150, 150])
      }),
    slow
  )

  it.scoped(
    "logs requests at level debug, and with --activity, changes items while it runs",
    () =>
      Effect.gen(function*() {
        const args = ["--items", "0", "--api-key", "re_local", "--activity", "1000/s", "--log-level", "debug"]
        const service = yield* serve(...args)
        const seen = yield* Effect.repeat(
          Effect.promise(async () => {
            const response = await fetch(`${service.baseUrl}/contacts?limit=100`, {
              headers: { authorization: "Bearer re_local" }
            })
            const { data }: { readonly data: ReadonlyArray<unknown> } = JSON.parse(await response.text())
            return data.length
          }),
          { until: (count) => count > 0 }
        )
        assert.isAtMost(seen, 50)
        assert.match(yield* service.said, /^Inbox: /)
        assert.match(yield* service.said, /^debug: GET \/contacts 200 \d+\.\dms$/)
        yield* service.kill("SIGTERM")
        const { code, stderr } = yield* service.finished
        assert.strictEqual(code, 0)
        assert.notInclude(stderr, "re_local")
      }),
    slow
  )

  it.scoped(
    "responds with 503 if PostgreSQL does not respond, and ends by a signal",
    () =>
      Effect.gen(function*() {
        const url = new URL(Redacted.value(yield* Postgres.createDatabase(Provided.postgres())))
        const tcp = yield* Tcp.make(url.hostname, Number(url.port))
        const store = Object.assign(new URL(url), { port: String(tcp.port) }).href
        const service = yield* serve("--store", store, "--items", "topics=3", "--api-key", "re_local")
        const status = Effect.promise(async () => {
          const headers = { authorization: "Bearer re_local" }
          const response = await fetch(`${service.baseUrl}/topics`, { headers })
          await response.text()
          return [response.status, response.headers.get("retry-after")]
        })
        assert.deepStrictEqual(yield* status, [200, null])
        yield* tcp.freeze
        assert.deepStrictEqual(yield* status, [503, "1"])
        yield* service.kill("SIGTERM")
        assert.strictEqual((yield* service.finished).code, 0)
      }),
    slow
  )

  it.scoped("refuses a key that no request could carry, without printing it", () =>
    Effect.gen(function*() {
      for (const key of [" ", "\t", "two words", "schlüssel"]) {
        const { code, stderr, stdout } = yield* run(["serve", "--port", "0", "--api-key", key])
        assert.deepStrictEqual([code, stdout], [2, ""])
        assert.include(stderr, "--api-key must be visible ASCII characters, such as re_local;")
        assert.notInclude(stderr, "two words")
      }
    }), slow)

  it.scoped("fills a database file once, and keeps what was created", () =>
    Effect.gen(function*() {
      const store = `sqlite:${join(yield* directory, "mailstream.db")}`
      const args = ["--store", store, "--items", "contacts=30,topics=5", "--api-key", "re_local"]
      const first = yield* serve(...args)
      const env = { MAILSTREAM_BASE_URL: first.baseUrl, MAILSTREAM_API_KEY: "re_local" }
      const created = yield* run(["topics", "create", "--name", "News", "--default-subscription", "opt_in"], { env })
      assert.strictEqual(created.code, 0)
      yield* first.kill("SIGTERM")
      assert.strictEqual((yield* first.finished).code, 0)

      const second = yield* serve(...args)
      assert.match(yield* second.said, /already holds data\..*: contacts, topics\./)
      const listed = yield* run(["topics", "list"], { env: { ...env, MAILSTREAM_BASE_URL: second.baseUrl } })
      assert.strictEqual(listed.stdout.split("\n").length, 7)
      assert.include(listed.stdout, JSON.parse(created.stdout).id)
      assert.strictEqual(yield* count(contacts.items()).pipe(Effect.provide(client(second.baseUrl))), 30)
    }), slow)

  it.scoped("fills a new database file once, however many servers start at once", () =>
    Effect.gen(function*() {
      const store = `sqlite:${join(yield* directory, "mailstream.db")}`
      const args = ["--store", store, "--items", "contacts=30,segments=2,topics=5", "--api-key", "re_local"]
      const servers = yield* Effect.replicateEffect(serve(...args), 3, { concurrency: "unbounded" })
      for (const { baseUrl } of servers) {
        assert.strictEqual(yield* Effect.provide(count(contacts.items()), client(baseUrl)), 30)
      }
    }))

  it.scopedLive("injects faults, which a walk survives", () =>
    Effect.gen(function*() {
      const faulty = yield* serve("--faults", "0.2", "--seed", "3", "--items", "contacts=200", "--api-key", "re_local")
      const progress = yield* Progress.make
      yield* Effect.gen(function*() {
        assert.strictEqual(yield* count(contacts.items({ pageSize: 4, progress })), 200)
        assert.isAbove((yield* progress).retries, 3)
      }).pipe(Effect.provide(client(faulty.baseUrl)))
    }), slow)

  it.scoped("limits the rate of requests", () =>
    Effect.gen(function*() {
      const limited = yield* serve("--rate-limit", "2/1h", "--api-key", "re_local")
      const statuses = Effect.promise(() =>
        fetch(`${limited.baseUrl}/contacts?limit=1`, { headers: { authorization: "Bearer re_local" } })
          .then(({ status }) => status)
      )
      assert.deepStrictEqual(yield* Effect.all([statuses, statuses, statuses]), [200, 200, 429])
    }), slow)

  it.scoped("writes accounts to a file for other programs, and keeps their keys", () =>
    Effect.gen(function*() {
      const file = join(yield* directory, "accounts.json")
      // As `mktemp` makes it, but readable.
      writeFileSync(file, "", { mode: 0o644 })
      const args = [
        "--accounts",
        "3",
        "--accounts-file",
        file,
        "--items",
        "contacts=30,topics=2",
        "--rate-limit",
        "50/1h"
      ]
      const first = yield* serve(...args)
      const accounts = readAccounts(file)
      assert.deepStrictEqual(accounts.map(({ id }) => id), ["account-1", "account-2", "account-3"])
      for (const account of accounts) {
        assert.deepStrictEqual(Object.keys(account), ["id", "baseUrl", "apiKey"])
        assert.strictEqual(account.baseUrl, first.baseUrl)
        assert.match(account.apiKey, /^re_\S{20,}$/)
      }
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      const emails = yield* Effect.forEach(accounts, ({ apiKey, baseUrl }) =>
        Stream.runCollect(Stream.map(contacts.items(), ({ email }) =>
          email)).pipe(
            Effect.provide(client(baseUrl, apiKey))
          ))
      assert.strictEqual(new Set(emails.flatMap((list) => [...list])).size, 90)
      yield* first.kill("SIGTERM")
      const { stderr, stdout } = yield* first.finished
      for (const { apiKey } of accounts) {
        assert.notInclude(stdout + stderr, apiKey)
      }

      // More accounts later: a program that has read the file before can go on. Its permissions are restored, too.
      chmodSync(file, 0o644)
      const second = yield* serve("--accounts", "4", ...args.slice(2))
      const again = readAccounts(file)
      assert.deepStrictEqual(again.slice(0, 3), accounts.map((account) => ({ ...account, baseUrl: second.baseUrl })))
      assert.strictEqual(again[3]?.id, "account-4")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.deepStrictEqual(readdirSync(dirname(file)), ["accounts.json"])
    }), slow)

  it.scoped("prints the keys of accounts, or derives them from a given one", () =>
    Effect.gen(function*() {
      const printing = yield* serve("--accounts", "2", "--items", "topics=1")
      yield* printing.kill("SIGTERM")
      assert.match(
        (yield* printing.finished).stderr,
        /^API key of account-1: re_\S{20,}\nAPI key of account-2: re_\S{20,}\n$/
      )
      const derived = yield* serve("--accounts", "2", "--items", "topics=1", "--api-key", "re_local")
      const statuses = yield* Effect.forEach(["re_local-1", "re_local-2", "re_local-3", "re_local"], (key) =>
        Effect.promise(() =>
          fetch(`${derived.baseUrl}/topics`, { headers: { authorization: `Bearer ${key}` } })
            .then(({ status }) =>
              status
            )
        ))
      assert.deepStrictEqual(statuses, [200, 200, 403, 403])
      yield* derived.kill("SIGTERM")
      assert.strictEqual((yield* derived.finished).stderr, "")
    }), slow)

  it.scoped("overwrites no file but one of its own", () =>
    Effect.gen(function*() {
      const file = join(yield* directory, "accounts.json")
      const foreign = [
        "{}",
        "not JSON, re_secret",
        "[{\"id\":\"acme\",\"baseUrl\":\"https://api.example.com\",\"apiKey\":\"re_secret\"}]",
        "[{\"id\":\"account-1\",\"apiKey\":\"re_secret\"}]",
        "[{\"id\":\"account-1\",\"baseUrl\":\"http://x\",\"apiKey\":\"re_secret\",\"note\":\"\"}]"
      ]
      for (const text of foreign) {
        writeFileSync(file, text)
        const { code, stderr, stdout } = yield* run([
          "serve",
          "--port",
          "0",
          "--accounts",
          "2",
          "--accounts-file",
          file
        ])
        assert.deepStrictEqual([code, stdout], [1, ""])
        assert.include(stderr, `${file}: exists, and was not written by serve --accounts; choose another file`)
        assert.notInclude(stderr, "re_secret")
        assert.strictEqual(readFileSync(file, "utf8"), text)
      }
      for (
        const [args, message] of [
          [["--accounts-file", file], "--accounts-file needs --accounts N."],
          [["--accounts", "2", "--accounts-file", ""], "--accounts-file needs a value."],
          [["--api-key", ""], "--api-key needs a value."],
          [["--accounts", "0"], "--accounts must be a number between 1 and 100000"]
        ] as const
      ) {
        const { code, stderr } = yield* run(["serve", "--port", "0", ...args])
        assert.strictEqual(code, 2)
        assert.include(stderr, message)
      }
    }), slow)

  it.scoped("fails with one line if it cannot serve", () =>
    Effect.gen(function*() {
      const other = yield* Effect.acquireRelease(
        Effect.async<ReturnType<typeof createServer>>((resume) => {
          const server = createServer()
          server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
        }),
        (server) => Effect.sync(() => server.close())
      )
      const port = String((other.address() as AddressInfo).port)
      const rejects = (line: RegExp, ...args: ReadonlyArray<string>) =>
        Effect.map(run(["serve", "--port", "0", ...args]), ({ code, stderr, stdout }) => {
          assert.deepStrictEqual([code, stdout], [1, ""])
          assert.match(stderr, line)
          assert.strictEqual(stderr.trimEnd().split("\n").length, 1)
          assert.notInclude(stderr, "s3cret")
        })
      yield* Effect.map(run(["serve", "--port", port]), ({ code, stderr }) => {
        assert.strictEqual(code, 1)
        assert.match(
          stderr,
          /^ServeError: 127\.0\.0\.1:\d+: the address is already in use; choose another --port \(mailstream explain ServeError\)\n$/
        )
      })
      yield* rejects(
        /^StoreError: \/missing\/mailstream\.db could not be opened: /,
        "--store",
        "sqlite:/missing/mailstream.db"
      )
      yield* rejects(/^StoreError: The database could not/, "--store", "postgres://me:s3cret@127.0.0.1:1/mail")
    }), slow)

  it.scoped("lets pages of the origins that --cors names use it", () =>
    Effect.gen(function*() {
      const service = yield* serve("--items", "1", "--cors", "http://localhost:5173,https://App.example.com:443/")
      for (const origin of ["http://localhost:5173", "https://app.example.com"]) {
        const { headers, status } = yield* Effect.promise(() =>
          fetch(`${service.baseUrl}/contacts`, {
            method: "OPTIONS",
            headers: { origin, "access-control-request-method": "GET" }
          })
        )
        assert.strictEqual(status, 204)
        assert.strictEqual(headers.get("access-control-allow-origin"), origin)
      }
      for (const wrong of ["localhost:5173", "http://localhost/path", "*,http://localhost"]) {
        const { code, stderr } = yield* run(["serve", "--cors", wrong])
        assert.strictEqual(code, 2)
        assert.include(stderr, "--cors must be * or origins such as http://localhost:5173")
      }
    }), slow)
})
