import { SqlClient } from "@effect/sql"
import { assert, describe, it } from "@effect/vitest"
import * as Sqlite from "@mailstream/sql/Sqlite"
import * as Bundle from "@mailstream/testing/Bundle"
import * as Process from "@mailstream/testing/Process"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { added } from "./support/added.ts"
import { directory, jsonLines, slow } from "./support/program.ts"

/** Walks through the list, and uses its operations and its scope, whatever a stream and an effect are. */
const walk = `
  const program = Effect.gen(function*() {
    const { data } = yield* (yield* Notes).list({ limit: 1 })
    const count = yield* Stream.runCount(notes.items({ pageSize: 40 }))
    const whole = yield* Stream.runCount(notes.whole())
    const within = yield* Stream.runCount(notes.items({ filter: { contact_id: process.argv[2] } }))
    yield* Console.log(JSON.stringify({ id: data[0]?.id, count, whole, within }))
  })`

/** Programs that use the list, by the package that they belong to. */
const programs = {
  cli: `
    import { Mailstream, Notes } from "@mailstream/http"
    import * as FetchTransport from "@mailstream/http/FetchTransport"
    import { notes } from "@mailstream/stream"
    import { Console, Effect, Layer, Stream } from "effect"
    ${walk}
    const live = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))
    await Effect.runPromise(Effect.provide(program, live))`,
  client: `
    import { Mailstream } from "@mailstream/client"

    const { notes } = Mailstream.fromEnv()
    const { data } = await notes.list({ limit: 1 })
    let count = 0
    for await (const note of notes.items({ pageSize: 40 })) if (note.text !== undefined) count++
    const whole = await notes.whole().toArray({ limit: 1000 })
    const within = await notes.items({ filter: { contact_id: process.argv[2] } }).toArray({ limit: 1000 })
    console.log(JSON.stringify({ id: data[0]?.id, count, whole: whole.length, within: within.length }))`,
  effect4: `
    import { Mailstream, Notes, notes } from "@mailstream/effect4"
    import * as FetchTransport from "@mailstream/effect4/FetchTransport"
    import { Console, Effect, Layer, Stream } from "effect"
    ${walk}
    const live = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))
    await Effect.runPromise(Effect.provide(program, live))`
}

/** Creates, retrieves and removes a note, and finds that it is gone. */
const life = `
  import { Mailstream, Notes } from "@mailstream/http"
  import * as FetchTransport from "@mailstream/http/FetchTransport"
  import { Console, Effect, Layer } from "effect"

  const program = Effect.gen(function*() {
    const notes = yield* Notes
    const { id } = yield* notes.create({ text: "Hello" })
    const { text } = yield* notes.get(id)
    const { deleted } = yield* notes.remove(id)
    const { _tag } = yield* Effect.flip(notes.get(id))
    const refused = yield* Effect.flip(notes.create({} as never))
    yield* Console.log(JSON.stringify({ text, deleted, _tag, refused: refused.message }))
  })
  const live = Mailstream.layerConfig().pipe(Layer.provide(FetchTransport.layer))
  await Effect.runPromise(Effect.provide(program, live))`

/** Fills stores: contacts, notes, and notes within the first of the contacts. What they list then is printed. */
const fill = `
  import { Resource } from "@mailstream/core"
  import { SqlStore, Store } from "@mailstream/server"
  import * as SampleData from "@mailstream/server/SampleData"
  import { Console, Effect } from "effect"

  const note = (n) => ({ id: \`00000000-0000-4000-8000-00000000000\${n}\`, text: \`Note of a contact \${n}\` })
  const program = Effect.gen(function*() {
    yield* SampleData.insert({ contacts: 2, notes: 150 })
    const store = yield* Store
    const { items } = yield* store.page({ name: "contacts" }, { limit: 2 })
    const [contact, other] = items.map((item) => JSON.parse(item).id)
    yield* store.insert(Resource.notes, [note(1), note(2)], { contact_id: contact })
    const count = (list) => Effect.map(store.page(list, { limit: 1000 }), ({ items }) => items.length)
    const counts = yield* Effect.forEach([undefined, contact, other], (within) => count({ name: "notes", within }))
    yield* Console.log(JSON.stringify({ contact, counts }))
  })
  await Effect.runPromise(Effect.provide(program, Store.layerMemory))
  await Effect.runPromise(Effect.provide(program, SqlStore.layerSqlite({ filename: process.argv[2] })))`

describe("a list with operations and a scope, added by the steps in CONTRIBUTING.md", () => {
  it.scopedLive(
    "is served, stored, streamed, listed, copied, in the plain client and on Effect 4",
    () =>
      Effect.gen(function*() {
        const to = yield* directory
        yield* added(to)
        const written = Object.entries({ ...programs, http: life, server: fill }).map(([name, code]) => {
          const file = join(to, "packages", name, "program.ts")
          writeFileSync(file, code)
          return [name, file] as const
        })
        const sources = { mailstream: join(to, "packages/cli/src/bin.ts"), ...Object.fromEntries(written) }
        yield* Effect.promise(() => Bundle.bundle(sources, join(to, "dist")))
        const run = (name: string, args: ReadonlyArray<string>, env: Record<string, string> = {}) =>
          Effect.map(Process.run([join(to, "dist", `${name}.mjs`), ...args], { env }), ({ code, stderr, stdout }) => {
            assert.deepStrictEqual([code, stderr], [0, ""], name)
            return stdout
          })

        const file = join(to, "mailstream.db")
        const filled = jsonLines(yield* run("server", [file]))
        // An item within an owner is in the complete list, too, in every store.
        for (const { counts } of filled) assert.deepStrictEqual(counts, [152, 2, 0])
        const contact = String(filled[1]?.["contact"])

        const options = ["--port", "0", "--store", `sqlite:${file}`, "--api-key", "re_1"]
        const service = yield* Process.start([join(to, "dist/mailstream.mjs"), "serve", ...options])
        const [baseUrl = ""] = /http:\S+/.exec(yield* service.line) ?? []
        const env = { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: "re_1" }
        const get = (path: string) =>
          Effect.promise(() =>
            fetch(`${baseUrl}${path}`, { headers: { authorization: "Bearer re_1" } }).then((_) => _.text())
          ).pipe(Effect.map((text) => JSON.parse(text).data.map(({ text }: { text: string }) => text)))
        assert.deepStrictEqual(yield* get("/notes?limit=3"), ["Note of a contact 2", "Note of a contact 1", "Note 149"])
        assert.deepStrictEqual(yield* get(`/contacts/${contact}/notes`), ["Note of a contact 2", "Note of a contact 1"])

        const listed = jsonLines(yield* run("mailstream", ["notes", "list", "--format", "ndjson"], env))
        assert.strictEqual(new Set(listed.map(({ id }) => id)).size, 152)
        const within = yield* run("mailstream", ["notes", "list", "--contact", contact, "--format", "ndjson"], env)
        assert.strictEqual(jsonLines(within).length, 2)

        for (const name of Object.keys(programs)) {
          assert.deepStrictEqual(
            JSON.parse(yield* run(name, [contact], env)),
            { id: listed[0]?.["id"], count: 152, whole: 152, within: 2 },
            name
          )
        }
        assert.deepStrictEqual(JSON.parse(yield* run("http", [], env)), {
          text: "Hello",
          deleted: true,
          _tag: "not_found",
          refused: "Missing `text` field."
        })

        const copy = join(to, "copy.db")
        const sync = ["sync", "--to", `sqlite:${copy}`, "--format", "ndjson"]
        // A request for each contact takes too many, unless the list is named.
        const synced = jsonLines(yield* run("mailstream", sync, env)).map(({ list }) => list)
        assert.include(synced, "notes")
        assert.notInclude(synced, "contact-notes")
        assert.include(
          jsonLines(yield* run("mailstream", [...sync, "--lists", "contact-notes"], env))[0],
          { list: "contact-notes", created: 2 }
        )
        const rows = (file: string, query: string) =>
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(query)).pipe(
            Effect.provide(Sqlite.layer({ filename: file }))
          )
        assert.deepStrictEqual(
          yield* rows(copy, "SELECT count(DISTINCT text) AS count FROM current_notes"),
          [{ count: 152 }]
        )
        assert.deepStrictEqual(
          yield* rows(copy, "SELECT contact_id, count(DISTINCT note_id) AS count FROM current_contact_notes"),
          [{ contact_id: contact, count: 2 }]
        )
      }),
    3 * slow
  )
})
