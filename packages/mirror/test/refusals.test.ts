/** Options out of range, and copies of another service, are refused with a typed error. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { InvalidOption } from "@mailstream/core/InvalidOption"
import { Mirror, OtherService } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Context, Effect, Layer, Stream } from "effect"
import { layerOf, setup, sync } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact, make, template, topic } from "./support/service.ts"

type Services = Layer.Layer.Success<ReturnType<typeof layerOf>>

describe.each(databases)("a copy in %s", (_, open) => {
  it.scopedLive("refuses options that are out of range", () =>
    Effect.gen(function*() {
      const { database, layer, service } = yield* setup(open)
      const mirror = Context.get(layer, Mirror.Mirror)
      const refused = (option: string, effect: Effect.Effect<unknown, unknown, Services>) =>
        Effect.gen(function*() {
          const error = yield* Effect.flip(Effect.provide(effect, layer))
          assert.instanceOf(error, InvalidOption, option)
          assert.strictEqual(error.option, option)
        })
      const passOptions: ReadonlyArray<Omit<Mirror.SyncOptions, "dryRun">> = [
        { pageSize: 101 },
        { lanes: 1.5 },
        { lanes: NaN },
        { lanes: 101 },
        { maxDeleted: NaN },
        { maxDeleted: -1 },
        { patience: 0 },
        { patience: Infinity }
      ]
      for (const options of passOptions) {
        const option = Object.keys(options).join()
        yield* refused(option, mirror.sync(options))
        yield* refused(option, mirror.poll(options))
        yield* refused(option, mirror.run(options))
      }
      for (const poll of [0, -1, NaN, Infinity]) {
        yield* refused("poll", mirror.run({ poll }))
        yield* refused("poll", Stream.runDrain(mirror.changes(contacts, { poll })))
        yield* refused("poll", mirror.process(contacts, "crm", () => Effect.void, { poll }))
        yield* refused("poll", mirror.processPages(contacts, "crm", Stream.runDrain, { poll }))
        yield* refused("every", mirror.run({ every: poll }))
      }
      for (const after of [-1, 1.5, NaN]) {
        yield* refused("after", Stream.runDrain(mirror.changes(contacts, { after })))
      }
      for (const concurrency of [0, 1.5, Infinity]) {
        yield* refused("concurrency", mirror.process(contacts, "crm", () => Effect.void, { concurrency }))
      }
      for (const name of ["", "x".repeat(300), "a\0b"]) {
        yield* refused("consumer", mirror.process(contacts, name, () => Effect.void))
        yield* refused("account", mirror.forAccount(name))
      }
      for (const age of [NaN, -1, Infinity, 1e300]) {
        yield* refused("olderThan", mirror.purge(age))
        yield* refused("olderThan", mirror.prune(age))
      }
      const layerOptions: ReadonlyArray<Mirror.Options> = [
        { account: "" },
        { account: "x".repeat(300) },
        { prefix: "A" },
        { schema: "" }
      ]
      for (const options of layerOptions) {
        const option = Object.keys(options).join()
        yield* refused(option, Effect.scoped(Layer.build(Mirror.layer(options))).pipe(Effect.provide(database)))
      }
      assert.deepStrictEqual(service.requests, [])
    }))

  it.scopedLive("does not belong to a service that it never had anything from", () =>
    Effect.gen(function*() {
      const { database, layer, service } = yield* setup(open)
      const mirror = Context.get(layer, Mirror.Mirror)
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
      for (const { error } of yield* Effect.provide(mirror.status, layer)) assert.isUndefined(error)
    }))

  it.scopedLive("does not take a list from another service than the others, until it is told that the service has moved", () =>
    Effect.gen(function*() {
      const { database, layer, service } = yield* setup(open)
      const mirror = Context.get(layer, Mirror.Mirror)
      service.lists.set("/contacts", [contact(1)])
      service.lists.set("/topics", [])
      yield* Effect.provide(mirror.sync({ lists: ["contacts", "topics"] }), layer)
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
