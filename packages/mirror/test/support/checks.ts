/** What a copy in a SQLite file promises on every runtime. This also runs on Bun and Deno, from the built packages. */
import { type Contact, ContactId, Timestamp } from "@mailstream/core"
import { Mailstream } from "@mailstream/http"
import { Mirror } from "@mailstream/mirror"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { contacts } from "@mailstream/stream"
import { Chunk, Effect, Layer, Logger, Stream } from "effect"
import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const contact = (number: number): Contact => ({
  id: ContactId.make(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`),
  email: `user${number}@example.com`,
  first_name: null,
  last_name: "M\ufffdller",
  created_at: Timestamp.Timestamp.make("2026-01-02 03:04:05.678+00"),
  unsubscribed: false
})

/** What another program does. */
const editing = (filename: string, statement: string): Effect.Effect<void> =>
  Effect.sync(() => {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite")
    const database = new DatabaseSync(filename)
    database.exec(statement)
    database.close()
  })

const damaged = (filename: string) =>
  Effect.gen(function*() {
    const mirror = yield* Mirror.Mirror
    const warnings: Array<string> = []
    const recorder = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => void warnings.push(`${message}`))
    )
    const pass = Effect.map(mirror.sync({ lists: ["contacts"], full: true }), ([synced]) => {
      const { list: _, ...counts } = synced!
      return counts
    }).pipe(Effect.provide(recorder))
    const unchanged = { created: 0, updated: 0, deleted: 0, unchanged: 3 }
    assert.deepEqual(yield* pass, { ...unchanged, created: 3, unchanged: 0 })
    assert.deepEqual(yield* pass, unchanged)
    const edit = (change: string) => editing(filename, `UPDATE contacts SET ${change} WHERE id = '${contact(2).id}'`)
    yield* edit("json = replace(json, char(65533), CAST(x'ff' AS TEXT))")
    assert.deepEqual(yield* pass, { ...unchanged, updated: 1, unchanged: 2 })
    assert.deepEqual(yield* pass, unchanged)
    yield* edit("id = CAST(x'ff' || id AS TEXT)")
    assert.deepEqual(yield* pass, { ...unchanged, created: 1, unchanged: 2 })
    assert.deepEqual(yield* pass, unchanged)
    assert.equal(warnings.filter((message) => message.includes("not UTF-8")).length, 2)
    const log = Chunk.toReadonlyArray(yield* Stream.runCollect(mirror.changes(contacts)))
    assert.deepEqual(log.map(({ _tag }) => _tag), ["Created", "Created", "Created", "Updated", "Created"])
  })

export const checks: Readonly<Record<string, () => Promise<void>>> = {
  "a copy that is not UTF-8": () => {
    const folder = mkdtempSync(join(tmpdir(), "mailstream-"))
    const filename = join(folder, "mail.db")
    const layer = Layer.merge(
      Layer.provide(Mirror.layer(), Sqlite.layer({ filename })),
      Mailstream.layerTest({ contacts: [3, 2, 1].map(contact) })
    )
    return Effect.runPromise(Effect.provide(damaged(filename), layer)).finally(() =>
      rmSync(folder, { recursive: true, force: true })
    )
  }
}
