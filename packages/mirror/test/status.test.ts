/** What the status says about a pass that is under way, or was interrupted. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Mirror } from "@mailstream/mirror"
import { Effect, Either, Fiber, TestClock } from "effect"
import { setup, sync } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact } from "./support/service.ts"

const passOf = (list: Mirror.Name) =>
  Effect.map(Mirror.status, (all) => all.find((status) => status.list === list)?.pass)

const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.promise(() => new Promise(setImmediate)), { until: () => isSo() })

describe.each(databases)("the status of a copy in %s", (_, open) => {
  it.scoped("tells a pass that is under way from one that was interrupted", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      yield* Effect.gen(function*() {
        service.lists.set("/contacts", [contact(1)])
        service.onRequest = () => false
        const pass = yield* Effect.fork(sync("contacts"))
        yield* until(() => service.requests.length > 0)
        assert.isFalse((yield* passOf("contacts"))?.isInterrupted)
        yield* Fiber.interrupt(pass)
        assert.isTrue((yield* passOf("contacts"))?.isInterrupted)
        // As if its process had been killed.
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE mirror_lists SET pass = replace(pass, '"isPaused":true', '"isPaused":false')`
        assert.isFalse((yield* passOf("contacts"))?.isInterrupted)
        yield* TestClock.adjust("2 minutes")
        assert.isTrue((yield* passOf("contacts"))?.isInterrupted)
        service.onRequest = () => {}
        yield* sync("contacts")
        assert.isUndefined(yield* passOf("contacts"))
      }).pipe(Effect.provide(layer))
    }))

  it.scoped("says for every list why it could not be copied, also for those within others", () =>
    Effect.gen(function*() {
      const { layer } = yield* setup(open)
      const statuses = yield* Effect.provide(Effect.zipRight(Mirror.sync(), Mirror.status), layer)
      for (const { error, list, pass } of statuses) {
        assert.isString(error, list)
        if (pass !== undefined) assert.isTrue(pass.isInterrupted, list)
      }
    }))

  it.scoped("says at once that a pass was interrupted if it failed", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      yield* Effect.gen(function*() {
        assert.isTrue(Either.isLeft(yield* Effect.either(sync("contacts"))))
        assert.isTrue((yield* passOf("contacts"))?.isInterrupted)
        service.lists.set("/contacts", [contact(1)])
        service.onRequest = () => false
        const pass = yield* Effect.fork(sync("contacts"))
        const before = service.requests.length
        yield* until(() => service.requests.length > before)
        assert.isFalse((yield* passOf("contacts"))?.isInterrupted)
        yield* Fiber.interrupt(pass)
      }).pipe(Effect.provide(layer))
    }))
})
