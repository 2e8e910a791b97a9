import { Checkpoint, Commit, contacts, Store, topics } from "@mailstream/effect4"
import * as FileStore from "@mailstream/effect4/FileStore"
import * as KeyValues from "@mailstream/effect4/KeyValueStore"
import * as Temporary from "@mailstream/testing/Temporary"
import { Cause, Context, Data, Deferred, Effect, Exit, Fiber, Layer, Option, Stream } from "effect"
import { KeyValueStore } from "effect/persistence"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe } from "vitest"
import * as Files from "./support/files.ts"
import { scoped, service, silence } from "./support/service.ts"

class Refused extends Data.TaggedError("Refused")<{ readonly id: string }> {}

class Prefix extends Context.Service<Prefix, string>()("test/Prefix") {}

const memory = Layer.effect(Store, KeyValueStore.KeyValueStore).pipe(Layer.provide(KeyValueStore.layerMemory))

const directory = Effect.acquireRelease(
  Effect.sync(Temporary.make),
  (path) => Effect.sync(() => Temporary.remove(path))
)

const allIds = Stream.runCollect(Stream.map(contacts.items(), ({ id }) => id))

describe("process", () => {
  for (const concurrency of [1, 8]) {
    scoped(
      `handles every item once, ${concurrency} at a time, with the services of the handler`,
      () =>
        Effect.gen(function*() {
          const { layer } = yield* service({ contacts: 250 })
          yield* Effect.gen(function*() {
            const handled: Array<string> = []
            let running = 0
            let most = 0
            const handle = Effect.fnUntraced(function*({ id }: { readonly id: string }) {
              most = Math.max(most, ++running)
              yield* Effect.yieldNow
              running--
              handled.push((yield* Prefix) + id)
            })
            const run = contacts.process("all", handle, { concurrency })
            yield* run
            assert.sameMembers(handled, (yield* allIds).map((id) => `a-${id}`))
            assert.strictEqual(most, concurrency)
            // It is complete, until it is cleared.
            yield* run
            assert.strictEqual(handled.length, 250)
            yield* Checkpoint.clear("all")
            yield* run
            assert.strictEqual(handled.length, 500)
          }).pipe(Effect.provide([layer, memory, Layer.succeed(Prefix, "a-")]))
        })
    )

    scoped(
      `ends as a handler ends that dies or is interrupted, and lets go of the key: ${concurrency} at a time`,
      () =>
        Effect.gen(function*() {
          const { layer } = yield* service({ contacts: 30 })
          yield* Effect.gen(function*() {
            const ids = yield* allIds
            const failing: Record<string, readonly [handler: Effect.Effect<unknown>, end: RegExp]> = {
              interrupted: [Effect.interrupt, /interrupt/i],
              outside: [
                Effect.withFiber((fiber) => {
                  Effect.runFork(Fiber.interrupt(fiber))
                  return Effect.never
                }),
                /interrupt/i
              ],
              parts: [Effect.all([Effect.die("broken"), Effect.never], { concurrency: 2 }), /broken/],
              finalizer: [Effect.ensuring(Effect.interrupt, Effect.die("broken")), /broken/]
            }
            for (const [key, [handler, end]] of Object.entries(failing)) {
              const handle = ({ id }: { readonly id: string }) => id === ids[20] ? handler : Effect.void
              const exit = yield* Effect.flatMap(
                Effect.forkChild(contacts.process(key, handle, { concurrency })),
                Fiber.await
              )
              assert(Exit.isFailure(exit), key)
              assert.match(Cause.pretty(exit.cause), end, key)
              const handled: Array<string> = []
              yield* contacts.process(key, ({ id }) => Effect.sync(() => handled.push(id)), { concurrency })
              assert.include(handled, ids[20], key)
            }
          }).pipe(Effect.provide([layer, memory]))
        })
    )

    scoped(
      `fails with what a handler fails with, and resumes with its page: ${concurrency} at a time`,
      () =>
        Effect.gen(function*() {
          const { layer } = yield* service({ contacts: 30 })
          yield* Effect.gen(function*() {
            const all = yield* allIds
            const options = { pageSize: 10, concurrency }
            const caught = yield* contacts.process(
              "key",
              ({ id }) => id === all[15] ? Effect.fail(new Refused({ id })) : Effect.void,
              options
            ).pipe(
              Effect.as(undefined),
              Effect.catchTag("Refused", Effect.succeed)
            )
            assert.strictEqual(caught?.id, all[15])
            const handled: Array<string> = []
            yield* contacts.process("key", ({ id }) => Effect.sync(() => handled.push(id)), options)
            assert.sameMembers(handled, all.slice(10))
          }).pipe(Effect.provide([layer, memory]))
        })
    )

    scoped(
      `interrupts its handlers and frees the key when it is interrupted: ${concurrency} at a time`,
      () =>
        Effect.gen(function*() {
          const { layer } = yield* service({ contacts: 30 })
          yield* Effect.gen(function*() {
            const started = yield* Deferred.make<void>()
            const ended: Array<string> = []
            let running = 0
            const fiber = yield* contacts.process("key", () =>
              Effect.andThen(
                Effect.suspend(() => ++running === concurrency ? Deferred.succeed(started, undefined) : Effect.void),
                Effect.never
              ).pipe(
                Effect.onInterrupt(() => Effect.andThen(Effect.yieldNow, Effect.sync(() => ended.push("handler"))))
              ), { concurrency }).pipe(Effect.forkChild)
            yield* Deferred.await(started)
            yield* Fiber.interrupt(fiber)
            // Interruption has waited for the ends of the handlers.
            assert.strictEqual(ended.length, concurrency)
            let handled = 0
            yield* contacts.process("key", () => Effect.sync(() => handled++))
            assert.strictEqual(handled, 30)
          }).pipe(Effect.provide([layer, memory]))
        })
    )

    scoped(`does not pass a handler that interrupts itself: ${concurrency} at a time`, () =>
      Effect.gen(function*() {
        const { layer } = yield* service({ contacts: 30 })
        yield* Effect.gen(function*() {
          const all = yield* allIds
          const options = { pageSize: 10, concurrency }
          const exit = yield* contacts.process("key", ({ id }) =>
            id === all[15] ? Effect.interrupt : Effect.void, options).pipe(
              Effect.exit
            )
          assert.isTrue(Exit.hasInterrupts(exit))
          const handled: Array<string> = []
          yield* contacts.process("key", ({ id }) =>
            Effect.sync(() =>
              handled.push(id)
            ), options)
          assert.sameMembers(handled, all.slice(10))
        }).pipe(Effect.provide([layer, memory]))
      }))

    scoped(
      `keeps the defect of a handler a defect, and does not commit its page: ${concurrency} at a time`,
      () =>
        Effect.gen(function*() {
          const { layer } = yield* service({ contacts: 3 })
          yield* Effect.gen(function*() {
            const bug = new Error("a bug")
            const exit = yield* contacts.process("key", (): Effect.Effect<void> => {
              throw bug
            }, { concurrency }).pipe(Effect.exit)
            assert(Exit.isFailure(exit))
            assert.isTrue(Cause.hasDies(exit.cause))
            assert.strictEqual(Cause.squash(exit.cause), bug)
            let handled = 0
            yield* contacts.process("key", () => Effect.sync(() => handled++))
            assert.strictEqual(handled, 3)
          }).pipe(Effect.provide([layer, memory]))
        })
    )
  }

  scoped("aborts the request in flight when it is interrupted, and frees the key", () =>
    Effect.gen(function*() {
      const { hungUp, layer, received } = yield* silence
      const run = contacts.process("key", () => Effect.void)
      yield* Effect.gen(function*() {
        for (let n = 0; n < 2; n++) {
          const fiber = yield* Effect.forkChild(run)
          yield* received
          yield* Fiber.interrupt(fiber)
          yield* hungUp
        }
      }).pipe(Effect.provide([layer, memory]))
    }))

  scoped("frees the key when it is interrupted while its lock is written", () =>
    Effect.gen(function*() {
      const { layer } = yield* service({ contacts: 3 })
      const entry = "key.lock"
      const written = yield* Deferred.make<void>()
      const slow = Layer.effect(
        Store,
        Store.useSync((store) => ({
          ...store,
          set: (key: string, text: string) =>
            Effect.tap(store.set(key, text), () =>
              key === entry
                ? Effect.andThen(Deferred.succeed(written, undefined), Effect.sleep("50 millis"))
                : Effect.void)
        }))
      )
      yield* Effect.gen(function*() {
        const store = yield* Store
        const run = Effect.provide(contacts.process("key", () => Effect.void), Layer.merge(layer, slow))
        const fiber = yield* Effect.forkChild(run)
        yield* Deferred.await(written)
        assert.isDefined(yield* store.get(entry))
        yield* Fiber.interrupt(fiber)
        assert.isUndefined(yield* store.get(entry))
      }).pipe(Effect.provide(memory))
    }))

  scoped("is interrupted while it reads its position", () =>
    Effect.gen(function*() {
      const { layer, requests } = yield* service({ contacts: 3 })
      const reading = yield* Deferred.make<void>()
      const stuck = Layer.effect(
        Store,
        Store.useSync((store) => ({
          ...store,
          get: (key: string) =>
            key.endsWith(".lock") ? store.get(key) : Effect.andThen(Deferred.succeed(reading, undefined), Effect.never)
        }))
      ).pipe(Layer.provide(memory))
      const fiber = yield* contacts.process("key", () => Effect.void).pipe(
        Effect.provide([layer, stuck]),
        Effect.forkChild
      )
      yield* Deferred.await(reading)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(requests, [])
    }))

  scoped("has its key alone, and belongs to one list", () =>
    Effect.gen(function*() {
      const { layer } = yield* service({ contacts: 3, topics: 3 })
      yield* Effect.gen(function*() {
        const again = contacts.process("key", () => Effect.void)
        const held = yield* contacts.process("key", () => again).pipe(Effect.flip)
        assert(held._tag === "LockError")
        assert.strictEqual(held.reason, "Held")
        yield* again
        const mismatch = yield* topics.process("key", () => Effect.void).pipe(Effect.flip)
        assert(mismatch._tag === "CheckpointError")
        assert.strictEqual(mismatch.reason, "Mismatch")
        const invalid = yield* contacts.process("other", () => Effect.void, { concurrency: 0 }).pipe(Effect.flip)
        assert(invalid._tag === "InvalidOption")
        assert.strictEqual(invalid.option, "concurrency")
      }).pipe(Effect.provide([layer, memory]))
    }))

  scoped("resumes from files, and says which file fails", () =>
    Effect.gen(function*() {
      const { layer } = yield* service({ contacts: 30 })
      const path = yield* directory
      const store = FileStore.layer(join(path, "state"))
      let handled = 0
      const run = (limit: number) =>
        contacts.process("key", () => ++handled === limit ? Effect.fail("enough") : Effect.void, { pageSize: 10 }).pipe(
          Effect.provide([layer, store])
        )
      assert.strictEqual(yield* Effect.flip(run(15)), "enough")
      yield* run(Infinity)
      assert.strictEqual(handled, 35)
      assert.isNotEmpty(readdirSync(join(path, "state")))

      writeFileSync(join(path, "file"), "")
      const error = yield* contacts.process("key", () => Effect.void).pipe(
        Effect.flip,
        Effect.provide([layer, FileStore.layer(join(path, "file"))])
      )
      assert.include(["LockError", "CheckpointError"], error._tag)
      assert.include(error.message, join(path, "file"))
    }))

  scoped("refuses a checkpoint that a KeyValueStore has kept in the same directory", () =>
    Effect.gen(function*() {
      const { layer } = yield* service({ contacts: 30 })
      const path = yield* directory
      const run = (key: string, limit = Infinity) => {
        let handled = 0
        return contacts.process(key, () => ++handled > limit ? Effect.fail("enough") : Effect.void, { pageSize: 10 })
          .pipe(Effect.map(() => handled))
      }
      yield* run("moved", 15).pipe(
        Effect.flip,
        Effect.provide([layer, Layer.provide(KeyValues.layer, Files.keyValueStore(path))])
      )
      const files = readdirSync(path)
      const error = yield* run("moved").pipe(Effect.flip, Effect.provide([layer, FileStore.layer(path)]))
      assert(typeof error === "object")
      assert.strictEqual(error._tag, "CheckpointError")
      assert.include(error.message, join(path, "moved"))
      assert.include(error.message, "was stored by KeyValueStore.layerFileSystem: provide that")
      assert.deepStrictEqual(readdirSync(path).filter((name) => name.startsWith("moved")), files)
      // Another key, and one whose own file looks like that of another key, begin anew.
      for (const key of ["new", "new.txt", "a/b"]) {
        assert.strictEqual(yield* run(key).pipe(Effect.provide([layer, FileStore.layer(path)])), 30)
      }
    }))
})

describe("processPages", () => {
  scoped("delivers pages until they are committed, in any order", () =>
    Effect.gen(function*() {
      const { layer } = yield* service({ contacts: 50 })
      yield* Effect.gen(function*() {
        const options = { pageSize: 10 }
        const sizes = yield* contacts.processPages("key", (pages) =>
          Effect.gen(function*() {
            const all = yield* Stream.runCollect(pages)
            // The position does not pass the third page.
            for (const index of [4, 1, 3, 0]) yield* all[index]!.commit
            return all.map(({ data }) => data.length)
          }), options)
        assert.deepStrictEqual(sizes, [10, 10, 10, 10, 10])
        const rest = yield* contacts.processPages("key", (pages) =>
          pages.pipe(
            Stream.grouped(2),
            Stream.mapEffect((pages) =>
              Effect.as(Commit.all(pages), pages.flatMap(({ data }) => data.map(({ id }) => id)))
            ),
            Stream.runCollect
          ), options)
        assert.deepStrictEqual(rest.flat(), (yield* allIds).slice(20))
        const none = yield* contacts.processPages("key", Stream.runCollect, options)
        assert.deepStrictEqual(none, [])
      }).pipe(Effect.provide([layer, memory]))
    }))

  scoped("runs in the fiber of its caller: its context, its failures, its interruption", () =>
    Effect.gen(function*() {
      const { layer } = yield* service({ contacts: 3 })
      yield* Effect.gen(function*() {
        const outer = yield* Effect.currentParentSpan
        const inner = yield* contacts.processPages("key", () => Effect.currentParentSpan)
        assert(inner._tag === "Span")
        assert.strictEqual(inner.name, "Contacts.process")
        assert.deepStrictEqual(Option.getOrUndefined(inner.parent), outer)
        const failure = yield* contacts.processPages("key", () => Effect.fail("no" as const)).pipe(Effect.flip)
        assert.strictEqual(failure, "no")
        const exit = yield* Effect.exit(contacts.processPages("key", () => Effect.interrupt))
        assert.isTrue(Exit.hasInterrupts(exit))
        const invalid = yield* contacts.processPages("key", () => Effect.void, { pageSize: 0 }).pipe(
          Effect.as("nothing was requested")
        )
        assert.strictEqual(invalid, "nothing was requested")
      }).pipe(Effect.withSpan("outer"), Effect.provide([layer, memory]))
    }))

  scoped("refuses to commit after its end", () =>
    Effect.gen(function*() {
      const { layer } = yield* service({ contacts: 3 })
      yield* Effect.gen(function*() {
        const [page] = yield* contacts.processPages("key", Stream.runCollect)
        const error = yield* Effect.flip(page!.commit)
        assert(error._tag === "CheckpointError")
        assert.strictEqual(error.reason, "Closed")
      }).pipe(Effect.provide([layer, memory]))
    }))
})
