/**
 * A campaign, compared with a loop of the official SDK that sends the same batches without any guarantee: on a service that responds at
 * once, on one that takes its time, and on our own; the memory that a campaign takes, and the bytes that it leaves in the database.
 */
import { SqlClient } from "@effect/sql"
import { Campaign } from "@mailstream/campaign"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Temporary from "@mailstream/testing/Temporary"
import { Effect, Redacted, type Scope } from "effect"
import { statSync } from "node:fs"
import { Resend } from "resend"
import * as Campaigns from "../campaigns.ts"
import * as Harness from "../harness.ts"
import * as Memory from "../memory.ts"
import * as Setting from "../setting.ts"

const rounds = 7
const concurrency = 2

/** What the emails are sent to, and how many. */
const services = [
  { name: "a stub that responds at once", size: 10_000, start: Setting.sender({ size: 0 }) },
  { name: "a stub that responds after 50 ms", size: 5000, start: Setting.sender({ size: 0, delay: 50 }) },
  { name: "our server in memory", size: 2000, start: Setting.start("service", { STORE: "memory", SIZE: "0" }) }
]

const few = 10_000
const many = Number(process.env["CAMPAIGN_SIZE"] ?? 1_000_000)

/** A new database of each kind. */
const databases: Record<string, Effect.Effect<string, never, Postgres.Postgres | Scope.Scope>> = {
  SQLite: Temporary.file("campaign.db"),
  PostgreSQL: Effect.flatMap(Postgres.Postgres, ({ database }) => Effect.map(database, Redacted.value))
}

/** Sends all batches, a few at a time. */
const loop = (resend: Resend, size: number) =>
  Effect.promise(async () => {
    let next = 0
    let sent = 0
    const work = async (): Promise<void> => {
      while (next < size / 100) {
        const { data } = await resend.batch.send(Campaigns.people(next++).map(Campaigns.message))
        sent += data?.data.length ?? 0
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    return sent
  })

const perSecond = (samples: Harness.Samples, name: string, size: number): string =>
  Harness.spread((samples.get(name) ?? []).map(({ wall }) => 1000 * size / wall), "emails per second")

/** How fast campaigns are beside the loop. */
const speed = ({ name, size, start }: (typeof services)[number]) =>
  Effect.gen(function*() {
    const baseUrl = yield* start
    const runtime = yield* Setting.undici(baseUrl)
    const resend = new Resend(Setting.key, { baseUrl })
    const peer = `resend.batch.send to ${name}`
    let number = 0
    const campaigns = yield* Effect.forEach(Object.entries(databases), ([kind, database]) =>
      Effect.map(database, (target) => ({
        name: `Campaign.run on ${kind}, to ${name}`,
        run: Effect.suspend(() =>
          Campaign.run(Campaigns.campaign(`bench-${number++}`, size), { concurrency })
        ).pipe(
          Effect.map(({ accepted }) => accepted),
          (accepted) => Harness.counted(accepted, size),
          Effect.provide(Campaigns.database(target)),
          Effect.provide(runtime)
        )
      })))
    const samples = yield* Harness.race(
      [{ name: peer, run: Harness.counted(loop(resend, size), size) }, ...campaigns],
      { rounds, warmups: 2 }
    )
    return [
      { what: peer, measured: perSecond(samples, peer, size) },
      ...campaigns.map(({ name }) => {
        const { cpu, wall } = Harness.ratio(samples, peer, name)
        return {
          what: `${name}, as fast as resend.batch.send`,
          measured: perSecond(samples, name, size),
          ratio: `wall ${Harness.digits(wall)} ×, CPU ${Harness.digits(cpu)} ×`,
          target: "at least 0.8 × wall",
          reached: wall >= 0.8
        }
      })
    ]
  }).pipe(Effect.scoped)

/** How many bytes the tables take. */
const bytesOf = (target: string) =>
  Campaigns.isPostgres(target)
    ? Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql<{ readonly bytes: string }>`SELECT pg_total_relation_size('mailstream_recipients') +
        pg_total_relation_size('mailstream_units') AS bytes`).pipe(
        Effect.map(([row]) =>
          Number(row?.bytes)
        ),
        Effect.provide(Campaigns.database(target))
      )
    : Effect.sync(() => statSync(target).size)

/** The memory of a process that runs a campaign, and what it leaves. */
const weight = (kind: string, database: (typeof databases)[string]) =>
  Effect.gen(function*() {
    const measured = (size: number) =>
      Effect.gen(function*() {
        const target = yield* database
        const env = { BASE_URL: yield* Setting.sender({ size: 0 }), DATABASE: target, SIZE: String(size) }
        const heap = Memory.megabytes(yield* Setting.told("mailer", env, ["--expose-gc"]))
        return { heap, bytes: (yield* bytesOf(target)) / size }
      }).pipe(Effect.scoped)
    const [small, large] = [yield* measured(few), yield* measured(many)]
    const people = many.toLocaleString("en")
    return [
      {
        what: `${kind}: heap without garbage, at most, with ${people} people, over ${few.toLocaleString("en")}`,
        measured: `${Harness.digits(large.heap)} MB, over ${Harness.digits(small.heap)} MB`,
        ratio: `${Harness.digits(large.heap / small.heap)} ×`,
        target: "at most 1.25 ×",
        reached: large.heap / small.heap <= 1.25
      },
      { what: `${kind}: in the database per person, of ${people}`, measured: `${Harness.digits(large.bytes)} bytes` }
    ]
  })

export default Effect.gen(function*() {
  const speeds = yield* Effect.forEach(services, speed)
  const weights = yield* Effect.forEach(Object.entries(databases), ([kind, database]) => weight(kind, database))
  return [...speeds, ...weights].flat()
}).pipe(Effect.provide(Postgres.layer)) satisfies Harness.Part
