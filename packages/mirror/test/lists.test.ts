import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import { Resource } from "@mailstream/core"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Mirror } from "@mailstream/mirror"
import { Server, Store } from "@mailstream/server"
import * as SampleData from "@mailstream/server/SampleData"
import { contacts, mapLists, receivedEmailAttachments, receivedEmails, segments, Walk } from "@mailstream/stream"
import { Chunk, Context, Effect, Either, Layer, Record, Redacted, Stream } from "effect"
import { databases } from "./support/databases.ts"

/** The lists that have sample data, and what is within them. */
const filled = new Set<string>([
  ...Object.values(SampleData.samples).map(({ name }) => name),
  "segment-contacts",
  "received-email-attachments"
])

describe.each(databases)("the lists of the service in %s", (_, open) => {
  /** The embedded service with sample data, and an empty copy of it. */
  const setup = Effect.gen(function*() {
    const server = yield* Layer.build(Server.layerTest())
    yield* Effect.provide(
      SampleData.insert({
        ...Record.map(SampleData.samples, () => 6),
        domains: 3,
        apiKeys: 4,
        broadcasts: 5,
        segments: 3,
        contacts: 250,
        receivedEmails: 30,
        emails: 120,
        templates: 7,
        topics: 8,
        contactProperties: 2,
        suppressions: 4,
        webhooks: 3
      }),
      server
    )
    const { apiKey, baseUrl } = Context.get(server, Server.TestServer)
    const client = Mailstream.layer({ baseUrl, apiKey, rateLimit: false }).pipe(Layer.provide(UndiciTransport.layer))
    const mirror = Layer.provideMerge(Mirror.layer(), Layer.succeedContext(yield* open))
    return Context.merge(server, yield* Layer.build(Layer.orDie(Layer.merge(client, mirror))))
  })

  const syncAll = Effect.map(
    Effect.flatMap(Mirror.Mirror, (mirror) => mirror.syncEither()),
    (reports) => new Map(reports.map(({ list, result }) => [list, Either.getOrThrowWith(result, (error) => error)]))
  )

  const read = (table: string) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql.unsafe<Record<string, unknown>>(`SELECT * FROM current_${table} ORDER BY 1, 2, 3`)
    )

  const parse = (json: unknown): unknown => typeof json === "string" ? JSON.parse(json) : json

  /** An item without the time that a key was last used, which every request changes. */
  const stable = (item: unknown): unknown => ({ ...Object(item), last_used_at: undefined })

  it.scopedLive("are all copied, item by item", () =>
    Effect.gen(function*() {
      const context = yield* setup
      yield* Effect.gen(function*() {
        const counts = yield* syncAll
        assert.sameMembers([...counts.keys()], [...Mirror.defaults])
        for (const [list, { created, deleted, updated }] of counts) {
          if (filled.has(list)) assert.isAbove(created, 0, list)
          assert.deepStrictEqual([deleted, updated], [0, 0], list)
        }
        // As the library streams them.
        yield* Effect.all(mapLists((list) =>
          Effect.gen(function*() {
            const unfiltered: unknown = undefined
            if (!list.resource.isFilter(unfiltered)) return
            const items = Chunk.toReadonlyArray(yield* Stream.runCollect(Walk.items(list.source(unfiltered))))
            const rows = yield* read(list.resource.name.replaceAll("-", "_"))
            assert.sameDeepMembers(rows.map(({ json }) => stable(parse(json))), items.map(stable))
          })
        ))
        for (const [list, { created, deleted, updated }] of yield* syncAll) {
          assert.deepStrictEqual([created, deleted], [0, 0], list)
          if (list !== "api-keys") assert.strictEqual(updated, 0, list)
        }
      }).pipe(Effect.provide(context))
    }), 60_000)

  it.scopedLive("have columns that say what the items say", () =>
    Effect.gen(function*() {
      const context = yield* setup
      yield* Effect.gen(function*() {
        yield* syncAll
        const items = new Map(
          Chunk.toReadonlyArray(yield* Stream.runCollect(contacts.items())).map((item) => [String(item.id), item])
        )
        for (const row of yield* read("contacts")) {
          const item = items.get(String(row["id"]))!
          assert.deepStrictEqual(
            [row["email"], row["first_name"], row["last_name"], Boolean(row["unsubscribed"])],
            [item.email, item.first_name, item.last_name, item.unsubscribed]
          )
          const instant = row["created_at"]
          if (instant instanceof Date) {
            assert.strictEqual(instant.getTime(), Math.floor(new Date(item.created_at.replace("+00", "Z")).getTime()))
          } else {
            const [time = "", fraction = ""] = item.created_at.replace("+00", "").split(".")
            assert.strictEqual(instant, `${time.replace(" ", "T")}.${fraction.padEnd(6, "0")}Z`)
          }
        }
        const sql = yield* SqlClient.SqlClient
        const [known] = yield* sql.unsafe<{ known: number | string }>(
          "SELECT COUNT(*) AS known FROM contacts WHERE NOT unsubscribed"
        )
        assert.strictEqual(Number(known?.known), [...items.values()].filter((item) => !item.unsubscribed).length)
      }).pipe(Effect.provide(context))
    }), 60_000)

  it.scopedLive("are not complete without their owners: these are copied first, and fail as they do", () =>
    Effect.gen(function*() {
      const context = yield* setup
      const { baseUrl } = Context.get(context, Server.TestServer)
      const stranger = Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_unknown"), rateLimit: false }).pipe(
        Layer.provide(UndiciTransport.layer)
      )
      const within = ["segment-contacts", "received-email-attachments"] as const
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        for (const { list, result } of yield* Effect.provide(mirror.syncEither(), stranger)) {
          assert.strictEqual(Either.isLeft(result) && result.left._tag, "invalid_api_key", list)
        }
        for (const { completedAt, list } of yield* mirror.status) assert.isUndefined(completedAt, list)
        for (const { list, result } of yield* mirror.syncEither({ lists: within })) {
          assert.isAbove(Either.getOrThrow(result).created, 0, list)
        }
      }).pipe(Effect.provide(context))
    }))

  it.scopedLive("include who is in which segment, and the attachments of emails", () =>
    Effect.gen(function*() {
      const context = yield* setup
      yield* Effect.gen(function*() {
        const mirror = yield* Mirror.Mirror
        yield* syncAll
        const members = Stream.runCollect(Stream.flatMap(segments.items(), (segment) =>
          Stream.map(contacts.items({ filter: { segment_id: segment.id } }), ({ id }) =>
            `${segment.id} ${id}`)))
        const stored = Effect.map(read("segment_contacts"), (rows) =>
          rows.map((row) =>
            `${row["segment_id"]} ${row["contact_id"]}`
          ))
        assert.sameMembers(yield* stored, Chunk.toArray(yield* members))
        const attachments = Stream.runCollect(Stream.flatMap(receivedEmails.items(), (email) =>
          Stream.map(
            receivedEmailAttachments.items({ filter: { email_id: email.id } }),
            ({ filename, id }) =>
              `${email.id} ${id} ${filename}`
          )))
        const files = Effect.map(read("received_email_attachments"), (rows) =>
          rows.map((row) =>
            `${row["email_id"]} ${row["id"]} ${row["filename"]}`
          ))
        assert.sameMembers(yield* files, Chunk.toArray(yield* attachments))

        const store = yield* Store
        const [segment] = Chunk.toReadonlyArray(yield* Stream.runCollect(segments.items()))
        const inside = Chunk.toReadonlyArray(
          yield* Stream.runCollect(contacts.items({ filter: { segment_id: segment!.id } }))
        )
        yield* store.leave(segment!.id, [inside[0]!.id])
        const [email] = Chunk.toReadonlyArray(
          yield* Stream.runCollect(Stream.filter(receivedEmails.items(), ({ attachments }) =>
            (attachments ?? []).length > 0))
        )
        yield* store.delete(Resource.receivedEmails, [email!.id])
        const counts = yield* syncAll
        assert.include(counts.get("segment-contacts"), { created: 0, deleted: 1 })
        assert.isAbove(counts.get("received-email-attachments")!.deleted, 0)
        assert.sameMembers(yield* stored, Chunk.toArray(yield* members))
        assert.sameMembers(yield* files, Chunk.toArray(yield* attachments))
        // A contact that joins again may get its old place back.
        yield* store.join(segment!.id, [inside[0]!.id])
        assert.include((yield* syncAll).get("segment-contacts"), { created: 1, deleted: 0 })
        assert.sameMembers(yield* stored, Chunk.toArray(yield* members))

        const changes = Chunk.toReadonlyArray(yield* Stream.runCollect(mirror.changes(Mirror.segmentContacts)))
        const last = changes.slice(-2).map(({ _tag, item, owner }) => ({ _tag, item, owner }))
        const moved = { item: { id: inside[0]!.id }, owner: segment!.id }
        assert.deepStrictEqual(last, [{ _tag: "Deleted", ...moved }, { _tag: "Created", ...moved }])
        const ofEmail = yield* Stream.runCollect(
          Stream.filter(mirror.changes(receivedEmailAttachments), ({ owner }) =>
            owner === email!.id)
        )
        assert.sameMembers(
          Chunk.toArray(ofEmail).map(({ _tag, item }) => `${_tag} ${item.id}`),
          ["Created", "Deleted"].flatMap((tag) => (email!.attachments ?? []).map(({ id }) => `${tag} ${id}`))
        )
      }).pipe(Effect.provide(context))
    }), 60_000)
})
