import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Mirror, TooManyDeletions } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Chunk, Effect, Either, Fiber, Layer, Stream } from "effect"
import { databases } from "./support/databases.ts"
import { contact, make, topic, uuid } from "./support/service.ts"
import { until } from "./support/waiting.ts"

const range = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from + 1 }, (_, index) => to - index)

describe.each(databases)("a copy in %s", (_, open) => {
  /** A service, an empty database, and the copy. */
  const setup = (options?: Mirror.Options) =>
    Effect.gen(function*() {
      const service = yield* make
      const database = yield* open
      const layer = Layer.merge(
        service.client,
        Layer.provideMerge(Mirror.layer(options), Layer.succeedContext(database))
      )
      const sync = (options: Mirror.SyncOptions = {}) =>
        Effect.flatMap(Mirror.Mirror, (mirror) => mirror.syncEither({ lists: ["contacts"], ...options })).pipe(
          Effect.map(([report]) => Either.getOrThrow(report!.result))
        )
      return { service, layer: yield* Layer.build(Layer.orDie(layer)), sync }
    })

  const rows = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ json: string }>`SELECT CAST(json AS text) AS json FROM current_contacts`
  ).pipe(Effect.map((rows) => new Map(rows.map(({ json }) => [JSON.parse(json).id, JSON.parse(json)]))))

  it.scopedLive("holds every item, its changes, and what is gone", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup()
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const sql = yield* SqlClient.SqlClient
        service.lists.set("/contacts", range(1, 2500).map((number) => contact(number, { plan: "pro" })))
        assert.deepStrictEqual(yield* sync(), { created: 2500, updated: 0, deleted: 0, unchanged: 0 })
        assert.deepStrictEqual(yield* rows, new Map(service.lists.get("/contacts")!.map((item) => [item.id, item])))
        assert.deepStrictEqual(service.requests, ["/contacts"])
        assert.deepStrictEqual(yield* sync(), { created: 0, updated: 0, deleted: 0, unchanged: 2500 })

        service.lists.set("/contacts", [
          contact(2501),
          ...range(2, 2500).map((number) => contact(number, { plan: "pro", unsubscribed: number % 500 === 0 }))
        ])
        assert.deepStrictEqual(yield* sync({ dryRun: true }), { created: 1, updated: 5, deleted: 1, unchanged: 2494 })
        assert.deepStrictEqual(yield* sync(), { created: 1, updated: 5, deleted: 1, unchanged: 2494 })
        assert.deepStrictEqual(yield* rows, new Map(service.lists.get("/contacts")!.map((item) => [item.id, item])))
        const unsubscribed =
          yield* sql`SELECT email FROM contacts WHERE unsubscribed AND deleted_at IS NULL ORDER BY email`
        assert.strictEqual(unsubscribed.length, 5)
        const log = Chunk.toReadonlyArray(yield* Stream.runCollect(mirror.changes(contacts)))
        assert.strictEqual(log.length, 2507)
        assert.deepStrictEqual(log.map(({ seq }) => seq), [...range(1, 2507)].reverse())
        const updated = log.flatMap((change) => change._tag === "Updated" ? [change] : [])
        assert.deepStrictEqual(updated.map(({ fields }) => fields), Array.from({ length: 5 }, () => ["unsubscribed"]))
        assert.isTrue(updated.every(({ before, item }) => !before.unsubscribed && item.unsubscribed))
        const deleted = log.flatMap((change) => change._tag === "Deleted" ? [change.item.id as string] : [])
        assert.deepStrictEqual(deleted, [uuid(1)])
        // Replayed, the changes produce the copy.
        const replayed = new Map<string, unknown>()
        for (const change of log) {
          if (change._tag === "Deleted") replayed.delete(change.item.id)
          else replayed.set(change.item.id, change.item)
        }
        assert.deepStrictEqual(replayed, yield* rows)
      }).pipe(Effect.provide(layer))
    }), 60_000)

  it.scopedLive("is updated in bulk, also right after it was made", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup()
      yield* Effect.gen(function*() {
        const all = range(1, 6000)
        service.lists.set("/contacts", all.map((number) => contact(number)))
        yield* sync()
        service.lists.set("/contacts", all.map((number) => contact(number, { unsubscribed: number % 2 === 0 })))
        assert.include(yield* sync(), { updated: 3000, unchanged: 3000 })
        service.lists.set(
          "/contacts",
          all.slice(2500).map((number) => contact(number, { unsubscribed: number % 2 === 0 }))
        )
        assert.include(yield* sync(), { deleted: 2500, unchanged: 3500 })
      }).pipe(Effect.provide(layer))
    }), 30_000)

  it.scopedLive("stops if most of a list is gone", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup()
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        service.lists.set("/contacts", range(1, 10).map((number) => contact(number)))
        yield* sync()
        service.lists.set("/contacts", [])
        const [report] = yield* mirror.syncEither({ lists: ["contacts"] })
        const error = Either.getOrThrow(Either.flip(report!.result))
        assert.instanceOf(error, TooManyDeletions)
        assert.strictEqual((yield* rows).size, 10)
        assert.include(yield* sync({ maxDeleted: 1 }), { deleted: 10 })
        assert.strictEqual((yield* rows).size, 0)
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("stops if most of what has come since the last pass is gone", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup()
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const first = range(1, 10).map((number) => contact(number))
        service.lists.set("/contacts", first)
        yield* sync()
        service.lists.set("/contacts", range(1, 300).map((number) => contact(number)))
        const [polled] = yield* mirror.pollEither({ lists: ["contacts"] })
        assert.deepStrictEqual(Either.map(polled!.result, ({ created }) => created), Either.right(290))
        service.lists.set("/contacts", first)
        const [report] = yield* mirror.syncEither({ lists: ["contacts"] })
        assert.include(Either.getOrThrow(Either.flip(report!.result)), {
          _tag: "TooManyDeletions",
          missing: 290,
          known: 300
        })
        assert.strictEqual((yield* rows).size, 300)
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("loses nothing if the first item of a lane is deleted between two attempts", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup()
      yield* Effect.gen(function*() {
        const options: Mirror.SyncOptions = { lists: ["topics"], lanes: 2, pageSize: 3, patience: "200 millis" }
        service.lists.set("/topics", range(1, 20).map((number) => topic(number)))
        yield* sync(options)
        // The second lane gets no response, while the first one walks on to the end.
        const firstLaneIsDone = Effect.flatMap(SqlClient.SqlClient, (sql) =>
          Effect.map(
            sql<{ pass: string | null }>`SELECT pass FROM mirror_lists`,
            ([row]) => JSON.parse(row?.pass ?? "null")?.progress.lanes[0].isDone === true
          ))
        const begun = new Set<string>()
        service.requests.length = 0
        service.onRequest = (url) => {
          const after = new URL(url, "http://localhost").searchParams.get("after")
          if (service.requests.length <= 2 && after !== null) begun.add(after)
          return after === null || !begun.has(after)
        }
        const first = yield* Effect.fork(sync(options))
        yield* until(firstLaneIsDone)
        yield* Fiber.interrupt(first)
        service.onRequest = () => {}
        const [start = ""] = begun
        service.lists.set("/topics", service.lists.get("/topics")!.filter(({ id }) => id !== start))
        assert.strictEqual((yield* sync(options)).deleted, 1)
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ id: string }>`SELECT id FROM current_topics`
        assert.sameMembers(rows.map(({ id }) => id), service.lists.get("/topics")!.map(({ id }) => id))
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("has pages of lists that always have a limit, in several lanes", () =>
    Effect.gen(function*() {
      const { layer, service, sync } = yield* setup()
      yield* Effect.gen(function*() {
        service.lists.set("/topics", range(1, 3000).map((number) => topic(number)))
        assert.include(yield* sync({ lists: ["topics"], lanes: 8 }), { created: 3000 })
        service.requests.length = 0
        assert.include(yield* sync({ lists: ["topics"], lanes: 8 }), { unchanged: 3000, deleted: 0, created: 0 })
        assert.isAtMost(service.requests.length, 38)
        assert.strictEqual(service.requests.slice(0, 8).filter((url) => url.includes("after")).length, 7)
      }).pipe(Effect.provide(layer))
    }), 60_000)
})
