/** The tables of the store. */
import type { MigrationError } from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Migrations from "@mailstream/sql/Migrations"
import * as Effect from "effect/Effect"
import * as Lists from "../Lists.ts"
import * as Rules from "../Rules.ts"
import type { Entry } from "../StoreService.ts"

/**
 * - `items`: the items of every list. `seq` is the item's place in the list; `live` is 0 once the item is deleted. `details`
 *   are the fields that lists do not show, `name` is what else an object can be found by, and `due` is when it changes.
 *   `campaign`, `recipient` and `state` are what emails are grouped and counted by.
 * - `members`: the contacts of each segment, with their places in the segment.
 * - `counters`: the last place taken in each list. Taking places locks the list's row until the transaction ends, so
 *   places become visible in order even when several processes insert.
 * - `secrets`: the hashes of the API keys, and what the keys may do.
 */
const create = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE mailstream_items (
    account TEXT NOT NULL,
    list TEXT NOT NULL,
    seq BIGINT NOT NULL,
    id TEXT NOT NULL,
    live INTEGER NOT NULL,
    json TEXT,
    PRIMARY KEY (account, list, id)
  )`
  // Partial, so that deleted items cost a page nothing.
  yield* sql`CREATE UNIQUE INDEX mailstream_items_live ON mailstream_items (account, list, seq) WHERE live = 1`
  yield* sql`CREATE TABLE mailstream_members (
    account TEXT NOT NULL,
    segment TEXT NOT NULL,
    seq BIGINT NOT NULL,
    contact TEXT NOT NULL,
    live INTEGER NOT NULL,
    PRIMARY KEY (account, segment, contact)
  )`
  yield* sql`CREATE UNIQUE INDEX mailstream_members_live ON mailstream_members (account, segment, seq) WHERE live = 1`
  yield* sql`CREATE INDEX mailstream_members_contact ON mailstream_members (account, contact)`
  yield* sql`CREATE TABLE mailstream_counters (
    account TEXT NOT NULL,
    list TEXT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (account, list)
  )`
  yield* sql`CREATE TABLE mailstream_secrets (
    account TEXT NOT NULL,
    prefix TEXT NOT NULL,
    hash TEXT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL
  )`
  yield* sql`CREATE INDEX mailstream_secrets_prefix ON mailstream_secrets (prefix)`
})

/** Adds what single objects need to databases that had lists alone. */
const addObjects = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE mailstream_items ADD COLUMN details TEXT`
  yield* sql`ALTER TABLE mailstream_items ADD COLUMN name TEXT`
  yield* sql`ALTER TABLE mailstream_items ADD COLUMN due BIGINT`
  yield* sql`ALTER TABLE mailstream_secrets ADD COLUMN permission TEXT`
  const field = (name: string) =>
    sql.literal(sql.onDialectOrElse({
      pg: () => `(json::json ->> '${name}')`,
      orElse: () => `json_extract(json, '$.${name}')`
    }))
  yield* sql`UPDATE mailstream_items SET name = lower(${field("email")}) WHERE list = 'contacts' AND live = 1`
  yield* sql`UPDATE mailstream_items SET name = ${field("alias")} WHERE list = 'templates' AND live = 1`
  yield* sql`CREATE INDEX mailstream_items_name ON mailstream_items (account, list, name) WHERE live = 1`
  yield* sql`CREATE INDEX mailstream_items_due ON mailstream_items (account, list, due) WHERE due IS NOT NULL`
})

/**
 * Adds what the server keeps for itself: `journal` has the lines of `Journal.ts`, numbered by the counters of lists that are
 * named after their books.
 */
const addJournal = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE mailstream_journal (
    account TEXT NOT NULL,
    book TEXT NOT NULL,
    id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    about TEXT,
    at BIGINT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (account, book, id)
  )`
  yield* sql`CREATE UNIQUE INDEX mailstream_journal_seq ON mailstream_journal (account, book, seq)`
  yield* sql`CREATE INDEX mailstream_journal_at ON mailstream_journal (account, book, at)`
  yield* sql`CREATE INDEX mailstream_journal_about ON mailstream_journal (account, book, about, at)`
  // These are looked for in all accounts at once.
  yield* sql`CREATE INDEX mailstream_journal_due ON mailstream_journal (at, account, about) WHERE book = 'deliveries'`
  yield* sql`CREATE INDEX mailstream_items_any_due ON mailstream_items (due, account, list) WHERE due IS NOT NULL`
  yield* sql`CREATE INDEX mailstream_items_webhooks ON mailstream_items (account)
    WHERE list = 'webhooks' AND live = 1`
})

/**
 * Adds what tells the emails of a campaign apart: see `Lists.campaignOf`. Those that are stored get it, too. A deleted email keeps
 * its campaign, because it stays a cursor.
 */
const addCampaigns = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const column of ["campaign", "recipient", "state"]) {
    yield* sql`ALTER TABLE mailstream_items ADD COLUMN ${sql(column)} TEXT`
  }
  const next = ({ account, seq }: Pick<Stored, "account" | "seq">) =>
    sql<Stored>`SELECT account, seq, json, details FROM mailstream_items
      WHERE list = ${Lists.emails.name} AND live = 1 AND details LIKE '%"mailstream"%'
        AND (account > ${account} OR (account = ${account} AND seq > ${seq}))
      ORDER BY account, seq LIMIT 100`
  let stored = yield* next({ account: "", seq: 0 })
  while (stored.length > 0) {
    for (const row of stored) {
      const { campaign, recipient, state } = Rules.toEntry(Lists.emails, Rules.toFields(row))
      if (campaign === null) continue
      yield* sql`UPDATE mailstream_items SET ${sql.update({ campaign, recipient, state })}
        WHERE account = ${row.account} AND list = ${Lists.emails.name} AND seq = ${row.seq} AND live = 1`
    }
    stored = yield* next(stored.at(-1)!)
  }
  // One to read the emails of a campaign along, and two that have what is counted, in the order of its groups.
  yield* sql`CREATE INDEX mailstream_items_campaign ON mailstream_items (account, campaign, seq)
    WHERE live = 1 AND campaign IS NOT NULL`
  yield* sql`CREATE INDEX mailstream_items_recipient ON mailstream_items (account, campaign, recipient)
    WHERE live = 1 AND campaign IS NOT NULL`
  yield* sql`CREATE INDEX mailstream_items_state ON mailstream_items (account, campaign, state, seq)
    WHERE live = 1 AND campaign IS NOT NULL`
})

interface Stored extends Pick<Entry, "json" | "details"> {
  readonly account: string
  /** PostgreSQL returns big integers as text. */
  readonly seq: number | string
}

/** Creates the tables, unless the database has them. */
export const run: Effect.Effect<void, SqlError | MigrationError, SqlClient.SqlClient> = Migrations.run(
  "mailstream_migrations",
  {
    "0001_create": create,
    "0002_add_objects": addObjects,
    "0003_add_journal": addJournal,
    "0004_add_campaigns": addCampaigns
  }
)
