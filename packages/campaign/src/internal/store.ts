/** What a campaign reads from and writes to the database. Every change is one transaction of the process that holds the lease. */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Availability from "@mailstream/sql/Availability"
import * as Database from "@mailstream/sql/Database"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { CampaignTakenOver } from "../CampaignError.ts"
import { type Counts, Recipient, type State } from "../Recipient.ts"

/** How many recipients are read at once. */
export const pageSize = 500

/** A row of `mailstream_campaigns`. */
export const Row = Schema.Struct({
  name: Schema.String,
  service: Schema.String,
  once: Schema.String,
  createdAt: Database.Integer,
  startedAt: Database.Integer,
  endedAt: Database.nullable(Database.Integer),
  owner: Database.nullable(Schema.String),
  fence: Database.Integer,
  beat: Database.Integer,
  position: Schema.String,
  anchor: Database.nullable(Schema.String),
  units: Database.Integer,
  planned: Database.Integer,
  accepted: Database.Integer,
  rejected: Database.Integer,
  skipped: Database.Integer,
  undecided: Database.Integer,
  paused: Database.nullable(Schema.String),
  pausedUntil: Database.nullable(Database.Integer)
})

export interface Row extends Schema.Schema.Type<typeof Row> {}

/** A batch of emails whose key and bytes never change. */
export interface Unit {
  readonly unit: number
  readonly key: string
  readonly isBatch: boolean
  readonly size: number
  readonly body: string
  /** When its first attempt was about to begin, in milliseconds; undefined if certainly none has. */
  readonly firstAttemptAt: number | undefined
  /** An email that was accepted before the first attempt: its own ones are newer. */
  readonly anchor: string | undefined
  /** Why only the emails of the account can tell what became of it, if that is known. */
  readonly doubt: "Refused" | "Conflict" | undefined
}

export type UnitState = "planned" | "attempting" | "undecided" | "done"

const UnitRow = Schema.Struct({
  unit: Database.Integer,
  key: Schema.String,
  state: Schema.Literal("planned", "attempting", "undecided"),
  size: Database.Integer,
  isBatch: Schema.transform(Database.Integer, Schema.Boolean, {
    strict: true,
    decode: (number) => number !== 0,
    encode: (boolean) => boolean ? 1 : 0
  }),
  body: Schema.String,
  firstAttemptAt: Database.nullable(Database.Integer),
  anchor: Database.nullable(Schema.String),
  doubt: Database.nullable(Schema.Literal("Refused", "Conflict"))
})

export type StoredUnit = typeof UnitRow.Type

/** Somebody whose email is in a unit. */
export interface Member {
  readonly id: string
  readonly address: string
}

const MemberRow = Schema.Struct({
  id: Schema.String,
  address: Schema.String,
  place: Database.Integer,
  state: Schema.Literal("planned", "undecided")
})

export type StoredMember = typeof MemberRow.Type

/** What a row of `mailstream_recipients` is to hold. */
export interface Entry extends Member {
  readonly oncePer?: string | undefined
  readonly state: State
  readonly emailId?: string | undefined
  readonly reason?: string | undefined
  readonly unit?: number | undefined
  readonly place?: number | undefined
}

/** One change of a campaign. */
export interface Change {
  /** What is true once it has been committed: a commit whose response was lost is not made twice. */
  readonly isDone: (store: Reading) => Database.Query<boolean>
  /** How many more, or fewer, there are in each state. */
  readonly counts: Partial<Counts>
  readonly insert?: ReadonlyArray<Entry> | undefined
  readonly update?: ReadonlyArray<Entry> | undefined
  readonly units?: ReadonlyArray<Unit> | undefined
  readonly position?: string | undefined
  /** What becomes of a unit. */
  readonly conclude?: {
    readonly unit: number
    readonly state: "done" | "undecided"
    readonly doubt?: Unit["doubt"]
  } | undefined
}

/** How long a database that does not respond is tried again. */
const patience = Schedule.exponential("50 millis").pipe(
  Schedule.union(Schedule.spaced("2 seconds")),
  Schedule.upTo("5 minutes")
)

/** Repeats what can be repeated while the database is unavailable. */
export const patiently = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(work, {
    while: (error) => error instanceof SqlError && Availability.isUnavailable(error),
    schedule: patience
  })

const Id = Schema.Struct({ id: Schema.String })
const OncePer = Schema.Struct({ oncePer: Schema.String, id: Schema.String })

/** What can be read from the database, and the row of a campaign. */
export type Reading = ReturnType<typeof reading>

export type Store = ReturnType<typeof writing>

const reading = (given: SqlClient.SqlClient) => {
  const database = Database.make(given)
  const { among, read, run, sql } = database

  const row = sql.literal(
    `name, service, once, created_at AS "createdAt", started_at AS "startedAt", ended_at AS "endedAt",
    owner, fence, beat, position, anchor, units, planned, accepted, rejected, skipped, undecided, paused,
    paused_until AS "pausedUntil"`
  )
  const unit = sql.literal(`unit, key, state, size, is_batch AS "isBatch", body, first_attempt_at AS "firstAttemptAt",
    anchor, doubt`)

  const find = (name: string) =>
    Effect.map(read(Row, sql`SELECT ${row} FROM mailstream_campaigns WHERE name = ${name}`), ([found]) => found)

  const all = read(Row, sql`SELECT ${row} FROM mailstream_campaigns ORDER BY created_at DESC, name`)

  const create = (given: Pick<Row, "name" | "service" | "once" | "position" | "createdAt" | "anchor">) =>
    run(
      sql`INSERT INTO mailstream_campaigns (name, service, once, created_at, started_at, fence, beat, position, anchor, units,
        planned, accepted, rejected, skipped, undecided)
      VALUES (${given.name}, ${given.service}, ${given.once}, ${given.createdAt}, ${given.createdAt}, 0, 0, ${given.position},
        ${given.anchor ?? null}, 0, 0, 0, 0, 0, 0)
      ON CONFLICT (name) DO NOTHING`
    )

  /** Changes the row of a campaign, if the condition still holds; the row afterwards. */
  const swap = (name: string, change: Fragment, condition: Fragment) =>
    Effect.map(
      read(
        Row,
        sql`UPDATE mailstream_campaigns SET ${change} WHERE name = ${name} AND ${condition} RETURNING ${row}`
      ),
      ([found]) => found
    )

  /** The units that can be sent, a few at a time. */
  const open = (name: string, after: number, limit: number) =>
    read(
      UnitRow,
      sql`SELECT ${unit} FROM mailstream_units WHERE campaign = ${name} AND state IN ('planned', 'attempting')
        AND unit > ${after} ORDER BY unit LIMIT ${limit}`
    )

  /** The unit of this number, unless it is done. */
  const unitAt = (name: string, number: number) =>
    Effect.map(
      read(
        UnitRow,
        sql`SELECT ${unit} FROM mailstream_units WHERE campaign = ${name} AND unit = ${number} AND state <> 'done'`
      ),
      ([found]) => found
    )

  /** The numbers of the units that nobody can tell about. */
  const undecided = (name: string) =>
    Effect.map(
      read(
        Schema.Struct({ unit: Database.Integer }),
        sql`SELECT unit FROM mailstream_units WHERE campaign = ${name} AND state = 'undecided' ORDER BY unit`
      ),
      (rows) => rows.map(({ unit }) => unit)
    )

  /** Those of a unit whose emails are in its body, and not known to be anything else. */
  const members = (name: string, unit: number) =>
    read(
      MemberRow,
      sql`SELECT id, address, place, state FROM mailstream_recipients
        WHERE campaign = ${name} AND unit = ${unit} AND state IN ('planned', 'undecided') ORDER BY place`
    )

  /** Which of these have a row. */
  const known = (name: string, ids: ReadonlyArray<string>) =>
    Effect.map(
      read(Id, sql`SELECT id FROM mailstream_recipients WHERE campaign = ${name} AND id ${among(ids)}`),
      (rows) => new Set(rows.map(({ id }) => id))
    )

  /** Who has these addresses, if each is written to once. */
  const holders = (name: string, addresses: ReadonlyArray<string>) =>
    Effect.map(
      read(
        OncePer,
        sql`SELECT once_per AS "oncePer", id FROM mailstream_recipients
          WHERE campaign = ${name} AND once_per ${among(addresses)}`
      ),
      (rows) => new Map(rows.map(({ id, oncePer }) => [oncePer, id]))
    )

  /** The state of a unit. */
  const stateOf = (name: string, unit: number) =>
    Effect.map(
      read(
        Schema.Struct({ state: Schema.Literal("planned", "attempting", "undecided", "done") }),
        sql`SELECT state FROM mailstream_units WHERE campaign = ${name} AND unit = ${unit}`
      ),
      ([found]) => found?.state
    )

  /** Some of the recipients, in the order of their ids. */
  const recipients = (name: string, after: string, state: State | undefined) =>
    read(
      Recipient,
      sql`SELECT id, address, state, email_id AS "emailId", reason, changed_at AS "changedAt", last_event AS "lastEvent"
        FROM mailstream_recipients
        WHERE campaign = ${name} AND id > ${after} ${state === undefined ? sql`` : sql`AND state = ${state}`}
        ORDER BY id LIMIT ${pageSize}`
    )

  return { ...database, find, all, create, swap, open, unitAt, undecided, members, known, holders, recipients, stateOf }
}

const writing = (self: Reading) => {
  const { items, read, run, sql, swap, transaction } = self

  const text = (place: number) => sql.literal(`e.value ->> ${place}`)
  const integer = (place: number) => sql.literal(`CAST(e.value ->> ${place} AS BIGINT)`)

  const rows = (name: string, entries: ReadonlyArray<Entry>, at: number) => {
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

  const insertUnit = (name: string) => (unit: Unit) =>
    run(
      sql`INSERT INTO mailstream_units (campaign, unit, key, state, size, is_batch, body, first_attempt_at, anchor, doubt)
      VALUES (${name}, ${unit.unit}, ${unit.key}, ${
        unit.firstAttemptAt === undefined ? "planned" : "attempting"
      }, ${unit.size}, ${unit.isBatch ? 1 : 0}, ${unit.body}, ${unit.firstAttemptAt ?? null}, ${
        unit.anchor ?? null
      }, NULL)`
    )

  /** Changes a campaign atomically, if this process still holds its lease. The counts afterwards. */
  const commit = (name: string, fence: number, change: Change): Effect.Effect<Row, SqlError | CampaignTakenOver> => {
    let isRepeated = false
    const { conclude, counts: { accepted = 0, planned = 0, rejected = 0, skipped = 0, undecided = 0 } } = change
    return patiently(transaction(Effect.gen(function*() {
      const mayBeDone = isRepeated && (yield* change.isDone(self))
      isRepeated = true
      const found = yield* swap(
        name,
        mayBeDone
          ? sql`beat = beat + 1`
          : sql`beat = beat + 1, planned = planned + ${planned}, accepted = accepted + ${accepted},
            rejected = rejected + ${rejected}, skipped = skipped + ${skipped}, undecided = undecided + ${undecided},
            units = units + ${change.units?.length ?? 0}, position = COALESCE(${change.position ?? null}, position)`,
        sql`fence = ${fence}`
      )
      if (found === undefined) return yield* new CampaignTakenOver({ campaign: name })
      if (mayBeDone) return found
      const at = yield* Clock.currentTimeMillis
      if (conclude !== undefined) {
        yield* run(
          conclude.state === "done"
            ? sql`UPDATE mailstream_units SET state = 'done', body = NULL WHERE campaign = ${name} AND unit = ${conclude.unit}`
            : sql`UPDATE mailstream_units SET state = 'undecided', doubt = ${conclude.doubt ?? null}
                WHERE campaign = ${name} AND unit = ${conclude.unit}`
        )
      }
      yield* Effect.forEach(change.units ?? [], insertUnit(name), { discard: true })
      if (change.insert !== undefined && change.insert.length > 0) yield* run(rows(name, change.insert, at))
      if (change.update !== undefined && change.update.length > 0) {
        yield* run(sql`${rows(name, change.update, at)} ON CONFLICT (campaign, id) DO UPDATE SET state = excluded.state,
          email_id = excluded.email_id, reason = excluded.reason, unit = excluded.unit, place = excluded.place,
          changed_at = excluded.changed_at`)
      }
      return found
    })))
  }

  /** Makes durable that a unit is about to be sent for the first time, or certainly was not sent after all. */
  const mark = (
    name: string,
    fence: number,
    { anchor, doubt, firstAttemptAt, unit }: Pick<Unit, "unit" | "anchor" | "firstAttemptAt" | "doubt">
  ): Effect.Effect<void, SqlError | CampaignTakenOver> =>
    patiently(transaction(Effect.gen(function*() {
      const found = yield* swap(name, sql`beat = beat + 1`, sql`fence = ${fence}`)
      if (found === undefined) return yield* new CampaignTakenOver({ campaign: name })
      yield* run(sql`UPDATE mailstream_units SET state = ${firstAttemptAt === undefined ? "planned" : "attempting"},
        first_attempt_at = ${firstAttemptAt ?? null}, anchor = ${anchor ?? null}, doubt = ${doubt ?? null}
        WHERE campaign = ${name} AND unit = ${unit} AND state <> 'done'`)
    })))

  /** Deletes the rows of those in a state who certainly were not written to; how many. */
  const forget = (
    name: string,
    fence: number,
    state: "rejected" | "skipped" | "planned"
  ): Effect.Effect<number, SqlError | CampaignTakenOver> =>
    transaction(Effect.gen(function*() {
      const before = yield* swap(name, sql`beat = beat + 1`, sql`fence = ${fence}`)
      if (before === undefined) return yield* new CampaignTakenOver({ campaign: name })
      const neverSent = sql`SELECT unit FROM mailstream_units WHERE campaign = ${name} AND state = 'planned'`
      const gone = yield* read(
        Id,
        sql`DELETE FROM mailstream_recipients WHERE campaign = ${name} AND state = ${state} ${
          state === "planned" ? sql`AND unit IN (${neverSent})` : sql``
        } RETURNING id`
      )
      if (state === "planned") {
        yield* run(sql`DELETE FROM mailstream_units WHERE campaign = ${name} AND state = 'planned'`)
      }
      yield* swap(name, sql`${sql(state)} = ${sql(state)} - ${gone.length}`, sql`fence = ${fence}`)
      return gone.length
    }))

  return { ...self, commit, mark, forget }
}

export const make: Effect.Effect<Store, never, SqlClient.SqlClient> = Effect.map(
  SqlClient.SqlClient,
  (sql) => writing(reading(sql))
)
