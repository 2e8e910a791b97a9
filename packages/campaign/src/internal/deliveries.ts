/** What became of accepted emails: from the emails of the account, and from webhooks. */
import type { SqlError } from "@effect/sql/SqlError"
import type { Email, WebhookEvent } from "@mailstream/core"
import * as Timestamp from "@mailstream/core/Timestamp"
import type { Emails } from "@mailstream/http/Services"
import * as Plans from "@mailstream/kernel/campaign/Plans"
import * as Rows from "@mailstream/kernel/campaign/Rows"
import * as Sql from "@mailstream/kernel/Sql"
import type * as Database from "@mailstream/sql/Database"
import * as Postgres from "@mailstream/sql/Postgres"
import * as emails from "@mailstream/stream/emails"
import type { ListError } from "@mailstream/stream/ListError"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Row } from "./rows.ts"
import * as Rules from "./rules.ts"
import { patiently, type Store } from "./store.ts"

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
          if (left.delete(email.id)) bound = Math.min(bound, time - Rules.margin)
          return left.size === 0 && time < bound
        })
    )
  })

const index = ({ run, statements }: Store) =>
  Postgres.allow("1 hour")(
    // Of two that create it at the same time, PostgreSQL refuses one.
    Effect.retry(patiently(run(statements.indexEmails())), { while: Sql.isConflict, times: 3 })
  )

/** Stores events of emails, unless more is known about them already; whether any of them is one of a campaign. */
const note = (
  { rows, run, statements, transaction }: Store,
  events: ReadonlyMap<string, string>
): Database.Query<boolean> =>
  patiently(transaction(Effect.gen(function*() {
    const known = yield* rows(Rows.event, statements.lastEvents([...events.keys()]))
    const later = Plans.later(known, events)
    if (later.length > 0) yield* run(statements.note(later))
    return known.length > 0
  })))

/** How many accepted emails have each last event. */
const counts = ({ rows, statements }: Store, name: string) =>
  Effect.map(
    patiently(rows(Rows.count, statements.eventsOf(name))),
    (counts): Readonly<Record<string, number>> => Object.fromEntries(counts)
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

/** Stores an event of a webhook; false if it is not about an email of a campaign. */
export const record = (store: Store, event: WebhookEvent): Effect.Effect<boolean, SqlError> =>
  Effect.gen(function*() {
    const said = Plans.eventOf(event)
    if (said === undefined) return false
    yield* index(store)
    return yield* note(store, new Map([said]))
  })
