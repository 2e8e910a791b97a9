/** What makes no sense is refused with a typed error, also if plain JavaScript gives it. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { InvalidOption, Mirror, OtherService } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Context, Effect, Layer, Stream } from "effect"
import { layerOf, setup, sync } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact, make, template, topic } from "./support/service.ts"

type Services = Layer.Layer.Success<ReturnType<typeof layerOf>>

/** A value as plain JavaScript would pass it. */
const untyped = (value: unknown) => value as never

describe.each(databases)("a copy in %s", (_, open) => {
  it.scopedLive("refuses options that are not what they should be", () =>
    Effect.gen(function*() {
      const { database, layer, service } = yield* setup(open)
      const refused = (option: string, effect: Effect.Effect<unknown, unknown, Services>) =>
        Effect.gen(function*() {
          const error = yield* Effect.flip(Effect.provide(effect, layer))
          assert.instanceOf(error, InvalidOption, option)
          assert.strictEqual(error.option, option)
        })
      const passOptions: ReadonlyArray<readonly [option: string, value: unknown]> = [
        ["lists", "contacts"],
        ["lists", ["contact"]],
        ["lists", {}],
        ["lists", [null]],
        ["lanes", 1.5],
        ["lanes", "2"],
        ["lanes", NaN],
        ["pageSize", 0],
        ["pageSize", "50"],
        ["maxDeleted", "0.5"],
        ["maxDeleted", NaN],
        ["maxDeleted", -1],
        ["patience", 0],
        ["patience", "soon"],
        ["patience", {}],
        ["dryRun", "yes"],
        ["progress", {}]
      ]
      for (const [option, value] of passOptions) {
        const options = untyped({ [option]: value })
        yield* refused(option, Mirror.sync(options))
        yield* refused(option, Mirror.poll(options))
        yield* refused(option, Mirror.run(options))
      }
      for (const value of [0, -1, NaN, Infinity, "often", {}]) {
        const options = untyped({ poll: value })
        yield* refused("poll", Mirror.run(options))
        yield* refused("poll", Stream.runDrain(Mirror.changes(contacts, options)))
        yield* refused("poll", Mirror.process(contacts, "crm", () => Effect.void, options))
        yield* refused("poll", Mirror.processPages(contacts, "crm", Stream.runDrain, options))
        yield* refused("every", Mirror.run(untyped({ every: value })))
      }
      yield* refused("onReport", Mirror.run(untyped({ onReport: "log" })))
      for (const after of [-1, 1.5, "1", NaN]) {
        yield* refused("after", Stream.runDrain(Mirror.changes(contacts, untyped({ after }))))
      }
      for (const concurrency of [0, 1.5, "2", Infinity]) {
        yield* refused("concurrency", Mirror.process(contacts, "crm", () => Effect.void, untyped({ concurrency })))
      }
      for (const consumer of ["", 1, undefined, "x".repeat(300)]) {
        yield* refused("consumer", Mirror.process(contacts, untyped(consumer), () => Effect.void))
      }
      for (const age of [NaN, -1, Infinity, "old", {}, undefined]) {
        yield* refused("olderThan", Mirror.purge(untyped(age)))
        yield* refused("olderThan", Mirror.prune(untyped(age)))
      }
      for (
        const [option, value] of [
          ["account", 1],
          ["account", ""],
          ["account", "x".repeat(300)],
          ["prefix", 1],
          ["prefix", "A"],
          ["schema", 1],
          ["schema", ""]
        ] as const
      ) {
        const built = Layer.build(Mirror.layer(untyped({ [option]: value }))).pipe(Effect.provide(database))
        const error = yield* Effect.flip(built)
        assert.instanceOf(error, InvalidOption)
        assert.strictEqual(error.option, option)
      }
      assert.deepStrictEqual(service.requests, [])
    }))

  it.scopedLive("does not belong to a service that it never had anything from", () =>
    Effect.gen(function*() {
      const { database, layer, service } = yield* setup(open)
      const wrong = yield* make
      const onWrong = Effect.provide(Effect.either(sync("contacts")), layerOf(wrong, database))
      // The first time it has no such list, then one that is empty.
      assert.strictEqual((yield* onWrong)._tag, "Left")
      wrong.lists.set("/contacts", [])
      assert.strictEqual((yield* onWrong)._tag, "Right")
      service.lists.set("/contacts", [contact(1)])
      assert.include(yield* Effect.provide(sync("contacts"), layer), { created: 1 })
      const result = yield* Effect.flip(Effect.flatten(onWrong))
      assert.instanceOf(result, OtherService)
      // That says nothing about the copy.
      for (const { error } of yield* Effect.provide(Mirror.status, layer)) assert.isUndefined(error)
    }))

  it.scopedLive("does not take a list from another service than the others, until it is told that the service has moved", () =>
    Effect.gen(function*() {
      const { database, layer, service } = yield* setup(open)
      service.lists.set("/contacts", [contact(1)])
      service.lists.set("/topics", [])
      yield* Effect.provide(Mirror.sync({ lists: ["contacts", "topics"] }), layer)
      const other = yield* make
      other.lists.set("/topics", [topic(1)])
      other.lists.set("/templates", [template(1)])
      const onOther = layerOf(other, database)
      for (const list of ["topics", "templates"] as const) {
        for (const dryRun of [true, false]) {
          const refused = yield* Effect.flip(Effect.provide(sync(list, { dryRun }), onOther))
          assert.instanceOf(refused, OtherService)
        }
      }
      assert.include(yield* Effect.provide(sync("topics"), layer), { created: 0 })

      const sql = Context.get(database, SqlClient.SqlClient)
      yield* sql`UPDATE mirror_lists SET service = ${other.baseUrl}`
      assert.include(yield* Effect.provide(sync("topics"), onOther), { created: 1 })
      assert.include(yield* Effect.provide(sync("templates"), onOther), { created: 1 })
    }))
})
