import { assert, describe, it } from "@effect/vitest"
import * as Lists from "@mailstream/cli/mirror/Lists"
import { Resource } from "@mailstream/core"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { forward } from "@mailstream/testing/HttpServer"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Array, Deferred, Effect, Exit, Fiber } from "effect"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { dirname } from "node:path"
import { environment, type Place, places } from "../support/copies.ts"
import { inside } from "../support/inside.ts"
import { jsonLines, run, slow, start } from "../support/program.ts"
import { apiKey, contacts, paging, serving } from "../support/service.ts"

const insert = (...numbers: ReadonlyArray<number>) =>
  Effect.flatMap(Store, (store) => store.insert(Resource.contacts, numbers.map((number) => SampleData.contact(number))))

const remove = (...numbers: ReadonlyArray<number>) =>
  Effect.flatMap(
    Store,
    (store) => store.delete(Resource.contacts, numbers.map((number) => SampleData.contact(number).id))
  )

const row = (list: string, counts: object) => ({ list, created: 0, updated: 0, deleted: 0, unchanged: 0, ...counts })

/** Everything that a copy holds. */
const contents = ({ query }: Place) =>
  Effect.all(
    ["contacts", "topics", "mirror_lists", "mirror_changes", "mirror_consumers", "mirror_seen"].map((table) =>
      query(`SELECT * FROM ${table}`)
    )
  )

describe.each(places)("sync to %s", (_, make) => {
  it.scoped(
    "copies items beside one that is nested more deeply than the program can follow",
    () =>
      Effect.gen(function*() {
        const place = yield* make
        let deep: unknown = "inside"
        for (let level = 0; level < 2500; level++) deep = [deep]
        const [first, ...others] = contacts(3)
        const service = yield* serving(paging([Object.assign({}, first, { deep }), ...others]))
        const env = { ...service.env, MAILSTREAM_DATABASE_URL: place.url }
        const { code, stderr, stdout } = yield* run(["sync", "--lists", "contacts"], { env })
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.deepStrictEqual(jsonLines(stdout), [row("contacts", { created: 3 })])
      }),
    slow
  )

  it.scoped("copies every list, then what has changed, and tells what it did", () =>
    Effect.gen(function*() {
      const place = yield* make
      const env = yield* environment(place)
      yield* SampleData.insert({ contacts: 30, segments: 2, topics: 5, receivedEmails: 3 })
      const first = yield* run(["sync"], { env })
      assert.deepStrictEqual([first.code, first.stderr], [0, ""])
      const rows = jsonLines(first.stdout)
      assert.sameMembers(rows.map(({ list }) => list), [...Lists.defaults])
      assert.deepInclude(rows, row("contacts", { created: 30 }))
      assert.deepInclude(rows, row("topics", { created: 5 }))
      assert.strictEqual((yield* place.query("SELECT id FROM current_contacts WHERE email IS NOT NULL")).length, 30)

      yield* insert(1000, 1001)
      yield* remove(1, 2, 3)
      const second = yield* run(["sync", "--lists", "topics, contacts", "--format", "csv"], { env })
      assert.deepStrictEqual(second, {
        code: 0,
        stderr: "",
        stdout: "list,created,updated,deleted,unchanged,other_fields\r\n" +
          "contacts,2,0,3,27,\r\ntopics,0,0,0,5,\r\n"
      })
      assert.strictEqual((yield* place.query("SELECT id FROM current_contacts")).length, 29)
      assert.strictEqual((yield* place.query("SELECT id FROM contacts WHERE deleted_at IS NOT NULL")).length, 3)
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scoped("writes nothing in a dry run", () =>
    Effect.gen(function*() {
      const place = yield* make
      const env = yield* environment(place)
      yield* insert(...Array.range(1, 20))
      const dry = ["sync", "--lists", "contacts,topics", "--dry-run"]
      const none = yield* run(dry, { env })
      assert.deepStrictEqual([none.code, none.stderr], [0, ""])
      assert.deepStrictEqual(jsonLines(none.stdout), [row("contacts", { created: 20 }), row("topics", {})])
      if (place.url.startsWith("sqlite:")) {
        assert.deepStrictEqual(readdirSync(dirname(place.url.slice("sqlite:".length))), [])
      } else {
        assert.deepStrictEqual(
          yield* place.query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"),
          []
        )
      }
      assert.strictEqual((yield* run(["sync", "--lists", "contacts,topics"], { env })).code, 0)
      yield* insert(21)
      yield* remove(1)
      const before = yield* contents(place)
      const some = yield* run(dry, { env })
      assert.deepStrictEqual(jsonLines(some.stdout), [
        row("contacts", { created: 1, deleted: 1, unchanged: 19 }),
        row("topics", {})
      ])
      assert.deepStrictEqual(yield* contents(place), before)
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scoped("continues after it was killed", () =>
    Effect.gen(function*() {
      const place = yield* make
      const env = yield* environment(place)
      yield* SampleData.insert({ topics: 1000 })
      let kill = () => {}
      const requests: Array<string> = []
      const baseUrl = yield* forward(env["MAILSTREAM_BASE_URL"] ?? "", (request) => {
        if (requests.push(request) === 6) kill()
      })
      const args = ["sync", "--lists", "topics", "--base-url", baseUrl]
      const killed = yield* start(args, { env })
      kill = () => killed.child.kill("SIGKILL")
      assert.strictEqual((yield* killed.finished).code, "SIGKILL")
      const [under] = jsonLines((yield* run(["sync", "status"], { env })).stdout).filter(({ list }) =>
        list === "topics"
      )
      assert.deepInclude(under, { items: 500, completed_at: null })
      assert.deepInclude(under?.["pass"], { attempts: 1, created: 500 })
      requests.length = 0
      const resumed = yield* run(args, { env })
      assert.deepStrictEqual(resumed.code, 0)
      assert.deepStrictEqual(jsonLines(resumed.stdout), [row("topics", { created: 1000 })])
      assert.isAtMost(requests.length, 7)
      assert.strictEqual(
        (yield* place.query("SELECT DISTINCT id FROM mirror_changes WHERE kind = 'Created'")).length,
        1000
      )
      assert.strictEqual((yield* place.query("SELECT id FROM mirror_changes")).length, 1000)
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scoped("may run twice at once", () =>
    Effect.gen(function*() {
      const place = yield* make
      const env = yield* environment(place)
      yield* SampleData.insert({ contacts: 300, topics: 500 })
      const both = yield* Effect.replicateEffect(run(["sync", "--lists", "contacts,topics"], { env }), 2, {
        concurrency: "unbounded"
      })
      for (const { code, stderr } of both) assert.deepStrictEqual([code, stderr], [0, ""])
      for (const [list, count] of [["contacts", 300], ["topics", 500]] as const) {
        const changes = yield* place.query(`SELECT id, kind FROM mirror_changes WHERE list = '${list}'`)
        assert.strictEqual(changes.length, count)
        assert.isTrue(changes.every(({ kind }) => kind === "Created"))
        assert.strictEqual((yield* place.query(`SELECT id FROM current_${list}`)).length, count)
      }
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scopedLive("goes on with --every until a signal, and copies what is new", () =>
    Effect.gen(function*() {
      const place = yield* make
      const env = yield* environment(place)
      yield* insert(...Array.range(1, 10))
      for (const signal of ["SIGINT", "SIGTERM"] as const) {
        const program = yield* start(["sync", "--lists", "contacts", "--every", "1s"], { env })
        yield* program.line
        yield* insert(signal === "SIGINT" ? 11 : 12)
        let next = JSON.parse(yield* program.line)
        while (next.created === 0) next = JSON.parse(yield* program.line)
        assert.deepInclude(next, { list: "contacts", created: 1, deleted: 0 })
        yield* program.kill(signal)
        const { code, stderr } = yield* program.finished
        assert.deepStrictEqual([code, stderr], [0, ""])
      }
      assert.strictEqual((yield* place.query("SELECT id FROM current_contacts")).length, 12)
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scoped("keeps accounts and prefixes apart", () =>
    Effect.gen(function*() {
      const place = yield* make
      const env = yield* environment(place)
      yield* insert(1, 2)
      const sync = (...args: ReadonlyArray<string>) => inside(["sync", "--lists", "contacts", ...args], { env })
      assert.strictEqual((yield* sync("--account", "one")).code, 0)
      assert.strictEqual((yield* sync("--account", "status")).code, 0)
      assert.strictEqual((yield* sync("--prefix", "mail_")).code, 0)
      const accounts = yield* place.query("SELECT DISTINCT account FROM contacts ORDER BY account")
      assert.deepStrictEqual(accounts, [{ account: "one" }, { account: "status" }])
      assert.strictEqual((yield* place.query("SELECT id FROM mail_contacts")).length, 2)
      const wrong = yield* sync("--prefix", "No-Name")
      assert.strictEqual(wrong.code, 2)
      assert.match(wrong.stderr, /^mailstream: --prefix must consist of lower-case letters/)
      const schema = yield* sync("--schema", "mail")
      if (place.url.startsWith("sqlite:")) {
        assert.strictEqual(schema.code, 2)
        assert.match(schema.stderr, /^mailstream: --schema needs PostgreSQL/)
      } else {
        assert.strictEqual(schema.code, 0)
        assert.strictEqual((yield* place.query("SELECT id FROM mail.contacts")).length, 2)
      }
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scoped("does not touch a table that is not a copy", () =>
    Effect.gen(function*() {
      const place = yield* make
      const env = yield* environment(place)
      yield* place.query("CREATE TABLE contacts (mine INTEGER)")
      const { code, stderr, stdout } = yield* run(["sync"], { env })
      assert.deepStrictEqual([code, stdout], [1, ""])
      assert.match(stderr, /^TableInUse: The table contacts already exists and is not a copy[^\n]*--prefix[^\n]*\n$/)
      // SQLite has no schemas.
      assert.strictEqual(stderr.includes("--schema"), place.url.startsWith("postgres"))
      assert.strictEqual((yield* run(["sync", "--prefix", "mail_", "--lists", "topics"], { env })).code, 0)
    }).pipe(Effect.provide(Server.layerTest())), slow)
})

describe("sync status, purge and prune", () => {
  const [, [, postgres]] = places as [typeof places[number], typeof places[number]]

  it.scopedLive(
    "need the database only, and an existing copy",
    () =>
      Effect.forEach(places, ([, make]) =>
        Effect.gen(function*() {
          const place = yield* make
          const { MAILSTREAM_DATABASE_URL: url, ...service } = yield* environment(place)
          const env = { MAILSTREAM_DATABASE_URL: url ?? "" }
          for (const args of [["status"], ["purge", "--older-than", "1d"], ["prune", "--older-than", "1d"]]) {
            const { code, stderr, stdout } = yield* inside(["sync", ...args], { env })
            assert.deepStrictEqual([code, stdout], [1, ""])
            assert.match(stderr, /^DatabaseError: .+: there is no copy; make one with `mailstream sync`/)
          }
          if (url?.startsWith("sqlite:")) assert.isFalse(existsSync(url.slice("sqlite:".length)))
          yield* insert(...Array.range(1, 10))
          yield* run(["sync", "--lists", "contacts"], { env: { ...env, ...service } })
          yield* remove(1, 2)
          yield* run(["sync", "--lists", "contacts"], { env: { ...env, ...service } })
          const status = yield* run(["sync", "status"], { env })
          assert.deepStrictEqual([status.code, status.stderr], [0, ""])
          const [contacts] = jsonLines(status.stdout).filter(({ list }) => list === "contacts")
          assert.deepInclude(contacts, {
            items: 8,
            deleted: 2,
            last_pass: { created: 0, updated: 0, deleted: 2, unchanged: 8 },
            pass: null,
            changes: 12,
            consumers: {},
            error: null
          })
          assert.match(String(contacts?.["completed_at"]), /^\d{4}-\d{2}-\d{2}T.+Z$/)
          const table = yield* inside(["sync", "status", "--format", "table"], { env })
          assert.match(table.stdout, /^list +items +deleted +completed +changes\n/)
          assert.match(table.stdout, /\ncontacts +8 +2 +\d+ (s|min) ago +12\n/)
          assert.match(table.stdout, /\ntopics +0 +0 +never +0\n/)
          const dropped = (what: string, age: string) =>
            Effect.map(inside(["sync", what, "--older-than", age], { env }), ({ stdout }) => stdout)
          assert.strictEqual(yield* dropped("purge", "1d"), "{\"purged\":0}\n")
          assert.strictEqual(yield* dropped("prune", "0s"), "{\"pruned\":12}\n")
          assert.strictEqual(yield* dropped("purge", "0s"), "{\"purged\":2}\n")
        }).pipe(Effect.provide(Server.layerTest()))),
    slow
  )

  it.scoped("say why a list could not be copied", () =>
    Effect.gen(function*() {
      const place = yield* postgres
      const service = yield* serving((url) =>
        url.pathname === "/contacts"
          ? paging(contacts(3))(url)
          : { status: 401, body: { statusCode: 401, name: "restricted_api_key", message: "Not with this key." } }
      )
      const env = { ...service.env, MAILSTREAM_DATABASE_URL: place.url }
      const { code, stderr, stdout } = yield* run(["sync", "--lists", "domains,contacts,topics"], { env })
      assert.strictEqual(code, 1)
      assert.deepStrictEqual(jsonLines(stdout), [row("contacts", { created: 3 })])
      const url = service.env["MAILSTREAM_BASE_URL"]
      const reason = (list: string) => `GET ${url}/${list}: Not with this key.`
      assert.strictEqual(
        stderr,
        `restricted_api_key: domains: ${reason("domains")} (mailstream explain restricted_api_key)\n` +
          `restricted_api_key: topics: ${reason("topics")} (mailstream explain restricted_api_key)\n`
      )
      const status = jsonLines((yield* inside(["sync", "status"], { env })).stdout)
      assert.deepStrictEqual(
        status.filter(({ error }) => error !== null).map(({ error, list }) => [list, error]),
        [["domains", reason("domains")], ["topics", reason("topics")]]
      )
    }), slow)
})

describe("sync", () => {
  const [[, sqlite], [, postgres]] = places as [typeof places[number], typeof places[number]]

  it.scoped(
    "tells about --max-deleted if most of a list is gone, and about another service",
    () =>
      Effect.gen(function*() {
        const place = yield* sqlite
        const items = contacts(10)
        const service = yield* serving((url) => paging(items)(url))
        const env = { ...service.env, MAILSTREAM_DATABASE_URL: place.url }
        const sync = (...args: ReadonlyArray<string>) => inside(["sync", "--lists", "contacts", ...args], { env })
        assert.strictEqual((yield* sync()).code, 0)
        items.splice(0, 8)
        const { code, stderr, stdout } = yield* sync()
        assert.deepStrictEqual([code, stdout], [1, ""])
        assert.match(
          stderr,
          /^TooManyDeletions: contacts: [^\n]+ 8 of 10 items [^\n]+ raise --max-deleted, up to 1\. \(mailstream explain TooManyDeletions\)\n$/
        )
        const allowed = yield* sync("--max-deleted", "0.8")
        assert.deepStrictEqual(jsonLines(allowed.stdout), [row("contacts", { deleted: 8, unchanged: 2 })])

        const other = yield* serving((url) => paging(items)(url))
        const elsewhere = yield* sync("--base-url", other.env["MAILSTREAM_BASE_URL"] ?? "")
        assert.strictEqual(elsewhere.code, 1)
        assert.match(
          elsewhere.stderr,
          /^OtherService: contacts: [^\n]+ Check --base-url; a copy of another service needs another --account, or another database\. \(mailstream explain OtherService\)\n$/
        )
      }),
    slow
  )

  it.scoped(
    "fails at once if the service has never responded, with one line for all lists",
    () =>
      Effect.gen(function*() {
        const place = yield* sqlite
        const { code, stderr, stdout } = yield* run(["sync", "--lists", "contacts,topics"], {
          env: {
            MAILSTREAM_BASE_URL: "http://127.0.0.1:1",
            MAILSTREAM_API_KEY: apiKey,
            MAILSTREAM_DATABASE_URL: place.url
          }
        })
        assert.deepStrictEqual([code, stdout], [1, ""])
        assert.match(stderr, /^TransportError: contacts, topics: [^\n]+ECONNREFUSED[^\n]*\n$/)
      }),
    slow
  )

  it.scoped("says once what is wrong with all lists", () =>
    Effect.gen(function*() {
      const place = yield* sqlite
      const service = yield* serving(() => ({
        status: 401,
        body: { statusCode: 401, name: "invalid_api_key", message: "Wrong key." }
      }))
      const env = { ...service.env, MAILSTREAM_DATABASE_URL: place.url }
      const { code, stderr } = yield* inside(["sync"], { env })
      assert.strictEqual(code, 1)
      assert.match(
        stderr,
        /^invalid_api_key: domains, api-keys, [^:\n]+, received-email-attachments: GET \S+: Wrong key\. \(mailstream explain invalid_api_key\)\n$/
      )
    }), slow)

  it.scoped("can be interrupted while it connects to PostgreSQL", () =>
    Effect.gen(function*() {
      // Accepts connections, and never responds.
      const connected = yield* Deferred.make<void>()
      let hasHungUp = false
      const server = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createServer((socket) => {
            socket.resume().on("error", () => {}).on("end", () => {
              hasHungUp = true
            })
            Deferred.unsafeDone(connected, Exit.void)
          }).listen(0, "127.0.0.1")
        ),
        (server) => Effect.sync(() => server.close())
      )
      yield* Effect.promise(() => once(server, "listening"))
      const { port } = server.address() as AddressInfo
      const env = { MAILSTREAM_BASE_URL: "http://127.0.0.1:1", MAILSTREAM_API_KEY: apiKey }
      const fiber = yield* Effect.fork(inside(["sync", "--to", `postgres://me:x@127.0.0.1:${port}/mail`], { env }))
      yield* Deferred.await(connected)
      yield* Fiber.interrupt(fiber)
      // The driver gives up after some seconds, and closes the connection.
      assert.isFalse(hasHungUp)
    }), slow)

  it.scoped("says in words what is wrong with the options and the file", () =>
    Effect.gen(function*() {
      const folder = yield* Temporary.directory
      writeFileSync(`${folder}/notes.txt`, "No database.".repeat(100))
      const service = { MAILSTREAM_BASE_URL: "http://127.0.0.1:1", MAILSTREAM_API_KEY: apiKey }
      const cases: ReadonlyArray<readonly [args: ReadonlyArray<string>, code: number, message: RegExp]> = [
        [[], 2, /^mailstream: No database given: use --to sqlite:FILE.+MAILSTREAM_DATABASE_URL\./],
        [
          ["--to", "mail.db"],
          2,
          /^mailstream: --to must be sqlite:FILE or postgres:\/\/USER:PASSWORD@HOST\/DATABASE\./
        ],
        [["--to", "memory"], 2, /--to must be/],
        [["--to", "sqlite:"], 2, /--to must be/],
        [
          ["--to", "sqlite:x", "--lists", "contact,topics,segment"],
          2,
          /--lists must name lists among domains, .+, not 'contact,topics,segment'/
        ],
        [["--to", "sqlite:x", "--every", "5"], 2, /--every must be a time/],
        [["--to", "sqlite:x", "--every", "0s"], 2, /--every must be a time of a second or more/],
        [["--to", "sqlite:x", "--every", "1h", "--dry-run"], 2, /--dry-run cannot be combined with --every/],
        [["--to", "sqlite:x", "--lanes", "0"], 2, /--lanes must be a number between 1 and 100/],
        [["--to", "sqlite:x", "--max-deleted", "50%"], 2, /--max-deleted must be a number between 0 and 1/],
        [["stauts"], 2, /Unknown command 'mailstream sync stauts'\. Available: status, purge, prune\./],
        [["purge", "--to", "sqlite:x"], 2, /--older-than TIME is required/],
        [
          ["--to", `sqlite:${folder}/missing/mail.db`],
          1,
          /^DatabaseError: \S+: the directory \S+ does not exist; create/
        ],
        [["--to", `sqlite:${folder}`], 1, /^DatabaseError: \S+: is a directory/],
        [
          ["--to", `sqlite:${folder}/notes.txt`],
          1,
          /^DatabaseError: \S+notes\.txt: file is not a database \(mailstream explain DatabaseError\)\n$/
        ]
      ]
      for (const [args, code, message] of cases) {
        const finished = yield* inside(["sync", ...args], { env: service })
        assert.deepStrictEqual([args, finished.code, finished.stdout], [args, code, ""])
        assert.match(finished.stderr, message)
      }
      assert.deepStrictEqual(readdirSync(folder), ["notes.txt"])
    }), slow)

  it.scoped("never prints a password", () =>
    Effect.gen(function*() {
      const { host } = new URL(Provided.postgres())
      const env = { MAILSTREAM_BASE_URL: "http://127.0.0.1:1", MAILSTREAM_API_KEY: apiKey }
      const cases: ReadonlyArray<readonly [url: string, code: number, message: RegExp]> = [
        [
          `postgres://mailstream:s3cret@${host}/postgres`,
          1,
          /^DatabaseError: PostgreSQL at \S+: password authentication/
        ],
        [`postgres://${host}/postgres?user=mailstream&password=s3cret`, 1, /password authentication failed/],
        ["postgres://me:s3cret@127.0.0.1:1/mail", 1, /^DatabaseError: PostgreSQL at 127\.0\.0\.1:1: .*ECONNREFUSED/],
        ["postgres://me:s3cret@localhost:1/mail", 1, /^DatabaseError: PostgreSQL at localhost:1: .*ECONNREFUSED/],
        ["postgres://me:s3cret@host.invalid/mail", 1, /^DatabaseError: PostgreSQL at host\.invalid: .*host\.invalid/],
        ["postgres://me:s3cret@127.0.0.1:99999/mail", 2, /--to must be|MAILSTREAM_DATABASE_URL must be/],
        ["postgres://me:s3cret#@127.0.0.1/mail", 2, /must have a percent-encoded user name and password: .+ # is %23/],
        ["postgres://me:12/s3cret@127.0.0.1/mail", 2, /must have a percent-encoded user name and password: .+ %2F/],
        ["postgres://me:a@s3cret@127.0.0.1/mail", 2, /must have a percent-encoded user name and password: @ is %40/],
        ["postgres:/me:s3cret@127.0.0.1/mail", 2, /must be/],
        [`postgres://mailstream:s3cret%@${host}/postgres`, 1, /^DatabaseError: /]
      ]
      for (const [url, code, message] of cases) {
        for (
          const finished of yield* Effect.all([
            run(["sync", "--to", url], { env }),
            run(["sync", "status", "--log-level", "debug"], { env: { ...env, MAILSTREAM_DATABASE_URL: url } })
          ], { concurrency: 2 })
        ) {
          assert.deepStrictEqual([finished.code, finished.stdout], [code, ""], finished.stderr)
          assert.match(finished.stderr, message)
          assert.notInclude(finished.stderr, "s3cret")
        }
      }
      for (const words of [["sync"], ["changes", "contacts"], ["contacts"], []]) {
        const { code, stderr } = yield* run([...words, "postgres://me:my s3cret/a@b@host/mail"], { env })
        assert.strictEqual(code, 2)
        assert.include(stderr, "postgres://me:***@host/mail")
      }
    }), 120_000)

  it.scoped.skipIf(!existsSync("/proc/self/cmdline"))(
    "takes the password out of its command line",
    () =>
      Effect.gen(function*() {
        const place = yield* postgres
        const { MAILSTREAM_DATABASE_URL: _, ...env } = yield* environment(place)
        const url = place.url.replace(":mailstream@", ":%6dailstream@")
        const program = yield* start(["sync", "--lists", "topics", "--every", "1h", "--to", url], { env })
        yield* program.line
        const line = readFileSync(`/proc/${program.pid}/cmdline`, "utf8")
        assert.notInclude(line, "%6dailstream")
        assert.include(line, "mailstream sync --lists topics --every 1h --to postgres://mailstream:***@127.0.0.1")
      }).pipe(Effect.provide(Server.layerTest())),
    slow
  )
})
