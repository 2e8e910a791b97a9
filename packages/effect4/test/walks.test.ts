import {
  type Contact,
  Contacts,
  contacts,
  Mailstream,
  Position,
  RetryPolicy,
  type SegmentId,
  Topics,
  ValidationError,
  Walk
} from "@mailstream/effect4"
import * as effect4 from "@mailstream/effect4"
import * as FetchTransport from "@mailstream/effect4/FetchTransport"
import * as SampleData from "@mailstream/server/SampleData"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Redacted, Stream } from "effect"
import { assert, describe } from "vitest"
import { scoped, service, silence } from "./support/service.ts"

const ids = <Id extends string>(items: ReadonlyArray<{ readonly id: Id }>): Array<Id> => items.map(({ id }) => id)

describe("items", () => {
  scoped("requests nothing before it runs, and no page before it is needed", () =>
    Effect.gen(function*() {
      const { layer, requests } = yield* service({ contacts: 250 })
      yield* Effect.gen(function*() {
        const items = contacts.items()
        assert.deepStrictEqual(requests, [])
        const some = yield* Stream.runCollect(Stream.take(items, 100))
        assert.strictEqual(some.length, 100)
        assert.strictEqual(requests.length, 1)
        yield* Stream.runCollect(Stream.take(items, 101))
        assert.strictEqual(requests.length, 3)
        // The next page is not requested while the last item of one is in use.
        yield* contacts.items({ pageSize: 10 }).pipe(
          Stream.take(20),
          Stream.runForEach(() => Effect.sync(() => assert.isAtMost(requests.length, 5)))
        )
        assert.strictEqual(requests.length, 5)
      }).pipe(Effect.provide(layer))
    }))

  scoped("requests only as many items as it takes", () =>
    Effect.gen(function*() {
      const { layer, requests } = yield* service({ contacts: 250 })
      yield* Effect.gen(function*() {
        const expected = ids(yield* Stream.runCollect(Stream.take(contacts.items(), 120)))
        requests.length = 0
        assert.deepStrictEqual(ids(yield* Stream.runCollect(contacts.items({ take: 5 }))), expected.slice(0, 5))
        assert.deepStrictEqual(requests.splice(0), ["GET /contacts?limit=5"])
        assert.deepStrictEqual(ids(yield* Stream.runCollect(contacts.items({ take: 120, prefetch: 1 }))), expected)
        assert.deepStrictEqual(requests.splice(0), [
          "GET /contacts?limit=100",
          `GET /contacts?limit=20&after=${expected[99]}`
        ])
        assert.deepStrictEqual(requests, [])
      }).pipe(Effect.provide(layer))
    }))

  scoped("walks again when it is run again", () =>
    Effect.gen(function*() {
      const { insert, layer, requests } = yield* service({ contacts: 150 })
      yield* Effect.gen(function*() {
        const items = contacts.items()
        const first = yield* Stream.runCollect(items)
        assert.strictEqual(new Set(ids(first)).size, 150)
        yield* insert({ contacts: 1, seed: 1 })
        const second = yield* Stream.runCollect(items)
        assert.deepStrictEqual(ids(second).slice(1), ids(first))
        assert.strictEqual(requests.length, 4)
      }).pipe(Effect.provide(layer))
    }))

  scoped("walks in both directions, from any position, in any size of pages", () =>
    Effect.gen(function*() {
      const { layer, requests } = yield* service({ contacts: 50 })
      yield* Effect.gen(function*() {
        const all = ids(yield* Stream.runCollect(contacts.items({ pageSize: 20 })))
        assert.strictEqual(requests.length, 3)
        const older = yield* Stream.runCollect(contacts.items({ from: Position.after(all[29]!) }))
        assert.deepStrictEqual(ids(older), all.slice(30))
        const newer = yield* Stream.runCollect(contacts.items({ from: Position.before(all[29]!) }))
        assert.deepStrictEqual(ids(newer), all.slice(0, 29).reverse())
      }).pipe(Effect.provide(layer))
    }))

  scoped("fails with the API's own error, for catchTag", () =>
    Effect.gen(function*() {
      const { baseUrl, layer, requests } = yield* service({ contacts: 3 })
      const invalid = contacts.items({ filter: { segment_id: "" as SegmentId } })
      const caught = yield* invalid.pipe(
        Stream.catchTag("validation_error", (error) => {
          assert.instanceOf(error, ValidationError)
          assert.strictEqual(error.statusCode, 422)
          return Stream.succeed("caught" as const)
        }),
        Stream.runCollect,
        Effect.provide(layer)
      )
      assert.deepStrictEqual(caught, ["caught"])
      assert.deepStrictEqual(requests, [])

      const wrongKey = Layer.orDie(Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_wrong") })).pipe(
        Layer.provide(FetchTransport.layer)
      )
      const tag = yield* contacts.items().pipe(
        Stream.runDrain,
        Effect.catchTag("invalid_api_key", ({ _tag }) => Effect.succeed(_tag)),
        Effect.provide(wrongKey)
      )
      assert.strictEqual(tag, "invalid_api_key")
      assert.strictEqual(requests.length, 1)
    }))

  scoped("aborts the request in flight when it is interrupted", () =>
    Effect.gen(function*() {
      const { hungUp, layer, received } = yield* silence
      const fiber = yield* Stream.runDrain(contacts.items()).pipe(Effect.provide(layer), Effect.forkChild)
      yield* received
      yield* Fiber.interrupt(fiber)
      yield* hungUp
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
    }))

  scoped("aborts the request in flight when a race is lost", () =>
    Effect.gen(function*() {
      const { hungUp, layer, received } = yield* silence
      const winner = yield* Effect.race(Stream.runDrain(contacts.items()), Effect.as(received, "received")).pipe(
        // The client stays open: it is the race that aborts.
        (race) => Effect.flatMap(race, (winner) => Effect.as(hungUp, winner)),
        Effect.provide(layer)
      )
      assert.strictEqual(winner, "received")
    }))

  scoped("retries a page according to its policy", () =>
    Effect.gen(function*() {
      const { layer, requests } = yield* service(
        { contacts: 5 },
        { faults: { seed: 1, serverError: { rate: 1 } } }
      )
      const failed = (retry: RetryPolicy.RetryPolicy) =>
        contacts.items({ retry }).pipe(Stream.runDrain, Effect.flip, Effect.provide(layer))
      const { _tag } = yield* failed(RetryPolicy.none)
      assert.include(["internal_server_error", "application_error", "service_unavailable"], _tag)
      assert.strictEqual(requests.length, 1)
      const error = yield* failed(RetryPolicy.make({ times: 2, base: "1 milli", cap: "2 millis" }))
      assert.strictEqual(requests.length, 4)
      assert.include(error.message, "(after 3 attempts in ")
    }))

  scoped("keeps a defect a defect", () =>
    Effect.gen(function*() {
      const { layer } = yield* service({ contacts: 3 })
      const bug = new Error("a bug")
      const exit = yield* contacts.items().pipe(
        Stream.map((): string => {
          throw bug
        }),
        Stream.runDrain,
        Effect.exit,
        Effect.provide(layer)
      )
      assert(Exit.isFailure(exit))
      assert.isTrue(Cause.hasDies(exit.cause))
      assert.strictEqual(Cause.squash(exit.cause), bug)
    }))
})

describe("every list", () => {
  /** The lists that have sample data, by their names. */
  const names = Object.keys(SampleData.samples) as ReadonlyArray<keyof typeof SampleData.samples>

  /** Items without what every request changes: when its key was last used. */
  const lasting = (items: ReadonlyArray<object>) => items.map((item) => ({ ...item, last_used_at: undefined }))

  scoped("is streamed, and its pages are its items", () =>
    Effect.gen(function*() {
      const { layer } = yield* service(Object.fromEntries(names.map((name) => [name, 3])))
      assert.isAtLeast(names.length, 9)
      const checks = effect4.mapLists(({ resource, source }) =>
        Effect.gen(function*() {
          const name = names.find((name) => name.toLowerCase() === resource.identifier.toLowerCase())
          // Those within something else are walked through below.
          if (name === undefined || !resource.isFilter(undefined)) return 0
          const list = source(undefined as never)
          const items = lasting(yield* Stream.runCollect(Walk.items(list, { pageSize: 2 })))
          const pages = yield* Stream.runCollect(Walk.pages(list, { pageSize: 2 }))
          assert.isAtLeast(items.length, 3, resource.name)
          assert.strictEqual(pages.length, Math.ceil(items.length / 2))
          assert.deepStrictEqual(lasting(pages.flatMap(({ data }) => data)), items)
          assert.strictEqual(pages.at(-1)?.next._tag, "End")
          return 1
        })
      )
      const checked = yield* Effect.provide(Effect.all(checks), layer)
      assert.isAtLeast(checked.filter((count) => count > 0).length, 9)
    }))

  scoped("is filtered where it can be", () =>
    Effect.gen(function*() {
      const { layer, requests } = yield* service({ segments: 1, contacts: 10, receivedEmails: 1 })
      yield* Effect.gen(function*() {
        const [segment] = yield* Stream.runCollect(effect4.segments.items())
        yield* Stream.runDrain(contacts.items({ filter: { segment_id: segment!.id } }))
        assert.include(requests.at(-1), `/segments/${segment!.id}/contacts`)
        const [email] = yield* Stream.runCollect(effect4.receivedEmails.items())
        yield* Stream.runDrain(effect4.receivedEmailAttachments.items({ filter: { email_id: email!.id } }))
        assert.include(requests.at(-1), `/${email!.id}/attachments`)
        const none = {} as never
        const missing = yield* Effect.flip(Stream.runDrain(effect4.receivedEmailAttachments.items(none)))
        assert.strictEqual(missing._tag, "validation_error")
      }).pipe(Effect.provide(layer))
    }))

  scoped("comes whole from one request, lazily", () =>
    Effect.gen(function*() {
      const { layer, requests } = yield* service({ contacts: 350 })
      yield* Effect.gen(function*() {
        assert.strictEqual((yield* Stream.runCollect(contacts.whole())).length, 350)
        assert.strictEqual((yield* Stream.runCollect(Stream.take(contacts.whole(), 5))).length, 5)
        assert.deepStrictEqual(requests, ["GET /contacts", "GET /contacts"])
      }).pipe(Effect.provide(layer))
    }))
})

describe("follow", () => {
  scoped("emits new items in order, each once, until it is interrupted", () =>
    Effect.gen(function*() {
      const { insert, layer, requests } = yield* service({ contacts: 5 })
      yield* Effect.gen(function*() {
        const seen: Array<Contact> = []
        const two = yield* Deferred.make<void>()
        const fiber = yield* contacts.follow({ poll: "1 milli" }).pipe(
          Stream.runForEach((contact) => {
            seen.push(contact)
            return seen.length === 2 ? Deferred.succeed(two, undefined) : Effect.void
          }),
          Effect.forkChild
        )
        yield* Effect.repeat(Effect.yieldNow, { until: () => requests.length > 1 })
        yield* insert({ contacts: 2, seed: 1 })
        yield* Deferred.await(two)
        yield* Fiber.interrupt(fiber)
        const newest = yield* Stream.runCollect(Stream.take(contacts.items(), 2))
        assert.deepStrictEqual(ids(seen), ids(newest).reverse())
      }).pipe(Effect.provide(layer))
    }))

  scoped("refuses a poll that is not a duration", () =>
    Effect.gen(function*() {
      const { layer, requests } = yield* service({ contacts: 1 })
      for (const poll of ["0 millis", "-1 second"] as const) {
        const { _tag, message } = yield* contacts.follow({ poll }).pipe(
          Stream.runDrain,
          Effect.flip,
          Effect.provide(layer)
        )
        assert.strictEqual(_tag, "InvalidOption")
        assert.include(message, "poll")
      }
      assert.deepStrictEqual(requests, [])
    }))
})

describe("a call", () => {
  scoped("creates a topic, or fails before any request", () =>
    Effect.gen(function*() {
      const { layer, requests } = yield* service({})
      yield* Effect.gen(function*() {
        const topics = yield* Topics
        const created = yield* topics.create({ name: "Product news", default_subscription: "opt_in" })
        const [topic] = (yield* topics.list()).data
        assert.strictEqual(topic?.id, created.id)
        assert.strictEqual(requests.length, 2)
        const error = yield* Effect.flip(topics.create({ name: "" }))
        assert.strictEqual(error._tag, "validation_error")
        assert.strictEqual(requests.length, 2)
      }).pipe(Effect.provide(layer))
    }))

  scoped("is aborted when it is interrupted", () =>
    Effect.gen(function*() {
      const { hungUp, layer, received } = yield* silence
      const call = Effect.flatMap(Contacts, (contacts) => contacts.list({ limit: 1 }))
      const fiber = yield* call.pipe(Effect.provide(layer), Effect.forkChild)
      yield* received
      yield* Fiber.interrupt(fiber)
      yield* hungUp
    }))
})
