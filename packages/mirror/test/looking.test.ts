/** What can be seen of a copy without changing it: its status, its changes, and what a pass would do. */
import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Array, Context, Effect, Either, Fiber, Layer, Stream } from "effect"
import { layerOf, setup, sync } from "./support/copying.ts"
import { databases, shared } from "./support/databases.ts"
import { contact, make, uuid } from "./support/service.ts"
import { anHourLater, until } from "./support/waiting.ts"

type Services = Layer.Layer.Success<ReturnType<typeof layerOf>>

const status = Effect.flatMap(Mirror.Mirror, (mirror) => mirror.status)

const passOf = (list: Mirror.Name) => Effect.map(status, (all) => all.find((status) => status.list === list)?.pass)

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
        assert.isTrue((yield* anHourLater(passOf("contacts")))?.isInterrupted)
        service.onRequest = () => {}
        yield* sync("contacts")
        assert.isUndefined(yield* passOf("contacts"))
      }).pipe(Effect.provide(layer))
    }))

  it.scoped("says for every list why it could not be copied, also for those within others", () =>
    Effect.gen(function*() {
      const { layer } = yield* setup(open)
      const statuses = yield* Effect.flatMap(
        Mirror.Mirror,
        (mirror) => Effect.zipRight(mirror.syncEither({ lists: Mirror.names }), mirror.status)
      ).pipe(Effect.provide(layer))
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

const lists: ReadonlyArray<Mirror.Name> = [
  "segments",
  "contacts",
  "received-emails",
  "segment-contacts",
  "received-email-attachments"
]

const results = (options: Mirror.SyncOptions) =>
  Effect.map(
    Effect.flatMap(Mirror.Mirror, (mirror) => mirror.syncEither({ ...options, lists, maxDeleted: 1 })),
    (reports) => reports.map(({ list, result }) => [list, Either.getOrThrow(result)])
  )

describe.each(databases)("a dry run on a copy in %s", (_, open) => {
  it.scopedLive(
    "counts what a pass finds, also what belongs to owners that are not copied",
    () =>
      Effect.gen(function*() {
        const { layer, service } = yield* setup(open)
        const segments = [1, 2, 3].map((number) => ({ id: uuid(900 + number), name: `Segment ${number}` }))
        const emails = ["c", "b", "a"].map((id) => ({ id, subject: id }))
        const set = (from: number, to: number) => {
          const all = [5, 4, 3, 2, 1].map((number) => contact(number))
          service.lists.set("/contacts", all)
          service.lists.set("/segments", segments.slice(from, to))
          for (const { id } of segments) service.lists.set(`/segments/${id}/contacts`, all.slice(from, to + 2))
          service.lists.set("/emails/receiving", emails.slice(from, to))
          for (const { id } of emails) service.lists.set(`/emails/receiving/${id}/attachments`, [{ id: `file ${id}` }])
        }
        yield* Effect.gen(function*() {
          for (const [from, to] of [[0, 2], [0, 2], [1, 3], [0, 1], [2, 3], [0, 0], [0, 3]] as const) {
            set(from, to)
            const expected = yield* results({ dryRun: true })
            assert.deepStrictEqual(yield* results({ dryRun: true }), expected)
            assert.deepStrictEqual(yield* results({}), expected)
          }
        }).pipe(Effect.provide(layer))
      }),
    60_000
  )
})

describe.each(shared)("a copy in %s", (_, share) => {
  it.scopedLive("shows someone who may only read its status, its changes, and what a pass would change", () =>
    Effect.gen(function*() {
      const service = yield* make
      const { owner, reader } = yield* share
      service.lists.set("/contacts", Array.makeBy(250, (index) => contact(250 - index)))
      yield* Effect.provide(sync("contacts"), layerOf(service, owner))

      const readers = yield* Layer.build(layerOf(service, yield* reader))
      const mirror = Context.get(readers, Mirror.Mirror)
      yield* Effect.gen(function*() {
        const statuses = yield* mirror.status
        assert.strictEqual(statuses.find(({ list }) => list === "contacts")?.items, 250)
        assert.strictEqual(yield* Stream.runCount(mirror.changes(contacts)), 250)
        service.lists.set("/contacts", Array.makeBy(251, (index) => contact(251 - index)))
        assert.deepStrictEqual(
          yield* sync("contacts", { dryRun: true }),
          { created: 1, updated: 0, deleted: 0, unchanged: 250 }
        )
      }).pipe(Effect.provide(readers))

      // What writes is refused, and the owner is not disturbed.
      const refused = <A, E extends { readonly _tag: string }>(write: Effect.Effect<A, E, Services>) =>
        Effect.map(Effect.flip(Effect.provide(write, readers)), (error) => assert.strictEqual(error._tag, "SqlError"))
      yield* refused(sync("contacts"))
      yield* refused(mirror.process(contacts, "crm", () => Effect.void))
      yield* refused(mirror.prune(0))
      assert.deepStrictEqual(
        yield* Effect.provide(sync("contacts"), layerOf(service, owner)),
        { created: 1, updated: 0, deleted: 0, unchanged: 250 }
      )
    }))
})
