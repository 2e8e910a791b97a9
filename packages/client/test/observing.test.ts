import { assert, describe, it } from "@effect/vitest"
import * as Client from "@mailstream/client"
import { sendJson, serve, silence } from "@mailstream/testing/HttpServer"
import { Effect } from "effect"
import { rejection, scoped, service } from "./support/service.ts"

const { InvalidOption, Mailstream, MailstreamError } = Client

const memory = (): Client.Store => {
  const texts = new Map<string, string>()
  return {
    get: (key) => Promise.resolve(texts.get(key)),
    set: (key, text) => Promise.resolve(texts.set(key, text)),
    remove: (key) => Promise.resolve(texts.delete(key)),
    has: (key) => Promise.resolve(texts.has(key))
  }
}

const all = async <A>(walk: Client.Walk<A>): Promise<Array<A>> => {
  const items: Array<A> = []
  for await (const item of walk) items.push(item)
  return items
}

const unavailable = { name: "service_unavailable", statusCode: 503, message: "Try later." }
const empty = { object: "list", has_more: false, data: [] }
const created = { object: "topic", id: "e169aa45-1ecf-4183-9955-b1499d5701d3" }
const limited = { name: "rate_limit_exceeded", statusCode: 429, message: "Too many." }

/** A service that fails before every response a number of times. */
const failing = (failures: number, options: Partial<Client.Options> = {}) =>
  Effect.gen(function*() {
    let left = failures
    let requests = 0
    const baseUrl = yield* serve((request, response) => {
      requests++
      const isCreate = request.method === "POST"
      if (left-- > 0) return sendJson(response, isCreate ? 429 : 503, isCreate ? limited : unavailable)
      left = failures
      return sendJson(response, 200, isCreate ? created : empty)
    })
    const client = yield* scoped(() => new Mailstream({ apiKey: "re_1", baseUrl, rateLimit: false, ...options }))
    return { client, requests: () => requests }
  })

const retry = { times: 3, base: 1, cap: 2 }

/** Every call that is retried. */
const calls: Readonly<
  Record<string, (client: Client.Mailstream, options: Client.Retried & Client.Cancelable) => Promise<unknown>>
> = {
  list: (client, options) => client.contacts.list(options),
  items: (client, options) => all(client.contacts.items(options)),
  toArray: (client, options) => client.contacts.items(options).toArray({ limit: 1 }),
  pages: (client, options) => all(client.contacts.pages(options)),
  whole: (client, options) => all(client.contacts.whole(options)),
  follow: (client, options) => {
    // It has begun when it polls: the list is empty.
    const iterator = client.contacts.follow(options)[Symbol.asyncIterator]()
    return iterator.next()
  },
  process: (client, options) => client.contacts.process("key", () => {}, { ...options, store: memory() }),
  processPages: (client, options) => client.contacts.processPages("key", all, { ...options, store: memory() }),
  create: (client, options) => client.topics.create({ name: "News" }, options)
}

describe.each(Object.entries(calls))("the retries of %s", (name, call) => {
  it.scopedLive("are announced, each with its attempt, its error and its wait", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* failing(2)
      yield* Effect.promise(async () => {
        const controller = new AbortController()
        const notices: Array<Client.RetryNotice> = []
        const onRetry = (notice: Client.RetryNotice) => {
          notices.push(notice)
          // One that follows a list would go on.
          if (name === "follow" && notices.length === 2) controller.abort()
        }
        await call(client, { retry, onRetry, signal: controller.signal }).catch((error: unknown) => {
          assert.strictEqual(error, controller.signal.reason)
        })
        assert.deepStrictEqual(notices.slice(0, 2).map(({ attempt }) => attempt), [1, 2])
        for (const { error, wait } of notices) {
          assert(error instanceof MailstreamError)
          assert.strictEqual(error._tag, name === "create" ? "rate_limit_exceeded" : "service_unavailable")
          assert.isAtLeast(wait, 1)
          assert.isAtMost(wait, 2)
        }
        if (name !== "follow") {
          assert.strictEqual(notices.length, 2)
          assert.strictEqual(requests(), 3)
        }
      })
    }))

  it.scopedLive("are those of the client, unless the call says otherwise", () =>
    Effect.gen(function*() {
      const notices: Array<number> = []
      const { client, requests } = yield* failing(Infinity, {
        retry: { ...retry, times: 1 },
        onRetry: ({ attempt }) => notices.push(attempt)
      })
      yield* Effect.promise(async () => {
        assert(await rejection(call(client, {})) instanceof MailstreamError)
        assert.strictEqual(requests(), 2)
        assert.deepStrictEqual(notices, [1])
        const own: Array<number> = []
        const onRetry = ({ attempt }: Client.RetryNotice) => own.push(attempt)
        assert(await rejection(call(client, { retry, onRetry })) instanceof MailstreamError)
        assert.strictEqual(requests(), 6)
        assert.deepStrictEqual(notices, [1])
        assert.deepStrictEqual(own, [1, 2, 3])
        assert(await rejection(call(client, { retry: "none" })) instanceof MailstreamError)
        assert.strictEqual(requests(), 7)
        assert.deepStrictEqual(notices, [1])
      })
    }))

  it.scopedLive("end with whatever `onRetry` throws", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* failing(1)
      yield* Effect.promise(async () => {
        const reason = new Error("no")
        const throwing = (): never => {
          throw reason
        }
        for (const onRetry of [throwing, async () => throwing()]) {
          assert.strictEqual(await rejection(call(client, { retry, onRetry })), reason)
          assert.strictEqual(requests() % 2, 1)
          await client.contacts.list({ retry })
        }
        const error = await rejection(call(client, { retry, onRetry: () => Effect.void }))
        assert(error instanceof InvalidOption)
        assert.strictEqual(error.option, "onRetry")
      })
    }))
})

describe("retries", () => {
  it.scopedLive("are not announced for an error that is final", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve((_, response) =>
        sendJson(response, 404, { name: "not_found", statusCode: 404, message: "No." })
      )
      const notices: Array<unknown> = []
      const client = yield* scoped(() =>
        new Mailstream({ apiKey: "re_1", baseUrl, retry, onRetry: (notice) => notices.push(notice) })
      )
      for (const call of Object.values(calls)) {
        assert.instanceOf(yield* Effect.promise(() => rejection(call(client, {}))), Client.NotFound)
      }
      assert.deepStrictEqual(notices, [])
    }))

  it.scopedLive("of a create are not announced if it may have been processed", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve((_, response) => sendJson(response, 503, unavailable))
      const notices: Array<unknown> = []
      const client = yield* scoped(() =>
        new Mailstream({ apiKey: "re_1", baseUrl, retry, onRetry: (notice) => notices.push(notice) })
      )
      const error = yield* Effect.promise(() => rejection(client.topics.create({ name: "News" })))
      assert.instanceOf(error, Client.ServiceUnavailable)
      assert.deepStrictEqual(notices, [])
    }))

  it.scopedLive("of follow are patient, unless the client says otherwise", () =>
    Effect.gen(function*() {
      const { client } = yield* failing(Infinity)
      /** The first wait, of 200 ms with jitter for most calls. */
      const firstWait = (call: (options: Client.Retried & Client.Cancelable) => Promise<unknown>) =>
        Effect.promise(async () => {
          const controller = new AbortController()
          let first = 0
          await rejection(call({
            signal: controller.signal,
            onRetry: ({ wait }) => {
              first = wait
              controller.abort()
            }
          }))
          return first
        })
      assert.isAbove(yield* firstWait((options) => calls["follow"]!(client, options)), 300)
      assert.isBelow(yield* firstWait((options) => calls["items"]!(client, options)), 300)
    }))

  it.scopedLive("wait no longer than until the signal is aborted", () =>
    Effect.gen(function*() {
      const { client } = yield* failing(Infinity)
      for (const [name, call] of Object.entries(calls)) {
        const controller = new AbortController()
        const hour = 3_600_000
        const error = yield* Effect.promise(() =>
          rejection(call(client, {
            retry: { times: 9, base: hour, cap: 2 * hour },
            onRetry: () => queueMicrotask(() => controller.abort("enough")),
            signal: controller.signal
          }))
        )
        // A change says what became of it.
        assert.strictEqual(error instanceof Client.Aborted ? error.cause : error, "enough", name)
      }
    }))
})

/** Every walk. */
const walks: Readonly<
  Record<string, (client: Client.Mailstream, options: Client.Observed & Client.Retried) => Promise<unknown>>
> = {
  items: (client, options) => all(client.contacts.items({ ...options, pageSize: 10 })),
  toArray: (client, options) => client.contacts.items({ ...options, pageSize: 10 }).toArray({ limit: 100 }),
  pages: (client, options) => all(client.contacts.pages({ ...options, pageSize: 10 })),
  prefetch: (client, options) => all(client.contacts.items({ ...options, pageSize: 10, prefetch: 2 })),
  process: (client, options) => client.contacts.process("key", () => {}, { ...options, pageSize: 10, store: memory() }),
  processPages: (client, options) =>
    client.contacts.processPages("key", all, { ...options, pageSize: 10, store: memory() })
}

describe.each(Object.entries(walks))("the progress of %s", (_, walk) => {
  it.scopedLive("is reported for every request and page, and belongs to one run", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 25 })
      yield* Effect.promise(async () => {
        for (let run = 0; run < 2; run++) {
          const seen: Array<Client.Progress> = []
          await walk(client, { progress: (progress) => seen.push(progress) })
          assert.deepStrictEqual(seen.at(0), {
            requests: 1,
            retries: 0,
            pages: 0,
            items: 0,
            waited: 0,
            waiting: undefined
          })
          assert.deepStrictEqual(seen.at(-1), {
            requests: 3,
            retries: 0,
            pages: 3,
            items: 25,
            waited: 0,
            waiting: undefined
          })
          assert.strictEqual(seen.length, 6)
        }
      })
    }))

  it.scopedLive("ends the walk with whatever `progress` throws", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 25 })
      yield* Effect.promise(async () => {
        const reason = new Error("no")
        const throwing = ({ pages }: Client.Progress) => {
          if (pages === 2) throw reason
        }
        for (const progress of [throwing, async (progress: Client.Progress) => throwing(progress)]) {
          assert.strictEqual(await rejection(walk(client, { progress })), reason)
        }
        for (const progress of [function*() {}, () => Effect.void]) {
          const error = await rejection(walk(client, { progress }))
          assert(error instanceof InvalidOption)
          assert.strictEqual(error.option, "progress")
        }
      })
    }))
})

describe("progress", () => {
  it.scopedLive("is reported by whole and follow, too", () =>
    Effect.gen(function*() {
      const { client, insert } = yield* service({ contacts: 25 })
      yield* Effect.promise(async () => {
        let seen: Client.Progress | undefined
        const progress = (progress: Client.Progress) => {
          seen = progress
        }
        await all(client.contacts.whole({ progress }))
        assert.deepInclude(seen, { requests: 1, pages: 1, items: 25 })
        const [newest] = await client.contacts.items().toArray({ limit: 1 })
        const iterator = client.contacts.follow({ progress, since: newest!.id, poll: 1 })[Symbol.asyncIterator]()
        const pending = iterator.next()
        await insert({ contacts: 1, seed: 1 })
        await pending
        assert.isAbove(seen!.requests, 1)
        await iterator.return()
      })
    }))

  it.scopedLive("counts retries and waits, in milliseconds", () =>
    Effect.gen(function*() {
      const { client } = yield* failing(2)
      yield* Effect.promise(async () => {
        const seen: Array<Client.Progress> = []
        const waits: Array<number> = []
        await all(client.contacts.items({
          retry,
          progress: (progress) => seen.push(progress),
          onRetry: ({ wait }) => waits.push(wait)
        }))
        const waited = waits[0]! + waits[1]!
        assert.deepStrictEqual(seen.at(-1), { requests: 3, retries: 2, pages: 1, items: 0, waited, waiting: undefined })
        assert.deepStrictEqual(seen.flatMap(({ waiting }) => waiting ?? []), waits)
      })
    }))
})

describe("a signal", () => {
  it.scopedLive("ends processPages and its commits, but lets go of the key only when nothing is being stored", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 3 })
      yield* Effect.promise(async () => {
        const controller = new AbortController()
        const events: Array<string> = []
        const texts = memory()
        const isLock = (key: string) => key.endsWith(".lock")
        const store: Client.Store = {
          ...texts,
          set: async (key, text) => {
            if (key.includes(".lock")) return texts.set(key, text)
            controller.abort("enough")
            for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve))
            events.push("stored")
            return texts.set(key, text)
          },
          remove: (key) => {
            if (isLock(key)) events.push("let go")
            return texts.remove(key)
          }
        }
        let commit: Promise<void> | undefined
        const error = await rejection(client.contacts.processPages("key", async (pages) => {
          for await (const page of pages) {
            commit = page.commit()
            await commit
          }
        }, { store, signal: controller.signal }))
        assert.strictEqual(error, "enough")
        assert.strictEqual(await rejection(commit!), "enough")
        assert.deepStrictEqual(events, ["stored", "let go"])
      })
    }))

  it.scopedLive("ends a request of processPages, and a function that never ends", () =>
    Effect.gen(function*() {
      const { baseUrl, hungUp, received } = yield* silence
      const client = yield* scoped(() => new Mailstream({ apiKey: "re_1", baseUrl }))
      yield* Effect.promise(async () => {
        const controller = new AbortController()
        const pending = client.contacts.processPages("key", all, { store: memory(), signal: controller.signal })
        await received
        controller.abort("enough")
        assert.strictEqual(await rejection(pending), "enough")
        await hungUp
        const other = new AbortController()
        const never = client.contacts.processPages("key", () => {
          queueMicrotask(() => other.abort("enough"))
          return new Promise(() => {})
        }, { store: memory(), signal: other.signal })
        assert.strictEqual(await rejection(never), "enough")
      })
    }))

  it("ends clearCheckpoint, whose store may never answer", async () => {
    const controller = new AbortController()
    let calls = 0
    const store: Client.Store = {
      ...memory(),
      get: () => {
        queueMicrotask(() => controller.abort("enough"))
        return calls++ === 0 ? new Promise(() => {}) : Promise.resolve(undefined)
      }
    }
    const { signal } = controller
    assert.strictEqual(await rejection(Client.clearCheckpoint("key", { store, signal })), "enough")
    assert.strictEqual(await rejection(Client.clearCheckpoint("key", { store, signal })), "enough")
  })
})
