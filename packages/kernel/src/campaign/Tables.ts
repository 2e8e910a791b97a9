/**
 * The tables of campaigns.
 *
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

/** The table that says which migrations have been run. */
export const migrations = "mailstream_campaign_migrations"

/** The statements of each migration, by its name, which begins with its number. */
export const statements = (isPostgres: boolean): Readonly<Record<string, ReadonlyArray<string>>> => ({
  "0001_create": [
    `CREATE TABLE mailstream_campaigns (
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
  )`,
    `CREATE TABLE mailstream_units (
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
  )`,
    `CREATE INDEX mailstream_units_open ON mailstream_units (campaign, unit)
    WHERE state IN ('planned', 'attempting', 'undecided')`,
    `CREATE TABLE mailstream_recipients (
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
  ) ${isPostgres ? "" : "WITHOUT ROWID"}`,
    `CREATE INDEX mailstream_recipients_unit ON mailstream_recipients (campaign, unit)
    WHERE state IN ('planned', 'undecided')`,
    `CREATE INDEX mailstream_recipients_once_per ON mailstream_recipients (campaign, once_per)
    WHERE once_per IS NOT NULL`
  ]
})
