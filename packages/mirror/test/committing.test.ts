/** What consumers commit, more than once, in any order, and in their own transactions. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { type Change, Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Array, Chunk, Effect, Stream } from "effect"
import { setup, sync } from "./support/copying.ts"
import { databases } from "./support/databases.ts"
import { contact } from "./support/service.ts"

type Pages = ReadonlyArray<Change.CommittableChanges<{ readonly id: string }>>

/** All batches of a consumer, of 100 changes each. */
const pagesOf = <A, E, R>(consumer: string, use: (pages: Pages) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Mirror.Mirror, (mirror) =>
    mirror.processPages(
      contacts,
      consumer,
      (pages) => Effect.flatMap(Stream.runCollect(pages), (all) => use(Chunk.toReadonlyArray(all)))
    ))

const positionOf = (consumer: string) =>
  Effect.flatMap(
    Mirror.Mirror,
    ({ status }) => Effect.map(status, (all) => all.find(({ list }) => list === "contacts")?.consumers[consumer])
  )

describe.each(databases)("commits of consumers in %s", (name, open) => {
  const filled = Effect.gen(function*() {
    const context = yield* setup(open)
    context.service.lists.set("/contacts", Array.range(1, 250).map((number) => contact(251 - number)))
    yield* Effect.provide(sync("contacts"), context.layer)
    return context
  })

  it.scopedLive("may be repeated, and come in any order", () =>
    Effect.gen(function*() {
      const { layer } = yield* filled
      yield* pagesOf("crm", ([first, second, third]) =>
        Effect.gen(function*() {
          yield* third!.commit
          yield* third!.commit
          yield* first!.commit
          assert.strictEqual(yield* positionOf("crm"), 100)
          yield* first!.commit
          yield* second!.commit
          assert.strictEqual(yield* positionOf("crm"), 250)
          yield* Effect.all([first!.commit, second!.commit, third!.commit], { concurrency: 3 })
          assert.strictEqual(yield* positionOf("crm"), 250)
        })).pipe(Effect.provide(layer))
    }))

  it.scopedLive("are refused if somebody else was faster, and say what is known", () =>
    Effect.gen(function*() {
      const { layer } = yield* filled
      yield* Effect.gen(function*() {
        const commitAll = (pages: Pages) => Effect.forEach(pages, ({ commit }) => commit)
        const error = yield* Effect.flip(
          pagesOf("crm", ([first]) => Effect.zipRight(pagesOf("crm", commitAll), first!.commit))
        )
        assert.strictEqual(
          error.message,
          "contacts: some of these changes have already been committed for the consumer \"crm\", by another process or earlier in " +
            "a transaction, so nothing was committed now. Run one process per consumer, or give each a name of its own."
        )
      }).pipe(Effect.provide(layer))
    }))

  it.scopedLive("are forgotten with a transaction that is rolled back", () =>
    Effect.gen(function*() {
      const { layer } = yield* filled
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        yield* pagesOf("crm", ([first]) =>
          Effect.gen(function*() {
            yield* Effect.flip(sql.withTransaction(Effect.zipRight(first!.commit, Effect.fail("crash"))))
            assert.strictEqual(yield* positionOf("crm"), 0)
            yield* first!.commit
            assert.strictEqual(yield* positionOf("crm"), 100)
          }))
      }).pipe(Effect.provide(layer))
    }))

  it.runIf(name === "PostgreSQL")("leave the settings of the caller's transaction alone", () =>
    Effect.gen(function*() {
      const { layer } = yield* filled
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const settings = sql`SELECT current_setting('lock_timeout') AS lock,
          current_setting('statement_timeout') AS statement,
          current_setting('idle_in_transaction_session_timeout') AS idle`
        yield* pagesOf("crm", ([first]) =>
          sql.withTransaction(Effect.gen(function*() {
            yield* sql`SET LOCAL lock_timeout = '7s'`
            const before = yield* settings
            assert.deepStrictEqual(before, [{ lock: "7s", statement: "0", idle: "0" }])
            yield* first!.commit
            assert.deepStrictEqual(yield* settings, before)
          })))
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.runPromise))
})
