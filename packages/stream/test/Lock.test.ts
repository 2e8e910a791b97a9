import { KeyValueStore } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { assertSome } from "@effect/vitest/utils"
import { Lock } from "@mailstream/stream"
import { settle } from "@mailstream/testing/Clock"
import { Deferred, Effect, Exit, Fiber, Option, Schema, Scope, TestClock } from "effect"
import { spawnSync } from "node:child_process"
import { hostname } from "node:os"
import { setImmediate } from "node:timers/promises"
import { storeOf } from "./support/stores.ts"

const key = "report"

const Entry = Schema.parseJson(Lock.Holder)

const stored = Effect.gen(function*() {
  const store = yield* KeyValueStore.KeyValueStore
  return yield* Schema.decode(Entry)(Option.getOrThrow(yield* store.get(key)))
})

/** Leaves the entry of a holder that is not known here. */
const leave = (holder: Partial<Lock.Holder>) =>
  Effect.gen(function*() {
    const store = yield* KeyValueStore.KeyValueStore
    yield* store.set(key, yield* Schema.encode(Entry)({ id: "other", since: 0, ...holder }))
  })

const inScope = Effect.map(Scope.make(), (scope) => ({
  acquire: Scope.extend(Lock.acquire(key), scope),
  close: Scope.close(scope, Exit.void)
}))

/** Acquires a lock that seems to be expired: it is watched first. */
const watching = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.fork(effect)
    yield* settle
    yield* TestClock.adjust("15 seconds")
    return yield* Fiber.join(fiber)
  })

describe("Lock", () => {
  it.effect("refuses a second user at once, names the first, and lets it in after that", () =>
    Effect.gen(function*() {
      const first = yield* inScope
      yield* TestClock.setTime(Date.UTC(2026, 0, 2))
      yield* first.acquire
      const error = yield* Effect.flip(Effect.scoped(Lock.acquire(key)))
      assert.strictEqual(error.reason, "Held")
      assert.strictEqual(error.holder?.pid, process.pid)
      assert.strictEqual(
        error.message,
        `"report" is in use by process ${process.pid} on ${hostname()} since 2026-01-02T00:00:00.000Z; wait until it has finished`
      )
      yield* first.close
      yield* Effect.scoped(Lock.acquire(key))
      assert.isTrue(yield* Effect.flatMap(KeyValueStore.KeyValueStore, (store) => store.isEmpty))
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("waits for a store that does not respond only until it is interrupted, or five seconds for its release", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      let responds = false
      const get = (key: string) => Effect.suspend(() => responds ? store.get(key) : Effect.never)
      const scope = yield* Scope.make()
      const acquire = Effect.provideService(Lock.acquire(key), KeyValueStore.KeyValueStore, { ...store, get })
      const fiber = yield* Effect.fork(Effect.scoped(acquire))
      yield* settle
      const interrupted = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* settle
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(interrupted)
      responds = true
      yield* Scope.extend(acquire, scope)
      responds = false
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* settle
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(closing)
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("fails if the store does not respond within thirty seconds, even while it writes", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      const interrupted = yield* Deferred.make<void>()
      const stuck = {
        ...store,
        set: () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
      }
      const fiber = yield* Lock.acquire(key).pipe(
        Effect.scoped,
        Effect.provideService(KeyValueStore.KeyValueStore, stuck),
        Effect.flip,
        Effect.fork
      )
      yield* settle
      yield* TestClock.adjust("30 seconds")
      const { message, reason } = yield* Fiber.join(fiber)
      assert.strictEqual(reason, "Store")
      assert.strictEqual(message, "\"report\" cannot be locked: the store did not respond within 30s")
      // It does not go on behind the back of the caller.
      yield* Deferred.await(interrupted)
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("lets one of many in that come at the same moment, however slow the store is", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      const slowly = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.zipRight(Effect.promise(() => setImmediate()), effect)
      const slow = { ...store, get: (key: string) => slowly(store.get(key)) }
      const results = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.exit(Lock.acquire(key)), {
        concurrency: "unbounded"
      }).pipe(Effect.scoped, Effect.provideService(KeyValueStore.KeyValueStore, slow))
      assert.strictEqual(results.filter(Exit.isSuccess).length, 1)
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("lets one in even if the write of another arrives late", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      let writes = 0
      const slow = {
        ...store,
        set: (key: string, value: string | Uint8Array) =>
          Effect.suspend(() => Effect.zipRight(Effect.repeatN(settle, writes++), store.set(key, value)))
      }
      const results = yield* Effect.all([Effect.exit(Lock.acquire(key)), Effect.exit(Lock.acquire(key))], {
        concurrency: "unbounded"
      }).pipe(Effect.scoped, Effect.provideService(KeyValueStore.KeyValueStore, slow))
      assert.deepStrictEqual(results.map(Exit.isSuccess), [true, false])
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("gives way to another program that wrote at the same moment, but later", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      const acquireThen = (then: Effect.Effect<unknown, unknown>) =>
        Effect.flip(Effect.scoped(Lock.acquire(key))).pipe(
          Effect.provideService(KeyValueStore.KeyValueStore, {
            ...store,
            set: (key: string, value: string | Uint8Array) => Effect.zipLeft(store.set(key, value), Effect.orDie(then))
          })
        )
      const other = Effect.provideService(leave({ host: "elsewhere", pid: 7 }), KeyValueStore.KeyValueStore, store)
      const held = yield* acquireThen(other)
      assert.deepStrictEqual([held.reason, held.holder?.pid], ["Held", 7])
      assert.strictEqual((yield* stored).id, "other")
      yield* store.remove(key)
      const fiber = yield* Effect.fork(acquireThen(store.remove(key)))
      yield* TestClock.adjust("1 minute")
      const lost = yield* Fiber.join(fiber)
      assert.deepStrictEqual([lost.reason, lost.holder], ["Lost", undefined])
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("tries again if several wrote at the same moment, and none of them an entry that can be read", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      let garbled = 3
      const fiber = yield* Effect.scoped(Effect.zipRight(Lock.acquire(key), stored)).pipe(
        Effect.provideService(KeyValueStore.KeyValueStore, {
          ...store,
          set: (key: string, value: string | Uint8Array) => store.set(key, garbled-- > 0 ? `${String(value)}}` : value)
        }),
        Effect.fork
      )
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(fiber)).pid, process.pid)
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("respects this process on another connection to the store, even if it cannot renew its lock", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      yield* Effect.provideService(Lock.acquire(key), KeyValueStore.KeyValueStore, {
        ...store,
        set: (entry: string, value: string | Uint8Array) => entry === key ? store.set(entry, value) : Effect.void
      })
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Effect.flip(Lock.acquire(key))).reason, "Held")
    }).pipe(Effect.scoped, Effect.provide(KeyValueStore.layerMemory)))

  it.effect("takes over what it could not remove itself", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      yield* Effect.scoped(Lock.acquire(key)).pipe(
        Effect.provideService(KeyValueStore.KeyValueStore, { ...store, remove: () => Effect.void })
      )
      assert.isFalse(yield* store.isEmpty)
      yield* Effect.scoped(Lock.acquire(key))
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("takes over from another thread of this process after 30 seconds without renewal", () =>
    Effect.gen(function*() {
      const ours = yield* Effect.scoped(Effect.zipRight(Lock.acquire(key), stored))
      yield* leave({ ...ours, id: "other", thread: 7 })
      assert.strictEqual((yield* Effect.flip(Effect.scoped(Lock.acquire(key)))).reason, "Held")
      yield* TestClock.adjust("31 seconds")
      yield* watching(Effect.scoped(Lock.acquire(key)))
      // An earlier process with the same id has ended for certain.
      yield* leave({ ...ours, id: "other", since: 46_000, started: "1" })
      yield* Effect.scoped(Lock.acquire(key))
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect.each<Partial<Lock.Holder>>([{}, { pid: 7 }, { host: "elsewhere" }])(
    "names what is known of the holder: %j",
    (holder) =>
      Effect.gen(function*() {
        yield* leave(holder)
        const error = yield* Effect.flip(Effect.scoped(Lock.acquire(key)))
        assert.include(error.message, "is in use by another program since 1970-01-01")
      }).pipe(Effect.provide(KeyValueStore.layerMemory))
  )

  it.effect("keeps locks of different names apart", () =>
    Effect.scoped(Effect.zipRight(Lock.acquire("a"), Lock.acquire("a~"))).pipe(
      Effect.provide(KeyValueStore.layerMemory)
    ))

  it.effect("takes over from a process on this machine that has ended", () =>
    Effect.gen(function*() {
      const { host } = yield* Effect.scoped(Effect.zipRight(Lock.acquire(key), stored))
      const { pid } = spawnSync(process.execPath, ["--version"])
      yield* leave({ host, pid })
      yield* Effect.scoped(Lock.acquire(key))
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("respects a process on this machine that is running, however long it was suspended", () =>
    Effect.gen(function*() {
      const { host } = yield* Effect.scoped(Effect.zipRight(Lock.acquire(key), stored))
      yield* leave({ host, pid: process.ppid })
      yield* TestClock.adjust("1 day")
      const error = yield* Effect.flip(Effect.scoped(Lock.acquire(key)))
      assert.deepStrictEqual([error.reason, error.holder?.pid], ["Held", process.ppid])
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("knows a process by its start, because its id may have been used again", () =>
    Effect.gen(function*() {
      const { host } = yield* Effect.scoped(Effect.zipRight(Lock.acquire(key), stored))
      yield* leave({ host, pid: process.ppid, started: "1" })
      yield* Effect.scoped(Lock.acquire(key))
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("takes over from another machine after 30 seconds without renewal", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      yield* leave({ host: "elsewhere", pid: 1 })
      yield* TestClock.adjust("25 seconds")
      yield* store.set("report.renewed", "other 25000")
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual((yield* Effect.flip(Effect.scoped(Lock.acquire(key)))).reason, "Held")
      yield* TestClock.adjust("2 seconds")
      yield* watching(Effect.scoped(Lock.acquire(key)))
      assert.isTrue(yield* store.isEmpty)
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  for (const [name, hours] of [["behind", -24], ["ahead", 24]] as const) {
    it.effect(`is not taken over from another machine whose clock is a day ${name}, while it is renewed`, () =>
      Effect.gen(function*() {
        const store = yield* KeyValueStore.KeyValueStore
        const now = Date.UTC(2026, 0, 2)
        yield* TestClock.setTime(now)
        const theirs = now + hours * 3_600_000
        yield* leave({ host: "elsewhere", pid: 1, since: theirs })
        yield* store.set("report.renewed", `other ${theirs + 10_000}`)
        const renewing = store.set("report.renewed", `other ${theirs + 20_000}`).pipe(Effect.delay("9 seconds"))
        yield* Effect.fork(renewing)
        const refused = yield* watching(Effect.flip(Effect.scoped(Lock.acquire(key))))
        assert.deepStrictEqual([refused.reason, refused.holder?.id], ["Held", "other"])
        // The next one comes when it has ended.
        yield* watching(Effect.scoped(Lock.acquire(key)))
        assert.isTrue(yield* store.isEmpty)
      }).pipe(Effect.provide(KeyValueStore.layerMemory)))
  }

  it.effect("is taken at once if its holder releases it while it is watched", () =>
    Effect.gen(function*() {
      const store = yield* KeyValueStore.KeyValueStore
      yield* leave({ host: "elsewhere", pid: 1 })
      yield* TestClock.adjust("1 minute")
      yield* Effect.fork(Effect.delay(store.remove(key), "5 seconds"))
      yield* watching(Effect.scoped(Lock.acquire(key)))
      assert.isTrue(yield* store.isEmpty)
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("fails at the beginning, and leaves nothing, if its renewals cannot be stored", () =>
    Effect.gen(function*() {
      const map = new Map<string, string>()
      const store = storeOf(
        map,
        (name, value) =>
          name === key ? Effect.sync(() => map.set(name, value)) : Effect.fail({ message: "name too long" } as never)
      )
      const error = yield* Effect.flip(Effect.scoped(Lock.acquire(key))).pipe(
        Effect.provideService(KeyValueStore.KeyValueStore, store)
      )
      assert.strictEqual(error.message, "\"report\" cannot be locked: name too long")
      assert.strictEqual(map.size, 0)
    }))

  it.scoped("is renewed as long as it is held", () =>
    Effect.gen(function*() {
      const lock = yield* Lock.acquire(key)
      const { id } = yield* stored
      yield* TestClock.adjust("10 minutes")
      const store = yield* KeyValueStore.KeyValueStore
      assertSome(yield* store.get("report.renewed"), `${id} 600000`)
      yield* lock.verify
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("notices that it was taken over or removed, and leaves the new entry alone", () =>
    Effect.gen(function*() {
      const { acquire, close } = yield* inScope
      const lock = yield* acquire
      yield* leave({ host: "elsewhere", pid: 7 })
      const taken = yield* Effect.flip(lock.verify)
      assert.deepStrictEqual([taken.reason, taken.holder?.pid], ["Lost", 7])
      assert.include(taken.message, "was taken over by process 7 on elsewhere since 1970-01-01")
      yield* TestClock.adjust("1 minute")
      yield* close
      assert.strictEqual((yield* stored).id, "other")
      const second = yield* inScope
      const again = yield* watching(second.acquire)
      yield* Effect.flatMap(KeyValueStore.KeyValueStore, (store) => store.remove(key))
      assert.strictEqual((yield* Effect.flip(again.verify)).reason, "Lost")
      yield* second.close
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("takes over an entry whose write was interrupted", () =>
    Effect.gen(function*() {
      yield* Effect.flatMap(KeyValueStore.KeyValueStore, (store) => store.set(key, "{\"id\":\"oth"))
      yield* Effect.scoped(Lock.acquire(key))
    }).pipe(Effect.provide(KeyValueStore.layerMemory)))

  it.effect("fails if the store fails", () =>
    Effect.gen(function*() {
      const broken = KeyValueStore.makeStringOnly({
        get: () => Effect.succeedNone,
        set: () => Effect.fail({ _tag: "SystemError", message: "disk full" } as never),
        remove: () => Effect.void,
        clear: Effect.void,
        size: Effect.succeed(0)
      })
      const error = yield* Effect.scoped(Lock.acquire(key)).pipe(
        Effect.provideService(KeyValueStore.KeyValueStore, broken),
        Effect.flip
      )
      assert.deepStrictEqual([error.reason, error.message], ["Store", "\"report\" cannot be locked: disk full"])
    }))
})
