/**
 * SIGKILL and SIGSTOP for the workers of a cluster at random moments, while the lists of all accounts change, and while the
 * database and the service are restarted, too.
 */
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Dice } from "@mailstream/testing/Dice"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Process from "@mailstream/testing/Process"
import { Programs } from "@mailstream/testing/Programs"
import { Clock, Duration, Effect, Fiber, Option, Redacted, Schedule, Scope } from "effect"
import * as Experiment from "../Experiment.ts"
import * as Mark from "../support/mark.ts"
import * as Judge from "./cluster/judge.ts"
import * as Tenants from "./cluster/tenants.ts"

interface Size extends Experiment.Size {
  readonly workers: number
  readonly accounts: number
  /** How many contacts and topics each account has. */
  readonly number: number
  readonly topics: number
  /** How many requests an account may send each second. */
  readonly rate: number
  readonly kills: number
  readonly pauses: number
  readonly databases: number
  readonly services: number
  /** How many times the copies are left in peace, and compared. */
  readonly rests: number
  /** Seconds after which the accounts of a lost worker are taken over. */
  readonly expiration: number
  /** The longest time from one disturbance to the next, in seconds. */
  readonly spacing: number
  /** How many changes are made at once. */
  readonly mutations: number
}

/** The window of the service's rate limit, and what the times of two clocks may differ by. */
const window = 1000 + 100

/** How many accounts a worker copies at once. */
const maxAccounts = 8

/** How long the copies may take to be current after the last disturbance. */
const patience = Duration.minutes(10)

/** As many of something as belong into one of several parts. */
const share = (total: number, parts: number, part: number): number =>
  Math.floor(total * (part + 1) / parts) - Math.floor(total * part / parts)

const shuffled = <A>(dice: Dice, values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values.map((value) => [dice.below(2 ** 31), value] as const).sort(([one], [other]) => one - other).map(([, value]) =>
    value
  )

/** Workers, each of which can be killed, paused and replaced. */
const members = (size: Size, dice: Dice, environment: { readonly database: string; readonly baseUrl: string }) =>
  Effect.gen(function*() {
    const { path } = yield* Programs
    const scope = yield* Effect.scope
    let started = 0
    let endedAlone = 0
    const start = Effect.gen(function*() {
      const running = yield* Process.start([path("member")], {
        env: {
          DATABASE: environment.database,
          KEY: Mark.key,
          ACCOUNTS: String(size.accounts),
          NAME: `worker-${++started}`,
          LOUD: process.argv.includes("loud") ? "1" : "0",
          OPTIONS: JSON.stringify({
            baseUrl: environment.baseUrl,
            every: "5 seconds",
            maxAccounts,
            lists: ["contacts", "topics"],
            lockExpiration: `${size.expiration} seconds`,
            minBackoff: "1 second",
            maxBackoff: "5 seconds",
            maxDeleted: 1
          })
        }
      })
      if (process.argv.includes("loud")) running.child.stderr.on("data", (text: string) => process.stderr.write(text))
      return running
    }).pipe(Scope.extend(scope))
    const slots = yield* Effect.forEach(
      Array.from({ length: size.workers }),
      () => start
    )
    /** A worker that cannot start, as without a database, ends, and is started again, as a supervisor would. */
    const revive = Effect.forEach(
      slots,
      ({ child }, slot) =>
        Process.endOf(child) === undefined ? Effect.void : Effect.gen(function*() {
          endedAlone++
          slots[slot] = yield* start
        }),
      { discard: true }
    )
    const kill = Effect.gen(function*() {
      const slot = dice.below(slots.length)
      const victim = slots[slot]!
      yield* victim.kill("SIGKILL")
      yield* Process.ended(victim.child)
      yield* Effect.sleep(Duration.seconds(dice.below(size.spacing + 1)))
      slots[slot] = yield* start
    })
    const pause = Effect.gen(function*() {
      const { kill } = dice.pick(slots)
      yield* kill("SIGSTOP")
      yield* Effect.sleep(Duration.millis(size.expiration * (300 + dice.below(1700))))
      yield* kill("SIGCONT")
    })
    return { kill, pause, revive, endedAlone: () => endedAlone }
  })

const run = (size: Size) =>
  Effect.gen(function*() {
    const dice = new Dice(size.seed, size.accounts)
    const postgres = yield* Postgres.running
    const database = yield* Postgres.createDatabase(postgres.url)
    const tenants = yield* Tenants.make({ ...size, contacts: size.number })
    const workers = yield* members(size, dice, { database: Redacted.value(database), baseUrl: tenants.baseUrl })
    /** A client for a moment: the server may be gone in the next one. */
    const look = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
      Effect.provide(effect, PgClient.layer({ url: database, maxConnections: 1, connectTimeout: "5 seconds" }))

    let fresh = Math.max(size.number, size.topics)
    let mutations = 0
    const mutate = Effect.suspend(() => {
      fresh += size.mutations
      mutations += size.mutations
      return tenants.ask({ _tag: "Mutate", seed: size.seed, count: size.mutations, fresh: fresh - size.mutations })
    }).pipe(
      // While the service is replaced, it does not respond.
      Effect.catchAllCause(() => Effect.sleep("100 millis")),
      Effect.repeat(Schedule.spaced("100 millis"))
    )

    /** When each account was last copied, and the longest time without. */
    const last = new Map<string, number>()
    let longest = 0
    const sample = Effect.gen(function*() {
      const rows = yield* look(Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql<{ readonly id: string; readonly at: string | null }>`SELECT id,
          extract(epoch FROM last_succeeded) AS at FROM cluster_accounts`))
      for (const { at, id } of rows) {
        if (at === null) {
          continue
        }
        const time = Number(at)
        const before = last.get(id)
        if (before !== undefined) {
          longest = Math.max(longest, time - before)
        }
        last.set(id, time)
      }
    }).pipe(Effect.catchAllCause(() =>
      Effect.void
    ))

    const done = { kill: 0, pause: 0, database: 0, service: 0 }
    const disturbances = {
      kill: workers.kill,
      pause: workers.pause,
      database: Effect.promise(postgres.restart),
      service: tenants.replace
    }
    const wrong: Array<string> = []
    const starved: Array<string> = []
    const rested: Array<number> = []
    yield* Effect.forkScoped(Effect.repeat(sample, Schedule.spaced("2 seconds")))
    for (let rest = 0; rest < size.rests; rest++) {
      const part = (total: number) => share(total, size.rests, rest)
      const events = shuffled(dice, [
        ...Array.from({ length: part(size.kills) }, () => "kill" as const),
        ...Array.from({ length: part(size.pauses) }, () => "pause" as const),
        ...Array.from({ length: part(size.databases) }, () => "database" as const),
        ...Array.from({ length: part(size.services) }, () => "service" as const)
      ])
      const began = (yield* Clock.currentTimeMillis) / 1000
      const mutating = yield* Effect.fork(mutate)
      for (const event of events) {
        yield* Effect.sleep(dice.below(size.spacing * 1000))
        yield* disturbances[event]
        done[event]++
        yield* workers.revive
      }
      yield* Fiber.interrupt(mutating)
      // The last changes may still be on their way.
      const digests = yield* Effect.zipRight(tenants.ask({ _tag: "Digest" }), tenants.ask({ _tag: "Digest" }))
      const [took, left] = yield* Effect.timed(
        workers.revive.pipe(
          Effect.zipRight(look(Judge.differences(digests))),
          Effect.catchAllCause((cause) => Effect.succeed([`not compared: ${cause}`])),
          Effect.repeat({
            until: (differences) => differences.length === 0,
            schedule: Schedule.spaced("3 seconds")
          }),
          Effect.timeoutOption(patience)
        )
      )
      rested.push(Duration.toSeconds(took))
      if (Option.isNone(left)) wrong.push(...yield* look(Judge.differences(digests)))
      yield* sample
      for (let index = 0; index < size.accounts; index++) {
        const id = `account-${index + 1}`
        if ((last.get(id) ?? 0) < began) starved.push(`${id}, in part ${rest + 1}`)
      }
    }
    const gaps = yield* look(Judge.gaps)
    const exchanges = yield* tenants.exchanges
    const overlaps = Judge.overlaps(exchanges)
    const { late, refused } = Judge.excesses(exchanges, window)
    const count = Experiment.count
    const during =
      `${done.kill} kills, ${done.pause} pauses, ${done.database} restarts of PostgreSQL and ${done.service} ` +
      `of the service, ${count(mutations)} changes`
    const items = size.accounts * (size.number + size.topics)
    return [
      Experiment.none(
        "accounts whose copies differ from their lists",
        wrong,
        `${count(size.accounts)} with ${
          count(items)
        } items, compared ${size.rests} times, after ${during}; current after ` +
          `${Math.round(Math.max(...rested))} s at most`
      ),
      Experiment.none("lists whose changes have gaps", gaps, count(2 * size.accounts)),
      Experiment.atMost(
        `requests for an account while another worker worked for it, among ${count(exchanges.length)} and ` +
          `${count(Judge.handovers(exchanges))} handovers`,
        overlaps.length,
        // What a worker was about to send when it was paused: one request for each account.
        done.pause * maxAccounts,
        `(at most ${Math.round(overlaps.reduce((most, { length }) => Math.max(most, length), 0))} ms)`
      ),
      Experiment.none(
        "requests above the rate of an account, later than one window after another worker took it over",
        late,
        `${count(refused)} that were refused`
      ),
      Experiment.none(
        "accounts without a complete pass between two comparisons",
        starved,
        `${count(size.accounts)}; the longest time between two passes was ${Math.round(longest)} s`
      ),
      Experiment.finding("workers that ended by themselves, and were started again", count(workers.endedAlone()), true)
    ]
  }).pipe(Effect.scoped)

export default Experiment.make<Size>({
  name: "cluster",
  promise:
    "at rest every copy is its list, one worker at a time talks for an account, within its rate, and no account starves",
  small: {
    seed: 1,
    workers: 3,
    accounts: 12,
    number: 60,
    topics: 150,
    rate: 5,
    kills: 4,
    pauses: 1,
    databases: 1,
    services: 1,
    rests: 1,
    expiration: 6,
    spacing: 2,
    mutations: 2
  },
  long: {
    seed: 1,
    workers: 3,
    accounts: 200,
    number: 2000,
    topics: 300,
    rate: 5,
    kills: 100,
    pauses: 20,
    databases: 5,
    services: 5,
    rests: 5,
    expiration: 15,
    spacing: 6,
    mutations: 5
  },
  run
})
