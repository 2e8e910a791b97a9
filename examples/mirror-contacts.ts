/** A copy of contacts and segments in a SQLite file, and what changed since the last run. */
import { NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { Mailstream } from "@mailstream/http"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Mirror } from "@mailstream/mirror"
import { Sqlite } from "@mailstream/sql"
import { contacts } from "@mailstream/stream"
import { Console, Effect, Layer } from "effect"

const program = Effect.gen(function*() {
  const mirror = yield* Mirror.Mirror
  const lists: ReadonlyArray<Mirror.Name> = ["contacts", "segments", "segment-contacts"]
  for (const { created, deleted, list, updated } of yield* mirror.sync({ lists })) {
    yield* Console.log(`${list}: ${created} created, ${updated} updated, ${deleted} deleted`)
  }
  const seen = { Created: 0, Updated: 0, Deleted: 0 }
  yield* mirror.process(contacts, "example", (change) => Effect.sync(() => seen[change._tag]++))
  yield* Console.log(`changes since the last run: ${JSON.stringify(seen)}`)
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string; members: number }>`
    SELECT s.name AS name, COUNT(*) AS members FROM current_segment_contacts m
    JOIN current_segments s ON s.id = m.segment_id GROUP BY s.name ORDER BY s.name`
  for (const { members, name } of rows) yield* Console.log(`${name}: ${members}`)
})

const MirrorLive = Mirror.layer().pipe(Layer.provideMerge(Sqlite.layer({ filename: "mail.db" })))

const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(UndiciTransport.layer))

program.pipe(Effect.provide(Layer.merge(MirrorLive, MailstreamLive)), NodeRuntime.runMain)
