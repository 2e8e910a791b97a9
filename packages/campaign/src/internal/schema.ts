/** The tables of campaigns. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import * as Database from "@mailstream/sql/Database"
import * as Migrations from "@mailstream/sql/Migrations"
import * as Effect from "effect/Effect"

/**
 * - `mailstream_campaigns`: one row for each. `fence` counts the processes that have run it: a process whose number is no longer
 *   there changes nothing. `beat` changes while one is alive: at least
 *   once in `lease` milliseconds. `anchor` is an email from before the campaign, `newest` the last one
 *   that is known to be accepted.
 * - `mailstream_units`: batches of emails that were frozen before their first attempt: `key` and `body` never change. The body is
 *   dropped when its outcome is known.
 * - `mailstream_recipients`: what became of each contact. `unit` and `place` say where its email is; `once_per` is the address, if each
 *   is written to once.
 *
 * Times are in milliseconds since 1970.
 */
const create = Effect.gen(function*() {
  const { isPostgres, run, sql } = Database.make(yield* SqlClient.SqlClient)
  const compact: Fragment = sql.literal(isPostgres ? "" : "WITHOUT ROWID")
  yield* run(sql`CREATE TABLE mailstream_campaigns (
    name TEXT NOT NULL PRIMARY KEY,
    service TEXT NOT NULL,
    once TEXT NOT NULL,
    scope TEXT,
    created_at BIGINT NOT NULL,
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    owner TEXT,
    fence BIGINT NOT NULL,
    beat BIGINT NOT NULL,
    lease BIGINT NOT NULL,
    position TEXT NOT NULL,
    anchor TEXT,
    newest TEXT,
    units BIGINT NOT NULL,
    planned BIGINT NOT NULL,
    accepted BIGINT NOT NULL,
    rejected BIGINT NOT NULL,
    skipped BIGINT NOT NULL,
    undecided BIGINT NOT NULL,
    paused TEXT,
    paused_until BIGINT
  )`)
  yield* run(sql`CREATE TABLE mailstream_units (
    campaign TEXT NOT NULL,
    unit BIGINT NOT NULL,
    key TEXT NOT NULL,
    state TEXT NOT NULL,
    size BIGINT NOT NULL,
    is_batch BIGINT NOT NULL,
    body TEXT,
    first_attempt_at BIGINT,
    anchor TEXT,
    doubt TEXT,
    PRIMARY KEY (campaign, unit)
  )`)
  yield* run(sql`CREATE INDEX mailstream_units_open ON mailstream_units (campaign, unit)
    WHERE state IN ('planned', 'attempting', 'undecided')`)
  yield* run(sql`CREATE TABLE mailstream_recipients (
    campaign TEXT NOT NULL,
    id TEXT NOT NULL,
    address TEXT NOT NULL,
    once_per TEXT,
    state TEXT NOT NULL,
    email_id TEXT,
    reason TEXT,
    unit BIGINT,
    place BIGINT,
    changed_at BIGINT NOT NULL,
    last_event TEXT,
    PRIMARY KEY (campaign, id)
  ) ${compact}`)
  yield* run(sql`CREATE INDEX mailstream_recipients_unit ON mailstream_recipients (campaign, unit)
    WHERE state IN ('planned', 'undecided')`)
  yield* run(sql`CREATE INDEX mailstream_recipients_once_per ON mailstream_recipients (campaign, once_per)
    WHERE once_per IS NOT NULL`)
})

const table = "mailstream_campaign_migrations"
const migrations: Migrations.Migrations = { "0001_create": create }

/** Creates the tables, unless they are there. */
export const ensure = Effect.unlessEffect(Migrations.run(table, migrations), Migrations.areDone(table, migrations))
