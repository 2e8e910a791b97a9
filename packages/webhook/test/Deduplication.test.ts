import { KeyValueStore } from "@effect/platform"
import { NodeContext } from "@effect/platform-node"
import { SystemError } from "@effect/platform/Error"
import { assert, describe, it } from "@effect/vitest"
import * as Temporary from "@mailstream/testing/Temporary"
import { Deduplication } from "@mailstream/webhook"
import { Deferred, Duration, Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"

const { Deduplication: Service } = Deduplication

const inFiles = Layer.unwrapScoped(
  Effect.map(
    Temporary.directory,
    (directory) => KeyValueStore.layerFileSystem(directory).pipe(Layer.provide(NodeContext.layer), Layer.orDie)
  )
)

const kinds: ReadonlyArray<
  readonly [string, (options?: Deduplication.Options) => ReturnType<typeof Deduplication.layerMemory>]
> = [
  ["memory", Deduplication.layerMemory],
  [
    "a store in memory",
    (options) => Layer.provide(Deduplication.layerKeyValueStore(options), KeyValueStore.layerMemory)
  ],
  ["a store in files", (options) => Layer.provide(Deduplication.layerKeyValueStore(options), inFiles)]
]

const once = <E>(key: string, handle: Effect.Effect<unknown, E>) =>
  Effect.flatMap(Service, (service) => service.once(key, handle))

/** Whether a message would be handled now. */
const isKnown = (key: string) =>
  Effect.map(
    Effect.flip(once(key, Effect.fail("handled" as const))).pipe(Effect.option),
    (error) => error._tag === "None"
  )

describe.each(kinds)("Deduplication in %s", (_, layer) => {
  it.effect("handles a message once within the window, and again after it", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* once("a", Effect.void), "Handled")
      yield* TestClock.adjust(Duration.subtract("1 hour", "1 millis"))
      assert.strictEqual(yield* once("a", Effect.dieMessage("again")), "Duplicate")
      assert.isFalse(yield* isKnown("b"))
      yield* TestClock.adjust("1 millis")
      assert.isFalse(yield* isKnown("a"))
      assert.strictEqual(yield* once("a", Effect.void), "Handled")
      assert.isTrue(yield* isKnown("a"))
    }).pipe(Effect.provide(layer({ window: "1 hour" }))))

  it.effect("does not remember what failed, died or was interrupted", () =>
    Effect.gen(function*() {
      for (const handle of [Effect.fail("no"), Effect.die("no"), Effect.interrupt]) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(once("a", handle))))
      }
      const begun = yield* Deferred.make<void>()
      const fiber = yield* Effect.fork(once("a", Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* once("a", Effect.void), "Handled")
    }).pipe(Effect.provide(layer())))

  it.effect("forgets the oldest messages beyond its capacity", () =>
    Effect.gen(function*() {
      for (const key of ["a", "b", "c", "d"]) yield* once(key, Effect.void)
      assert.deepStrictEqual(yield* Effect.forEach(["a", "b", "c", "d"], isKnown), [false, false, true, true])
    }).pipe(Effect.provide(layer({ capacity: 2 }))))

  it.effect("lets the others wait for the first of several at once", () =>
    Effect.gen(function*() {
      for (const [handle, expected] of [[Effect.void, "Duplicate"], [Effect.fail("no"), "Failed"]] as const) {
        const gate = yield* Deferred.make<void>()
        const begun = yield* Deferred.make<void>()
        let calls = 0
        const slow = Effect.suspend(() => {
          calls++
          return Deferred.succeed(begun, undefined).pipe(Effect.zipRight(Deferred.await(gate)), Effect.zipRight(handle))
        })
        const first = yield* Effect.fork(Effect.exit(once(expected, slow)))
        yield* Deferred.await(begun)
        const others = yield* Effect.fork(Effect.all(
          Array.from({ length: 5 }, () =>
            Effect.catchAll(
              once(expected, slow),
              (error) => Effect.succeed(typeof error === "string" ? error : error.reason)
            )),
          { concurrency: "unbounded" }
        ))
        // One that gives up does not end the first.
        const impatient = yield* Effect.fork(once(expected, slow))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(impatient)
        yield* Deferred.succeed(gate, undefined)
        assert.deepStrictEqual([...new Set(yield* Fiber.join(others))], [expected])
        assert.strictEqual(Exit.isSuccess(yield* Fiber.join(first)), expected === "Duplicate")
        assert.strictEqual(calls, 1)
      }
    }).pipe(Effect.provide(layer())))

  it.effect("remembers what could not be interrupted, and was handled", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const handle = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(gate))
      const fiber = yield* Effect.fork(Effect.uninterruptible(once("a", handle)))
      yield* Deferred.await(begun)
      const interrupted = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* Effect.yieldNow()
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(interrupted)
      assert.isTrue(yield* isKnown("a"))
    }).pipe(Effect.provide(layer())))

  it.effect("refuses invalid options", () =>
    Effect.gen(function*() {
      for (const options of [{ window: 0 }, { capacity: 0 }, { capacity: 1.5 }]) {
        const error = yield* Effect.flip(Effect.provide(isKnown("a"), layer(options)))
        assert(typeof error !== "string" && error._tag === "InvalidOption")
      }
    }))
})

/** What several processes keep in one place. */
const place = (change: (store: KeyValueStore.KeyValueStore) => Partial<KeyValueStore.KeyValueStore> = () => ({})) => {
  const entries = new Map<string, string>()
  const process = (options?: Deduplication.Options) =>
    Layer.provide(
      Deduplication.layerKeyValueStore(options),
      Layer.sync(KeyValueStore.KeyValueStore, () => {
        const store = KeyValueStore.makeStringOnly({
          get: (key) => Effect.sync(() => Option.fromNullable(entries.get(key))),
          set: (key, text) => Effect.sync(() => void entries.set(key, text)),
          remove: (key) =>
            entries.delete(key)
              ? Effect.void
              : Effect.dieMessage(`there is no ${key}, and files cannot be removed twice`),
          clear: Effect.sync(() => entries.clear()),
          size: Effect.sync(() => entries.size)
        })
        return { ...store, ...change(store) }
      })
    )
  return { entries, process }
}

const broken = Effect.fail(
  new SystemError({ reason: "Unknown", module: "KeyValueStore", method: "get", description: "the disk is full" })
)

describe("a store that processes share", () => {
  it.effect("has a message handled by one of them", () =>
    Effect.gen(function*() {
      const { process } = place()
      const one = yield* Effect.provide(Service, process())
      const two = yield* Effect.provide(Service, process())
      const begun = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const first = yield* Effect.fork(
        one.once("a", Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(gate)))
      )
      yield* Deferred.await(begun)
      const error = yield* Effect.flip(two.once("a", Effect.dieMessage("handled twice")))
      assert(error._tag === "DeduplicationError")
      assert.strictEqual(error.reason, "InProgress")
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(first), "Handled")
      assert.strictEqual(yield* two.once("a", Effect.dieMessage("handled twice")), "Duplicate")
      // After a restart, too.
      const three = yield* Effect.provide(Service, process())
      assert.strictEqual(yield* three.once("a", Effect.dieMessage("handled twice")), "Duplicate")
    }))

  it.effect("does not fill up", () =>
    Effect.gen(function*() {
      const { entries, process } = place()
      const handle = (count: number) =>
        Effect.flatMap(Service, (service) =>
          Effect.forEach(
            Array.from({ length: count }, (_, index) => index),
            (index) => Effect.zipRight(service.once(`${count}-${index}`, Effect.void), TestClock.adjust("1 minute"))
          )).pipe(
            Effect.provide(process({ window: "5 minutes" }))
          )
      yield* handle(20)
      // Five messages with a place in the queue each, and the queue itself.
      assert.isAtMost(entries.size, 2 * 6 + 1)
      yield* TestClock.adjust("1 hour")
      yield* handle(15)
      assert.isAtMost(entries.size, 2 * 6 + 1)
    }))

  it.effect("fails before anything is handled, and not afterwards", () =>
    Effect.gen(function*() {
      let calls = 0
      const handle = Effect.sync(() => calls++)
      const unreadable = place(() => ({ get: () => broken }))
      const error = yield* Effect.flip(Effect.provide(once("a", handle), unreadable.process()))
      assert(error._tag === "DeduplicationError")
      assert.strictEqual(error.reason, "Store")
      assert.strictEqual(calls, 0)
      const full = place((store) => ({ set: (key, text) => key.endsWith("a") ? broken : store.set(key, text) }))
      assert.strictEqual(yield* Effect.provide(once("a", handle), full.process()), "Handled")
      assert.strictEqual(calls, 1)
    }))

  it.effect("is not waited for without an end", () =>
    Effect.gen(function*() {
      const silent = place((store) => ({ set: (key, text) => key.endsWith("a") ? Effect.never : store.set(key, text) }))
      const handled = yield* Effect.fork(Effect.provide(once("a", Effect.void), silent.process()))
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual(yield* Fiber.join(handled), "Handled")
    }))
})
