/** What became of accepted emails: from the emails of the account, and from webhooks. */
import type { SqlError } from "@effect/sql/SqlError"
import type { Email, WebhookEvent } from "@mailstream/core"
import * as Timestamp from "@mailstream/core/Timestamp"
import type { Emails } from "@mailstream/http/Services"
import * as Database from "@mailstream/sql/Database"
import * as Postgres from "@mailstream/sql/Postgres"
import * as emails from "@mailstream/stream/emails"
import type { ListError } from "@mailstream/stream/ListError"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Row } from "./rows.ts"
import { patiently, type Store } from "./store.ts"

/** Emails that are accepted at almost the same time may be listed in any order. */
const margin = Duration.toMillis("10 minutes")

/** When an email was accepted, in milliseconds. */
const timeOf = ({ created_at }: Pick<Email, "created_at">): number | undefined =>
  created_at === undefined || created_at === null
    ? undefined
    : DateTime.toEpochMillis(Timestamp.toDateTime(created_at))

/**
 * Pages of the emails of the account, from the newest to those that are certainly older than all of these anchors: the clock of this
 * machine does not matter. Without an anchor, to the end of the list.
 */
export const since = (
  anchors: ReadonlyArray<string | undefined>,
  options?: Parameters<typeof emails.pages>[0]
): Stream.Stream<ReadonlyArray<Email>, ListError, Emails> =>
  Stream.suspend(() => {
    const left = new Set(anchors)
    let bound = Infinity
    return Stream.takeUntil(
      Stream.map(emails.pages(options), ({ data }) => data),
      (page) =>
        page.some((email) => {
          const time = timeOf(email)
          if (time === undefined) return false
          if (left.delete(email.id)) bound = Math.min(bound, time - margin)
          return left.size === 0 && time < bound
        })
    )
  })

/** Created when it is first needed: most campaigns are never asked about. */
const index = ({ run, sql }: Store) =>
  Postgres.allow("1 hour")(patiently(run(sql`CREATE INDEX IF NOT EXISTS mailstream_recipients_email
    ON mailstream_recipients (email_id) WHERE email_id IS NOT NULL`)))

const Known = Schema.Struct({ id: Schema.String, lastEvent: Database.nullable(Schema.String) })

/** Stores events of emails, unless more is known about them already; whether any of them is one of a campaign. */
const note = (
  { among, isPostgres, items, read, run, sql, transaction }: Store,
  events: ReadonlyMap<string, string>
): Database.Query<boolean> =>
  patiently(transaction(Effect.gen(function*() {
    const known = yield* read(
      Known,
      // Another process may be noting another event of the same email: the first one is waited for. SQLite has one writer anyway.
      sql`SELECT email_id AS id, last_event AS "lastEvent" FROM mailstream_recipients WHERE email_id ${
        among([...events.keys()])
      } ${isPostgres ? sql`ORDER BY email_id FOR UPDATE` : sql``}`
    )
    const later = known.flatMap(({ id, lastEvent }) => {
      const event = events.get(id)
      return event !== undefined && isLater(lastEvent, event) ? [[id, event]] : []
    })
    const json = Database.toJson(later)
    if (later.length > 0) {
      yield* run(sql`UPDATE mailstream_recipients SET last_event = (
          SELECT e.value ->> 1 FROM ${items(json)} WHERE e.value ->> 0 = email_id
        ) WHERE email_id IN (SELECT e.value ->> 0 FROM ${items(json)})`)
    }
    return known.length > 0
  })))

const Count = Schema.Struct({ event: Database.nullable(Schema.String), count: Database.Integer })

/** How many accepted emails have each last event. */
const counts = ({ read, sql }: Store, name: string) =>
  Effect.map(
    patiently(read(
      Count,
      sql`SELECT last_event AS event, COUNT(*) AS count FROM mailstream_recipients
        WHERE campaign = ${name} AND state = 'accepted' GROUP BY last_event`
    )),
    (rows): Readonly<Record<string, number>> =>
      Object.fromEntries(rows.map(({ count, event = "unknown" }) => [event, count]))
  )

/** Asks what became of the emails of a campaign, and stores it; how many have each last event. */
export const refresh = (
  store: Store,
  { anchor, name }: Row,
  options: Parameters<typeof emails.pages>[0]
): Effect.Effect<Readonly<Record<string, number>>, ListError | SqlError, Emails> =>
  Effect.gen(function*() {
    yield* index(store)
    yield* since([anchor], options).pipe(
      Stream.runForEach((page) =>
        note(store, new Map(page.flatMap(({ id, last_event }) => last_event == null ? [] : [[id, last_event]])))
      )
    )
    return yield* counts(store, name)
  })

/** Later events have higher numbers: webhooks deliver them in any order, and a list may lag behind. */
const ranks: { readonly [event: string]: number } = {
  queued: 0,
  scheduled: 0,
  sent: 1,
  delivery_delayed: 2,
  delivered: 3,
  opened: 4,
  clicked: 5,
  canceled: 6,
  failed: 6,
  suppressed: 6,
  bounced: 7,
  complained: 8
}

const rankOf = (event: string): number => ranks[event] ?? 3

/** Whether an event says more about an email than the last one that is known. */
const isLater = (known: string | undefined, event: string): boolean =>
  known === undefined || rankOf(event) > rankOf(known)

/** Stores an event of a webhook; false if it is not about an email of a campaign. */
export const record = (store: Store, { data, type }: WebhookEvent): Effect.Effect<boolean, SqlError> =>
  Effect.gen(function*() {
    const id = typeof data === "object" && data !== null && "email_id" in data ? data.email_id : undefined
    if (!type.startsWith("email.") || typeof id !== "string") return false
    yield* index(store)
    return yield* note(store, new Map([[id, type.slice("email.".length)]]))
  })
