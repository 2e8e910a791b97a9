/** The journal in the database. */
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import type { Agenda, Book, Line, Numbered, ReadJournal, WriteJournal } from "../Journal.ts"
import { nothingToDo } from "../Journal.ts"
import * as Lists from "../Lists.ts"
import type { StoreService } from "../StoreService.ts"
import type { Database, Run, Tables } from "./Database.ts"
import * as Places from "./Places.ts"

/** PostgreSQL returns big integers as text. */
interface Row {
  readonly id: string
  readonly seq: Places.Place
  readonly about: string | null
  readonly at: Places.Place
  readonly json: string
}

const toLine = ({ about, at, id, json, seq }: Row): Numbered => ({
  id,
  seq: Number(seq),
  about,
  at: Number(at),
  fields: JSON.parse(json)
})

const ends = { oldest: "seq", newest: "seq DESC", earliest: "at, seq" }

export const reading = ({ account, sql }: Tables, run: Run): ReadJournal => ({
  line: (book, id) =>
    !Places.canBeId(id) ? Effect.succeed(undefined) : run(Effect.map(
      sql<Row>`SELECT id, seq, about, at, json FROM mailstream_journal
        WHERE account = ${account} AND book = ${book} AND id = ${id}`,
      ([row]) => row === undefined ? undefined : toLine(row)
    )),
  lines: (book, { about, after, before, from, limit, until }) => {
    if (!Places.canBeId(about)) return Effect.succeed([])
    const conditions: ReadonlyArray<Fragment> = [
      sql`account = ${account}`,
      sql`book = ${book}`,
      ...about === undefined ? [] : [sql`about = ${about}`],
      ...after === undefined ? [] : [sql`seq > ${after}`],
      ...before === undefined ? [] : [sql`seq < ${before}`],
      ...until === undefined ? [] : [sql`at <= ${until}`]
    ]
    return run(Effect.map(
      sql<Row>`SELECT id, seq, about, at, json FROM mailstream_journal
        WHERE ${sql.and(conditions)} ORDER BY ${sql.literal(ends[from])} LIMIT ${limit}`,
      (rows) => rows.map(toLine)
    ))
  }
})

/** The list whose counter numbers the lines of a book. */
const counterOf = (book: Book) => ({ name: "journal", within: book })

/** In a transaction that nothing else of the account runs beside. */
export const writing = (tables: Tables, run: Run): WriteJournal => {
  const { account, sql } = tables
  return {
    ...reading(tables, run),
    write: (book, lines) =>
      lines.length === 0 ? Effect.void : run(Effect.gen(function*() {
        const rows = yield* Places.take(tables, counterOf(book), lines.map((line) => toRow(book, line)))
        yield* Places.inBatches(rows.map(({ live: _, ...row }) => row), (batch) =>
          sql`INSERT INTO mailstream_journal ${sql.insert(batch)} ON CONFLICT (account, book, id)
            DO UPDATE SET about = excluded.about, at = excluded.at, json = excluded.json`)
      })),
    amend: (book, { about, at, fields, id }) =>
      run(Effect.asVoid(
        sql`UPDATE mailstream_journal SET ${sql.update({ about, at, json: JSON.stringify(fields) })}
          WHERE account = ${account} AND book = ${book} AND id = ${id}`
      )),
    strike: (book, ids) =>
      run(Effect.asVoid(Places.inBatches(ids, (batch) =>
        sql`DELETE FROM mailstream_journal
          WHERE account = ${account} AND book = ${book} AND ${sql.in("id", batch)}`))),
    prune: (book, { before, keep }) => {
      const isTooMuch = keep === undefined ? sql`` : sql`OR seq <= (
        SELECT seq FROM mailstream_counters WHERE account = ${account} AND list = ${Lists.keyOf(counterOf(book))}
      ) - ${keep}`
      return run(Effect.asVoid(
        sql`DELETE FROM mailstream_journal WHERE account = ${account} AND book = ${book} AND (at < ${before} ${isTooMuch})`
      ))
    }
  }
}

const toRow = (book: Book, { about, at, fields, id }: Line) => ({ book, id, about, at, json: JSON.stringify(fields) })

/** Along indexes that hold only what is to be done. */
export const agenda = ({ run, sql }: Database): StoreService["agenda"] => (now) =>
  run(Effect.gen(function*() {
    const found = yield* sql`SELECT 1 FROM mailstream_items WHERE list = 'webhooks' AND live = 1 LIMIT 1`
    if (found.length === 0) return nothingToDo
    const webhooks = yield* sql<Agenda["webhooks"][number]>`SELECT DISTINCT account, about AS webhook
      FROM mailstream_journal WHERE book = 'deliveries' AND at <= ${now}`
    const lists = yield* sql<Agenda["lists"][number]>`SELECT DISTINCT account, list
      FROM mailstream_items WHERE due IS NOT NULL AND due <= ${now} AND live = 1`
    const [later] = yield* sql<{ readonly at: Places.Place | null; readonly due: Places.Place | null }>`SELECT
      (SELECT min(at) FROM mailstream_journal WHERE book = 'deliveries' AND at > ${now}) AS at,
      (SELECT min(due) FROM mailstream_items WHERE due IS NOT NULL AND due > ${now} AND live = 1) AS due`
    const times = [later?.at, later?.due].filter((time) => time !== null && time !== undefined).map(Number)
    return { hasWebhooks: true, webhooks, lists, next: times.length === 0 ? undefined : Math.min(...times) }
  }))
