import { assert, describe, it } from "@effect/vitest"
import { type Faults, Server, Store } from "@mailstream/server"
import { found } from "@mailstream/testing/Eventually"
import * as Process from "@mailstream/testing/Process"
import * as Provided from "@mailstream/testing/Provided"
import { Array, Chunk, Effect, Either, Fiber, Redacted, type Scope, TestClock } from "effect"
import type { ChildProcess } from "node:child_process"
import { assertError, page, post as createTopic, send } from "./support/http.ts"
import { freshDatabase, temporaryFile } from "./support/stores.ts"

const post = (key: string, subject = key) =>
  send("/emails", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ from: "ada@example.com", to: "bob@example.com", subject, text: "Hi" })
  })

const subjects = Effect.gen(function*() {
  const all: Array<string> = []
  let after: string | undefined = ""
  while (after !== undefined) {
    const { data, has_more }: { data: ReadonlyArray<{ id: string; subject?: string }>; has_more: boolean } =
      yield* page(
        `/emails?limit=100${after === "" ? "" : `&after=${after}`}`
      )
    all.push(...data.map(({ subject }) => String(subject)))
    after = has_more ? data.at(-1)!.id : undefined
  }
  return all
})

/** What a client sees of a send, whatever happens to it. */
const outcome = (key: string) =>
  Effect.map(
    Effect.exit(Effect.sandbox(Effect.timeout(post(key), "10 seconds"))),
    (exit) => exit._tag === "Success" ? exit.value : undefined
  )

const isJson = (text: string): boolean => Either.isRight(Either.try(() => JSON.parse(text)))

const on = (faults: Faults.Options) => Effect.provide(Server.layerTest({ faults }))

describe("a send whose response is lost", () => {
  it.live.each(["reset", "truncate", "malform"] as const)("by %s was accepted, once", (kind) =>
    Effect.gen(function*() {
      yield* Effect.exit(Effect.sandbox(outcome("k")))
      yield* Effect.exit(Effect.sandbox(outcome("k")))
      // Reads are spared.
      assert.deepStrictEqual(yield* subjects, ["k"])
    }).pipe(on({ [kind]: { rate: 1, only: "changes" } })))

  it.effect("by being late is in progress until it is responded to", () =>
    Effect.gen(function*() {
      const first = yield* Effect.fork(post("k"))
      yield* found("the response is delayed", TestClock.sleeps(), Chunk.isNonEmpty)
      assert.deepStrictEqual(yield* subjects, ["k"])
      assertError(yield* post("k"), 409, "concurrent_idempotent_requests")
      assertError(yield* post("k", "other"), 409, "concurrent_idempotent_requests")
      yield* TestClock.adjust("1 minute")
      const { text } = yield* Fiber.join(first)
      const again = yield* Effect.fork(post("k"))
      yield* found("the response is delayed", TestClock.sleeps(), Chunk.isNonEmpty)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(again)).text, text)
      assert.deepStrictEqual(yield* subjects, ["k"])
    }).pipe(on({ late: { rate: 1, delay: "1 minute" } })))

  it.live("can be told to be in progress, and then nothing was sent", () =>
    Effect.gen(function*() {
      assertError(yield* post("k"), 409, "concurrent_idempotent_requests")
      assert.deepStrictEqual(yield* subjects, [])
      const topic = yield* createTopic("/topics", { name: "x" })
      assert.strictEqual(topic.status, 201)
    }).pipe(on({ inProgress: { rate: 1 } })))

  it.live("is repeated until it is known, through all faults: each was accepted once", () =>
    Effect.gen(function*() {
      const keys = Array.makeBy(60, (index) => `key-${index}`)
      const repeat = (key: string): Effect.Effect<void, never, Server.TestServer> =>
        Effect.flatMap(outcome(key), (seen) => seen?.status === 200 && isJson(seen.text) ? Effect.void : repeat(key))
      yield* Effect.forEach(keys, repeat, { concurrency: 8 })
      const emails = yield* Effect.flatMap(Store, (store) => store.page({ name: "emails" }, { limit: 100 }))
      assert.deepStrictEqual(emails.items.map((item) => JSON.parse(item).subject).sort(), keys.sort())
    }).pipe(
      on({
        seed: 7,
        rateLimit: { rate: 0.1 },
        serverError: { rate: 0.1 },
        reset: { rate: 0.1 },
        truncate: { rate: 0.1 },
        malform: { rate: 0.1 },
        inProgress: { rate: 0.1 }
      })
    ), 60_000)
})

const key = "re_survivor"

interface Running {
  readonly child: ChildProcess
  readonly server: typeof Server.TestServer.Service
}

/** A server in another process. */
const start = (store: ReadonlyArray<string>): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { child, line } = yield* Process.start([Provided.program("serve"), key, ...store])
    return { child, server: { baseUrl: yield* line, apiKey: Redacted.make(key) } }
  })

const durable: ReadonlyArray<readonly [string, Effect.Effect<ReadonlyArray<string>, never, Scope.Scope>]> = [
  ["SQLite", Effect.map(temporaryFile, (file) => ["sqlite", file])],
  ["PostgreSQL", Effect.map(freshDatabase, (url) => ["postgres", Redacted.value(url)])]
]

describe("kill -9", () => {
  it.scopedLive.each(durable)(
    "every email that %s accepted is there once, and so is its key",
    ([, store]) =>
      Effect.gen(function*() {
        const target = yield* store
        const first = yield* start(target)
        const accepted = new Map<string, string>()
        const attempted = new Set<string>()
        const client = (name: number) =>
          Effect.gen(function*() {
            for (let count = 0;; count++) {
              const key = `${name}-${count}`
              attempted.add(key)
              const { status, text } = yield* post(key)
              assert.strictEqual(status, 200, text)
              accepted.set(key, JSON.parse(text).id)
              if (accepted.size === 40) first.child.kill("SIGKILL")
            }
          }).pipe(Effect.exit, Effect.provideService(Server.TestServer, first.server))
        yield* Effect.forEach(Array.range(1, 4), client, { concurrency: "unbounded" })
        assert.isAtLeast(accepted.size, 40)

        const second = yield* start(target)
        yield* Effect.gen(function*() {
          const before = yield* subjects
          assert.strictEqual(new Set(before).size, before.length)
          assert.includeMembers(before, [...accepted.keys()])
          // Whoever did not get a response repeats the send: nothing is sent twice.
          for (const key of attempted) {
            const { status, text } = yield* post(key)
            assert.strictEqual(status, 200, text)
            assert.strictEqual(JSON.parse(text).id, accepted.get(key) ?? JSON.parse(text).id)
          }
          assert.deepStrictEqual((yield* subjects).sort(), [...attempted].sort())
        }).pipe(Effect.provideService(Server.TestServer, second.server))
      }),
    90_000
  )
})
