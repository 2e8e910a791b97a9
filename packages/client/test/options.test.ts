import { assert, describe, it } from "@effect/vitest"
import * as Client from "@mailstream/client"
import { fileStore } from "@mailstream/client/file-store"
import { undici } from "@mailstream/client/undici"
import { Effect, FastCheck as fc } from "effect"
import { inspect } from "node:util"
import { distance, fold, suggest } from "../src/internal/suggest.ts"
import { rejection, scoped } from "./support/service.ts"

const { clearCheckpoint, InvalidOption, Mailstream } = Client

const options = { baseUrl: "https://api.example.com", apiKey: "re_1" }

/** A client that may not request anything, and a store that may not be used. */
const client = new Mailstream({ ...options, fetch: () => Promise.reject(new Error("nothing may be requested")) })
const unused = () => Promise.reject(new Error("nothing may be stored"))
const store = { get: unused, set: unused, remove: unused, has: unused }

const { contacts, domains, emails, receivedEmailAttachments, topics } = client

const one = { limit: 1 }
const use = () => Promise.resolve()

// The functions are called as plain JavaScript calls them.
type Anything = never

/** Every entry that takes options: how to call it with one more. */
const entries = {
  list: (given) => contacts.list(given),
  items: (given) => contacts.items(given).toArray(one),
  pages: (given) => contacts.pages(given).toArray(one),
  whole: (given) => contacts.whole(given).toArray(one),
  follow: (given) => contacts.follow(given).toArray(one),
  process: (given) => contacts.process("key", () => {}, { store, ...(given as object) }),
  processPages: (given) => contacts.processPages("key", use, { store, ...(given as object) }),
  filter: (given) => contacts.items({ filter: given }).toArray(one),
  attachments: (given) => receivedEmailAttachments.items(given).toArray(one),
  attachmentsFilter: (given) => receivedEmailAttachments.items({ filter: given }).toArray(one),
  domains: (given) => domains.items(given).toArray(one),
  domainsList: (given) => domains.list(given),
  emails: (given) => emails.items(given).toArray(one),
  retry: (given) => contacts.list({ retry: given }),
  toArray: (given) => contacts.items().toArray(given),
  create: (given) => topics.create({ name: "News", ...(given as object) }),
  createOptions: (given) => topics.create({ name: "News" }, given),
  clearCheckpoint: (given) => clearCheckpoint("key", { store, ...(given as object) }),
  client: async (given) => new Mailstream({ apiKey: "re_1", ...(given as object) }),
  clientRetry: async (given) => new Mailstream({ ...options, retry: given }),
  rateLimit: async (given) => new Mailstream({ ...options, rateLimit: given }),
  fromEnv: async (given) => Mailstream.fromEnv(given),
  undici: async (given) => undici(given)
} satisfies Record<string, (given: Anything) => Promise<unknown>>

type Entry = keyof typeof entries

/** Where the options of an entry are. */
const paths: { readonly [name in Entry]?: string } = {
  filter: "filter.",
  attachmentsFilter: "filter.",
  retry: "retry.",
  clientRetry: "retry.",
  rateLimit: "rateLimit."
}

const refused = async (entry: Entry, given: object): Promise<Client.InvalidOption> => {
  const error = await rejection(entries[entry](given as Anything))
  assert(error instanceof InvalidOption, `${entry} ${inspect(given)}: ${inspect(error)}`)
  return error
}

const walks: ReadonlyArray<Entry> = ["items", "pages"]
const pagedWalks: ReadonlyArray<Entry> = [...walks, "process", "processPages"]
const calls: ReadonlyArray<Entry> = ["list", ...pagedWalks, "whole", "follow"]

const segment = "pass `filter: { segment_id }`"
const takeOrSize = "pass `pageSize` for the items of a page, or `take` for the number of items"

/** What people try, where, and what they are told. */
const advice: ReadonlyArray<readonly [entries: ReadonlyArray<Entry>, names: string, advice: string]> = [
  [calls, "segmentId segment_id segment audienceId audience_id audience", segment],
  [["filter"], "segmentId audienceId audience_id", segment],
  [["attachments"], "emailId email_id receivedEmailId", "pass `filter: { email_id }`"],
  [["attachmentsFilter"], "emailId email", "pass `filter: { email_id }`"],
  [["domains", "emails", "domainsList"], "segmentId audience_id", "this list has no segments"],
  [["domains", "emails", "domainsList"], "filter where", "this list cannot be filtered"],
  [["list", "domainsList"], "pageSize page_size perPage per_page first count", "pass `limit`, the number of items"],
  [["list"], "take", "pass `limit`, the number of items"],
  [walks, "limit perPage per_page count", takeOrSize],
  [pagedWalks, "page_size pagesize PageSize", "pass `pageSize`"],
  [["process", "processPages", "follow"], "limit per_page", "pass `pageSize` for the items of a page"],
  [["process", "processPages", "follow", "whole"], "take", "for a `take`, use `items`"],
  [["whole"], "limit pageSize", "`items` and `pages` have `pageSize`, and `take` for the number of items"],
  [["list"], "cursor startingAfter starting_after", "pass `after`, with the id of an item"],
  [["list"], "from page offset skip", "pass `after` or `before`, with the id of an item"],
  [pagedWalks, "after cursor startingAfter", "pass `from: after(id)`, or the `next` of a page"],
  [pagedWalks, "before endingBefore", "pass `from: before(id)`"],
  [pagedWalks, "page offset since", "pass `from`: `after(id)`, `before(id)`, or the `next` of a page"],
  [["follow"], "after from cursor", "pass `since`, with the id of an item"],
  [["follow"], "interval pollInterval every", "pass `poll`, in milliseconds"],
  [calls, "timeout timeoutMs", "pass `signal: AbortSignal.timeout(ms)`, or `timeout` to `new Mailstream`"],
  [["createOptions"], "timeout", "pass `signal: AbortSignal.timeout(ms)`, or `timeout` to `new Mailstream`"],
  [calls, "apiKey token", "pass `apiKey` to `new Mailstream`"],
  [calls, "baseUrl baseURL", "pass `baseUrl` to `new Mailstream`"],
  [calls, "rateLimit", "pass `rateLimit` to `new Mailstream`"],
  [calls, "logger", "pass `logger` to `new Mailstream`"],
  [[...calls, "client", "fromEnv"], "retries maxRetries attempts", "pass `retry: { times, base, cap }`"],
  [[...calls, "createOptions", "clearCheckpoint"], "abortSignal controller sginal", "pass `signal`"],
  [["process"], "parallel workers concurency", "pass `concurrency`"],
  [["process", "processPages"], "stroe", "pass `store`"],
  [["clearCheckpoint"], "directory path", "pass `store: fileStore(directory)`"],
  [["retry", "clientRetry"], "attempts retries", "pass `times`, the number of retries"],
  [["retry", "clientRetry"], "delay minTimeout", "pass `base`, in milliseconds"],
  [["retry", "clientRetry"], "max maxDelay maxTimeout", "pass `cap`, in milliseconds"],
  [["rateLimit"], "limit rps requestsPerSecond", "pass `requests`"],
  [["rateLimit"], "interval window", "pass `per`, in milliseconds"],
  [["rateLimit"], "max_pause", "pass `maxPause`"],
  [["toArray"], "take max count", "pass `limit`, the number of items"],
  [["create"], "defaultSubscription", "pass `default_subscription`"],
  [["create"], "subscription", "pass `default_subscription`"],
  [["create"], "isPublic", "pass `visibility`: \"public\" or \"private\""],
  [["client"], "key token api_key apikey secret", "pass `apiKey`"],
  [["client"], "baseURL base_url url endpoint host", "pass `baseUrl`"],
  [["client", "fromEnv"], "timeOut timeout_ms requestTimeout", "pass `timeout`"],
  [["client", "fromEnv"], "agent proxy dispatcher", "pass `transport: undici({ dispatcher })`"],
  [["client", "fromEnv"], "rps", "pass `rateLimit: { requests: 2, per: 1000 }`, which is two a second"],
  [["client", "fromEnv"], "log debug logLevel", "pass `logger`"],
  [["fromEnv"], "apiKey key api_key", "the key is that of MAILSTREAM_API_KEY"],
  [["fromEnv"], "baseUrl baseURL", "the address is that of MAILSTREAM_BASE_URL"],
  [["undici"], "agent proxy", "pass `dispatcher: new ProxyAgent(\"http://…\")`"]
]

describe("an option that does not exist", () => {
  for (const [where, names, expected] of advice) {
    it(`is refused with advice: ${names} in ${where.join(", ")}`, async () => {
      for (const entry of where) {
        for (const name of names.split(" ")) {
          const error = await refused(entry, { [name]: "x" })
          assert.strictEqual(error.option, `${paths[entry] ?? ""}${name}`)
          const message = `${error.option} is not an option here: ${expected}`
          assert.strictEqual(error.message.slice(0, message.length), message, entry)
        }
      }
    })
  }

  it("is refused by everything that takes options, also if nobody knows what it may be", async () => {
    for (const entry of Object.keys(entries) as ReadonlyArray<Entry>) {
      const { message, option } = await refused(entry, { unheardOf: 1 })
      assert.strictEqual(option, `${paths[entry] ?? ""}unheardOf`)
      assert.match(message, /^\S+ is not an option here: the options are \w+/)
    }
  })

  it("is refused if it is inherited, too", async () => {
    assert.strictEqual((await refused("items", Object.create({ segmentId: "x" }))).option, "segmentId")
    assert.strictEqual((await refused("items", Object.create({ retries: 1 }))).option, "retries")
  })

  it("is refused even without a value if it would have filtered the list", async () => {
    for (const name of ["segmentId", "segment_id", "audienceId", "audience_id"]) {
      assert.strictEqual((await refused("items", { [name]: undefined })).option, name)
    }
  })

  it("is distinguished from inherited options, and from methods of every object", async () => {
    const given = Object.create({
      retry: "none",
      get pageSize() {
        return 0
      }
    })
    assert.strictEqual((await refused("items", given)).option, "pageSize")
    assert.strictEqual((await refused("items", { toString: 1 })).option, "toString")
  })
})

describe("something else than options", () => {
  it("is refused: it would be taken for options without any", async () => {
    const values = [
      Promise.resolve({ filter: { segment_id: "x" } }),
      new Map([["pageSize", 1]]),
      new Date(),
      new AbortController().signal,
      [],
      null,
      5,
      "x"
    ]
    for (const value of values) {
      assert.strictEqual((await refused("items", value as object)).option, "options")
    }
    assert.strictEqual(
      (await refused("toArray", 5 as never)).message,
      "options must be an object, as in toArray({ limit: 100 })"
    )
  })
})

describe("advice", () => {
  const rates = [2, "2", null, [], true, () => {}]

  for (const value of rates) {
    it(`about a wrong rateLimit is accepted: ${inspect(value)}`, () => {
      const error = thrown(() => new Mailstream({ ...options, rateLimit: value as never }))
      assert(error instanceof InvalidOption)
      assert.include(error.message, "{ requests: 2, per: 1000 }")
      assert.isUndefined(thrown(() => new Mailstream({ ...options, rateLimit: { requests: 2, per: 1000 } })))
    })
  }

  it("about a directory or a key says what they must be", async () => {
    for (const value of [undefined, null, "", 5, {}, "a\0b"]) {
      const error = thrown(() => fileStore(value as never))
      assert(error instanceof InvalidOption)
      assert.strictEqual(error.message, "directory must be the path of a directory, as in fileStore(\"state\")")
    }
    for (const key of ["", 5, null, undefined, {}]) {
      for (
        const result of [
          contacts.process(key as never, () => {}, { store }),
          contacts.processPages(key as never, use, { store }),
          clearCheckpoint(key as never, { store })
        ]
      ) {
        const error = await rejection(result)
        assert(error instanceof InvalidOption)
        assert.strictEqual(error.message, "key must be a string that is not empty")
      }
    }
  })

  it("names options that exist, and never fails", () => {
    const known = ["signal", "retry", "onRetry", "progress", "from", "pageSize", "take", "prefetch", "filter"]
    fc.assert(fc.property(fc.string(), fc.subarray(known), (name, known) => {
      assert.isAbove(suggest(name, known).length, 0)
      const cased = known.map((option) => option.toUpperCase())
      for (const [index, option] of known.entries()) {
        assert.strictEqual(suggest(cased[index]!, known), `pass \`${option}\``)
      }
    }))
  })

  it("counts slips as a distance does", () => {
    const text = fc.string({ maxLength: 12 })
    fc.assert(fc.property(text, text, text, (a, b, c) => {
      assert.strictEqual(distance(a, a), 0)
      assert.strictEqual(distance(a, b), distance(b, a))
      assert.isAtMost(distance(a, c), distance(a, b) + distance(b, c))
      assert.isAtMost(distance(a, `${a}x`), 1)
      assert.strictEqual(distance(a, ""), a.length)
    }))
    assert.strictEqual(distance("signal", "sginal"), 2)
    assert.strictEqual(fold("per_page"), fold("perPage"))
  })
})

/** What a function throws. */
const thrown = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

describe("messages", () => {
  it.scoped("say what to pass", () =>
    Effect.gen(function*() {
      const { contacts } = yield* scoped(() => new Mailstream({ baseUrl: "http://127.0.0.1:1", apiKey: "re_1" }))
      const messageOf = (promise: Promise<unknown>) =>
        Effect.promise(() => promise.then(() => "", (error: unknown) => error instanceof Error ? error.message : ""))
      // @ts-expect-error: the limit is required.
      const collected = yield* messageOf(contacts.items().toArray())
      assert.strictEqual(collected, "limit is required, as in toArray({ limit: 100 })")
      for (const filter of ["id", null]) {
        // @ts-expect-error: not a filter.
        assert.include(yield* messageOf(contacts.list({ filter })), "pass `filter: { segment_id }`")
      }
    }))
})
