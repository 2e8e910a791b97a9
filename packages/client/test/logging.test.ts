import { assert, describe, it } from "@effect/vitest"
import { type Logger, Mailstream, NotFound, type Options } from "@mailstream/client"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { Effect } from "effect"
import { vi } from "vitest"
import { rejection, scoped } from "./support/service.ts"

const contact = {
  id: "e169aa45-1ecf-4183-9955-b1499d5701d3",
  email: "ada@example.com",
  first_name: null,
  last_name: null,
  created_at: "2026-11-16T00:00:00.000Z",
  unsubscribed: false
}

/** Does everything that is worth a message: a retry, an item that is repeated, a key that is complete. */
const everything = (options: Partial<Options>) =>
  Effect.gen(function*() {
    let count = 0
    const baseUrl = yield* serve((_, response) =>
      ++count === 1
        ? sendJson(response, 503, { name: "service_unavailable", statusCode: 503, message: "Try later." })
        : sendJson(response, 200, { object: "list", has_more: false, data: [contact, contact] })
    )
    const retry = { times: 1, base: 1, cap: 1 }
    const client = yield* scoped(() => new Mailstream({ baseUrl, apiKey: "re_very_secret", retry, ...options }))
    const texts = new Map<string, string>()
    const store = {
      get: (key: string) => Promise.resolve(texts.get(key)),
      set: (key: string, text: string) => Promise.resolve(texts.set(key, text)),
      remove: (key: string) => Promise.resolve(texts.delete(key)),
      has: (key: string) => Promise.resolve(texts.has(key))
    }
    yield* Effect.promise(async () => {
      for (let n = 0; n < 2; n++) await client.contacts.process("key", () => {}, { store })
    })
    // A logger is not waited for.
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  })

const repeated = "contacts: skipped items that the API repeated: 1"
const complete =
  "contacts: \"key\" is already complete; to process the list again, clear its checkpoint or use another key"

/** Everything that is printed during a program, by the method of the console. */
const printed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const lines: Array<readonly [method: string, ...values: ReadonlyArray<unknown>]> = []
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        (["log", "debug", "info", "warn", "error"] as const).map((method) =>
          vi.spyOn(console, method).mockImplementation((...values: ReadonlyArray<unknown>) => {
            lines.push([method, ...values])
          })
        )
      ),
      (spies) => Effect.sync(() => spies.forEach((spy) => spy.mockRestore()))
    )
    yield* effect
    return lines
  }).pipe(Effect.scoped)

describe("messages", () => {
  it.scopedLive("go to console.warn in plain words, without those for debugging", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* printed(everything({})), [
        ["warn", `Mailstream: ${repeated}`],
        ["warn", `Mailstream: ${complete}`]
      ])
    }))

  it.scopedLive("go to a logger as they are, by level, and nowhere else", () =>
    Effect.gen(function*() {
      const lines: Array<readonly [level: string, message: string]> = []
      class Own {
        readonly #lines = lines
        debug(message: string) {
          this.#lines.push(["debug", message])
        }
        info(message: string) {
          this.#lines.push(["info", message])
        }
        warn(message: string) {
          this.#lines.push(["warn", message])
        }
        error(message: string) {
          this.#lines.push(["error", message])
        }
      }
      const loggers: ReadonlyArray<Logger> = [new Own(), (level, message) => lines.push([level, message])]
      for (const logger of loggers) {
        assert.deepStrictEqual(yield* printed(everything({ logger })), [])
        const [first, ...rest] = lines.splice(0)
        assert(first !== undefined)
        const [level, message] = first
        assert.strictEqual(level, "debug")
        assert.match(message, /^contacts: retrying in \d+ ms: GET .*Try later\./)
        assert.deepStrictEqual(rest, [["warn", repeated], ["info", complete]])
      }
    }))

  it.scopedLive("announce every retry of every call once, with the wait, and not its final failure", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve((_, response) =>
        sendJson(response, 429, { name: "rate_limit_exceeded", statusCode: 429, message: "Slow down." })
      )
      const lines: Array<string> = []
      const client = yield* scoped(() =>
        new Mailstream({
          baseUrl,
          apiKey: "re_1",
          rateLimit: false,
          retry: { times: 2, base: 1, cap: 1 },
          logger: (level, message) => lines.push(`${level}: ${message}`)
        })
      )
      const calls: ReadonlyArray<readonly [list: string, call: () => Promise<unknown>]> = [
        ["contacts", () => client.contacts.list()],
        ["contacts", () => client.contacts.items().toArray({ limit: 1 })],
        ["contacts", () => client.contacts.whole().toArray({ limit: 1 })],
        ["topics", () => client.topics.create({ name: "News" })]
      ]
      for (const [list, call] of calls) {
        yield* Effect.promise(() => rejection(call()))
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        const announced = lines.splice(0)
        assert.strictEqual(announced.length, 2, announced.join("\n"))
        for (const line of announced) {
          assert.match(line, new RegExp(`^debug: ${list}: retrying in \\d+ ms: (GET|POST) .*Slow down`))
        }
      }
    }))

  it.scopedLive("do not repeat what a call is rejected with", () =>
    Effect.gen(function*() {
      const baseUrl = yield* serve((_, response) =>
        sendJson(response, 404, { name: "not_found", statusCode: 404, message: "No." })
      )
      const lines: Array<string> = []
      const client = yield* scoped(() =>
        new Mailstream({ baseUrl, apiKey: "re_1", logger: (_, message) => lines.push(message) })
      )
      assert.instanceOf(yield* Effect.promise(() => rejection(client.contacts.list())), NotFound)
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.deepStrictEqual(lines, [])
    }))

  it.scopedLive("go nowhere with false", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* printed(everything({ logger: false })), [])
    }))

  it.scopedLive("go to console.warn if the logger fails, which ends nothing", () =>
    Effect.gen(function*() {
      const throwing = (): never => {
        throw new Error("no")
      }
      for (const logger of [throwing, async () => throwing()]) {
        assert.deepStrictEqual(yield* printed(everything({ logger })), [
          ["warn", `Mailstream: ${repeated}`],
          ["warn", `Mailstream: ${complete}`]
        ])
      }
    }))

  it.scopedLive("never contain the key", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      yield* everything({ logger: (_, message) => lines.push(message) })
      assert.strictEqual(lines.length, 3)
      assert.notInclude(lines.join("\n"), "secret")
    }))
})
