import type { List } from "@mailstream/effect4"
import { type Contact, contacts, Mailstream, Store, topics } from "@mailstream/effect4"
import { Cause, Context, Duration, Effect, Exit, Layer, Logger, Redacted, References, Stream } from "effect"
import { KeyValueStore } from "effect/persistence"
import { assert, describe } from "vitest"
import { failing, scoped, service } from "./support/service.ts"

const memory = Layer.effect(Store, KeyValueStore.KeyValueStore).pipe(Layer.provide(KeyValueStore.layerMemory))

const retry = { times: 3, base: "1 milli", cap: "2 millis" } as const

class Sink extends Context.Reference<Array<string>>("test/Sink", { defaultValue: () => [] }) {}

type Run = (options: List.Retried) => Effect.Effect<unknown, unknown, Mailstream.Mailstream | Store>

/** Every call that is retried. */
const calls: Readonly<Record<string, Run>> = {
  list: (options) => contacts.list(options),
  items: (options) => Stream.runDrain(contacts.items(options)),
  pages: (options) => Stream.runDrain(contacts.pages(options)),
  whole: (options) => Stream.runDrain(contacts.whole(options)),
  process: (options) => contacts.process("key", () => Effect.void, options),
  processPages: (options) => contacts.processPages("key", Stream.runDrain, options),
  create: (options) => topics.create({ name: "News" }, options)
}

for (const [name, call] of Object.entries(calls)) {
  describe(`the retries of ${name}`, () => {
    scoped(
      "run an effect in the surroundings of the call, with its attempt, its error and its wait",
      () =>
        Effect.gen(function*() {
          const { baseUrl } = yield* failing(2)
          const layer = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1"), rateLimit: false })
          const sink: Array<string> = []
          const notices: Array<List.RetryNotice> = []
          yield* call({
            retry,
            onRetry: (notice) =>
              Effect.map(Sink, (sink) => {
                sink.push("here")
                notices.push(notice)
              })
          }).pipe(Effect.provide([layer, memory]), Effect.provideService(Sink, sink))
          assert.deepStrictEqual(notices.map(({ attempt }) => attempt), [1, 2])
          assert.deepStrictEqual(sink, ["here", "here"])
          for (const { error, wait } of notices) {
            assert.strictEqual(error._tag, name === "create" ? "rate_limit_exceeded" : "service_unavailable")
            assert.isTrue(Duration.isLessThanOrEqualTo(wait, Duration.millis(2)))
            assert.isTrue(Duration.isGreaterThan(wait, Duration.zero))
          }
        })
    )

    scoped("are those of the layer, and end with a defect of the effect", () =>
      Effect.gen(function*() {
        const { baseUrl, requests } = yield* failing(Infinity)
        let told = 0
        const layer = Mailstream.layer({
          baseUrl,
          apiKey: Redacted.make("re_1"),
          rateLimit: false,
          retry: { ...retry, times: 1 },
          onRetry: () => Effect.sync(() => told++)
        })
        yield* Effect.flip(call({})).pipe(Effect.provide([layer, memory]))
        assert.strictEqual(told, 1)
        assert.strictEqual(requests(), 2)
        const broken = {
          died: [() => Effect.die("a bug"), /a bug/],
          none: [() => undefined as never, /onRetry did not return an Effect/],
          promise: [() => Promise.reject(new Error("no")) as never, /onRetry did not return an Effect/]
        } as const
        for (const [onRetry, expected] of Object.values(broken)) {
          const exit = yield* Effect.exit(call({ onRetry })).pipe(Effect.provide([layer, memory]))
          assert(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
          assert.match(Cause.pretty(exit.cause), expected)
        }
        assert.strictEqual(requests(), 5)
      }))
  })
}

describe("progress", () => {
  const walks: Readonly<
    Record<
      string,
      (options: List.Observed, key: string) => Effect.Effect<unknown, unknown, Mailstream.Mailstream | Store>
    >
  > = {
    items: (options) => Stream.runDrain(contacts.items({ ...options, pageSize: 10 })),
    pages: (options) => Stream.runDrain(contacts.pages({ ...options, pageSize: 10 })),
    process: (options, key) => contacts.process(key, () => Effect.void, { ...options, pageSize: 10 }),
    processPages: (options, key) => contacts.processPages(key, Stream.runDrain, { ...options, pageSize: 10 })
  }
  for (const [name, walk] of Object.entries(walks)) {
    scoped(`is reported in durations, and its defect ends the walk: ${name}`, () =>
      Effect.gen(function*() {
        const { layer } = yield* service({ contacts: 25 })
        yield* Effect.gen(function*() {
          const bug = new Error("a bug")
          const dying = ({ pages }: List.Progress) => pages === 2 ? Effect.die(bug) : Effect.void
          const exit = yield* Effect.exit(walk({ progress: dying }, "1"))
          assert(Exit.isFailure(exit))
          assert.strictEqual(Cause.squash(exit.cause), bug)
          const nothing = yield* Effect.exit(walk({ progress: () => undefined as never }, "2"))
          assert(Exit.isFailure(nothing))
          assert.match(Cause.pretty(nothing.cause), /progress did not return an Effect/)
          const seen: Array<List.Progress> = []
          yield* walk({ progress: (progress) => Effect.sync(() => seen.push(progress)) }, "3")
          assert.strictEqual(seen.length, 6)
          assert.deepStrictEqual(seen.at(-1), {
            requests: 3,
            retries: 0,
            pages: 3,
            items: 25,
            waited: Duration.zero,
            waiting: undefined
          })
        }).pipe(Effect.provide([layer, memory]))
      }))
  }
})

describe("messages", () => {
  scoped("go to the loggers around the layer, by level", () =>
    Effect.gen(function*() {
      const { apiKey, baseUrl } = yield* service({ contacts: 3 })
      const lines: Array<readonly [level: string, message: unknown]> = []
      const logger = Logger.make(({ logLevel, message }) => lines.push([logLevel, message]))
      const layer = Mailstream.layer({ baseUrl, apiKey }).pipe(
        Layer.provide(Logger.layer([logger])),
        Layer.provide(Layer.succeed(References.MinimumLogLevel, "Debug"))
      )
      const run = contacts.process("key", () => Effect.void)
      yield* Effect.andThen(run, run).pipe(Effect.provide([layer, memory]))
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.deepStrictEqual(lines.map(([level]) => level), ["Info"])
      assert.match(String(lines[0]?.[1]), /"key" is already complete/)
    }))
})

describe("a function that does not return an Effect", () => {
  const wrong: Readonly<Record<string, () => unknown>> = {
    nothing: () => undefined,
    promise: () => Promise.reject(new Error("no")),
    generator: function*() {},
    throws: () => {
      throw new Error("did not return an Effect, but threw")
    }
  }
  for (const [name, returned] of Object.entries(wrong)) {
    scoped(`fails the run, which lets go of the key: ${name}`, () =>
      Effect.gen(function*() {
        const { layer } = yield* service({ contacts: 3 })
        yield* Effect.gen(function*() {
          const use = returned as () => Effect.Effect<void>
          for (const run of [contacts.process("key", use), contacts.processPages("key", use)]) {
            const exit = yield* Effect.exit(run)
            assert(Exit.isFailure(exit))
            assert.match(Cause.pretty(exit.cause), /did not return an Effect/)
          }
          const handled: Array<Contact> = []
          yield* contacts.process("key", (contact) => Effect.sync(() => handled.push(contact)))
          assert.strictEqual(handled.length, 3)
        }).pipe(Effect.provide([layer, memory]))
      }))
  }
})

describe("an option that does not exist", () => {
  scoped("is refused, also within others", () =>
    Effect.gen(function*() {
      const { baseUrl, layer } = yield* service({})
      const refused = <R>(effect: Effect.Effect<unknown, unknown, R>, option: string) =>
        Effect.map(Effect.flip(effect), (error) => {
          assert.include(error, { _tag: "InvalidOption", option })
        })
      yield* Effect.gen(function*() {
        const given = { segmentId: "x" } as never
        yield* refused(contacts.list(given), "segmentId")
        yield* refused(Stream.runDrain(contacts.items(given)), "segmentId")
        yield* refused(Stream.runDrain(contacts.follow(given)), "segmentId")
        yield* refused(contacts.process("key", () => Effect.void, given), "segmentId")
        yield* refused(contacts.list({ retry: { ...retry, attempts: 2 } } as never), "retry.attempts")
        yield* refused(topics.create({ name: "News" }, { retries: 2 } as never), "retries")
        yield* refused(topics.create({ name: "News", defaultSubscription: "opt_out" } as never), "defaultSubscription")
      }).pipe(Effect.provide([layer, memory]))
      const limited = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1"), rateLimit: { rps: 2 } as never })
      yield* refused(contacts.list().pipe(Effect.provide(limited)), "rateLimit.rps")
    }))
})
