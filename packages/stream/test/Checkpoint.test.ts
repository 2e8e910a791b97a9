import { Error as PlatformError, FileSystem, KeyValueStore } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { SqlClient, type SqlError } from "@effect/sql"
import { LibsqlClient } from "@effect/sql-libsql"
import { assert, describe, it, layer } from "@effect/vitest"
import { Position } from "@mailstream/core"
import { Checkpoint, Walk } from "@mailstream/stream"
import { Effect, FastCheck, Layer, Option, Schema, Stream } from "effect"
import { down, FakeList, ids, up } from "./support/list.ts"

const subject: Checkpoint.Subject<string> = { list: "items", filter: {}, id: Schema.String }

const resumable = (list: FakeList, key: string, options: Walk.Options = {}) =>
  Checkpoint.resumable(list, key, subject, { pageSize: 3, ...options })

const collect = (...args: Parameters<typeof resumable>) => Effect.map(Stream.runCollect(resumable(...args)), ids)

const take = (n: number, ...args: Parameters<typeof resumable>) =>
  Effect.map(Stream.runCollect(Stream.take(resumable(...args), n)), ids)

const files = Layer.unwrapScoped(Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  return KeyValueStore.layerFileSystem(yield* fs.makeTempDirectoryScoped())
})).pipe(Layer.orDie, Layer.provide(NodeContext.layer))

const sql = Layer.effect(
  KeyValueStore.KeyValueStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL)`
    const failing = (method: string) => <A>(effect: Effect.Effect<A, SqlError.SqlError>) =>
      Effect.mapError(
        effect,
        ({ message }) =>
          new PlatformError.SystemError({ reason: "Unknown", module: "KeyValueStore", method, description: message })
      )
    return KeyValueStore.makeStringOnly({
      get: (key) =>
        sql<{ readonly value: string }>`SELECT value FROM entries WHERE key = ${key}`.pipe(
          Effect.map(([row]) => Option.map(Option.fromNullable(row), ({ value }) => value)),
          failing("get")
        ),
      set: (key, value) =>
        sql`INSERT INTO entries ${sql.insert({ key, value })} ON CONFLICT (key) DO UPDATE SET value = excluded.value`
          .pipe(
            Effect.asVoid,
            failing("set")
          ),
      remove: (key) => failing("remove")(Effect.asVoid(sql`DELETE FROM entries WHERE key = ${key}`)),
      clear: failing("clear")(Effect.asVoid(sql`DELETE FROM entries`)),
      size: sql<{ readonly size: number }>`SELECT count(*) AS size FROM entries`.pipe(
        Effect.map(([row]) => row?.size ?? 0),
        failing("size")
      )
    })
  })
).pipe(Layer.provide(LibsqlClient.layer({ url: ":memory:" })), Layer.orDie)

/** A store whose behaviour is set by the test. */
const storeOf = (map: Map<string, string>, set: (key: string, value: string) => Effect.Effect<void>) =>
  Layer.succeed(
    KeyValueStore.KeyValueStore,
    KeyValueStore.makeStringOnly({
      get: (key) => Effect.sync(() => Option.fromNullable(map.get(key))),
      set,
      remove: (key) => Effect.sync(() => map.delete(key)),
      clear: Effect.sync(() => map.clear()),
      size: Effect.sync(() => map.size)
    })
  )

for (const [name, store] of [["memory", KeyValueStore.layerMemory], ["files", files], ["SQL", sql]] as const) {
  layer(store)(`resumable, in ${name}`, (it) => {
    it.effect("resumes after the last consumed page", () =>
      Effect.gen(function*() {
        const list = new FakeList(10)
        assert.deepStrictEqual(yield* take(7, list, "export"), ids(down(10, 4)))
        // The third page was not consumed.
        assert.deepStrictEqual(yield* collect(list, "export"), ids(down(4, 1)))
        assert.deepStrictEqual(list.requests.map(({ after }) => after), [
          undefined,
          "item-8",
          "item-5",
          "item-5",
          "item-2"
        ])
      }))

    it.effect("marks a page as done when the next one is pulled, not before", () =>
      Effect.gen(function*() {
        const list = new FakeList(10)
        assert.deepStrictEqual(yield* take(3, list, "exactly one page"), ids(down(10, 8)))
        assert.deepStrictEqual(yield* take(4, list, "exactly one page"), ids(down(10, 7)))
        assert.deepStrictEqual(yield* collect(list, "exactly one page"), ids(down(7, 1)))
      }))

    it.effect("stays empty after the end until it is cleared", () =>
      Effect.gen(function*() {
        const list = new FakeList(4)
        assert.deepStrictEqual(yield* collect(list, "done"), ids(down(4, 1)))
        const requests = list.requests.length
        list.insert()
        assert.deepStrictEqual(yield* collect(list, "done"), [])
        assert.strictEqual(list.requests.length, requests)
        yield* Checkpoint.clear("done")
        assert.deepStrictEqual(yield* collect(list, "done"), ids(down(5, 1)))
        yield* Checkpoint.clear("done")
        yield* Checkpoint.clear("done")
        yield* Checkpoint.clear("never used")
      }))

    it.effect("walks to newer items as well, and keeps keys apart", () =>
      Effect.gen(function*() {
        const list = new FakeList(8)
        const from = Position.before("item-1")
        assert.deepStrictEqual(yield* take(4, list, "up", { from }), ids(up(2, 5)))
        assert.deepStrictEqual(yield* take(1, list, "other"), ["item-8"])
        assert.deepStrictEqual(yield* collect(list, "up", { from }), ids(up(5, 8)))
      }))

    it.effect("resumes after the item at its position was deleted", () =>
      Effect.gen(function*() {
        const list = new FakeList(10, "404")
        yield* take(4, list, "deleted")
        list.delete("item-8", "item-9")
        assert.deepStrictEqual(yield* collect(list, "deleted"), ids(down(7, 1)))
      }))

    it.effect("rejects a checkpoint of another list, filter or direction", () =>
      Effect.gen(function*() {
        const list = new FakeList(10)
        yield* take(4, list, "taken")
        const requests = list.requests.length
        const others: ReadonlyArray<readonly [Checkpoint.Subject<string>, Walk.Options]> = [
          [{ ...subject, list: "others" }, {}],
          [{ ...subject, filter: { segment_id: "s-1" } }, {}],
          [subject, { from: Position.before("item-1") }]
        ]
        for (const [subject, options] of others) {
          const error = yield* Effect.flip(Stream.runDrain(Checkpoint.resumable(list, "taken", subject, options)))
          assert(error._tag === "CheckpointError")
          assert.strictEqual(error.reason, "Mismatch")
        }
        assert.strictEqual(list.requests.length, requests)
        assert.deepStrictEqual(yield* collect(list, "taken"), ids(down(7, 1)))
      }))

    it.effect("rejects text that is not a checkpoint", () =>
      Effect.gen(function*() {
        const store = yield* KeyValueStore.KeyValueStore
        for (
          const text of [
            "null",
            "something else",
            "{\"version\":3,\"position\":{\"_tag\":\"Start\"}}",
            "{\"version\":1}"
          ]
        ) {
          yield* store.set("foreign", text)
          const list = new FakeList(3)
          const error = yield* Effect.flip(collect(list, "foreign"))
          assert(error._tag === "CheckpointError")
          assert.strictEqual(error.reason, "Corrupt")
          assert.strictEqual(list.requests.length, 0)
          // Whatever is stored may be personal data.
          assert.notInclude(error.message, text)
        }
      }))

    it.effect("rejects ids that are not ids of this list", () =>
      Effect.gen(function*() {
        yield* take(4, new FakeList(10), "other ids")
        const uuids = { ...subject, id: Schema.UUID }
        const error = yield* Effect.flip(Checkpoint.open("other ids", uuids))
        assert.deepStrictEqual([error._tag, error.reason], ["CheckpointError", "Corrupt"])
      }))
  })
}

describe("killed at any time", () => {
  it.effect.prop("loses nothing and repeats at most one page", [
    FastCheck.integer({ min: 0, max: 40 }),
    FastCheck.integer({ min: 1, max: 7 }),
    FastCheck.integer({ min: 0, max: 2 }),
    // After how many items a run is killed and, if that happens during a write, how much of it is left.
    FastCheck.array(
      FastCheck.record({
        items: FastCheck.nat(20),
        written: FastCheck.option(FastCheck.double({ min: 0, max: 1, noNaN: true }))
      }),
      {
        maxLength: 12
      }
    )
  ], ([size, pageSize, prefetch, kills]) =>
    Effect.gen(function*() {
      const list = new FakeList(size)
      const stored = new Map<string, string>()
      const all = ids(list.items)
      let seen = 0
      for (const kill of [...kills, undefined]) {
        let left = kill?.items ?? Infinity
        const store = storeOf(stored, (key, value) =>
          Effect.suspend(() => {
            if (left > 0 || kill?.written == null) {
              stored.set(key, value)
              return Effect.void
            }
            stored.set(key, value.slice(0, Math.floor(value.length * kill.written)))
            return Effect.die("killed")
          }))
        const run: Array<string> = []
        yield* resumable(list, "key", { pageSize, prefetch }).pipe(
          Stream.runForEach(({ id }) =>
            Effect.suspend(() => {
              run.push(id)
              left--
              return left <= 0 && kill?.written == null ? Effect.die("killed") : Effect.void
            })
          ),
          Effect.provide(store),
          Effect.catchAllDefect(() => Effect.void)
        )
        // It resumes where it was, or at most one page earlier, and skips nothing.
        const from = run.length === 0 ? seen : all.indexOf(run[0]!)
        assert.isAtMost(from, seen)
        assert.isAtMost(seen - from, pageSize)
        assert.deepStrictEqual(run, all.slice(from, from + run.length))
        seen = Math.max(seen, from + run.length)
      }
      assert.strictEqual(seen, size)
    }), { fastCheck: { numRuns: 100 }, timeout: 60_000 })

  it.effect("resumes a checkpoint of version 1, which kept its fallbacks separately", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      yield* store.set(
        "old",
        `{"version":1,"sequence":0,"list":"items","filter":{},"direction":"forward",` +
          `"position":{"_tag":"After","id":"item-7"},"fallbacks":["item-9","item-8"]}`
      )
      const list = new FakeList(9, "404")
      list.delete("item-7")
      assert.deepStrictEqual(yield* collect(list, "old"), ids(down(6, 1)))
      assert.deepStrictEqual(yield* collect(list, "old"), [])
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("fails with a typed error if the store fails", () =>
    Effect.gen(function*() {
      const broken = KeyValueStore.makeStringOnly({
        get: () => Effect.succeedNone,
        set: () => Effect.fail({ _tag: "SystemError", message: "disk full" } as never),
        remove: () => Effect.void,
        clear: Effect.void,
        size: Effect.succeed(0)
      })
      const error = yield* collect(new FakeList(9), "key").pipe(
        Effect.provideService(KeyValueStore.KeyValueStore, broken),
        Effect.flip
      )
      assert(error._tag === "CheckpointError")
      assert.deepStrictEqual([error.reason, error.description], ["Store", "disk full"])
    }))
})

layer(KeyValueStore.layerMemory)("a checkpoint saved manually", (it) => {
  it.effect("is saved by a program that walks through pages", () =>
    Effect.gen(function*() {
      const list = new FakeList(7)
      const written: Array<string> = []
      const run = Effect.gen(function*() {
        const checkpoint = yield* Checkpoint.open("by hand", subject)
        return yield* Walk.pages(list, { pageSize: 2, from: checkpoint.position }).pipe(
          Stream.take(2),
          Stream.runForEach((page) =>
            Effect.zipRight(Effect.sync(() => written.push(...ids(page.data))), checkpoint.save(page))
          )
        )
      })
      yield* run
      assert.deepStrictEqual(written, ids(down(7, 4)))
      yield* run
      yield* run
      assert.deepStrictEqual(written, ids(down(7, 1)))
    }))
})
