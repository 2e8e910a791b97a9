/**
 * Two workers with 10,000 small accounts: how much memory each takes over time, and how many turns they get done. A few minutes, or as
 * many as `MANY_MINUTES` says.
 */
import * as Postgres from "@mailstream/testing/Postgres"
import { Duration, Effect } from "effect"
import * as Clusters from "../clusters.ts"
import * as Harness from "../harness.ts"
import * as Setting from "../setting.ts"

const accounts = Number(process.env["MANY_ACCOUNTS"] ?? 10_000)
const minutes = Number(process.env["MANY_MINUTES"] ?? 5)
const count = 2
/** Of Node, as in `deploy/`: by itself, it takes 200 MB that it does not need where there is much memory. */
const options = ["--max-semi-space-size=16", "--max-old-space-size=256"]
/** How often memory is read. */
const interval = Duration.seconds(5)
/** The most that a worker may take, in MB. */
const most = 300

const megabytes = (bytes: number): number => bytes / 1024 / 1024

/** What all workers take, one after another. */
const each = (reports: ReadonlyArray<Clusters.Report>, of: keyof Clusters.Memory): string =>
  reports.map((report) => Math.round(megabytes(report[of]))).join(" and ")

/** Those at a quarter of the time, at half of it, and so on. */
const quarters = <A>(samples: ReadonlyArray<A>): ReadonlyArray<A> =>
  [1, 2, 3, 4].map((quarter) => samples[Math.ceil(samples.length * quarter / 4) - 1]).filter((sample) =>
    sample !== undefined
  )

export default Effect.gen(function*() {
  const baseUrl = yield* Setting.sender({ size: 20 })
  const { sql, url } = yield* Clusters.database
  const children = yield* Clusters.workers(count, {
    BASE_URL: baseUrl,
    DATABASE: url,
    ACCOUNTS: String(accounts),
    LISTS: "contacts,emails",
    EVERY: String(20 * 60)
  }, options)
  const samples: Array<ReadonlyArray<Clusters.Report>> = []
  yield* Effect.repeatN(
    Effect.gen(function*() {
      yield* Effect.sleep(interval)
      samples.push(yield* Effect.forEach(children, Clusters.asked))
    }),
    Math.max(4, Math.round(minutes * 60 / Duration.toSeconds(interval))) - 1
  )
  const [passes] = yield* sql<{ readonly completed: number; readonly failed: number }>`SELECT
    sum(completed)::int AS completed, sum(failed)::int AS failed FROM cluster_passes`
  const [copied] = yield* sql<
    { readonly count: number }
  >`SELECT count(last_succeeded)::int AS count FROM cluster_accounts`
  const all = samples.flat()
  const highest = Math.max(...all.map(({ rss }) => megabytes(rss)))
  const { cpu } = Clusters.sum(samples.at(-1) ?? [])
  const { completed = 0, failed = 0 } = passes ?? {}
  const memory = (of: keyof Clusters.Memory) => quarters(samples).map((reports) => each(reports, of)).join("; ")
  return [
    {
      what: `resident memory of each of ${count} workers with ${accounts.toLocaleString("en")} accounts, at most`,
      measured: `${Math.round(highest)} MB`,
      target: `at most ${most} MB`,
      reached: highest <= most
    },
    { what: "the same after each quarter of the time", measured: `${memory("rss")} MB` },
    { what: "heap in use after each quarter of the time", measured: `${memory("heap")} MB` },
    {
      what: "passes in that time, and CPU time of both workers for each",
      measured: `${completed.toLocaleString("en")} in ${minutes} minutes, ${Harness.digits(cpu / completed)} ms`
    },
    {
      what: "accounts that were copied, and passes that failed",
      measured: `${(copied?.count ?? 0).toLocaleString("en")}, ${failed}`,
      target: "none failed",
      reached: failed === 0
    }
  ]
}).pipe(Effect.scoped, Effect.provide(Postgres.layer)) satisfies Harness.Part
