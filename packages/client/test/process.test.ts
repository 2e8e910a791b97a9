import { assert, describe, it } from "@effect/vitest"
import {
  CheckpointError,
  clearCheckpoint,
  type CommittablePage,
  type Contact,
  InvalidOption,
  LockError,
  Mailstream,
  MailstreamError,
  type Store,
  type Walk
} from "@mailstream/client"
import { fileStore } from "@mailstream/client/file-store"
import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect } from "effect"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rejection, scoped, service } from "./support/service.ts"

const temporary = Effect.map(Temporary.directory, fileStore)

describe("process", () => {
  it.scopedLive("handles every item once, up to `concurrency` at a time", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 250 })
      const store = yield* temporary
      yield* Effect.promise(async () => {
        const handled: Array<string> = []
        let running = 0
        let most = 0
        const handle = async ({ id }: { readonly id: string }) => {
          most = Math.max(most, ++running)
          await new Promise((resolve) => setImmediate(resolve))
          running--
          handled.push(id)
        }
        await client.contacts.process("all", handle, { store, concurrency: 8 })
        const all = await client.contacts.items().toArray({ limit: 1000 })
        assert.sameMembers(handled, all.map(({ id }) => id))
        assert.strictEqual(most, 8)
        // It is complete, until it is cleared.
        await client.contacts.process("all", handle, { store })
        assert.strictEqual(handled.length, 250)
        await clearCheckpoint("all", { store })
        await client.contacts.process("all", handle, { store })
        assert.strictEqual(handled.length, 500)
      })
    }))

  it.scopedLive("says in plain words that its store cannot be read or written", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 1 })
      const reason = "EACCES: permission denied, mkdir '/etc/state'"
      const failing = async (): Promise<never> => {
        throw new Error(reason)
      }
      const working: Store = {
        get: async () => undefined,
        set: async () => {},
        remove: async () => {},
        has: async () => true
      }
      const cases = [["get", "read"], ["set", "written"]] as const
      for (const [method, done] of cases) {
        const store = { ...working, [method]: failing }
        const error = yield* Effect.promise(() => rejection(client.contacts.process("b", () => {}, { store })))
        assert.instanceOf(error, LockError)
        assert.strictEqual(error.message, `"b" cannot be locked: the store cannot be ${done}: ${reason}`)
      }
    }))

  it.scopedLive("throws what the handler throws, and resumes with the page that was not complete", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 30 })
      const store = yield* temporary
      yield* Effect.promise(async () => {
        const all = (await client.contacts.items().toArray({ limit: 30 })).map(({ id }) => id)
        const handled: Array<string> = []
        const reason = new Error("no")
        const options = { store, pageSize: 10 }
        const error = await rejection(client.contacts.process("key", ({ id }) => {
          if (handled.length === 15) throw reason
          handled.push(id)
        }, options))
        assert.strictEqual(error, reason)
        await client.contacts.process("key", ({ id }) => handled.push(id), options)
        assert.deepStrictEqual(handled, [...all.slice(0, 15), ...all.slice(10)])
      })
    }))

  it.scopedLive("resumes after it was killed, without losing an item", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl, client } = yield* service({ contacts: 35 })
      const directory = yield* Temporary.directory
      const all = yield* Effect.promise(() => client.contacts.items().toArray({ limit: 35 }))
      const start = Process.start([Provided.program("clientWorker"), join(directory, "state")], {
        env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey }
      })
      const printed: Array<string> = []
      for (const kills of [4, 17, Infinity]) {
        const { child, kill, line } = yield* start
        for (let n = 0; n < kills; n++) {
          const text = yield* line
          if (text === "end") break
          printed.push(text)
          child.stdin.write("\n")
        }
        if (kills !== Infinity) {
          yield* kill("SIGKILL")
          yield* Process.ended(child)
        }
      }
      assert.sameMembers([...new Set(printed)], all.map(({ id }) => id))
      // The pages that were complete were not repeated: 4 items of one page, then 7 of another.
      assert.isAtMost(printed.length, 35 + 4 + 7 + 2)
      assert.deepStrictEqual(readdirSync(join(directory, "state")).filter((name) => name.includes("tmp")), [])
    }), 60_000)

  it.scopedLive("stops when its signal is aborted, and tells its handlers", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 10 })
      const store = yield* temporary
      yield* Effect.promise(async () => {
        const controller = new AbortController()
        let told: AbortSignal | undefined
        const pending = client.contacts.process("key", (_, { signal }) => {
          told = signal
          controller.abort("enough")
          return new Promise(() => {})
        }, { store, signal: controller.signal })
        assert.strictEqual(await rejection(pending), "enough")
        assert.isTrue(told?.aborted)
        // The key is free again.
        await client.contacts.process("key", () => {}, { store })
      })
    }))

  it.scopedLive("needs a store, and its key alone", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 3, topics: 3 })
      const store = yield* temporary
      yield* Effect.promise(async () => {
        // @ts-expect-error: the store is required.
        const missing = await rejection(client.contacts.process("key", () => {}))
        assert(missing instanceof InvalidOption)
        assert.include(missing.message, "fileStore")

        const held = await new Promise<unknown>((resolve, reject) => {
          client.contacts.process("key", () =>
            rejection(client.contacts.process("key", () => {}, { store })).then(resolve), {
            store
          }).catch(reject)
        })
        assert(held instanceof LockError)
        assert.deepInclude({ ...held }, { reason: "Held", key: "key" })

        await client.contacts.process("other", () => {}, { store })
        const mismatch = await rejection(client.topics.process("other", () => {}, { store }))
        assert(mismatch instanceof CheckpointError)
        assert.strictEqual(mismatch.reason, "Mismatch")
      })
    }))

  it.scopedLive("reports a store that fails", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 3 })
      const store: Store = {
        get: () => Promise.resolve(null),
        set: () => Promise.reject(new Error("the disk is full")),
        remove: () => Promise.resolve(),
        has: () => Promise.resolve(false)
      }
      const error = yield* Effect.promise(() => rejection(client.contacts.process("key", () => {}, { store })))
      assert(error instanceof MailstreamError && error._tag === "LockError")
      assert.include(error.message, "the disk is full")
    }))

  it.scopedLive("does not take what is not a text for a key that is free", () =>
    Effect.gen(function*() {
      const { client, requests } = yield* service({ contacts: 3 })
      const texts = new Map<string, string>()
      const store: Store = {
        // @ts-expect-error: a text is expected.
        get: (key) => Buffer.from(texts.get(key) ?? ""),
        set: (key, text) => Promise.resolve(texts.set(key, text)),
        remove: (key) => Promise.resolve(texts.delete(key)),
        has: (key) => Promise.resolve(texts.has(key))
      }
      const error = yield* Effect.promise(() => rejection(client.contacts.process("key", () => {}, { store })))
      assert(error instanceof LockError)
      assert.include(error.message, "get must resolve to a string")
      assert.deepStrictEqual(requests, [])
    }))
})

/** The ids that a new run with a key handles. */
const rest = async (client: Mailstream, key: string, options: { readonly store: Store; readonly pageSize: number }) => {
  const handled: Array<string> = []
  await client.contacts.process(key, ({ id }) => handled.push(id), options)
  return handled
}

describe.each([1, 8])("a handler, %i at a time", (concurrency) => {
  it.scopedLive("that does not do its work fails the run, and its item is handled again", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 30 })
      const store = yield* temporary
      yield* Effect.promise(async () => {
        const all = (await client.contacts.items().toArray({ limit: 30 })).map(({ id }) => id)
        const reason = new Error("no")
        const throwing = (): never => {
          throw reason
        }
        const handlers: Record<string, readonly [handle: () => unknown, expected: (error: unknown) => boolean]> = {
          rejects: [() => Promise.reject(reason), (error) => error === reason],
          rejectsWithNothing: [() => Promise.reject(undefined), (error) => error === undefined],
          throws: [throwing, (error) => error === reason],
          rejectsLater: [() => new Promise((_, reject) => setImmediate(reject, reason)), (error) => error === reason],
          thenable: [
            () => ({ then: (_: unknown, onRejected: (error: Error) => void) => onRejected(reason) }),
            (error) => error === reason
          ],
          brokenThenable: [() => ({ then: throwing }), (error) => error === reason],
          generator: [function*() {}, isInvalid],
          asyncGenerator: [async function*() {}, isInvalid],
          walk: [() => client.topics.items(), isInvalid],
          effect: [() => Effect.void, isInvalid],
          promiseOfEffect: [() => Promise.resolve(Effect.void), isInvalid],
          effect4: [() => ({ "~effect/Effect": {} }), isInvalid]
        }
        for (const [key, [handle, expected]] of Object.entries(handlers)) {
          const options = { store, pageSize: 10, concurrency }
          const error = await rejection(
            client.contacts.process(key, ({ id }) => id === all[15] ? handle() : undefined, options)
          )
          assert.isTrue(expected(error), `${key}: ${String(error)}`)
          assert.includeMembers(await rest(client, key, options), all.slice(10), key)
        }
      })
    }))

  it.scopedLive("may return anything that is done", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 3 })
      const store = yield* temporary
      yield* Effect.promise(async () => {
        for (const [index, value] of [undefined, null, 0, "done", [], {}, () => {}, false].entries()) {
          await client.contacts.process(`key-${index}`, () => value, { store, concurrency })
          assert.deepStrictEqual(await rest(client, `key-${index}`, { store, pageSize: 10 }), [])
        }
      })
    }))

  it.scopedLive("can be aborted at any time: the run is rejected, and nothing is lost", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 30 })
      const texts = new Map<string, string>()
      yield* Effect.promise(async () => {
        const all = (await client.contacts.items().toArray({ limit: 30 })).map(({ id }) => id)
        /** Aborts at the nth call of the store or of the handler. Returns whether there was one. */
        const run = async (n: number): Promise<boolean> => {
          const controller = new AbortController()
          let calls = 0
          const step = () => {
            if (calls++ === n) controller.abort(n)
          }
          const store: Store = {
            get: (key) => Promise.resolve(texts.get(key)).finally(step),
            set: (key, text) => Promise.resolve(texts.set(key, text)).finally(step),
            remove: (key) => Promise.resolve(texts.delete(key)).finally(step),
            has: (key) => Promise.resolve(texts.has(key)).finally(step)
          }
          const options = { pageSize: 10, concurrency }
          const handled: Array<string> = []
          const ended = await client.contacts.process(`abort-${n}`, ({ id }) => {
            step()
            handled.push(id)
          }, { ...options, store, signal: controller.signal }).then(() => true, (reason) => {
            assert.strictEqual(reason, n)
            return false
          })
          const { aborted } = controller.signal
          const repeated = await rest(client, `abort-${n}`, { ...options, store })
          if (ended) assert.deepStrictEqual(repeated, [])
          assert.sameMembers([...new Set([...handled, ...repeated])], all)
          return aborted
        }
        let aborted = 0
        while (await run(aborted)) aborted++
        assert.isAbove(aborted, 30)
      })
    }), 60_000)
})

const isInvalid = (error: unknown): boolean => error instanceof InvalidOption && error.option === "handle"

describe("processPages", () => {
  it.scopedLive("fails as its function does, and if it does not return a promise", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 3 })
      const store = yield* temporary
      yield* Effect.promise(async () => {
        const reason = new Error("no")
        assert.strictEqual(
          await rejection(client.contacts.processPages("key", () => Promise.reject(reason), { store })),
          reason
        )
        const throwing = (): never => {
          throw reason
        }
        assert.strictEqual(await rejection(client.contacts.processPages("key", throwing, { store })), reason)
        for (const use of [() => {}, async function*() {}, () => Effect.void]) {
          // @ts-expect-error: it must return a promise.
          const error = await rejection(client.contacts.processPages("key", use, { store }))
          assert(error instanceof InvalidOption)
          assert.strictEqual(error.option, "use")
        }
      })
    }))

  it.scopedLive("waits for commits that nobody waits for, and fails if they do", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 30 })
      const files = yield* temporary
      yield* Effect.promise(async () => {
        const commitAll = async (pages: Walk<CommittablePage<Contact>>, commits: Array<Promise<unknown>>) => {
          for await (const page of pages) {
            const commit = page.commit()
            commits.push(commit.catch(() => {}))
          }
        }
        const options = { store: files, pageSize: 10 }
        await client.contacts.processPages("key", (pages) => commitAll(pages, []), options)
        assert.deepStrictEqual(await rest(client, "key", options), [])

        const failing: Store = {
          ...files,
          set: (key, text) =>
            key.includes(".lock") ? files.set(key, text) : Promise.reject(new Error("the disk is full"))
        }
        const error = await rejection(
          client.contacts.processPages("other", (pages) => commitAll(pages, []), { ...options, store: failing })
        )
        assert(error instanceof CheckpointError, String(error))
        assert.include(error.message, "the disk is full")
      })
    }))

  it.scopedLive("delivers pages until they are committed, in any order", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 50 })
      const store = yield* temporary
      yield* Effect.promise(async () => {
        const options = { store, pageSize: 10 }
        const sizes = await client.contacts.processPages("key", async (pages) => {
          const all = []
          for await (const page of pages) all.push(page)
          // The position does not pass the third page.
          for (const index of [4, 1, 3, 0]) await all[index]!.commit()
          return all.map(({ data }) => data.length)
        }, options)
        assert.deepStrictEqual(sizes, [10, 10, 10, 10, 10])
        const all = await client.contacts.items().toArray({ limit: 50 })
        const rest = await client.contacts.processPages("key", async (pages) => {
          const items = []
          for await (const page of pages) {
            items.push(...page.data)
            await page.commit()
          }
          return items
        }, options)
        assert.deepStrictEqual(rest, all.slice(20))
      })
    }))

  it.scopedLive("ends its pages when the function has ended", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 30 })
      const store = yield* temporary
      yield* Effect.promise(async () => {
        const { iterator, page } = await client.contacts.processPages("key", async (pages) => {
          const iterator = pages[Symbol.asyncIterator]()
          const { value: page } = await iterator.next()
          return { iterator, page }
        }, { store, pageSize: 10 })
        assert.instanceOf(await rejection(iterator.next()), DOMException)
        const closed = await rejection(page!.commit())
        assert(closed instanceof CheckpointError)
        assert.strictEqual(closed.reason, "Closed")
      })
    }))
})

describe("the file store", () => {
  it.scopedLive("keeps any text under any key", () =>
    Effect.gen(function*() {
      const directory = join(yield* Temporary.directory, "a", "b")
      const store = fileStore(directory)
      yield* Effect.promise(async () => {
        assert.isUndefined(await store.get("key"))
        assert.isFalse(await store.has("key"))
        await store.remove("key")
        const keys = ["key", "Key", "KEY", ".", "..", "", "a/b", "a\\b", "ä", "%", "nul", "a.0", "a~"]
        for (const key of keys) await store.set(key, `text of ${key}`)
        for (const key of keys) assert.strictEqual(await fileStore(directory).get(key), `text of ${key}`)
        const names = readdirSync(directory)
        assert.strictEqual(new Set(names.map((name) => name.toLowerCase())).size, keys.length)
        await store.set("key", "")
        assert.strictEqual(await store.get("key"), "")
        assert.isTrue(await store.has("key"))
        await store.remove("key")
        assert.isFalse(await store.has("key"))
      })
    }))

  it.scopedLive("is shared by clients, but a key is not", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl, client } = yield* service({ contacts: 3 })
      const other = yield* scoped(() => new Mailstream({ baseUrl, apiKey }))
      const directory = yield* Temporary.directory
      yield* Effect.promise(async () => {
        let error: unknown
        await client.contacts.process("key", async () => {
          error ??= await rejection(other.contacts.process("key", () => {}, { store: fileStore(directory) }))
        }, { store: fileStore(directory) })
        assert.instanceOf(error, LockError)
      })
    }))
})

describe("fileStore", () => {
  it.scopedLive("keeps keys of any length and any characters apart", () =>
    Effect.gen(function*() {
      const store = yield* temporary
      const keys = [
        ...[1, 100, 193, 194, 203, 230, 242, 255, 1000, 10_000].map((length) => "x".repeat(length)),
        ...[
          "x".repeat(999) + "y",
          "é".repeat(40),
          "🙂".repeat(60),
          "A".repeat(200),
          "a".repeat(200),
          "..",
          "a/b",
          "a\0b"
        ]
      ]
      yield* Effect.promise(async () => {
        for (const key of keys) await store.set(key, key)
        for (const key of keys) assert.strictEqual(await store.get(key), key)
        for (const key of keys) await store.remove(key)
        for (const key of keys) assert.isFalse(await store.has?.(key) ?? false)
      })
    }))

  it.scopedLive("is used with any key that `process` accepts", () =>
    Effect.gen(function*() {
      const { client } = yield* service({ contacts: 5 })
      const store = yield* temporary
      yield* Effect.promise(async () => {
        for (const key of ["x".repeat(194), "x".repeat(242), "é".repeat(40), "🙂".repeat(20)]) {
          let handled = 0
          await client.contacts.process(key, async () => void handled++, { store })
          assert.strictEqual(handled, 5)
        }
      })
    }))

  it.scopedLive("removes the drafts of processes that were killed, and those of no others", () =>
    Effect.gen(function*() {
      const directory = yield* Temporary.directory
      const source =
        `import { draftName } from "@mailstream/stream/Lock"; console.log(draftName()); setInterval(() => {}, 1000)`
      const child = Process.start(["--input-type=module", "-e", source], { cwd: join(import.meta.dirname, "..") })
      const alive = yield* child
      const killed = yield* child
      const [kept, left] = [`.${yield* alive.line}.tmp`, `.${yield* killed.line}.tmp`]
      yield* killed.kill("SIGKILL")
      yield* killed.finished
      const others = [kept, ".12345678-1--12345678.tmp", ".mine.tmp", left.slice(1)]
      for (const name of [...others, left]) writeFileSync(join(directory, name), "")
      yield* Effect.promise(() => Promise.all([1, 2].map((key) => fileStore(directory).set(`${key}`, "text"))))
      assert.sameMembers(readdirSync(directory), [...others, "1.txt", "2.txt"])
    }))
})
