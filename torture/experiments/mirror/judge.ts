/** Compares a copy at rest with the lists of its service, and with its own changes. */
import { SqlClient } from "@effect/sql"
import { Timestamp } from "@mailstream/core"
import { Mirror } from "@mailstream/mirror"
import { contacts, receivedEmailAttachments, receivedEmails, segments, topics } from "@mailstream/stream"
import { DateTime, Effect, Schema, Stream } from "effect"
import * as Database from "./database.ts"

/** Text as PostgreSQL can store it, as JSON whose fields are sorted. */
const normalized = (value: unknown): string =>
  JSON.stringify(value, (_, value: unknown) =>
    typeof value === "string"
      ? Buffer.from(value).toString().replaceAll("\u0000", "\ufffd")
      : typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1))
      : value)

type Items = Map<string, string>

const collect = <Item extends { readonly id: string }, E, R>(
  items: Stream.Stream<Item, E, R>,
  into: Items,
  owner = "",
  value: (item: Item) => unknown = (item) => item
) => Stream.runForEach(items, (item) => Effect.sync(() => void into.set(`${owner}${item.id}`, normalized(value(item)))))

/** Everything that the service lists, by table. */
const listed = Effect.gen(function*() {
  const tables: Record<string, Items> = {}
  const table = (name: string): Items => tables[name] = new Map()
  yield* collect(segments.items(), table("segments"))
  yield* collect(contacts.whole(), table("contacts"))
  yield* collect(receivedEmails.items(), table("received_emails"))
  yield* collect(topics.items(), table("topics"))
  const members = table("segment_contacts")
  yield* Stream.runForEach(
    segments.items(),
    ({ id }) => collect(contacts.items({ filter: { segment_id: id } }), members, `${id}/`, ({ id }) => ({ id }))
  )
  const attachments = table("received_email_attachments")
  yield* Stream.runForEach(
    receivedEmails.items(),
    ({ id }) => collect(receivedEmailAttachments.items({ filter: { email_id: id } }), attachments, `${id}/`)
  )
  return tables
})

const keys: Record<string, string> = {
  segment_contacts: "segment_id || '/' || contact_id",
  received_email_attachments: "email_id || '/' || id"
}

const compare = (name: string, expected: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>) => [
  ...[...expected].flatMap(([id, json]) => {
    const other = found.get(id)
    return other === json ? [] : [`${name} ${id}: ${other ?? "missing"} instead of ${json}`]
  }),
  ...[...found.keys()].flatMap((id) => expected.has(id) ? [] : [`${name} ${id}: not in the list`])
]

/** The rows that exist, by table. */
const copied = (name: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql.unsafe<{ readonly key: string; readonly json: string }>(
      `SELECT ${keys[name] ?? "id"} AS key, CAST(json AS text) AS json FROM ${name} WHERE deleted_at IS NULL`
    )
    return new Map(rows.map(({ json, key }) => [key, normalized(JSON.parse(json))]))
  })

const isTimestamp = Schema.is(Timestamp.Timestamp)

const millis = (value: unknown): number | undefined =>
  value instanceof Date
    ? value.getTime()
    : isTimestamp(value)
    ? DateTime.toEpochMillis(Timestamp.toDateTime(value))
    : undefined

/** The typed columns of contacts, compared with the JSON beside them. */
const typed = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.unsafe<Record<string, unknown>>(
    `SELECT id, email, first_name, last_name, unsubscribed, created_at, CAST(json AS text) AS text FROM contacts`
  )
  return rows.flatMap((row) => {
    const item = JSON.parse(String(row["text"]))
    const texts = ["email", "first_name", "last_name"].filter((name) => row[name] !== (item[name] ?? null))
    const wrong = [
      ...texts,
      ...(Boolean(row["unsubscribed"]) === item.unsubscribed ? [] : ["unsubscribed"]),
      ...(millis(row["created_at"]) === millis(item.created_at) ? [] : ["created_at"])
    ]
    return wrong.map((name) => `contacts ${row["id"]}: ${name} is ${row[name]}`)
  })
})

/** What the changes of a list produce. */
const replayed = <Item extends { readonly id: string }, Encoded>(list: Mirror.Module<Item, Encoded>) =>
  Effect.gen(function*() {
    const items: Items = new Map()
    yield* Stream.runForEach(Mirror.changes(list), (change) =>
      Effect.sync(() => {
        const key = change.owner === undefined ? change.item.id : `${change.owner}/${change.item.id}`
        if (change._tag === "Deleted") items.delete(key)
        else items.set(key, normalized(change.item))
      }))
    return items
  })

/** Whether the changes of each list are numbered from 1 to the last one. */
const numbered = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.unsafe<Record<string, unknown>>(
    `SELECT l.list AS list, l.changes AS last, COUNT(c.seq) AS count, COUNT(DISTINCT c.seq) AS different,
       COALESCE(MAX(c.seq), 0) AS highest, COALESCE(MIN(c.seq), 1) AS lowest
     FROM mirror_lists l LEFT JOIN mirror_changes c ON c.account = l.account AND c.list = l.list
     GROUP BY l.list, l.changes`
  )
  return rows.filter((row) =>
    ["count", "different", "highest"].some((name) => Number(row[name]) !== Number(row["last"])) ||
    Number(row["lowest"]) !== 1
  ).map((row) => `gaps: ${JSON.stringify(row)}`)
})

/** Whether the consumer has processed each change of contacts once, in order. */
const consumed = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql.unsafe<Record<string, unknown>>(
    `SELECT (SELECT COUNT(*) FROM ${Database.consumed}) AS count,
       (SELECT COUNT(*) FROM mirror_changes WHERE list = 'contacts') AS changes,
       (SELECT COUNT(*) FROM mirror_changes c JOIN ${Database.consumed} d
          ON d.seq = c.seq AND d.id = c.id AND d.kind = c.kind WHERE c.list = 'contacts') AS same`
  )
  return Number(row?.["count"]) === Number(row?.["changes"]) && Number(row?.["same"]) === Number(row?.["changes"])
    ? []
    : [`processed: ${JSON.stringify(row)}`]
})

export interface Verdict {
  /** How many items were compared. */
  readonly items: number
  readonly changes: number
  readonly wrongRows: ReadonlyArray<string>
  readonly wrongChanges: ReadonlyArray<string>
  readonly wrongConsumer: ReadonlyArray<string>
}

export const judge = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const expected = yield* listed
  const wrong: Array<string> = []
  let items = 0
  const rows: Record<string, Items> = {}
  for (const [name, list] of Object.entries(expected)) {
    rows[name] = yield* copied(name)
    items += list.size
    wrong.push(...compare(name, list, rows[name]))
  }
  const replays = {
    contacts: yield* replayed(contacts),
    segments: yield* replayed(segments),
    topics: yield* replayed(topics),
    received_emails: yield* replayed(receivedEmails),
    received_email_attachments: yield* replayed(receivedEmailAttachments),
    segment_contacts: yield* replayed(Mirror.segmentContacts)
  }
  const wrongChanges = Object.entries(replays).flatMap(([name, items]) =>
    compare(`${name}, replayed`, rows[name] ?? new Map(), items)
  )
  const [changes] = yield* sql<{ readonly count: number }>`SELECT COUNT(*) AS count FROM mirror_changes`
  return {
    items,
    changes: Number(changes?.count),
    wrongRows: [...wrong, ...yield* typed],
    wrongChanges: [...wrongChanges, ...yield* numbered],
    wrongConsumer: yield* consumed
  } satisfies Verdict
})
