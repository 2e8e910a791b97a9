/** Another program writes bytes that are not UTF-8 to a copy. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import type { Mirror } from "@mailstream/mirror"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { contacts, topics } from "@mailstream/stream"
import * as Recorder from "@mailstream/testing/Recorder"
import * as Temporary from "@mailstream/testing/Temporary"
import { Chunk, Effect, Layer, Stream } from "effect"
import { DatabaseSync } from "node:sqlite"
import { checks } from "./support/checks.ts"
import { changes, layerOf, sync } from "./support/copying.ts"
import { contact, make, topic, uuid } from "./support/service.ts"

/** A list that is walked in pages, and one that is a single request, whose rows are only compared if that is asked for. */
const lists = [
  { list: "topics", item: topic, field: "description", tags: Stream.map(changes(topics), ({ _tag }) => _tag) },
  {
    list: "contacts",
    item: contact,
    field: "last_name",
    tags: Stream.map(changes(contacts), ({ _tag }) => _tag)
  }
] as const

const setup = (list: Mirror.Name) =>
  Effect.gen(function*() {
    const service = yield* make
    const filename = yield* Temporary.file("mail.db")
    const layer = yield* Layer.build(layerOf(service, yield* Layer.build(Sqlite.layer({ filename }))))
    const warnings: Array<string> = []
    const recorder = Recorder.layer((kind, message, _, annotations) => {
      if (kind === "log" && String(message).includes("not UTF-8")) {
        warnings.push(`${message} ${JSON.stringify(annotations)}`)
      }
    })
    const pass = (options: Mirror.SyncOptions = {}) => Effect.provide(sync(list, { full: true, ...options }), recorder)
    /** What another program does, by its own connection. */
    const edit = (statement: string) => {
      const database = new DatabaseSync(filename)
      database.exec(statement)
      database.close()
    }
    return { layer, service, pass, edit, warnings }
  })

describe.each(lists)("a copy of $list that is not UTF-8", ({ field, item, list, tags }) => {
  const original = [3, 2, 1].map((number) => item(number, { [field]: `M\ufffdller ${number}` }))

  const filled = Effect.gen(function*() {
    const context = yield* setup(list)
    context.service.lists.set(`/${list}`, original)
    yield* Effect.provide(context.pass(), context.layer)
    return context
  })

  it.scopedLive("writes an item again, even if it reads the same", () =>
    Effect.gen(function*() {
      const { edit, layer, pass, warnings } = yield* filled
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        assert.include(yield* pass(), { unchanged: 3 })
        // One byte, one of which two are missing, and three that begin a longer sequence: as long as U+FFFD itself.
        for (const bytes of ["ff", "e2", "f09f98"]) {
          edit(
            `UPDATE ${list} SET json = replace(json, char(65533), CAST(x'${bytes}' AS TEXT)) WHERE id = '${uuid(2)}'`
          )
          const read = yield* sql.unsafe<{ text: string }>(`SELECT ${field} AS text FROM ${list} WHERE id = ?`, [
            uuid(2)
          ])
          assert.deepStrictEqual(read.map(({ text }) => text), ["M\ufffdller 2"])
          assert.deepStrictEqual(yield* pass(), { created: 0, updated: 1, deleted: 0, unchanged: 2 })
          const stored = yield* sql.unsafe<{ bytes: string }>(`SELECT hex(json) AS bytes FROM ${list}`)
          for (const { bytes } of stored) assert.include(bytes, "4DEFBFBD6C")
          assert.deepStrictEqual(yield* pass(), { created: 0, updated: 0, deleted: 0, unchanged: 3 })
        }
        assert.lengthOf(warnings, 3)
        assert.include(warnings[0], `the table ${list}. A pass`)
        assert.include(warnings[0], uuid(2))
        const log = Chunk.toReadonlyArray(yield* Stream.runCollect(tags))
        assert.deepStrictEqual(log.slice(3), ["Updated", "Updated", "Updated"])
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("does not take U+FFFD itself for damage, whatever the order of fields", () =>
    Effect.gen(function*() {
      const { layer, pass, service, warnings } = yield* filled
      yield* Effect.gen(function*() {
        service.lists.set(
          `/${list}`,
          original.map((item) => ({ ...{ [field]: null }, ...item }))
        )
        assert.include(yield* pass(), { updated: 0, unchanged: 3 })
        assert.deepStrictEqual(warnings, [])
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("copies an item again whose id is damaged, and does not report it as deleted", () =>
    Effect.gen(function*() {
      const { edit, layer, pass, warnings } = yield* filled
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        edit(`UPDATE ${list} SET id = CAST(x'ff' || id AS TEXT) WHERE id = '${uuid(2)}'`)
        const expected = { created: 1, updated: 0, deleted: 0, unchanged: 2 }
        assert.deepStrictEqual(yield* pass({ dryRun: true }), expected)
        assert.deepStrictEqual(yield* pass(), expected)
        assert.deepStrictEqual(yield* pass(), { created: 0, updated: 0, deleted: 0, unchanged: 3 })
        const rows = yield* sql.unsafe<{ id: string }>(`SELECT id FROM ${list} ORDER BY id DESC`)
        assert.deepStrictEqual(rows.map(({ id }) => id), original.map(({ id }) => id))
        assert.lengthOf(warnings, 2)
        assert.notInclude(Chunk.toReadonlyArray(yield* Stream.runCollect(tags)), "Deleted")
      }).pipe(Effect.provide(layer))
    }))
})

it.scopedLive("a pass replaces a row that is not even JSON", () =>
  Effect.gen(function*() {
    const { edit, layer, pass, service, warnings } = yield* setup("segment-contacts")
    service.lists.set("/segments", [{ id: uuid(9) }])
    service.lists.set(`/segments/${uuid(9)}/contacts`, [3, 2, 1].map((number) => contact(number)))
    yield* Effect.gen(function*() {
      assert.include(yield* pass(), { created: 3 })
      edit(`UPDATE segment_contacts SET json = CAST(x'ff' AS TEXT) WHERE contact_id = '${uuid(1)}'`)
      edit(`UPDATE segment_contacts SET json = 'not JSON' WHERE contact_id = '${uuid(2)}'`)
      assert.deepStrictEqual(yield* pass(), { created: 0, updated: 2, deleted: 0, unchanged: 1 })
      assert.deepStrictEqual(yield* pass(), { created: 0, updated: 0, deleted: 0, unchanged: 3 })
      assert.lengthOf(warnings, 1)
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ id: string; json: string }>`SELECT contact_id AS id, json FROM segment_contacts`
      for (const { id, json } of rows) assert.strictEqual(JSON.parse(json).id, id)
    }).pipe(Effect.provide(layer))
  }))

describe("a copy on this runtime", () => {
  for (const [name, check] of Object.entries(checks)) it(name, check)
})
