import { assert, describe, it } from "@effect/vitest"
import * as AnyList from "@mailstream/cli/api/AnyList"
import * as Flag from "@mailstream/cli/usage/Flag"
import { Resource } from "@mailstream/core"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { eventually } from "@mailstream/testing/Eventually"
import { sendJson } from "@mailstream/testing/HttpServer"
import * as Requests from "@mailstream/testing/Requests"
import { Arbitrary, Effect, FastCheck, Fiber, Redacted, type Schema } from "effect"
import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { inside } from "./support/inside.ts"
import { jsonLines, run, slow, start } from "./support/program.ts"
import { apiKey, contacts, paging, serving } from "./support/service.ts"

/** How many items the lists get that need more than a few. */
const many: { readonly [list: string]: number } = {
  contacts: 250,
  receivedEmails: 9,
  emails: 45,
  templates: 25,
  topics: 30
}

const counts = Object.fromEntries(Object.keys(SampleData.samples).map((list) => [list, many[list] ?? 3]))

/** The environment for the real server, with sample data. */
const environment = Effect.gen(function*() {
  yield* SampleData.insert(counts)
  const server = yield* Server.TestServer
  return { MAILSTREAM_BASE_URL: server.baseUrl, MAILSTREAM_API_KEY: Redacted.value(server.apiKey) }
})

/** The items in the store, as the server sends them. */
const stored = (name: string, within?: string) =>
  Effect.flatMap(
    Store,
    (store) =>
      Effect.map(store.page({ name, within }, { limit: 1000 }), ({ items }) => items.map((item) => JSON.parse(item)))
  )

const ids = (items: ReadonlyArray<Record<string, unknown>>) => items.map(({ id }) => id)

/** CI starts a process for each list, which takes longer. */
const perList = process.env["MAILSTREAM_SLOW_TESTS"] === "1" ? run : inside

/** The lists that sample data fills; attachments come with their emails. */
const sampled = Resource.all.filter(({ name, scope }) =>
  name === Resource.receivedEmailAttachments.name ||
  scope?.required !== true && Object.values(SampleData.samples).some((list) => list.name === name)
)

/** Every option of a list's filter, with a value. */
const filterOf = (name: string) =>
  Flag.named(AnyList.named(name).filters).map((flag) => {
    const [word = "00000000-0000-4000-8000-000000000001"] = flag.values !== undefined && "words" in flag.values
      ? flag.values.words
      : []
    return { flag, option: flag.names[0]!, field: flag.key.replace(/^filter\./, ""), word }
  })

/** A few items, always the same ones, with different ids. */
const itemsOf = ({ item }: typeof Resource.all[number]) => {
  const some = FastCheck.sample(Arbitrary.make(item as unknown as Schema.Schema<{ readonly id: string }>), {
    seed: 7,
    numRuns: 60
  })
  const unique = [...new Map(some.map((one) => [one.id, one])).values()].slice(0, 5)
  return JSON.parse(JSON.stringify(unique)) as ReadonlyArray<{ readonly id: string }>
}

describe("every list", () => {
  it.scoped.each(Resource.all)("$name is printed completely, under every filter", (resource) =>
    Effect.gen(function*() {
      const { name, path, query, scope } = resource
      const items = itemsOf(resource)
      const service = yield* serving(paging(items))
      const options = filterOf(name)
      const required = options.filter(({ flag }) => Flag.isRequired(flag))
      for (const given of new Set([required, options])) {
        service.requests.length = 0
        const args = given.flatMap(({ option, word }) => [option, word])
        const { code, stderr, stdout } = yield* inside([name, "list", ...args], service)
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.deepStrictEqual(jsonLines(stdout), items)
        const url = new URL(service.requests[0]!, "http://localhost")
        const owner = given.find(({ field }) => field === scope?.field)
        assert.strictEqual(
          url.pathname,
          scope === undefined || owner === undefined ? path : scope.path.replace(`:${scope.field}`, owner.word)
        )
        for (const { field, word } of given) {
          if (field in query) assert.strictEqual(url.searchParams.get(field), word)
        }
      }
      // What a filter needs is said before any request.
      service.requests.length = 0
      for (const { flag, option } of required) {
        const rest = required.filter((other) => other.option !== option).flatMap(({ option, word }) => [option, word])
        const { code, stderr } = yield* inside([name, "list", ...rest], service)
        assert.strictEqual(code, 2)
        assert.include(stderr, `${option} ${flag.value} is required.`)
      }
      assert.deepStrictEqual(service.requests, [])
    }), slow)

  it.scoped("that sample data fills is printed as it is in the store", () =>
    Effect.gen(function*() {
      const env = yield* environment
      const [{ id: email_id }] = (yield* stored("received-emails")).filter(({ attachments }) => attachments.length > 1)
      assert.isAtLeast(sampled.length, 10)
      yield* Effect.forEach(sampled, ({ name, scope }) =>
        Effect.gen(function*() {
          const within = scope?.required === true ? email_id : undefined
          const args = [name, "list", ...(within === undefined ? [] : [`--${scope?.noun}`, within])]
          const { code, stderr, stdout } = yield* perList(args, { env })
          assert.deepStrictEqual([name, code, stderr], [name, 0, ""])
          const expected = yield* stored(name, within)
          assert.isAbove(expected.length, 1, name)
          const written = jsonLines(stdout)
          // A request updates when its key was last used.
          if (name === Resource.apiKeys.name) assert.deepStrictEqual(ids(written), ids(expected))
          else assert.deepStrictEqual(written, expected)
        }), { concurrency: 3 })
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scoped("of contacts can be filtered by segment, and fetched in one request", () =>
    Effect.gen(function*() {
      const env = yield* environment
      const [segment] = yield* stored("segments")
      const expected = yield* stored("contacts", segment.id)
      assert.isAbove(expected.length, 20)
      const inPages = yield* inside(["contacts", "list", "--segment", segment.id, "--page-size", "7"], { env })
      assert.deepStrictEqual(jsonLines(inPages.stdout), expected)
      const whole = yield* inside(["contacts", "list", "--whole", "--segment", segment.id], { env })
      assert.deepStrictEqual(jsonLines(whole.stdout), expected)
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scoped("starts after or before an item", () =>
    Effect.gen(function*() {
      const env = yield* environment
      const all = ids(yield* stored("contacts"))
      const list = (...args: ReadonlyArray<string>) =>
        Effect.map(inside(["contacts", "list", "--page-size", "30", ...args], { env }), ({ stdout }) =>
          ids(jsonLines(stdout)))
      assert.deepStrictEqual(yield* list("--after", String(all[99]), "--take", "50"), all.slice(100, 150))
      assert.deepStrictEqual(yield* list("--before", String(all[100])), all.slice(0, 100).reverse())
    }).pipe(Effect.provide(Server.layerTest())), slow)
})

describe("requests", () => {
  it.scoped("are not more than necessary", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(contacts(250)))
      const requested = (...args: ReadonlyArray<string>) =>
        Effect.gen(function*() {
          service.requests.length = 0
          const { code, stdout } = yield* inside(["contacts", "list", ...args], service)
          assert.strictEqual(code, 0)
          return [stdout.split("\n").length - 1, service.requests.length, service.requests[0]]
        })
      assert.deepStrictEqual(yield* requested("--take", "0"), [0, 0, undefined])
      assert.deepStrictEqual(yield* requested("--take", "5"), [5, 1, "/contacts?limit=5"])
      assert.deepStrictEqual(yield* requested("--take", "100"), [100, 1, "/contacts?limit=100"])
      assert.deepStrictEqual(yield* requested("--take", "101"), [101, 2, "/contacts?limit=100"])
      assert.deepStrictEqual(yield* requested("--take", "25", "--page-size", "10"), [25, 3, "/contacts?limit=10"])
      assert.deepStrictEqual(yield* requested("--prefetch", "2"), [250, 3, "/contacts?limit=100"])
      assert.deepStrictEqual(yield* requested("--whole"), [250, 1, "/contacts"])
    }), slow)

  it.scopedLive("wait for a slow reader", () =>
    Effect.gen(function*() {
      // About 50 kB per page: the pipe is full after a few.
      const service = yield* serving(paging(contacts(5000, { note: "x".repeat(500) })))
      const program = yield* start(["contacts", "list"], { ...service, unread: true })
      const pages = () => service.requests.filter((path) => path.startsWith("/contacts")).length
      const probe = Effect.promise(() => fetch(new URL("/probe", service.env["MAILSTREAM_BASE_URL"])))
      const still = Effect.gen(function*() {
        let before = -1
        // Until others could have made many requests, but the program has made none.
        while (before !== pages() || before === 0) {
          before = pages()
          yield* Effect.repeatN(probe, 200)
        }
        return before
      })
      assert.isBelow(yield* still, 25)
      let read = 0
      program.child.stdout.on("data", (bytes: Buffer) => {
        read += bytes.toString().split("\n").length - 1
      })
      assert.strictEqual((yield* program.finished).code, 0)
      assert.strictEqual(pages(), 50)
      yield* eventually("everything is read", () => read === 5000)
    }), slow)

  it.scoped("end silently when the reader closes the pipe", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(contacts(20_000, { note: "x".repeat(500) })))
      const program = yield* start(["contacts", "list"], { ...service, unread: true })
      yield* Effect.async<void>((resume) => {
        program.child.stdout.once("data", () => {
          program.child.stdout.destroy()
          resume(Effect.void)
        })
      })
      const { code, stderr } = yield* program.finished
      assert.deepStrictEqual([code, stderr], [0, ""])
      assert.isBelow(service.requests.length, 100)
    }), slow)
})

describe("--whole", () => {
  it.scopedLive(
    "does not give up on a service that has responded before it refuses connections",
    () =>
      Effect.gen(function*() {
        const page = paging(contacts(3))
        let requests = 0
        const server = yield* Effect.acquireRelease(
          Effect.async<HttpServer>((resume) => {
            const server = createServer((request, response) => {
              requests++
              if (requests > 1) {
                return sendJson(response, 200, page(new URL(request.url ?? "", "http://localhost")).body)
              }
              sendJson(response, 503, "", { connection: "close" })
              server.close()
            }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.sync(() => server.close())
        )
        const { port } = server.address() as AddressInfo
        const env = { MAILSTREAM_BASE_URL: `http://127.0.0.1:${port}`, MAILSTREAM_API_KEY: apiKey }
        const before = Requests.refused()
        const listing = yield* Effect.fork(inside(["contacts", "list", "--whole"], { env }))
        yield* eventually("a connection is refused", () => Requests.refused() > before)
        server.listen(port, "127.0.0.1")
        const { code, stderr, stdout } = yield* Fiber.join(listing)
        assert.deepStrictEqual([code, stderr], [0, ""])
        assert.strictEqual(jsonLines(stdout).length, 3)
      }),
    slow
  )
})

describe("formats", () => {
  const odd = [
    {
      id: "00000000-0000-4000-8000-000000000002",
      email: "=cmd()@example.com",
      new_field: { nested: ["x", null] },
      first_name: "a\u001b]0;title\u0007\nb",
      last_name: "Ärger, \"x\"",
      created_at: "2025-11-30 20:41:40.84216+00",
      unsubscribed: false,
      10: "ten"
    },
    ...contacts(1)
  ]

  it.scoped("keep every field that was sent, in order", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging(odd))
      const ndjson = yield* run(["contacts", "list", "--page-size", "1"], service)
      assert.strictEqual(ndjson.stdout, odd.map((item) => `${JSON.stringify(item)}\n`).join(""))
      const json = yield* inside(["contacts", "list", "--page-size", "1", "--format", "json"], service)
      assert.strictEqual(JSON.stringify(JSON.parse(json.stdout)), JSON.stringify(odd))
      const csv = yield* inside(["contacts", "list", "--format", "csv"], service)
      assert.strictEqual(
        csv.stdout,
        [
          "id,email,first_name,last_name,created_at,unsubscribed,other_fields",
          "00000000-0000-4000-8000-000000000002,'=cmd()@example.com,\"a\\u001b]0;title\\u0007\nb\",\"Ärger, \"\"x\"\"\"," +
          "2025-11-30 20:41:40.84216+00,false,\"{\"\"10\"\":\"\"ten\"\",\"\"new_field\"\":{\"\"nested\"\":[\"\"x\"\",null]}}\"",
          "00000000-0000-4000-8000-000000000001,contact+1@example.com,,\"Lovelace, \"\"Countess\"\"\"," +
          "2025-11-30 20:41:40.84216+00,true,",
          ""
        ].join("\r\n")
      )
      const table = yield* inside(["contacts", "list", "--format", "table"], service)
      const [head, first] = table.stdout.split("\n")
      assert.deepStrictEqual(head!.split(/ +/), [
        "id",
        "email",
        "first_name",
        "last_name",
        "created_at",
        "unsubscribed"
      ])
      assert.include(first, "a\\u001b]0;title\\u0007\\nb")
      assert.notMatch(table.stdout, /[\0-\x09\x0b-\x1f]/)
    }), slow)

  it.scoped("are valid for an empty list", () =>
    Effect.gen(function*() {
      const service = yield* serving(paging([]))
      const empty = (format: string) =>
        Effect.map(inside(["contacts", "list", "--format", format], service), ({ stdout }) => stdout)
      assert.strictEqual(yield* empty("ndjson"), "")
      assert.strictEqual(yield* empty("table"), "")
      assert.deepStrictEqual(JSON.parse(yield* empty("json")), [])
      assert.strictEqual(
        yield* empty("csv"),
        "id,email,first_name,last_name,created_at,unsubscribed,other_fields\r\n"
      )
    }), slow)
})

describe("failures", () => {
  it.scoped("are one line that starts with the tag, and exit code 1", () =>
    Effect.gen(function*() {
      const env = yield* environment
      const wrongKey = yield* run(["contacts", "list"], {
        env: { ...env, MAILSTREAM_API_KEY: "re_wrong_key" }
      })
      assert.deepStrictEqual([wrongKey.code, wrongKey.stdout], [1, ""])
      assert.match(wrongKey.stderr, /^(invalid_api_key|validation_error): [^\n]+\n$/)
      assert.notInclude(wrongKey.stderr, "re_wrong_key")

      const unreachable = yield* run(["topics", "list", "--base-url", "http://127.0.0.1:1"], {
        env: { MAILSTREAM_API_KEY: apiKey }
      })
      assert.deepStrictEqual([unreachable.code, unreachable.stdout], [1, ""])
      assert.match(unreachable.stderr, /^TransportError: [^\n]+ECONNREFUSED[^\n]+\n$/)

      const unknown = yield* inside(["contacts", "list", "--after", "00000000-0000-4000-8000-000000000000"], { env })
      assert.strictEqual(unknown.code, 1)
      assert.match(unknown.stderr, /^not_found: [^\n]+\n$/)
    }).pipe(Effect.provide(Server.layerTest())), slow)

  it.scoped(
    "never show the key or control characters, and show a stack at log level debug only",
    () =>
      Effect.gen(function*() {
        const service = yield* serving(() => ({
          status: 403,
          body: {
            name: "invalid_permission",
            statusCode: 403,
            message: `No ${apiKey}\u001b[2J\u200f\u061c\nsecond line`
          }
        }))
        const { code, stderr } = yield* run(["contacts", "list"], service)
        assert.strictEqual(code, 1)
        assert.match(
          stderr,
          /^invalid_permission: GET http:\S+\/contacts: No <redacted> second line \(mailstream explain invalid_permission\)\n$/
        )
        const debug = yield* run(["contacts", "list", "--log-level", "debug"], service)
        assert.strictEqual(debug.code, 1)
        assert.match(debug.stderr, /^invalid_permission: [^\n]+\n[^]*\n +at /m)
        assert.notInclude(debug.stderr, apiKey)
        assert.notMatch(debug.stderr, /[^\P{Cc}\n]|[\u200f\u061c]/u)
      }),
    slow
  )

  it.scoped("after some pages keep what was printed, and have exit code 1", () =>
    Effect.gen(function*() {
      const page = paging(contacts(20))
      const service = yield* serving((url) =>
        url.searchParams.has("after")
          ? { status: 422, body: { name: "validation_error", statusCode: 422, message: "No." } }
          : page(url)
      )
      const { code, stderr, stdout } = yield* inside(["contacts", "list", "--page-size", "5"], service)
      assert.deepStrictEqual([code, jsonLines(stdout).length], [1, 5])
      assert.match(
        stderr,
        /^validation_error: GET http:\S+\/contacts: No\. \(mailstream explain validation_error\)\n$/
      )
    }), slow)
})
