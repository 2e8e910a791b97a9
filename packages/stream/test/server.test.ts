import { KeyValueStore } from "@effect/platform"
import { assert, describe, it, layer } from "@effect/vitest"
import { type Contact, type ContactId, Position, Resource, SegmentId } from "@mailstream/core"
import { Contacts } from "@mailstream/http"
import { Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import {
  apiKeys,
  broadcasts,
  Commit,
  contacts,
  domains,
  emails,
  Progress,
  receivedEmailAttachments,
  receivedEmails,
  RetryPolicy,
  segments,
  templates,
  topics
} from "@mailstream/stream"
import { Array, Cause, Chunk, Duration, Effect, Exit, Fiber, Layer, Stream, SubscriptionRef } from "effect"
import { overHttp } from "./support/server.ts"
import { claiming } from "./support/turns.ts"

const idsOf = <E, R>(stream: Stream.Stream<{ readonly id: string }, E, R>) =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray).pipe(Effect.map(Array.map(({ id }) => id)))

/** The oldest contact first. */
const sample = (count: number): ReadonlyArray<Contact> => Array.makeBy(count, (index) => SampleData.contact(index))

const everything = Layer.effectDiscard(SampleData.insert({
  domains: 5,
  apiKeys: 7,
  broadcasts: 33,
  segments: 4,
  contacts: 250,
  receivedEmails: 30,
  emails: 45,
  templates: 21,
  topics: 25
})).pipe(Layer.provideMerge(overHttp()), Layer.orDie)

layer(everything)("over HTTP", (it) => {
  for (const concurrency of [1, 4]) {
    it.effect.each([["a promise", Promise.resolve()], ["nothing", undefined]])(
      `handles no item with a function that returns %s instead of an Effect, ${concurrency} at a time`,
      ([_, returned]) =>
        Effect.gen(function*() {
          const handle = () => returned as unknown as Effect.Effect<void>
          const ends = yield* Effect.all([
            Effect.exit(contacts.process("process", handle, { concurrency })),
            Effect.exit(contacts.processPages("forEach", Commit.forEach(handle, { concurrency })))
          ])
          for (const end of ends) assert.isTrue(Exit.isFailure(end) && Cause.isDie(end.cause))
          for (const key of ["process", "forEach"]) {
            let handled = 0
            yield* contacts.process(key, () => Effect.sync(() => handled++))
            assert.strictEqual(handled, 250)
          }
        }).pipe(Effect.provide(KeyValueStore.layerMemory))
    )
  }

  it.effect("walks every list to its end, in pages and with `whole`", () =>
    Effect.gen(function*() {
      const counts = yield* Effect.all({
        domains: idsOf(domains.items({ pageSize: 2 })),
        broadcasts: idsOf(broadcasts.items({ pageSize: 10 })),
        segments: idsOf(segments.items({ pageSize: 3 })),
        contacts: idsOf(contacts.items({ pageSize: 99 })),
        receivedEmails: idsOf(receivedEmails.items({ pageSize: 7 })),
        emails: idsOf(emails.items({ pageSize: 20 })),
        templates: idsOf(templates.items({ pageSize: 20 })),
        topics: idsOf(topics.items())
      })
      assert.deepStrictEqual(
        Object.values(counts).map((ids) => new Set(ids).size),
        [5, 33, 4, 250, 30, 45, 21, 25]
      )
      assert.deepStrictEqual(yield* idsOf(domains.whole()), counts.domains)
      assert.deepStrictEqual(yield* idsOf(broadcasts.whole()), counts.broadcasts)
      assert.deepStrictEqual(yield* idsOf(segments.whole()), counts.segments)
      assert.deepStrictEqual(yield* idsOf(contacts.whole()), counts.contacts)
      assert.deepStrictEqual(yield* idsOf(receivedEmails.whole()), counts.receivedEmails)
      // The test's own key is one of them.
      assert.deepStrictEqual(yield* idsOf(apiKeys.whole()), yield* idsOf(apiKeys.items({ pageSize: 1 })))
    }))

  it.effect("returns the same items in pages and with `whole`, field by field", () =>
    Effect.gen(function*() {
      const paged = yield* Stream.runCollect(receivedEmails.items({ pageSize: 4 }))
      assert.deepStrictEqual(
        Chunk.toReadonlyArray(yield* Stream.runCollect(receivedEmails.whole())),
        Chunk.toReadonlyArray(paged)
      )
    }))

  it.effect("walks the contacts of a segment, and the attachments of an email", () =>
    Effect.gen(function*() {
      const all = new Set(yield* idsOf(contacts.items()))
      const [segment] = Chunk.toReadonlyArray(yield* Stream.runCollect(segments.items()))
      assert(segment !== undefined)
      const members = yield* idsOf(contacts.items({ filter: { segment_id: segment.id }, pageSize: 10 }))
      assert.isAbove(members.length, 10)
      assert.isBelow(members.length, all.size)
      assert.isTrue(members.every((id) => all.has(id)))
      assert.deepStrictEqual(yield* idsOf(contacts.whole({ filter: { segment_id: segment.id } })), members)

      const attached = yield* receivedEmails.items().pipe(
        Stream.flatMap(({ id }) => receivedEmailAttachments.items({ filter: { email_id: id }, pageSize: 1 })),
        Stream.runCount
      )
      const whole = yield* receivedEmails.items().pipe(
        Stream.flatMap(({ id }) => receivedEmailAttachments.whole({ filter: { email_id: id } })),
        Stream.runCount
      )
      assert.isAbove(attached, 0)
      assert.strictEqual(whole, attached)
    }))

  it.effect("walks in both directions", () =>
    Effect.gen(function*() {
      const forward = yield* idsOf(contacts.items({ pageSize: 50 }))
      const oldest = forward[forward.length - 1] as ContactId
      const backward = yield* idsOf(contacts.items({ pageSize: 30, from: Position.before(oldest) }))
      assert.deepStrictEqual([oldest, ...backward].reverse(), forward)
    }))

  it.effect("fails with the API's own message for unknown or invalid input", () =>
    Effect.gen(function*() {
      const unknown = yield* Effect.flip(
        Stream.runDrain(contacts.items({ filter: { segment_id: SegmentId.make("none") } }))
      )
      assert.strictEqual(unknown._tag, "not_found")
      const invalid = yield* Effect.flip(Stream.runDrain(contacts.items({ from: Position.after("7" as ContactId) })))
      assert.strictEqual(invalid._tag, "validation_error")
      const whole = yield* Effect.flip(
        Stream.runDrain(contacts.whole({ filter: { segment_id: SegmentId.make("none") } }))
      )
      assert.strictEqual(whole._tag, "not_found")
    }))

  it.effect("resumes with the store's own ids, at the same service only", () =>
    Effect.gen(function*() {
      const first = yield* contacts.processPages("contacts", (pages) =>
        pages.pipe(
          Stream.take(2),
          Stream.mapEffect((page) => Effect.as(page.commit, page.data.map(({ id }) => id))),
          Stream.runCollect
        ), { pageSize: 40 })
      const rest: Array<string> = []
      const process = contacts.process("contacts", ({ id }) => Effect.sync(() => rest.push(id)))
      const { baseUrl } = yield* Contacts
      const elsewhere = yield* Effect.flip(
        Effect.updateService(process, Contacts, (service) => ({ ...service, baseUrl: "https://other.example.com" }))
      )
      assert(elsewhere._tag === "CheckpointError")
      assert.strictEqual(
        elsewhere.description,
        `belongs to contacts, start, at ${baseUrl}, not to contacts, start, at https://other.example.com; ` +
          "use another key, or clear this one"
      )
      yield* process
      assert.deepStrictEqual([...[...first].flat(), ...rest], [...yield* idsOf(contacts.items())])
      const error = yield* Effect.flip(contacts.process("contacts", Effect.succeed, {
        filter: { segment_id: SegmentId.make("other") }
      }))
      assert.strictEqual(error._tag, "CheckpointError")
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))
})

describe("a list that changes, over HTTP", () => {
  it.scopedLive("follows what is created, and walks past what is deleted", () =>
    Effect.gen(function*() {
      const store = yield* Store
      yield* store.insert(Resource.contacts, sample(10))
      const seen = yield* SubscriptionRef.make<ReadonlyArray<string>>([])
      const progress = yield* Progress.make
      const fiber = yield* contacts.follow({ pageSize: 4, poll: "5 millis", progress }).pipe(
        Stream.take(30),
        Stream.runForEach(({ id }) => SubscriptionRef.update(seen, Array.append(id))),
        Effect.fork
      )
      // New items are determined once the first page has arrived.
      yield* Stream.runHead(Stream.filter(progress.changes, ({ pages }) => pages > 0))
      const news = Array.makeBy(30, (index): Contact => SampleData.contact(1000 + index))
      for (const part of Array.chunksOf(news, 11)) {
        yield* store.insert(Resource.contacts, part)
        const newest = part.at(-1)!.id
        yield* Stream.runHead(Stream.filter(seen.changes, (seen) => seen.includes(newest))).pipe(
          claiming("the newest item is followed")
        )
      }
      yield* Fiber.join(fiber)
      assert.deepStrictEqual(yield* seen.get, news.map(({ id }) => id))

      const walked = yield* contacts.pages({ pageSize: 5 }).pipe(
        Stream.tap((page) => store.delete(Resource.contacts, page.data.slice(-2).map(({ id }) => id))),
        Stream.runCollect
      )
      assert.strictEqual(Array.flatMap(Chunk.toReadonlyArray(walked), ({ data }) => data).length, 40)
    }).pipe(Effect.provide(overHttp())))
})

describe("faults, over HTTP", () => {
  const faults = {
    seed: 42,
    rateLimit: { rate: 0.05, retryAfter: Duration.zero },
    serverError: { rate: 0.05 },
    html: { rate: 0.03 },
    reset: { rate: 0.03 },
    truncate: { rate: 0.03 },
    malform: { rate: 0.03 }
  }
  const retry = RetryPolicy.make({ times: 20, base: "1 millis", cap: "5 millis" })
  const server = Layer.effectDiscard(Effect.flatMap(Store, (store) => store.insert(Resource.contacts, sample(2000))))
    .pipe(
      Layer.provideMerge(overHttp({ faults })),
      Layer.orDie
    )

  it.scopedLive(
    "neither lose nor repeat an item, in both directions, with and without prefetch",
    () =>
      Effect.gen(function*() {
        const expected = Array.makeBy(2000, (index): string => SampleData.contact(1999 - index).id)
        assert.deepStrictEqual(yield* idsOf(contacts.items({ pageSize: 10, retry })), expected)
        assert.deepStrictEqual(yield* idsOf(contacts.items({ pageSize: 10, retry, prefetch: 3 })), expected)
        const oldest = SampleData.contact(0).id
        assert.deepStrictEqual(
          yield* idsOf(contacts.items({ pageSize: 10, retry, from: Position.before(oldest) })),
          expected.slice(0, -1).reverse()
        )
      }).pipe(Effect.provide(server)),
    60_000
  )

  it.scopedLive(
    "neither lose nor repeat an item in a broken `whole` response or a walk that is stopped repeatedly",
    () =>
      Effect.gen(function*() {
        const expected = Array.makeBy(2000, (index): string => SampleData.contact(1999 - index).id)
        for (let run = 0; run < 15; run++) {
          assert.deepStrictEqual(yield* idsOf(contacts.whole({ retry })), expected)
        }
        const seen = new Set<string>()
        for (let run = 0; seen.size < 2000 && run < 30; run++) {
          let left = 130
          yield* Effect.option(contacts.process("export", ({ id }) =>
            Effect.suspend(() => {
              seen.add(id)
              left--
              return left > 0 ? Effect.void : Effect.fail("stop")
            }), { pageSize: 20, retry, concurrency: 4 }))
        }
        assert.deepStrictEqual([...seen].sort(), [...expected].sort())
      }).pipe(Effect.provide(Layer.merge(server, KeyValueStore.layerMemory))),
    60_000
  )
})
