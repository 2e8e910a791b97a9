/** What the README says about tables and columns. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Chunk, Effect, Either, Fiber, Ref, Stream, TestClock } from "effect"
import { layerOf, setup, sync } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact, make } from "./support/service.ts"
import { until } from "./support/waiting.ts"

const contents = /^(current_)?(contacts|topics|api_keys|segment_contacts|received_email_attachments)$/

describe.each(databases)("a copy in %s", (name, open) => {
  it.scopedLive("holds numbers as JavaScript has them", () =>
    Effect.gen(function*() {
      const { layer, service } = yield* setup(open)
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        service.lists.set("/contacts", [contact(1, { credit: 9007199254740993 })])
        assert.include(yield* sync("contacts"), { created: 1 })
        const [change] = Chunk.toReadonlyArray(yield* Stream.runCollect(mirror.changes(contacts)))
        assert.propertyVal(change?.item, "credit", 9007199254740992)
        assert.include(yield* sync("contacts"), { unchanged: 1 })
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive.skipIf(name !== "PostgreSQL")(
    "says in a comment what each column of a list holds",
    () =>
      Effect.gen(function*() {
        const { layer } = yield* setup(open)
        yield* Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          const columns = yield* sql<{ table: string; column: string; comment: string | null }>`
          SELECT c.relname AS table, a.attname AS column, col_description(c.oid, a.attnum) AS comment
          FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
          WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0`
          const listed = columns.filter(({ table }) => contents.test(table))
          assert.isAbove(listed.length, 30)
          const silent = listed.filter(({ comment }) => comment === null || comment === "")
          assert.deepStrictEqual(silent.map(({ column, table }) => `${table}.${column}`), [])
        }).pipe(Effect.provide(layer))
      })
  )

  it.scoped.skipIf(name !== "PostgreSQL")(
    "is passed over every hour, and polled in between, unless told otherwise",
    () =>
      Effect.gen(function*() {
        const service = yield* make
        service.lists.set("/contacts", [contact(1)])
        const layer = layerOf(service, yield* open)
        yield* Effect.gen(function*() {
          const mirror = yield* Mirror.Mirror
          const passes = yield* Ref.make(0)
          const onReport = ({ result }: Mirror.Report) =>
            Effect.when(Ref.update(passes, (count) => count + 1), () => Either.isRight(result))
          const running = yield* Effect.fork(
            mirror.run({ lists: ["contacts"], onReport: (report) => Effect.asVoid(onReport(report)) })
          )
          const isPolled = Effect.sync(() => service.requests.some((url) => url.includes("before=")))
          const pages = () => service.requests.filter((url) => !url.includes("before=")).length
          yield* until(Effect.map(Ref.get(passes), (count) => count > 0))
          const first = pages()
          yield* until(Effect.zipRight(TestClock.adjust("5 seconds"), isPolled))
          assert.strictEqual(pages(), first)
          yield* TestClock.adjust("1 hour")
          yield* until(() => pages() > first)
          yield* Fiber.interrupt(running)
        }).pipe(Effect.provide(layer))
      }),
    60_000
  )
})
