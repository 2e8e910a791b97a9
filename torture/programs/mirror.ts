/**
 * Keeps a copy of the service at `BASE_URL` in the database `DATABASE`, pass after pass, and processes the changes of
 * contacts meanwhile: each with a row of its own, in the transaction that commits it. With `REST`, it ends after a pass
 * that began after the start of the process, and once all changes are processed; the last line of its output is how many
 * milliseconds that pass took.
 */
import { NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { Mirror } from "@mailstream/mirror"
import { contacts } from "@mailstream/stream"
import { Duration, Effect, Layer, Schedule, Stream } from "effect"
import * as Database from "../experiments/mirror/database.ts"
import { services } from "../support/clients.ts"

const { BASE_URL = "", DATABASE = "", REST = "0" } = process.env

/** A pass over all lists. */
const pass = Effect.flatMap(Mirror.Mirror, (mirror) =>
  mirror.sync({
    lists: Database.lists,
    lanes: 3,
    // Few lists are short enough to be emptied by chance.
    maxDeleted: 1,
    retry: Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(2))
  }))

/** Processes the changes of contacts that are not processed yet. */
const consume = (options: { readonly poll?: "100 millis" }) =>
  Effect.flatMap(
    Effect.all([Mirror.Mirror, SqlClient.SqlClient]),
    ([mirror, sql]) =>
      mirror.processPages(contacts, Database.consumer, (pages) =>
        Stream.runForEach(pages, ({ changes, commit }) => {
          const rows = changes.map(({ _tag: kind, item: { id }, seq }) => ({ seq, kind, id }))
          return sql.withTransaction(
            Effect.zipRight(sql`INSERT INTO ${sql(Database.consumed)} ${sql.insert(rows)}`, commit)
          )
        }), options)
  )

/** Whatever goes wrong, it is tried again. */
const again = Effect.retry({ schedule: Schedule.spaced("50 millis") })

const forever = Effect.zipRight(
  Effect.fork(again(Effect.sandbox(consume({ poll: "100 millis" })))),
  Effect.forever(Effect.zipRight(again(Effect.sandbox(pass)), Effect.sleep("10 millis")))
)

/** The first pass may have begun in a process that was killed. */
const once = Effect.gen(function*() {
  yield* again(pass)
  const [took] = yield* Effect.timed(pass)
  yield* consume({})
  yield* Effect.sync(() => process.stdout.write(`${Math.round(Duration.toMillis(took))}\n`))
})

const program = Effect.gen(function*() {
  yield* Effect.sync(() => process.stdout.write("ready\n"))
  yield* REST === "1" ? once : forever
})

program.pipe(
  Effect.scoped,
  Effect.provide(Layer.merge(services(BASE_URL), Database.copy(DATABASE))),
  NodeRuntime.runMain
)
