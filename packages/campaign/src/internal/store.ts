/** What a campaign reads from and writes to the database. Every change is one transaction of the process that holds the lease. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Availability from "@mailstream/sql/Availability"
import * as Database from "@mailstream/sql/Database"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { CampaignTakenOver } from "../CampaignError.ts"
import { Recipient, type State } from "../Recipient.ts"
import { type Change, type Entry, Row, sameAddressAs, StoredMember, StoredUnit, type Unit } from "./rows.ts"

/** How long a database that does not respond is tried again. */
const patience = Schedule.exponential("50 millis").pipe(
  Schedule.union(Schedule.spaced("2 seconds")),
  Schedule.upTo("5 minutes")
)

/** Repeats what can be repeated while the database is unavailable. */
export const patiently = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(work, {
    while: (error) => error instanceof SqlError && Availability.isUnavailable(error),
    // A clock that is set does not end it.
    schedule: RetryPolicy.monotonic(patience)
  })

/** How many recipients are read at once. */
export const pageSize = 500

const campaigns = (database: Database.Database) => {
  const { read, run, sql } = database
  const columns = sql.literal(`name, service, once, scope, created_at AS "createdAt", started_at AS "startedAt",
    ended_at AS "endedAt", owner, fence, beat, lease, position, anchor, newest, units, planned, accepted, rejected, skipped, undecided,
    paused, paused_until AS "pausedUntil"`)
  return {
    find: (name: string) =>
      Effect.map(read(Row, sql`SELECT ${columns} FROM mailstream_campaigns WHERE name = ${name}`), ([found]) => found),

    all: read(Row, sql`SELECT ${columns} FROM mailstream_campaigns ORDER BY created_at DESC, name`),

    /** Creates a campaign, unless it exists. */
    create: ({ anchor, createdAt, name, once, position, scope, service }: Pick<
      Row,
      "name" | "service" | "once" | "scope" | "position" | "createdAt" | "anchor"
    >) =>
      run(
        sql`INSERT INTO mailstream_campaigns (name, service, once, scope, created_at, started_at, fence, beat, lease, position,
          anchor, units, planned, accepted, rejected, skipped, undecided)
        VALUES (${name}, ${service}, ${once}, ${scope ?? null}, ${createdAt}, ${createdAt}, 0, 0, 0, ${position}, ${
          anchor ?? null
        },
          0, 0, 0, 0, 0, 0)
        ON CONFLICT (name) DO NOTHING`
      ),

    /** Changes the row of a campaign, if the condition still holds; the row afterwards. */
    swap: (name: string, change: Fragment, condition: Fragment) =>
      Effect.map(
        read(
          Row,
          sql`UPDATE mailstream_campaigns SET ${change} WHERE name = ${name} AND ${condition} RETURNING ${columns}`
        ),
        ([found]) => found
      )
  }
}

const Numbered = Schema.Struct({ unit: Database.Integer })

const units = ({ read, sql }: Database.Database) => {
  const columns = sql.literal(`unit, key, size, is_batch AS "isBatch", body, first_attempt_at AS "firstAttemptAt",
    anchor, doubt`)
  return {
    /** The units that can be sent, a few at a time: those with numbers after one, and before another. */
    open: (name: string, after: number, before: number, limit: number) =>
      read(
        StoredUnit,
        sql`SELECT ${columns} FROM mailstream_units WHERE campaign = ${name} AND state IN ('planned', 'attempting')
          AND unit > ${after} AND unit < ${before} ORDER BY unit LIMIT ${limit}`
      ),

    /** The unit of this number, unless it is done. */
    unitAt: (name: string, number: number) =>
      Effect.map(
        read(
          StoredUnit,
          sql`SELECT ${columns} FROM mailstream_units
            WHERE campaign = ${name} AND unit = ${number} AND state IN ('planned', 'attempting', 'undecided')`
        ),
        ([found]) => found
      ),

    /** The numbers of the units that nobody can tell about. */
    undecided: (name: string) =>
      Effect.map(
        read(
          Numbered,
          sql`SELECT unit FROM mailstream_units WHERE campaign = ${name} AND state = 'undecided' ORDER BY unit`
        ),
        (rows) => rows.map(({ unit }) => unit)
      )
  }
}

const Id = Schema.Struct({ id: Schema.String })
const OncePer = Schema.Struct({ oncePer: Schema.String, id: Schema.String })

const recipients = ({ among, read, sql }: Database.Database) => ({
  /** Those of a unit whose emails are in its body, and of whom nothing else is known. */
  members: (name: string, unit: number) =>
    read(
      StoredMember,
      sql`SELECT id, address, place, state FROM mailstream_recipients
        WHERE campaign = ${name} AND unit = ${unit} AND state IN ('planned', 'undecided') ORDER BY place`
    ),

  /** Which of these have a row. */
  known: (name: string, ids: ReadonlyArray<string>) =>
    Effect.map(
      read(Id, sql`SELECT id FROM mailstream_recipients WHERE campaign = ${name} AND id ${among(ids)}`),
      (rows) => new Set(rows.map(({ id }) => id))
    ),

  /** Who has these addresses, if each is written to once. */
  holders: (name: string, addresses: ReadonlyArray<string>) =>
    Effect.map(
      read(
        OncePer,
        sql`SELECT once_per AS "oncePer", id FROM mailstream_recipients
          WHERE campaign = ${name} AND once_per ${among(addresses)} AND state NOT IN ('rejected', 'skipped')`
      ),
      (rows) => new Map(rows.map(({ id, oncePer }) => [oncePer, id]))
    ),

  /** Some of the recipients, in the order of their ids. */
  recipients: (name: string, after: string, state: State | undefined) =>
    read(
      Recipient,
      sql`SELECT id, address, state, email_id AS "emailId", reason, changed_at AS "changedAt", last_event AS "lastEvent"
        FROM mailstream_recipients
        WHERE campaign = ${name} AND id > ${after} ${state === undefined ? sql`` : sql`AND state = ${state}`}
        ORDER BY id LIMIT ${pageSize}`
    )
})

/** The statements that write units and recipients. */
const statements = ({ among, items, read, run, sql }: Database.Database, name: string) => {
  const text = (place: number) => sql.literal(`e.value ->> ${place}`)
  const integer = (place: number) => sql.literal(`CAST(e.value ->> ${place} AS BIGINT)`)

  const rows = (entries: ReadonlyArray<Entry>, at: number) => {
    const json = Database.toJson(
      entries.map((
        { address, emailId = null, id, oncePer = null, place = null, reason = null, state, unit = null }
      ) => [id, address, oncePer, state, emailId, reason, unit, place])
    )
    return sql`INSERT INTO mailstream_recipients
        (campaign, id, address, once_per, state, email_id, reason, unit, place, changed_at)
      SELECT CAST(${name} AS TEXT), ${text(0)}, ${text(1)}, ${text(2)}, ${text(3)}, ${text(4)}, ${text(5)}, ${
      integer(6)
    },
        ${integer(7)}, CAST(${at} AS BIGINT)
      FROM ${items(json)} WHERE true`
  }

  return {
    insertUnit: ({ anchor, body, firstAttemptAt, isBatch, key, size, unit }: Unit) =>
      run(sql`INSERT INTO mailstream_units (campaign, unit, key, state, size, is_batch, body, first_attempt_at, anchor)
        VALUES (${name}, ${unit}, ${key}, ${firstAttemptAt === undefined ? "planned" : "attempting"}, ${size},
          ${isBatch ? 1 : 0}, ${body}, ${firstAttemptAt ?? null}, ${anchor ?? null})`),

    insert: (entries: ReadonlyArray<Entry>, at: number) => entries.length === 0 ? Effect.void : run(rows(entries, at)),

    update: (entries: ReadonlyArray<Entry>, at: number) =>
      entries.length === 0
        ? Effect.void
        : run(sql`${rows(entries, at)} ON CONFLICT (campaign, id) DO UPDATE SET state = excluded.state,
          email_id = excluded.email_id, reason = excluded.reason, unit = excluded.unit, place = excluded.place,
          changed_at = excluded.changed_at`),

    /** With one of these addresses, those who were skipped for somebody who was then rejected are rejected as well; how many. */
    rejectOthers: (addresses: ReadonlyArray<string>, at: number) =>
      addresses.length === 0 ? Effect.succeed(0) : Effect.map(
        read(
          Id,
          sql`UPDATE mailstream_recipients SET state = 'rejected', reason = reason || ', who was rejected', changed_at = ${at}
            WHERE campaign = ${name} AND once_per ${among(addresses)} AND state = 'skipped'
              AND EXISTS (${holderOf(sql)} AND h.state = 'rejected') RETURNING id`
        ),
        ({ length }) => length
      )
  }
}

/** The one whose email is that of somebody with the same address who was skipped. */
const holderOf = (sql: SqlClient.SqlClient) =>
  sql`SELECT 1 FROM mailstream_recipients h WHERE h.campaign = mailstream_recipients.campaign
    AND h.once_per = mailstream_recipients.once_per
    AND mailstream_recipients.reason = ${sameAddressAs("")} || h.id`

/** The database, and what can be read from it. */
const reading = (database: Database.Database) => ({
  ...database,
  ...campaigns(database),
  ...units(database),
  ...recipients(database)
})

type Reading = ReturnType<typeof reading>

/** Makes one change within a transaction; the row of the campaign afterwards. */
const applying = (store: Reading, name: string, fence: number) => {
  const { find, read, sql, swap } = store
  const { insert, insertUnit, rejectOthers, update } = statements(store, name)
  const takenOver = new CampaignTakenOver({ campaign: name })
  /** False if the unit is done already. */
  const concluded = ({ conclude }: Change): Database.Query<boolean> =>
    conclude === undefined ? Effect.succeed(true) : Effect.map(
      read(
        Numbered,
        sql`UPDATE mailstream_units SET state = ${conclude.state}, body = ${
          conclude.state === "done" ? sql`NULL` : sql`body`
        } WHERE campaign = ${name} AND unit = ${conclude.unit} AND state <> 'done' RETURNING unit`
      ),
      (rows) => rows.length > 0
    )
  return (change: Change, isRepeated: boolean): Effect.Effect<Row, SqlError | CampaignTakenOver> =>
    Effect.gen(function*() {
      const { accepted = 0, planned = 0, rejected = 0, skipped = 0, undecided = 0 } = change.counts
      const isMade = isRepeated && change.isDone !== undefined && (yield* change.isDone)
      if (isMade || !(yield* concluded(change))) return (yield* find(name)) ?? (yield* takenOver)
      // Numbers are not reused: those of a plan that was interrupted are left out.
      const next = Math.max(0, ...(change.units ?? []).map(({ unit }) => unit + 1))
      const row = yield* swap(
        name,
        sql`beat = beat + 1, planned = planned + ${planned}, accepted = accepted + ${accepted},
          rejected = rejected + ${rejected}, skipped = skipped + ${skipped}, undecided = undecided + ${undecided},
          units = CASE WHEN units < ${next} THEN ${next} ELSE units END,
          position = COALESCE(${change.position ?? null}, position), newest = COALESCE(${
          change.newest ?? null
        }, newest),
          ended_at = ${change.isReopened === true ? sql`NULL` : sql`ended_at`}`,
        sql`fence = ${fence}`
      )
      if (row === undefined) return yield* takenOver
      const at = yield* Clock.currentTimeMillis
      yield* Effect.forEach(change.units ?? [], insertUnit, { discard: true })
      yield* insert(change.insert ?? [], at)
      yield* update(change.update ?? [], at)
      const others = yield* rejectOthers(
        [
          ...(change.insert ?? []).filter(({ oncePer, state }) => state === "skipped" && oncePer !== undefined),
          ...(change.update ?? []).filter(({ state }) => state === "rejected")
        ].map(({ address }) => address),
        at
      )
      return others === 0 ? row : (yield* swap(
        name,
        sql`skipped = skipped - ${others}, rejected = rejected + ${others}`,
        sql`fence = ${fence}`
      )) ?? row
    })
}

/** Makes changes atomically, if this process still holds the lease of the campaign; its row after each of them. */
const committing = (store: Reading) =>
(
  name: string,
  fence: number,
  changes: ReadonlyArray<Change>
): Effect.Effect<ReadonlyArray<Row>, SqlError | CampaignTakenOver> => {
  const apply = applying(store, name, fence)
  /** Whether an earlier attempt may have been committed after all. */
  let isRepeated = false
  return patiently(store.transaction(Effect.suspend(() => {
    const mayBeMade = isRepeated
    isRepeated = true
    // An earlier attempt may still be committing: what it has changed is visible once it has let go of the row.
    const waited = mayBeMade
      ? store.run(store.sql`UPDATE mailstream_campaigns SET beat = beat + 1 WHERE name = ${name} AND fence = ${fence}`)
      : Effect.void
    return Effect.zipRight(waited, Effect.forEach(changes, (change) => apply(change, mayBeMade)))
  })))
}

/** Makes durable that a unit is about to be sent for the first time, that it certainly was not sent after all, or that there is a doubt. */
const marking = ({ run, sql, swap, transaction }: Reading) =>
(
  name: string,
  fence: number,
  { anchor, doubt, firstAttemptAt, unit }: Pick<
    Unit,
    "unit" | "anchor" | "firstAttemptAt" | "doubt"
  >
): Effect.Effect<void, SqlError | CampaignTakenOver> =>
  patiently(transaction(Effect.gen(function*() {
    const row = yield* swap(name, sql`beat = beat + 1`, sql`fence = ${fence}`)
    if (row === undefined) return yield* new CampaignTakenOver({ campaign: name })
    yield* run(sql`UPDATE mailstream_units SET state = ${firstAttemptAt === undefined ? "planned" : "attempting"},
        first_attempt_at = ${firstAttemptAt ?? null}, anchor = ${anchor ?? null}, doubt = ${doubt ?? null}
        WHERE campaign = ${name} AND unit = ${unit} AND state <> 'done'`)
  })))

/** The clock was set back by so much: from now on, this is when the attempts began whose outcome is unknown. */
const shifting =
  ({ run, sql }: Reading) => (name: string, fence: number, step: number): Effect.Effect<void, SqlError> =>
    patiently(run(sql`UPDATE mailstream_units SET first_attempt_at = first_attempt_at + ${step}
    WHERE campaign = ${name} AND state = 'attempting'
      AND EXISTS (SELECT 1 FROM mailstream_campaigns WHERE name = ${name} AND fence = ${fence})`))

/** Deletes the rows of those in a state who certainly were not written to; how many. */
const forgetting = ({ read, run, sql, swap, transaction }: Reading) =>
(
  name: string,
  fence: number,
  state: "rejected" | "skipped" | "planned",
  position: string
): Effect.Effect<number, SqlError | CampaignTakenOver> =>
  transaction(Effect.gen(function*() {
    const neverSent = sql`campaign = ${name} AND state = 'planned'`
    const gone = yield* read(
      Id,
      sql`DELETE FROM mailstream_recipients WHERE campaign = ${name} AND state = ${state} ${
        state === "planned" ? sql`AND unit IN (SELECT unit FROM mailstream_units WHERE ${neverSent})` : sql``
      } RETURNING id`
    )
    if (state === "planned") yield* run(sql`DELETE FROM mailstream_units WHERE ${neverSent}`)
    // They were skipped because the address of somebody who is forgotten had an email; none are left if those who were skipped are.
    const others = yield* read(
      Id,
      sql`DELETE FROM mailstream_recipients WHERE campaign = ${name} AND once_per IS NOT NULL AND state = 'skipped'
        AND NOT EXISTS (${holderOf(sql)}) RETURNING id`
    )
    const row = yield* swap(
      name,
      sql`beat = beat + 1, ended_at = NULL, position = ${position},
        ${sql(state)} = ${sql(state)} - ${gone.length}
        ${state === "skipped" ? sql`` : sql`, skipped = skipped - ${others.length}`}`,
      sql`fence = ${fence}`
    )
    return row === undefined ? yield* new CampaignTakenOver({ campaign: name }) : gone.length + others.length
  }))

export type Store = ReturnType<typeof writing>

const writing = (store: Reading) => ({
  ...store,
  commit: committing(store),
  mark: marking(store),
  shift: shifting(store),
  forget: forgetting(store)
})

export const make: Effect.Effect<Store, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => writing(reading(Database.make(sql)))
)
