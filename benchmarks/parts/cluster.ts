/**
 * What a cluster costs: CPU time, statements and WAL for each page, compared with the mirror on one machine; the same with two and
 * three workers, and how long it takes until a killed one is replaced; how many passes they get done; and what accounts cost that are not due.
 */
import * as Postgres from "@mailstream/testing/Postgres"
import { Duration, Effect } from "effect"
import * as Clusters from "../clusters.ts"
import * as Harness from "../harness.ts"
import * as Setting from "../setting.ts"

const accounts = Number(process.env["CLUSTER_ACCOUNTS"] ?? 100)
const size = 2000
const pages = accounts * size / 100
const idleAccounts = [100, 1000, 10_000, 100_000]
/** How many accounts with a single email there are for passes without changes. */
const smallAccounts = 1000
/** How long idle workers are watched. */
const watched = Duration.seconds(20)

interface Copied extends Clusters.Cost {
  readonly wal: number
  /** Seconds until a killed worker was replaced. */
  readonly takeover?: number | undefined
}

const byMirror = (baseUrl: string): Effect.Effect<Copied, unknown, Postgres.Postgres> =>
  Effect.gen(function*() {
    const { url, wal } = yield* Clusters.database
    const before = yield* wal
    const child = yield* Clusters.keeper({ BASE_URL: baseUrl, DATABASE: url, ACCOUNTS: String(accounts) })
    const cost = yield* Clusters.told(child)
    return { ...cost, wal: (yield* wal) - before }
  }).pipe(Effect.scoped)

const start = (baseUrl: string, url: string, count: number, accounts: number) =>
  Clusters.workers(count, { BASE_URL: baseUrl, DATABASE: url, ACCOUNTS: String(accounts) })

const byWorkers = (baseUrl: string, count: number): Effect.Effect<Copied, unknown, Postgres.Postgres> =>
  Effect.gen(function*() {
    const { sql, untilNone, url, wal } = yield* Clusters.database
    const before = yield* wal
    const children = yield* start(baseUrl, url, count, accounts)
    yield* untilNone(
      "all accounts are copied",
      sql`SELECT ${accounts} - count(last_succeeded) AS count FROM cluster_accounts`
    )
    const cost = Clusters.sum(yield* Effect.forEach(children, Clusters.asked))
    const copied = { ...cost, wal: (yield* wal) - before }
    if (count === 1) return copied
    // A pass for each place of each worker.
    yield* sql`UPDATE cluster_accounts SET next_at = now()`
    yield* untilNone(
      "every worker has accounts",
      sql`SELECT ${count} - count(DISTINCT worker) AS count FROM cluster_accounts WHERE worker IS NOT NULL`
    )
    const [killed] = yield* sql<
      { readonly id: string }
    >`SELECT id::text AS id FROM cluster_workers WHERE name = 'worker-0'`
    const [takeover] = yield* Effect.timed(Effect.zipRight(
      Effect.sync(() => children[0]?.kill("SIGKILL")),
      untilNone(
        "the killed one is replaced",
        sql`SELECT count(*) AS count FROM cluster_accounts WHERE worker = ${killed?.id ?? ""}::uuid`
      )
    ))
    return { ...copied, takeover: Duration.toSeconds(takeover) }
  }).pipe(Effect.scoped)

/** What a worker costs in a minute, with accounts that are not due. */
const idle = (baseUrl: string, count: number) =>
  Effect.gen(function*() {
    const { sql, untilNone, url, wal } = yield* Clusters.database
    // The first worker creates the tables; then its accounts are taken to be copied.
    yield* Effect.scoped(Effect.gen(function*() {
      yield* start(baseUrl, url, 1, 0)
      yield* untilNone("the tables exist", sql`SELECT count(*) AS count FROM cluster_workers WHERE id IS NULL`)
    }))
    yield* sql`INSERT INTO cluster_accounts (id, next_at, last_succeeded, kind)
      SELECT 'account-' || n, now() + interval '1 day', now(), 'short' FROM generate_series(1, ${count}) n`
    const children = yield* start(baseUrl, url, 1, count)
    yield* untilNone(
      "it takes part",
      sql`SELECT 1 - count(*) AS count FROM cluster_workers WHERE gone_at IS NULL`
    ).pipe(
      Effect.zipRight(Effect.sleep("10 seconds"))
    )
    const [first, wal1] = [Clusters.sum(yield* Effect.forEach(children, Clusters.asked)), yield* wal]
    yield* Effect.sleep(watched)
    const [last, wal2] = [Clusters.sum(yield* Effect.forEach(children, Clusters.asked)), yield* wal]
    const perMinute = 60 / Duration.toSeconds(watched)
    return {
      cpu: (last.cpu - first.cpu) * perMinute,
      statements: (last.statements - first.statements) * perMinute,
      wal: (wal2 - wal1) * perMinute
    }
  }).pipe(Effect.scoped)

interface Rate extends Clusters.Cost {
  readonly passes: number
}

/** How many passes without changes, of one request each, workers get done in a second. */
const rate = (baseUrl: string, count: number) =>
  Effect.gen(function*() {
    const { sql, untilNone, url } = yield* Clusters.database
    const children = yield* start(baseUrl, url, count, smallAccounts)
    yield* untilNone(
      "all accounts are copied",
      sql`SELECT ${smallAccounts} - count(last_succeeded) AS count FROM cluster_accounts`
    )
    const before = Clusters.sum(yield* Effect.forEach(children, Clusters.asked))
    yield* sql`UPDATE cluster_accounts SET next_at = now()`
    const [took] = yield* Effect.timed(untilNone(
      "all accounts are copied again",
      sql`SELECT count(*) AS count FROM cluster_accounts WHERE worker IS NOT NULL OR next_at <= now()`
    ))
    const after = Clusters.sum(yield* Effect.forEach(children, Clusters.asked))
    const rate: Rate = {
      passes: smallAccounts / Duration.toSeconds(took),
      cpu: (after.cpu - before.cpu) / smallAccounts,
      statements: (after.statements - before.statements) / smallAccounts
    }
    return rate
  }).pipe(Effect.scoped)

const perPage = ({ cpu, statements, wal }: Copied): string =>
  `${Harness.digits(cpu / pages)} ms CPU, ${Harness.digits(statements / pages)} statements, ${
    Harness.digits(wal / pages / 1024)
  } KB of WAL`

const most = 1.2

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size, keep: 1000 })
  // Whatever is done first finds a cold machine.
  yield* byMirror(baseUrl)
  const mirror = yield* byMirror(baseUrl)
  const [one, two, three] = [yield* byWorkers(baseUrl, 1), yield* byWorkers(baseUrl, 2), yield* byWorkers(baseUrl, 3)]
  const ratio = (copied: Copied, of: keyof Clusters.Cost | "wal") => copied[of] / mirror[of]
  const workers = ([[1, one], [2, two], [3, three]] as const).map(([count, copied]): Harness.Row => {
    const ratios = (["cpu", "statements", "wal"] as const).map((of) => ratio(copied, of))
    return {
      what: `a page, with ${count} ${count === 1 ? "worker" : "workers"}`,
      measured: perPage(copied),
      ratio: ratios.map((ratio) => `${Harness.digits(ratio)} ×`).join(", "),
      ...(count === 1 ? { target: `at most ${most} ×`, reached: ratios.every((ratio) => ratio <= most) } : {})
    }
  })
  const takeovers = ([[2, two], [3, three]] as const).map(([count, { takeover = 0 }]): Harness.Row => ({
    what: `until one of ${count} workers, killed with -9, is replaced`,
    measured: `${Harness.digits(takeover)} s`,
    target: "at most 20 s",
    reached: takeover <= 20
  }))
  const idles: Array<Harness.Row> = []
  for (const count of idleAccounts) {
    const { cpu, statements, wal } = yield* idle(baseUrl, count)
    idles.push({
      what: `a minute of one worker, with ${count.toLocaleString("en")} accounts that are not due`,
      measured: `${Harness.digits(cpu)} ms CPU, ${Math.round(statements)} statements, ${
        Harness.digits(wal / 1024)
      } KB of WAL`
    })
  }
  const small = yield* Setting.sender({ size: 1 })
  const rates: Array<Harness.Row> = []
  for (const count of [1, 2]) {
    const { cpu, passes, statements } = yield* rate(small, count)
    rates.push({
      what: `passes without changes, of one request each, with ${count} ${count === 1 ? "worker" : "workers"}`,
      measured: `${Harness.digits(passes)} a second, ${Harness.digits(cpu)} ms CPU and ${
        Harness.digits(statements)
      } statements for each`
    })
  }
  return [
    { what: `a page, mirror on one machine: ${accounts} accounts of ${size} emails`, measured: perPage(mirror) },
    ...workers,
    ...takeovers,
    ...rates,
    ...idles
  ]
}).pipe(Effect.scoped, Effect.provide(Postgres.layer)) satisfies Harness.Part
