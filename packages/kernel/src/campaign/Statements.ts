/** Every statement on the tables of campaigns. Whoever runs them decides on transactions. */
import { among, type Dialect, items, toJson } from "../Sql.ts"
import { type Change, type Entry, type Row, sameAddressAs, type State, type Unit } from "./Rows.ts"

/** How many recipients are read at once. */
export const pageSize = 500

/** Who changes a campaign: one of the processes that have run it. */
export interface Runner {
  readonly name: string
  readonly fence: number
}

/** The statements, for a client's tag. Those that change a campaign return its row afterwards, or none if the condition does not hold. */
export const make = <Statement>(dialect: Dialect<Statement>) => ({
  ...campaigns(dialect),
  ...leases(dialect),
  ...changes(dialect),
  ...units(dialect),
  ...recipients(dialect),
  ...events(dialect)
})

/** The columns of a campaign, as they are read. */
const columnsOf = <Statement>({ sql }: Dialect<Statement>) =>
  sql.literal(`name, service, once, scope, created_at AS "createdAt", started_at AS "startedAt",
    ended_at AS "endedAt", owner, fence, beat, lease, position, anchor, newest, units, planned, accepted, rejected, skipped, undecided,
    paused, paused_until AS "pausedUntil"`)

/** Changes the row of a campaign, if a condition still holds. */
const swapping = <Statement>(dialect: Dialect<Statement>) => {
  const { sql } = dialect
  const columns = columnsOf(dialect)
  const swap = (name: string, change: Statement, condition: Statement) =>
    sql`UPDATE mailstream_campaigns SET ${change} WHERE name = ${name} AND ${condition} RETURNING ${columns}`
  /** As long as no other process has taken it over. */
  const fenced = (change: Statement, { fence, name }: Runner) => swap(name, change, sql`fence = ${fence}`)
  return { swap, fenced }
}

const campaigns = <Statement>(dialect: Dialect<Statement>) => {
  const { sql } = dialect
  const columns = columnsOf(dialect)
  const { swap } = swapping(dialect)
  return {
    find: (name: string) => sql`SELECT ${columns} FROM mailstream_campaigns WHERE name = ${name}`,

    all: () => sql`SELECT ${columns} FROM mailstream_campaigns ORDER BY created_at DESC, name`,

    /** Creates a campaign, unless it exists. */
    create: ({ anchor, createdAt, name, once, position, scope, service }: Pick<
      Row,
      "name" | "service" | "once" | "scope" | "position" | "createdAt" | "anchor"
    >) =>
      sql`INSERT INTO mailstream_campaigns (name, service, once, scope, created_at, started_at, fence, beat, lease, position,
          anchor, units, planned, accepted, rejected, skipped, undecided)
        VALUES (${name}, ${service}, ${once}, ${scope ?? null}, ${createdAt}, ${createdAt}, 0, 0, 0, ${position}, ${
        anchor ?? null
      },
          0, 0, 0, 0, 0, 0)
        ON CONFLICT (name) DO NOTHING`,

    /** Begins in another way a campaign in which nobody has been dealt with. */
    beginOtherwise: (runner: Runner, { once, position, scope }: Pick<Row, "once" | "position" | "scope">) =>
      swap(
        runner.name,
        sql`once = ${once}, scope = ${scope ?? null}, position = ${position}, ended_at = NULL, beat = beat + 1`,
        sql`fence = ${runner.fence} AND owner IS NULL AND units = 0`
      )
  }
}

const leases = <Statement>(dialect: Dialect<Statement>) => {
  const { sql } = dialect
  const { fenced, swap } = swapping(dialect)
  return {
    /** Takes a campaign over, unless its holder has shown a sign of life. */
    take: (
      { beat, fence, name }: Pick<Row, "name" | "fence" | "beat">,
      { lease, owner }: { readonly owner: string; readonly lease: number }
    ) =>
      swap(
        name,
        sql`owner = ${owner}, fence = fence + 1, beat = beat + 1, lease = ${lease}`,
        sql`fence = ${fence} AND beat = ${beat}`
      ),

    beat: (runner: Runner) => fenced(sql`beat = beat + 1`, runner),

    release: (runner: Runner) => fenced(sql`owner = NULL`, runner),

    start: (runner: Runner, { at, position }: { readonly at: number; readonly position: string }) =>
      fenced(
        sql`paused = NULL, paused_until = NULL, ended_at = NULL, position = ${position},
        started_at = ${at}`,
        runner
      ),

    end: (runner: Runner, at: number) => fenced(sql`ended_at = ${at}`, runner),

    pause: (runner: Runner, reason: string, until: number | undefined) =>
      fenced(sql`paused = ${reason}, paused_until = ${until ?? null}`, runner),

    resume: (runner: Runner) => fenced(sql`paused = NULL, paused_until = NULL`, runner)
  }
}

const changes = <Statement>(dialect: Dialect<Statement>) => {
  const { sql } = dialect
  const { fenced } = swapping(dialect)
  return {
    /** Waits for other changes of a campaign that are under way. */
    wait: ({ fence, name }: Runner) =>
      sql`UPDATE mailstream_campaigns SET beat = beat + 1 WHERE name = ${name} AND fence = ${fence}`,

    /** Applies what a change says about the campaign. Numbers are not reused: those of a plan that was interrupted are left out. */
    count: (
      runner: Runner,
      {
        counts: { accepted = 0, planned = 0, rejected = 0, skipped = 0, undecided = 0 },
        isReopened,
        newest,
        position,
        units
      }: Pick<Change, "counts" | "isReopened" | "newest" | "position" | "units">
    ) => {
      const next = Math.max(0, ...(units ?? []).map(({ unit }) => unit + 1))
      return fenced(
        sql`beat = beat + 1, planned = planned + ${planned}, accepted = accepted + ${accepted},
          rejected = rejected + ${rejected}, skipped = skipped + ${skipped}, undecided = undecided + ${undecided},
          units = CASE WHEN units < ${next} THEN ${next} ELSE units END,
          position = COALESCE(${position ?? null}, position), newest = COALESCE(${newest ?? null}, newest),
          ended_at = ${isReopened === true ? sql`NULL` : sql`ended_at`}`,
        runner
      )
    },

    /** So many who were skipped are rejected instead. */
    countOthers: (runner: Runner, others: number) =>
      fenced(sql`skipped = skipped - ${others}, rejected = rejected + ${others}`, runner),

    /** So many in a state are forgotten, and so many others who were skipped because of them. */
    countForgotten: (
      runner: Runner,
      { gone, others, position, state }: {
        readonly state: Forgettable
        readonly gone: number
        readonly others: number
        readonly position: string
      }
    ) =>
      fenced(
        sql`beat = beat + 1, ended_at = NULL, position = ${position},
        ${sql.literal(state)} = ${sql.literal(state)} - ${gone}
        ${state === "skipped" ? sql`` : sql`, skipped = skipped - ${others}`}`,
        runner
      )
  }
}

/** The states of those who certainly were not written to. */
export type Forgettable = "rejected" | "skipped" | "planned"

const units = <Statement>({ sql }: Dialect<Statement>) => {
  const columns = sql.literal(`unit, key, size, is_batch AS "isBatch", body, first_attempt_at AS "firstAttemptAt",
    anchor, doubt`)
  return {
    /** The units that can be sent, a few at a time: those with numbers after one, and before another. */
    open: (name: string, after: number, before: number, limit: number) =>
      sql`SELECT ${columns} FROM mailstream_units WHERE campaign = ${name} AND state IN ('planned', 'attempting')
          AND unit > ${after} AND unit < ${before} ORDER BY unit LIMIT ${limit}`,

    /** The unit of this number, unless it is done. */
    unitAt: (name: string, number: number) =>
      sql`SELECT ${columns} FROM mailstream_units
            WHERE campaign = ${name} AND unit = ${number} AND state IN ('planned', 'attempting', 'undecided')`,

    /** The numbers of the units that nobody can tell about. */
    undecided: (name: string) =>
      sql`SELECT unit FROM mailstream_units WHERE campaign = ${name} AND state = 'undecided' ORDER BY unit`,

    insertUnit: (name: string, { anchor, body, firstAttemptAt, isBatch, key, size, unit }: Unit) =>
      sql`INSERT INTO mailstream_units (campaign, unit, key, state, size, is_batch, body, first_attempt_at, anchor)
        VALUES (${name}, ${unit}, ${key}, ${firstAttemptAt === undefined ? "planned" : "attempting"}, ${size},
          ${isBatch ? 1 : 0}, ${body}, ${firstAttemptAt ?? null}, ${anchor ?? null})`,

    /** The number of the unit; none if it is done already. */
    conclude: (name: string, { state, unit }: { readonly unit: number; readonly state: "done" | "undecided" }) =>
      sql`UPDATE mailstream_units SET state = ${state}, body = ${
        state === "done" ? sql`NULL` : sql`body`
      } WHERE campaign = ${name} AND unit = ${unit} AND state <> 'done' RETURNING unit`,

    /** A unit is about to be sent for the first time, it certainly was not sent after all, or there is a doubt. */
    mark: (
      name: string,
      { anchor, doubt, firstAttemptAt, unit }: Pick<Unit, "unit" | "anchor" | "firstAttemptAt" | "doubt">
    ) =>
      sql`UPDATE mailstream_units SET state = ${firstAttemptAt === undefined ? "planned" : "attempting"},
        first_attempt_at = ${firstAttemptAt ?? null}, anchor = ${anchor ?? null}, doubt = ${doubt ?? null}
        WHERE campaign = ${name} AND unit = ${unit} AND state <> 'done'`,

    /** The clock was set back by so much: from now on, this is when the attempts began whose outcome is unknown. */
    shift: ({ fence, name }: Runner, step: number) =>
      sql`UPDATE mailstream_units SET first_attempt_at = first_attempt_at + ${step}
    WHERE campaign = ${name} AND state = 'attempting'
      AND EXISTS (SELECT 1 FROM mailstream_campaigns WHERE name = ${name} AND fence = ${fence})`,

    /** Deletes the units that certainly were not sent. */
    forgetUnits: (name: string) => sql`DELETE FROM mailstream_units WHERE campaign = ${name} AND state = 'planned'`
  }
}

const recipients = <Statement>(dialect: Dialect<Statement>) => {
  const { sql } = dialect
  const text = (place: number) => sql.literal(`e.value ->> ${place}`)
  const integer = (place: number) => sql.literal(`CAST(e.value ->> ${place} AS BIGINT)`)

  const rows = (name: string, entries: ReadonlyArray<Entry>, at: number) => {
    const json = toJson(
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
      FROM ${items(dialect, json)} WHERE true`
  }

  /** The one whose email is that of somebody with the same address who was skipped. */
  const holderOf = () =>
    sql`SELECT 1 FROM mailstream_recipients h WHERE h.campaign = mailstream_recipients.campaign
    AND h.once_per = mailstream_recipients.once_per
    AND mailstream_recipients.reason = ${sameAddressAs("")} || h.id`

  return {
    /** Those of a unit whose emails are in its body, and of whom nothing else is known. */
    members: (name: string, unit: number) =>
      sql`SELECT id, address, place, state FROM mailstream_recipients
        WHERE campaign = ${name} AND unit = ${unit} AND state IN ('planned', 'undecided') ORDER BY place`,

    /** Which of these have a row. */
    known: (name: string, ids: ReadonlyArray<string>) =>
      sql`SELECT id FROM mailstream_recipients WHERE campaign = ${name} AND id ${among(dialect, ids)}`,

    /** Who has these addresses, if each is written to once. */
    holders: (name: string, addresses: ReadonlyArray<string>) =>
      sql`SELECT once_per AS "oncePer", id FROM mailstream_recipients
          WHERE campaign = ${name} AND once_per ${among(dialect, addresses)} AND state NOT IN ('rejected', 'skipped')`,

    /** Some of the recipients, in the order of their ids. */
    recipients: (name: string, after: string, state: State | undefined) =>
      sql`SELECT id, address, state, email_id AS "emailId", reason, changed_at AS "changedAt", last_event AS "lastEvent"
        FROM mailstream_recipients
        WHERE campaign = ${name} AND id > ${after} ${state === undefined ? sql`` : sql`AND state = ${state}`}
        ORDER BY id LIMIT ${pageSize}`,

    insert: rows,

    update: (name: string, entries: ReadonlyArray<Entry>, at: number) =>
      sql`${rows(name, entries, at)} ON CONFLICT (campaign, id) DO UPDATE SET state = excluded.state,
          email_id = excluded.email_id, reason = excluded.reason, unit = excluded.unit, place = excluded.place,
          changed_at = excluded.changed_at`,

    /** With one of these addresses, those who were skipped for somebody who was then rejected are rejected as well. */
    rejectOthers: (name: string, addresses: ReadonlyArray<string>, at: number) =>
      sql`UPDATE mailstream_recipients SET state = 'rejected', reason = reason || ', who was rejected', changed_at = ${at}
            WHERE campaign = ${name} AND once_per ${among(dialect, addresses)} AND state = 'skipped'
              AND EXISTS (${holderOf()} AND h.state = 'rejected') RETURNING id`,

    /** Deletes those in a state who certainly were not written to. */
    forget: (name: string, state: Forgettable) =>
      sql`DELETE FROM mailstream_recipients WHERE campaign = ${name} AND state = ${state} ${
        state === "planned"
          ? sql`AND unit IN (SELECT unit FROM mailstream_units WHERE campaign = ${name} AND state = 'planned')`
          : sql``
      } RETURNING id`,

    /** Deletes those who were skipped because the address of somebody who is forgotten had an email. */
    forgetOthers: (name: string) =>
      sql`DELETE FROM mailstream_recipients WHERE campaign = ${name} AND once_per IS NOT NULL AND state = 'skipped'
        AND NOT EXISTS (${holderOf()}) RETURNING id`
  }
}

const events = <Statement>(dialect: Dialect<Statement>) => {
  const { isPostgres, sql } = dialect
  return {
    /** Created when it is first needed: most campaigns are never asked about. */
    indexEmails: () =>
      sql`CREATE INDEX IF NOT EXISTS mailstream_recipients_email
    ON mailstream_recipients (email_id) WHERE email_id IS NOT NULL`,

    /**
     * What is known about some emails. Another process may be noting another event of the same one: the first one is waited for.
     * SQLite has one writer anyway.
     */
    lastEvents: (ids: ReadonlyArray<string>) =>
      sql`SELECT email_id AS id, last_event AS "lastEvent" FROM mailstream_recipients WHERE email_id ${
        among(dialect, ids)
      } ${isPostgres ? sql`ORDER BY email_id FOR UPDATE` : sql``}`,

    /** Stores the last events of emails, by their ids. */
    note: (events: ReadonlyArray<readonly [id: string, event: string]>) => {
      const json = toJson(events)
      return sql`UPDATE mailstream_recipients SET last_event = (
          SELECT e.value ->> 1 FROM ${items(dialect, json)} WHERE e.value ->> 0 = email_id
        ) WHERE email_id IN (SELECT e.value ->> 0 FROM ${items(dialect, json)})`
    },

    /** How many accepted emails have each last event. */
    eventsOf: (name: string) =>
      sql`SELECT last_event AS event, COUNT(*) AS count FROM mailstream_recipients
        WHERE campaign = ${name} AND state = 'accepted' GROUP BY last_event`
  }
}
