/** Whether the requests that the service observed, and the copies in the database, are as promised. */
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Option, Schedule } from "effect"
import type { Digests, Exchange } from "./protocol.ts"

/** By account, its requests in the order in which they arrived. */
const byAccount = (exchanges: ReadonlyArray<Exchange>): ReadonlyMap<string, ReadonlyArray<Exchange>> => {
  const accounts = new Map<string, Array<Exchange>>()
  for (const exchange of exchanges) {
    const known = accounts.get(exchange.account)
    if (known === undefined) accounts.set(exchange.account, [exchange])
    else known.push(exchange)
  }
  for (const list of accounts.values()) list.sort((one, other) => one.startedAt - other.startedAt)
  return accounts
}

/** A lock cannot go to another worker and come back in this time, in milliseconds. */
const shortest = 1000

export interface Overlap {
  readonly account: string
  /** For how long two workers had requests for the account, in milliseconds. */
  readonly length: number
}

/**
 * Requests of one worker while another one worked for the same account: at the same time as another's request, or between
 * two of them.
 */
export const overlaps = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Overlap> =>
  [...byAccount(exchanges)].flatMap(([account, list]) =>
    list.flatMap((exchange, at) => {
      const [before, after] = [list[at - 1], list[at + 1]]
      if (before === undefined || before.worker === exchange.worker) return []
      const atOnce = Math.min(before.endedAt, exchange.endedAt) - exchange.startedAt
      const isBetween = after !== undefined && after.worker === before.worker &&
        after.startedAt - before.endedAt < shortest
      if (isBetween) return [{ account, length: after.startedAt - before.endedAt }]
      return atOnce > 0 ? [{ account, length: atOnce }] : []
    })
  )

/** Responses that say that an account sent too much, later than a window after another worker began with it. */
export const excesses = (exchanges: ReadonlyArray<Exchange>, window: number) => {
  let refused = 0
  const late: Array<string> = []
  for (const [account, list] of byAccount(exchanges)) {
    let since = 0
    let worker: string | undefined
    for (const exchange of list) {
      if (exchange.worker !== worker) {
        worker = exchange.worker
        since = exchange.startedAt
      }
      if (exchange.status !== 429) continue
      refused++
      if (exchange.startedAt - since > window) {
        late.push(`${account}, ${exchange.startedAt - since} ms after its beginning`)
      }
    }
  }
  return { refused, late }
}

/** How often an account went to another worker. */
export const handovers = (exchanges: ReadonlyArray<Exchange>): number =>
  [...byAccount(exchanges).values()].reduce(
    (sum, list) => sum + list.filter(({ worker }, at) => at > 0 && list[at - 1]?.worker !== worker).length,
    0
  )

/** A digest of each copy, as the service makes it of its lists. */
const copied = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const digests = (table: string, line: string) =>
    sql.unsafe<{ readonly account: string; readonly text: string }>(
      `SELECT account, count(*) || ' ' || md5(string_agg(line, ',' ORDER BY line COLLATE "C")) AS text
       FROM (SELECT account, ${line} AS line FROM ${table}) t GROUP BY account`
    )
  const contacts = yield* digests(
    "current_contacts",
    "id || '|' || coalesce(first_name, '') || '|' || coalesce(last_name, '') || '|' || unsubscribed::text"
  )
  const topics = new Map(
    (yield* digests("current_topics", "id || '|' || name")).map(({ account, text }) => [account, text])
  )
  return new Map(contacts.map(({ account, text }) => [account, `${text} ${topics.get(account)}`]))
})

/** The accounts whose copies differ from their lists. */
export const differences = (expected: Digests) =>
  Effect.map(
    copied,
    (found) =>
      Object.entries(expected).flatMap(([account, digest]) =>
        found.get(account) === digest ? [] : [`${account}: ${found.get(account)} instead of ${digest}`]
      )
  )

/** Whether the changes of each copy are numbered without a gap. */
export const gaps = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly account: string; readonly list: string }>`SELECT l.account, l.list
    FROM mirror_lists l LEFT JOIN mirror_changes c ON c.account = l.account AND c.list = l.list
    GROUP BY l.account, l.list, l.changes
    HAVING count(c.seq) <> l.changes OR count(DISTINCT c.seq) <> l.changes OR COALESCE(max(c.seq), 0) <> l.changes`
  return rows.map(({ account, list }) => `${account}: ${list}`)
})

/**
 * Whether changes lead to the copy: each follows from the one before about the same item, at a time that is not earlier and has come, and
 * what is left in the end are the rows.
 */
export const replayed = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const wrong = yield* sql<
    { readonly account: string; readonly list: string; readonly seq: string; readonly what: string }
  >`
    WITH steps AS (
      SELECT account, list, id, seq, kind, at, before,
        lag(kind) OVER item AS kind_before, lag(after) OVER item AS after_before,
        lag(at) OVER (PARTITION BY account, list ORDER BY seq) AS at_before
      FROM mirror_changes WINDOW item AS (PARTITION BY account, list, owner, id ORDER BY seq)
    )
    SELECT account, list, seq::text AS seq, concat_ws(' ', kind, 'after', kind_before, at, at_before) AS what FROM steps
    WHERE (kind = 'Created') <> (kind_before IS NULL OR kind_before = 'Deleted')
      OR (kind <> 'Created' AND before IS DISTINCT FROM after_before)
      OR at < at_before OR at > clock_timestamp()
    LIMIT 100`
  const rest = yield* sql<{ readonly account: string; readonly id: string }>`
    WITH left_ AS (
      SELECT DISTINCT ON (account, list, id) account, list, id, kind FROM mirror_changes ORDER BY account, list, id, seq DESC
    ), copied AS (
      SELECT account, 'contacts' AS list, id FROM current_contacts UNION ALL SELECT account, 'topics', id FROM current_topics
    )
    SELECT COALESCE(l.account, c.account) AS account, COALESCE(l.id, c.id) AS id
    FROM (SELECT * FROM left_ WHERE kind <> 'Deleted') l FULL JOIN copied c USING (account, list, id)
    WHERE l.account IS NULL OR c.account IS NULL LIMIT 100`
  const [total] = yield* sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM mirror_changes`
  return {
    changes: total?.count ?? 0,
    wrong: [
      ...wrong.map(({ account, list, seq, what }) => `${account}, ${list} ${seq}: ${what}`),
      ...rest.map(({ account, id }) => `${account}: ${id}`)
    ]
  }
})

/** Waits until the accounts of a worker are free that was killed just now, and returns how many seconds that took. */
export const takeover = (name: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const held = sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM cluster_accounts
      WHERE worker IN (SELECT id FROM cluster_workers WHERE name = ${name})`
    const count = Effect.map(held, ([row]) => row?.count ?? 0)
    if ((yield* count) === 0) return Option.none<number>()
    const [took] = yield* Effect.timed(
      Effect.repeat(count, { until: (count) => count === 0, schedule: Schedule.spaced("200 millis") })
    )
    return Option.some(Duration.toSeconds(took))
  })
