/** Every list of the table, whichever there are: nothing here names one, except where it must be told apart. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { InvalidOption, Resource } from "@mailstream/core"
import { Mirror } from "@mailstream/mirror"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Temporary from "@mailstream/testing/Temporary"
import { Chunk, Effect, Either, Layer, Schema, Stream } from "effect"
import { readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import * as Database from "../src/internal/database.ts"
import * as Feeds from "../src/internal/feeds.ts"
import * as DatabaseSchema from "../src/internal/schema.ts"
import { layerOf, setup } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact, make, type Service } from "./support/service.ts"
import { type Copied, copied, serveAll, size } from "./support/table.ts"

/** The reports of passes over these lists, by their names. */
const passes = (lists: ReadonlyArray<Mirror.Name> | undefined, options: Mirror.SyncOptions = {}) =>
  Effect.map(
    Effect.flatMap(Mirror.Mirror, (mirror) => mirror.syncEither({ ...options, lists })),
    (reports) => new Map(reports.map(({ list, result }) => [list, Either.getOrThrowWith(result, (error) => error)]))
  )

/** Which items a list has, and within which owners, by what the service says and by what the copy says. */
const served = ({ lists }: Service, { paths }: Copied) =>
  paths.flatMap(([path, owner]) => (lists.get(path) ?? []).map(({ id }) => `${owner ?? ""} ${id}`))

const stored = ({ isMembership, name, paths, resource }: Copied) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const id = isMembership ? `${resource.name.replace(/s$/, "")}_id` : "id"
    const owner = paths.some(([, owner]) => owner !== undefined) ? resource.scope?.field : undefined
    const rows = yield* sql<Record<string, unknown>>`SELECT * FROM ${sql(`current_${name.replaceAll("-", "_")}`)}`
    return rows.map((row) => `${owner === undefined ? "" : row[owner]} ${row[id]}`)
  })

const changesOf = (name: Mirror.Name) =>
  Effect.flatMap(
    Mirror.Mirror,
    (mirror) => Stream.runCollect(mirror.changes({ descriptor: { resource: { name, item: Item } } }))
  ).pipe(
    Effect.map(Chunk.toReadonlyArray)
  )

const Item = Schema.Struct({ id: Schema.String }, { key: Schema.String, value: Schema.Unknown })

const isFixed = ({ name, resource: { name: own, scope } }: Copied) => name === own && scope?.isFixed === true

it("the lists that can be copied are those of the table, and which items belong to which owners", () => {
  const expected = Resource.all.flatMap((resource): ReadonlyArray<string> => {
    const { name, scope } = resource
    if (Resource.requiredQuery(resource).length > 0) return []
    return scope === undefined || scope.required ? [name] : [name, `${scope.noun}-${name}`]
  })
  assert.sameMembers<string>([...Mirror.names], expected)
  assert.sameMembers(Feeds.all.map(({ table }) => table.name), [...Mirror.names])
  assert.sameMembers(
    [...Mirror.uncopied],
    Resource.all.map(({ name }) => name).filter((name) => !expected.includes(name))
  )
  // Owners come before what is within them.
  for (const [index, { owner }] of Mirror.copied.entries()) {
    if (owner !== undefined) assert.include(Mirror.names.slice(0, index), owner)
  }
  assert.sameMembers(
    Mirror.memberships.map(({ descriptor }) => descriptor.resource.name),
    Mirror.copied.filter(({ name }) => Resource.all.every((resource) => resource.name !== name)).map(({ name }) => name)
  )
})

describe.each(databases)("every list of the table, in %s", (_, open) => {
  it.scopedLive("is copied, and its updates and removals are found", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      serveAll(service)
      const { lists } = service
      yield* Effect.gen(function*() {
        const first = yield* passes(Mirror.names)
        for (const list of copied) {
          assert.isAbove(first.get(list.name)!.created, 0, list.name)
          assert.sameMembers(yield* stored(list), served(service, list), list.name)
        }
        // Everything changes.
        for (const { isMembership, paths } of copied) {
          if (isMembership) continue
          for (const [path] of paths) lists.set(path, lists.get(path)!.map((item) => ({ ...item, renamed: true })))
        }
        const second = yield* passes(Mirror.names)
        for (const list of copied) {
          const updated = list.isMembership || isFixed(list) ? 0 : served(service, list).length
          const { created, deleted, updated: found } = second.get(list.name)!
          assert.deepStrictEqual([created, found, deleted], [0, updated, 0], list.name)
          const last = (yield* changesOf(list.name)).slice(first.get(list.name)!.created)
          assert.strictEqual(last.length, updated, list.name)
          for (const change of last) {
            assert(change._tag === "Updated")
            assert.deepStrictEqual(change.fields, ["renamed"])
            assert.isUndefined(change.before["renamed"])
            assert.isTrue(change.item["renamed"])
          }
        }
        // Every list loses its oldest item, and every owner what is within it.
        for (const { isMembership, paths } of copied) {
          if (!isMembership && paths[0]?.[1] === undefined) {
            for (const [path] of paths) lists.set(path, lists.get(path)!.slice(0, -1))
          }
        }
        const gone = copied.flatMap(({ paths }) =>
          paths.flatMap(([path, owner], index) => owner !== undefined && index === size - 1 ? [path] : [])
        )
        for (const path of gone) lists.delete(path)
        for (const { isMembership, paths, resource } of copied) {
          if (!isMembership) continue
          const left = new Set(lists.get(resource.path)!.map(({ id }) => id))
          for (const [path] of paths) {
            const items = lists.get(path)
            if (items !== undefined) lists.set(path, items.filter(({ id }) => left.has(id)))
          }
        }
        const third = yield* passes(Mirror.names, { maxDeleted: 1 })
        for (const list of copied) {
          assert.isAbove(third.get(list.name)!.deleted, 0, list.name)
          assert.sameMembers(yield* stored(list), served(service, list), list.name)
        }
      }).pipe(Effect.provide(layer))
    }), 60_000)

  it.scopedLive(
    "is copied by default, unless it takes a request for each of many owners",
    () =>
      Effect.gen(function*() {
        const { layer, service } = yield* setup(open)
        serveAll(service)
        yield* Effect.gen(function*() {
          const reports = yield* passes(undefined)
          const costly = copied.filter(({ paths: [first], resource }) =>
            first?.[1] !== undefined && resource.scope?.isCostly === true
          )
          assert.isAbove(costly.length, 0)
          assert.sameMembers(
            [...reports.keys()],
            copied.filter((list) => !costly.includes(list)).map(({ name }) => name)
          )
          for (const { paths } of costly) {
            for (const [path] of paths) assert.notInclude(service.requests.map((url) => url.replace(/\?.*/, "")), path)
          }
          const statuses = yield* Effect.flatMap(Mirror.Mirror, ({ status }) => status)
          for (const { completedAt, isCostly, list } of statuses) {
            assert.strictEqual(isCostly, costly.some(({ name }) => name === list), list)
            assert.strictEqual(completedAt === undefined, isCostly, list)
          }
        }).pipe(Effect.provide(layer))
      }),
    60_000
  )

  it.scopedLive(
    "is polled for what is new, which says nothing about what was updated or removed",
    () =>
      Effect.gen(function*() {
        const { layer, service: { lists, requests }, service } = yield* setup(open)
        serveAll(service)
        yield* Effect.gen(function*() {
          yield* passes(Mirror.names)
          for (const { isMembership, paths } of copied) {
            if (isMembership) continue
            for (const [path] of paths) {
              const [newest, ...others] = lists.get(path)!
              const added = { ...newest!, id: newest!.id.replace(/.{4}$/, "9999") }
              lists.set(path, [added, newest!, ...others.slice(0, -1).map((item) => ({ ...item, renamed: true }))])
            }
          }
          const before = requests.length
          const polled = yield* Effect.flatMap(Mirror.Mirror, (mirror) => mirror.poll({ lists: Mirror.names }))
          const within = copied.filter(({ paths: [first] }) => first?.[1] !== undefined).map(({ name }) => name)
          assert.sameMembers(polled.map(({ list }) => list), Mirror.names.filter((name) => !within.includes(name)))
          for (const { created, deleted, list, updated } of polled) {
            assert.deepStrictEqual([created, updated, deleted], [1, 0, 0], list)
          }
          assert.strictEqual(requests.length - before, polled.length)
        }).pipe(Effect.provide(layer))
      }),
    60_000
  )

  it.scopedLive("that is a report is refused by its name, and so is one that does not exist", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      yield* Effect.gen(function*() {
        const refused = (name: string) =>
          Effect.flatMap(
            Mirror.Mirror,
            (mirror) => Effect.flip(mirror.syncEither({ lists: ["contacts", name as Mirror.Name] }))
          )
        assert.isAbove(Mirror.uncopied.length, 0)
        for (const name of Mirror.uncopied) {
          const error = yield* refused(name)
          assert.instanceOf(error, InvalidOption)
          assert.strictEqual(
            error.message,
            `lists cannot have ${name}, a report whose items have cursors in place of ids: a pass could not tell which it has seen before`
          )
        }
        assert.strictEqual(
          (yield* refused("contact")).message,
          `lists must be some of ${Mirror.names.join(", ")}, not "contact"`
        )
        assert.deepStrictEqual(service.requests, [])
      }).pipe(Effect.provide(layer))
    }))
})

/** The lists that the first version of the tables had. */
const before: ReadonlyArray<Mirror.Name> = [
  "domains",
  "api-keys",
  "broadcasts",
  "segments",
  "contacts",
  "received-emails",
  "emails",
  "templates",
  "topics",
  "segment-contacts",
  "received-email-attachments"
]

/** What is true of a copy with fewer lists, as soon as it is opened. */
const expectAll = (service: Service) =>
  Effect.gen(function*() {
    const statuses = yield* Effect.flatMap(Mirror.Mirror, ({ status }) => status)
    assert.deepStrictEqual(statuses.map(({ list }) => list), [...Mirror.names])
    const reports = yield* passes(Mirror.names, { maxDeleted: 1 })
    for (const list of copied) {
      assert.sameMembers(yield* stored(list), served(service, list), list.name)
      if (!before.includes(list.name)) assert.isAbove(reports.get(list.name)!.created, 0, list.name)
    }
  })

describe("a copy that was made before there were as many lists", () => {
  it.scopedLive("in SQLite gets the tables that are missing, and keeps what it has", () =>
    Effect.gen(function*() {
      const filename = yield* Temporary.file("mail.db")
      const file = new DatabaseSync(filename)
      file.exec(readFileSync(new URL("fixtures/ten-lists.sql", import.meta.url), "utf8"))
      file.close()
      const service = yield* make
      serveAll(service)
      service.lists.set("/contacts", [contact(3), contact(2, { last_name: "Maier" }), contact(1)])
      const database = yield* Layer.build(Sqlite.layer({ filename }))
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        const statuses = yield* mirror.status
        assert.strictEqual(statuses.find(({ list }) => list === "contacts")?.items, 2)
        const [report] = yield* mirror.sync({ lists: ["contacts"] })
        assert.deepStrictEqual(report, { list: "contacts", created: 1, updated: 1, deleted: 0, unchanged: 1 })
        yield* expectAll(service)
      }).pipe(Effect.provide(layerOf(service, database)))
    }), 60_000)

  it.scopedLive.each(databases)("in %s gets them when it is opened", ([, open]) =>
    Effect.gen(function*() {
      const database = yield* open
      const service = yield* make
      serveAll(service)
      const tables = Feeds.all.map(({ table }) => table).filter(({ name }) => before.includes(name))
      assert.strictEqual(tables.length, before.length)
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
        DatabaseSchema.ensure(Database.make(sql, { schema: undefined, prefix: "" }), tables)).pipe(
          Effect.provide(database)
        )
      yield* Effect.provide(expectAll(service), layerOf(service, database))
    }), 60_000)
})
