/** Compares a copy at rest with the lists of its service, and with its own changes. */
import { SqlClient } from "@effect/sql"
import { Timestamp } from "@mailstream/core"
import { Mirror } from "@mailstream/mirror"
import { contacts, receivedEmailAttachments, receivedEmails, segments, topics } from "@mailstream/stream"
import { DateTime, Effect, Schema, Stream } from "effect"
import { createHash } from "node:crypto"
import * as Database from "./database.ts"

/** Text as PostgreSQL can store it. */
const storable = (text: string): string => Buffer.from(text).toString().replaceAll("\u0000", "\ufffd")

/** Text as it can be stored, and fields in the order of their names. */
const normalized = (value: unknown): unknown => {
  if (typeof value === "string") return storable(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(normalized)
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([k, v]) => [k, normalized(v)])
  )
}

/** Items by key: of each, what tells it from others. A million items would not fit into memory several times. */
type Items = Map<string, string>

const fingerprint = (item: unknown): string =>
  createHash("sha256").update(JSON.stringify(normalized(item))).digest("base64").slice(0, 22)

const collect = <Item extends { readonly id: string }, E, R>(
  items: Stream.Stream<Item, E, R>,
  into: Items,
  owner = "",
  value: (item: Item) => unknown = (item) => item
) =>
  Stream.runForEachChunk(items, (chunk) =>
    Effect.sync(() => {
      for (const item of chunk) into.set(`${owner}${item.id}`, fingerprint(value(item)))
    }))

type Table = keyof typeof replays

/** Everything that the service lists, by table. */
const listed = Effect.gen(function*() {
  const tables = new Map<Table, Items>()
  const table = (name: Table): Items => {
    const items: Items = new Map()
    tables.set(name, items)
    return items
  }
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

/** What identifies a row, where that is not its id. */
const keys: Partial<Record<Table, string>> = {
  segment_contacts: "segment_id || '/' || contact_id",
  received_email_attachments: "email_id || '/' || id"
}

const compare = (name: string, expected: ReadonlyMap<string, string>, found: ReadonlyMap<string, string>) => {
  const wrong: Array<string> = []
  for (const [id, print] of expected) {
    if (found.get(id) !== print) wrong.push(`${name} ${id}: ${found.has(id) ? "differs" : "missing"}`)
  }
  for (const id of found.keys()) if (!expected.has(id)) wrong.push(`${name} ${id}: not in the list`)
  return wrong
}

/** How many rows are read at once. */
const batch = 50_000

/** Looks at all rows of a table, in the order of an expression that is unique. */
const eachRow = (
  name: Table,
  columns: string,
  key: string,
  look: (row: Record<string, unknown>) => void
) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    for (let last = "";;) {
      const rows = yield* sql<Record<string, unknown>>`SELECT ${sql.literal(key)} AS key, ${sql.literal(columns)}
        FROM ${sql(name)} WHERE ${sql.literal(key)} > ${last} ORDER BY ${sql.literal(key)} LIMIT ${batch}`
      rows.forEach(look)
      if (rows.length < batch) return
      last = String(rows.at(-1)?.["key"])
    }
  })

/** The rows that exist. */
const copied = (name: Table) =>
  Effect.gen(function*() {
    const items: Items = new Map()
    yield* eachRow(name, "deleted_at, CAST(json AS text) AS json", keys[name] ?? "id", (row) => {
      if (row["deleted_at"] === null) items.set(String(row["key"]), fingerprint(JSON.parse(String(row["json"]))))
    })
    return items
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
  const wrong: Array<string> = []
  const columns = "email, first_name, last_name, unsubscribed, created_at, CAST(json AS text) AS json"
  yield* eachRow("contacts", columns, "id", (row) => {
    const item = JSON.parse(String(row["json"]))
    const texts = ["email", "first_name", "last_name"].filter((name) => row[name] !== (item[name] ?? null))
    const names = [
      ...texts,
      ...(Boolean(row["unsubscribed"]) === item.unsubscribed ? [] : ["unsubscribed"]),
      ...(millis(row["created_at"]) === millis(item.created_at) ? [] : ["created_at"])
    ]
    wrong.push(...names.map((name) => `contacts ${row["key"]}: ${name} is ${row[name]}`))
  })
  return wrong
})

/** What the changes of a list produce. */
const replayed = <Item extends { readonly id: string }, Encoded>(list: Mirror.Module<Item, Encoded>) =>
  Effect.gen(function*() {
    const mirror = yield* Mirror.Mirror
    const items: Items = new Map()
    yield* Stream.runForEachChunk(mirror.changes(list), (changes) =>
      Effect.sync(() => {
        for (const { _tag, item, owner } of changes) {
          const key = owner === undefined ? item.id : `${owner}/${item.id}`
          if (_tag === "Deleted") items.delete(key)
          else items.set(key, fingerprint(item))
        }
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

const replays = {
  contacts: replayed(contacts),
  segments: replayed(segments),
  topics: replayed(topics),
  received_emails: replayed(receivedEmails),
  received_email_attachments: replayed(receivedEmailAttachments),
  segment_contacts: replayed(Mirror.segmentContacts)
}

export const judge = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const expected = yield* listed
  const [wrongRows, wrongChanges]: [Array<string>, Array<string>] = [[], []]
  let items = 0
  for (const [name, list] of expected) {
    const rows = yield* copied(name)
    items += list.size
    wrongRows.push(...compare(name, list, rows))
    wrongChanges.push(...compare(`${name}, replayed`, rows, yield* replays[name]))
  }
  const [changes] = yield* sql<{ readonly count: number }>`SELECT COUNT(*) AS count FROM mirror_changes`
  return {
    items,
    changes: Number(changes?.count),
    wrongRows: [...wrongRows, ...yield* typed],
    wrongChanges: [...wrongChanges, ...yield* numbered],
    wrongConsumer: yield* consumed
  } satisfies Verdict
})
