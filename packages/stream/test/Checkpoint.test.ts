import { KeyValueStore } from "@effect/platform"
import { assert, describe, it, layer } from "@effect/vitest"
import { Position } from "@mailstream/core"
import { Checkpoint } from "@mailstream/stream"
import { found } from "@mailstream/testing/Eventually"
import { Deferred, Effect, Either, Equal, FastCheck, Fiber, Option, Schema, TestClock } from "effect"
import { stores } from "./support/stores.ts"

const subject: Checkpoint.Subject<string> = {
  service: "https://api.example.com",
  list: "items",
  filter: {},
  id: Schema.String,
  from: Position.start
}

const open = (key: string, changes: Partial<Checkpoint.Subject<string>> = {}) =>
  Effect.scoped(Effect.map(Checkpoint.open(key, { ...subject, ...changes }), ({ position }) => position))

const save = (
  key: string,
  position: Position.Position,
  changes: Partial<Checkpoint.Subject<string>> = {}
) => Effect.scoped(Effect.flatMap(Checkpoint.open(key, { ...subject, ...changes }), ({ save }) => save(position)))

for (const [name, store] of Object.entries(stores)) {
  layer(store)(`a checkpoint, in ${name}`, (it) => {
    it.effect("keeps the last position that was saved", () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(yield* open("export"), Position.start)
        for (const n of [3, 2, 1]) {
          const position = Position.after(`item-${n}`, [`item-${n + 1}`])
          yield* save("export", position)
          assert.deepStrictEqual(yield* open("export"), position)
        }
        yield* save("export", Position.end)
        assert.deepStrictEqual(yield* open("export"), Position.end)
      }))

    it.effect("starts over once it is cleared", () =>
      Effect.gen(function*() {
        yield* save("done", Position.end)
        yield* save("done", Position.end)
        yield* Checkpoint.clear("done")
        assert.deepStrictEqual(yield* open("done"), Position.start)
        yield* Checkpoint.clear("done")
        yield* Checkpoint.clear("never used")
      }))

    it.effect("keeps keys apart, whatever they end in", () =>
      Effect.gen(function*() {
        const keys = ["a", "a~", "a~~", "a.0", "a.1", "a.0.1", "a.lock", "", "."]
        for (let round = 0; round < 3; round++) {
          for (const key of keys) yield* save(key, Position.after(`${round} ${key}`))
          for (const key of keys) assert.deepStrictEqual(yield* open(key), Position.after(`${round} ${key}`))
        }
        for (const key of ["a.0.0", "a.lock.lock", "a"]) yield* Checkpoint.clear(key)
        for (const key of keys.slice(1)) assert.deepStrictEqual(yield* open(key), Position.after(`2 ${key}`))
      }))

    it.effect("is refused to a second user, and cannot be cleared, while it is open", () =>
      Effect.gen(function*() {
        yield* save("busy", Position.after("item-3"))
        yield* Effect.scoped(Effect.gen(function*() {
          yield* Checkpoint.open("busy", subject)
          for (const attempt of [open("busy"), Checkpoint.clear("busy")]) {
            const error = yield* Effect.flip(attempt)
            assert(error._tag === "LockError")
            assert.deepStrictEqual([error.reason, error.holder?.pid], ["Held", process.pid])
            assert.match(error.message, /^"busy" is in use by process \d+ on /)
          }
          assert.deepStrictEqual(yield* open("free"), Position.start)
        }))
        assert.deepStrictEqual(yield* open("busy"), Position.after("item-3"))
      }))

    it.effect("is not cleared, and keeps its lock, when a key is cleared whose name is that of one of its entries", () =>
      Effect.gen(function*() {
        const position = Position.after("item-3")
        yield* save("job", position)
        yield* Checkpoint.clear("job.0")
        yield* Effect.scoped(Effect.gen(function*() {
          const { save } = yield* Checkpoint.open("job", subject)
          yield* Checkpoint.clear("job.lock")
          yield* save(position)
        }))
        assert.deepStrictEqual(yield* open("job"), position)
      }))

    it.effect("finishes a write before it is unlocked", () =>
      Effect.gen(function*() {
        const store = yield* KeyValueStore.KeyValueStore
        const writing = yield* Deferred.make<void>()
        const written = yield* Deferred.make<void>()
        const slow: KeyValueStore.KeyValueStore = {
          ...store,
          set: (key, value) =>
            key.endsWith(".lock") ? store.set(key, value) : Deferred.succeed(writing, undefined).pipe(
              Effect.zipRight(Deferred.await(written)),
              Effect.zipRight(store.set(key, value))
            )
        }
        const fiber = yield* save("slow", Position.after("item-3")).pipe(
          Effect.provideService(KeyValueStore.KeyValueStore, slow),
          Effect.fork
        )
        yield* Deferred.await(writing)
        yield* Fiber.interruptFork(fiber)
        yield* Effect.yieldNow()
        assert.strictEqual((yield* Effect.flip(Checkpoint.clear("slow")))._tag, "LockError")
        yield* Deferred.succeed(written, undefined)
        yield* Fiber.await(fiber)
        yield* Checkpoint.clear("slow")
        assert.deepStrictEqual(yield* open("slow"), Position.start)
      }))

    it.effect("rejects a position in the other direction, and a sequence that cannot continue", () =>
      Effect.gen(function*() {
        const store = yield* KeyValueStore.KeyValueStore
        const stored = (sequence: number, tag: string) =>
          `{"version":3,"sequence":${sequence},"list":"items","filter":{},"from":"start",` +
          `"position":{"_tag":"${tag}","id":"item-3"}}`
        for (const text of [stored(1, "Before"), stored(Number.MAX_SAFE_INTEGER, "After")]) {
          yield* store.set("odd.0", text)
          const error = yield* Effect.flip(open("odd"))
          assert(error._tag === "CheckpointError")
          assert.strictEqual(error.reason, "Corrupt")
        }
      }))

    it.effect("does not write once its lock was taken over", () =>
      Effect.gen(function*() {
        const store = yield* KeyValueStore.KeyValueStore
        yield* save("taken", Position.after("item-9"))
        yield* Effect.scoped(Effect.gen(function*() {
          const { save } = yield* Checkpoint.open("taken", subject)
          yield* store.set("taken.lock", "{\"id\":\"other\",\"since\":0}")
          const error = yield* Effect.flip(save(Position.after("item-1")))
          assert(error._tag === "LockError")
          assert.strictEqual(error.reason, "Lost")
          yield* store.remove("taken.lock")
        }))
        assert.deepStrictEqual(yield* open("taken"), Position.after("item-9"))
      }))

    it.effect("rejects another service, list, filter or beginning, and names both", () =>
      Effect.gen(function*() {
        yield* save("known", Position.after("item-3"))
        const others: ReadonlyArray<readonly [Partial<Checkpoint.Subject<string>>, string]> = [
          [{ service: "https://other.example.com" }, "items, start, at https://other.example.com"],
          [{ list: "others" }, "others, start, at https://api.example.com"],
          [{ filter: { segment_id: "s-1" } }, "items, segment_id \"s-1\", start, at https://api.example.com"],
          [{ from: Position.before("item-1") }, "items, before item-1, at https://api.example.com"],
          [{ from: Position.after("item-8") }, "items, after item-8, at https://api.example.com"]
        ]
        for (const [changes, wanted] of others) {
          const error = yield* Effect.flip(open("known", changes))
          assert(error._tag === "CheckpointError")
          assert.strictEqual(error.reason, "Mismatch")
          assert.strictEqual(
            error.description,
            `belongs to items, start, at https://api.example.com, not to ${wanted}; use another key, or clear this one`
          )
        }
        // Without a network, the service is not known.
        assert.deepStrictEqual(yield* open("known", { service: undefined }), Position.after("item-3"))
      }))

    it.effect("compares filters field by field, in any order, and names all fields", () =>
      Effect.gen(function*() {
        yield* save("filtered", Position.after("item-3"), { filter: { b: "2", a: "1" } })
        assert.deepStrictEqual(yield* open("filtered", { filter: { a: "1", b: "2" } }), Position.after("item-3"))
        const error = yield* Effect.flip(open("filtered", { filter: { a: "1", b: "3" } }))
        assert(error._tag === "CheckpointError")
        assert.include(error.description, "belongs to items, a \"1\", b \"2\", start,")
      }))

    it.effect("remembers that a walk has ended, in both directions", () =>
      Effect.gen(function*() {
        for (const from of [Position.start, Position.before("item-1")]) {
          yield* save(`ended ${from._tag}`, Position.end, { from })
          assert.deepStrictEqual(yield* open(`ended ${from._tag}`, { from }), Position.end)
        }
      }))

    it.effect("compares where a walk begins without its fallbacks", () =>
      Effect.gen(function*() {
        yield* save("begun", Position.after("item-3"), { from: Position.after("item-8", ["item-9"]) })
        assert.deepStrictEqual(yield* open("begun", { from: Position.after("item-8") }), Position.after("item-3"))
      }))

    it.effect("rejects text that is not a checkpoint", () =>
      Effect.gen(function*() {
        const store = yield* KeyValueStore.KeyValueStore
        for (
          const text of [
            "null",
            "something else",
            "{\"version\":4,\"position\":{\"_tag\":\"Start\"}}",
            "{\"version\":1}"
          ]
        ) {
          for (const slot of ["foreign.0", "foreign.1"]) {
            yield* store.set(slot, text)
            const error = yield* Effect.flip(open("foreign"))
            assert(error._tag === "CheckpointError")
            assert.strictEqual(error.reason, "Corrupt")
            // Whatever is stored may be personal data.
            assert.notInclude(error.message, text)
          }
          yield* Checkpoint.clear("foreign")
        }
      }))

    it.effect("rejects ids that are not ids of this list", () =>
      Effect.gen(function*() {
        yield* save("other ids", Position.after("item-3"))
        const error = yield* Effect.flip(open("other ids", { id: Schema.UUID }))
        assert(error._tag === "CheckpointError")
        assert.strictEqual(error.reason, "Corrupt")
      }))
  })
}

layer(KeyValueStore.layerMemory)("interrupted writes", (it) => {
  const torn = "{\"version\":3,\"sequence\":4,\"li"

  it.effect("leave the checkpoint before them", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      yield* save("one", Position.after("item-3"))
      // The last one is what a loss of power may leave of a file.
      for (const left of [torn, "", `${torn}\0\0\0\0`, "\0".repeat(200)]) {
        yield* store.set("one.1", left)
        assert.deepStrictEqual(yield* open("one"), Position.after("item-3"))
      }
      yield* save("one", Position.after("item-2"))
      yield* store.set("one.0", "")
      assert.deepStrictEqual(yield* open("one"), Position.after("item-2"))
    }))

  it.effect("leave the checkpoint before them, also if the same walk wrote both", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      yield* Effect.scoped(Effect.gen(function*() {
        const checkpoint = yield* Checkpoint.open("same", subject)
        for (const n of [5, 4, 3]) yield* checkpoint.save(Position.after(`item-${n}`))
      }))
      assert.deepStrictEqual(yield* open("same"), Position.after("item-3"))
      yield* store.set("same.0", torn)
      assert.deepStrictEqual(yield* open("same"), Position.after("item-4"))
    }))

  it.effect("of the first checkpoint leave none", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      // The first checkpoint is written to the first slot.
      yield* save("first", Position.after("item-3"))
      assert.isTrue(yield* store.has("first.0"))
      assert.isFalse(yield* store.has("first.1"))
      yield* store.set("new.0", torn)
      assert.deepStrictEqual(yield* open("new"), Position.start)
    }))

  it.effect("cannot explain that no slot is readable", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      for (const [first, second] of [[torn, torn], ["", torn], [torn, ""], ["", ""], [undefined, torn]]) {
        yield* Checkpoint.clear("lost")
        if (first !== undefined) yield* store.set("lost.0", first)
        yield* store.set("lost.1", second!)
        const error = yield* Effect.flip(open("lost"))
        assert(error._tag === "CheckpointError")
        assert.strictEqual(error.reason, "Corrupt")
      }
    }))
})

/** Characters that file names treat in different ways. */
const character = FastCheck.oneof(
  FastCheck.constantFrom(
    "a",
    "A",
    " ",
    ".",
    "/",
    "\\",
    "*",
    "%",
    ":",
    "\0",
    "\n",
    "é",
    "e\u0301",
    "日",
    "🙈",
    "\ud800"
  ),
  FastCheck.fullUnicode()
)

layer(stores.files)("a key in a directory", (it) => {
  it.effect.prop("of any length, of any characters, keeps its position and is renewed, or is refused before anything", [
    FastCheck.integer({ min: 0, max: 300 }),
    FastCheck.array(character, { minLength: 1, maxLength: 12 })
  ], ([length, characters]) =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      const key = `${characters.join("")}${"k".repeat(length)}`
      const before = yield* store.size
      const result = yield* Effect.gen(function*() {
        const { position, save } = yield* Checkpoint.open(key, subject)
        assert.deepStrictEqual(position, Position.start)
        const renewal = yield* store.get(`${key}.lock.renewed`)
        yield* TestClock.adjust("10 seconds")
        yield* found("renewed", store.get(`${key}.lock.renewed`), (text) => !Equal.equals(text, renewal))
        yield* save(Position.after("item-2"), 1)
        yield* save(Position.after("item-1"), 2)
      }).pipe(Effect.scoped, Effect.either)
      if (Either.isRight(result)) {
        assert.deepStrictEqual(yield* open(key), Position.after("item-1"))
        yield* Checkpoint.clear(key)
      } else {
        assert.strictEqual(result.left._tag, "InvalidOption")
        assert.isTrue(/\p{Cs}/u.test(key) || encodeURIComponent(key).length > 242)
        for (const use of [Checkpoint.clear(key), Checkpoint.read(key)]) {
          assert.strictEqual(
            (yield* Effect.flip<unknown, Error, KeyValueStore.KeyValueStore>(use)).message,
            result.left.message
          )
        }
      }
      assert.strictEqual(yield* store.size, before)
    }), { fastCheck: { numRuns: 40 }, timeout: 60_000 })

  it.effect.each([undefined, null, 5, {}])(
    "is refused if it is no text, as from plain JavaScript: %j",
    (key) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(save(key as never, Position.end))
        assert.include(error.message, "key must be well-formed text")
      })
  )

  it.effect.each([230, 241, 242, 243, 250, 251, 255, 256])(
    "of %d characters is stored, or refused",
    (length) =>
      Effect.gen(function*() {
        const key = "k".repeat(length)
        const result = yield* Effect.either(save(key, Position.end))
        assert.strictEqual(Either.isRight(result), length <= 242)
        if (Either.isLeft(result)) {
          assert.strictEqual(
            result.left.message,
            "key must be well-formed text of at most 242 characters, percent-encoded"
          )
        }
      })
  )
})

describe("what is stored of a walk", () => {
  it.effect("can be read, also while it is in use", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* Checkpoint.read("export"), Option.none())
      yield* Effect.scoped(Effect.gen(function*() {
        const { save } = yield* Checkpoint.open("export", { ...subject, filter: { segment_id: "s" } })
        assert.deepStrictEqual(yield* Checkpoint.read("export"), Option.none())
        yield* save(Position.after("item-7", ["item-8"]), 3)
        const { service } = subject
        assert.deepStrictEqual(
          yield* Checkpoint.read("export"),
          Option.some({
            service,
            list: "items",
            filter: { segment_id: "s" },
            position: Position.after("item-7", ["item-8"]),
            items: 3
          })
        )
      }))
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("may have been stored before items were counted", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      const { filter, list, service } = subject
      const position = Position.after("item-2")
      yield* store.set(
        "old.0",
        JSON.stringify({ version: 3, sequence: 0, service, list, filter, from: "start", position })
      )
      assert.deepStrictEqual(yield* open("old"), position)
      assert.deepStrictEqual(Option.map(yield* Checkpoint.read("old"), ({ items }) => items), Option.some(0))
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("is an error if it is corrupt", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      yield* store.set("bad.0", "nothing")
      const error = yield* Effect.flip(Checkpoint.read("bad"))
      assert(error._tag === "CheckpointError")
      assert.strictEqual(error.reason, "Corrupt")
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))
})

describe("a store that fails", () => {
  it.effect("is a typed error", () =>
    Effect.gen(function*() {
      let isBroken = false
      const working = yield* KeyValueStore.KeyValueStore
      const breaking: KeyValueStore.KeyValueStore = {
        ...working,
        set: (key, value) =>
          isBroken ? Effect.fail({ _tag: "SystemError", message: "disk full" } as never) : working.set(key, value)
      }
      const error = yield* Effect.scoped(Effect.gen(function*() {
        const { save } = yield* Checkpoint.open("key", subject)
        isBroken = true
        return yield* Effect.flip(save(Position.after("item-1")))
      })).pipe(Effect.provideService(KeyValueStore.KeyValueStore, breaking))
      assert(error._tag === "CheckpointError")
      assert.deepStrictEqual([error.reason, error.description], ["Store", "disk full"])
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))
})
