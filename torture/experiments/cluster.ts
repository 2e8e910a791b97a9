/**
 * SIGKILL, SIGSTOP and SIGTERM for the workers of a cluster at random moments, on networks that fail and with clocks that are wrong, while
 * the lists of all accounts change, and while the database and the service are restarted, too.
 */
import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Dice } from "@mailstream/testing/Dice"
import * as Postgres from "@mailstream/testing/Postgres"
import type { Programs } from "@mailstream/testing/Programs"
import { Clock, Duration, Effect, Fiber, Option, Redacted, Schedule } from "effect"
import * as Experiment from "../Experiment.ts"
import * as Judge from "./cluster/judge.ts"
import * as Members from "./cluster/members.ts"
import * as Tenants from "./cluster/tenants.ts"

interface Size extends Experiment.Size, Members.Size {
  /** How many contacts and topics each account has. */
  readonly number: number
  readonly topics: number
  /** How many requests an account may send each second. */
  readonly rate: number
  readonly kills: number
  readonly pauses: number
  readonly databases: number
  readonly services: number
  /** How often a worker's connections to the database fall silent, those of all workers break, its database refuses it, it is cut off
   * from everything, and from the database alone. */
  readonly halfOpens: number
  readonly cuts: number
  readonly refusals: number
  readonly isolations: number
  readonly partitions: number
  /** How often the clock of a worker is set. */
  readonly jumps: number
  /** How many times the copies are left in peace, and compared. */
  readonly rests: number
  /** How many changes are made at once. */
  readonly mutations: number
}

/** The window of the service's rate limit, and what the times of two clocks may differ by. */
const window = 1000 + 100

/** How long the copies may take to be current after the last disturbance. */
const patience = Duration.minutes(10)

/** How long a pass may take to end after its last page is stored. */
const passEnds = Duration.seconds(30)

/** How much later than `lockExpiration` accounts may be taken over, in seconds: what is promised, and what a busy machine takes. */
const promised = 3
const tolerance = 2

/** As many of something as belong into one of several parts. */
const share = (total: number, parts: number, part: number): number =>
  Math.floor(total * (part + 1) / parts) - Math.floor(total * part / parts)

const shuffled = <A>(dice: Dice, values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values.map((value) => [dice.below(2 ** 31), value] as const).sort(([one], [other]) => one - other).map(([, value]) =>
    value
  )

const run = (size: Size) =>
  Effect.gen(function*() {
    const showProgress = yield* Experiment.Progress
    const dice = new Dice(size.seed, size.accounts)
    const postgres = yield* Postgres.running
    const database = yield* Postgres.createDatabase(postgres.url)
    const tenants = yield* Tenants.make({ ...size, contacts: size.number })
    /** A client for a moment: the server may be gone in the next one. */
    const look = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
      Effect.provide(effect, PgClient.layer({ url: database, maxConnections: 1, connectTimeout: "5 seconds" }))
    const workers = yield* Members.make(
      size,
      dice,
      { database: Redacted.value(database), baseUrl: tenants.baseUrl },
      (name) =>
        look(Judge.takeover(name)).pipe(
          Effect.timeoutTo({ duration: "2 minutes", onSuccess: (took) => took, onTimeout: () => Option.some(120) }),
          Effect.orElseSucceed(() => Option.none<number>())
        )
    )

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

    const done = {
      kill: 0,
      pause: 0,
      jump: 0,
      database: 0,
      service: 0,
      halfOpen: 0,
      cut: 0,
      refusal: 0,
      isolation: 0,
      partition: 0
    }
    const disturbances: { readonly [Name in keyof typeof done]: Effect.Effect<unknown, unknown, Programs> } = {
      kill: workers.kill,
      pause: workers.pause,
      jump: workers.jump,
      database: workers.stopDuring("a restart of PostgreSQL", Effect.promise(postgres.restart)),
      service: workers.stopDuring("a restart of the service", tenants.replace),
      halfOpen: workers.fail("halfOpen"),
      cut: workers.fail("cut"),
      refusal: workers.fail("refusal"),
      isolation: workers.fail("isolation"),
      partition: workers.fail("partition")
    }
    const counts: { readonly [Name in keyof typeof done]: number } = {
      kill: size.kills,
      pause: size.pauses,
      jump: size.jumps,
      database: size.databases,
      service: size.services,
      halfOpen: size.halfOpens,
      cut: size.cuts,
      refusal: size.refusals,
      isolation: size.isolations,
      partition: size.partitions
    }
    const kinds = Object.keys(done) as ReadonlyArray<keyof typeof done>
    const wrong: Array<string> = []
    const starved: Array<string> = []
    const rested: Array<number> = []
    yield* Effect.forkScoped(Effect.repeat(sample, Schedule.spaced("2 seconds")))
    for (let rest = 0; rest < size.rests; rest++) {
      const events = shuffled(
        dice,
        kinds.flatMap((kind) => Array.from({ length: share(counts[kind], size.rests, rest) }, () => kind))
      )
      const began = (yield* Clock.currentTimeMillis) / 1000
      const mutating = yield* Effect.fork(mutate)
      for (const event of events) {
        yield* Effect.sleep(dice.below(size.spacing * 1000))
        showProgress(`${event}, ${Object.values(done).reduce((sum, count) => sum + count, 1)}`)
        yield* disturbances[event]
        done[event]++
        yield* workers.revive
      }
      yield* Fiber.interrupt(mutating)
      showProgress("compares")
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
      // A copy is like its list as soon as its last page is stored, which is before its pass has ended.
      const missing = () =>
        Array.from({ length: size.accounts }, (_, index) => `account-${index + 1}`).filter((id) =>
          (last.get(id) ?? 0) < began
        )
      yield* sample.pipe(
        Effect.repeat({ until: () => missing().length === 0, schedule: Schedule.spaced("1 second") }),
        Effect.timeoutOption(passEnds)
      )
      starved.push(...missing().map((id) => `${id}, in part ${rest + 1}`))
    }
    const gaps = yield* look(Judge.gaps)
    const replayed = yield* look(Judge.replayed)
    const exchanges = yield* tenants.exchanges
    const overlaps = Judge.overlaps(exchanges)
    const { late, refused } = Judge.excesses(exchanges, window)
    const count = Experiment.count
    const slowest = workers.stops.reduce((one, other) => other.seconds > one.seconds ? other : one, {
      fault: "nothing",
      seconds: 0
    })
    const during = `${done.kill} kills, ${done.pause} pauses, ${done.jump} clocks set, ${done.database} restarts of ` +
      `PostgreSQL and ${done.service} of the service, ${done.halfOpen} half-open, ${done.cut} broken and ` +
      `${done.refusal} refused connections, ${done.isolation} isolations, ${done.partition} partitions, ` +
      `${count(mutations)} changes`
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
      Experiment.none(
        "changes that do not follow from those before, are dated before them or in the future, or end elsewhere than the copy",
        replayed.wrong,
        count(replayed.changes)
      ),
      Experiment.atMost(
        `requests for an account while another worker worked for it, among ${count(exchanges.length)} and ` +
          `${count(Judge.handovers(exchanges))} handovers`,
        overlaps.length,
        // What a worker was about to send when it was paused: one request for each account.
        done.pause * Members.maxAccounts,
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
      Experiment.atMost(
        `longest time from SIGTERM to the end of a worker, among ${workers.stops.length}, during ${slowest.fault}`,
        slowest.seconds,
        Duration.toSeconds(Members.patience),
        "s"
      ),
      Experiment.atMost(
        `longest time from kill -9 until the accounts of a worker were free, among ${workers.takeovers.length}`,
        Math.max(0, ...workers.takeovers),
        size.expiration + promised + tolerance,
        "s"
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
    kills: 2,
    pauses: 1,
    databases: 1,
    services: 1,
    halfOpens: 1,
    cuts: 1,
    refusals: 1,
    isolations: 1,
    partitions: 1,
    jumps: 1,
    rests: 1,
    expiration: 6,
    spacing: 2,
    mutations: 2
  },
  long: {
    seed: 1,
    workers: 3,
    accounts: 100,
    number: 500,
    topics: 150,
    rate: 5,
    kills: 16,
    pauses: 6,
    databases: 3,
    services: 3,
    halfOpens: 5,
    cuts: 3,
    refusals: 3,
    isolations: 6,
    partitions: 5,
    jumps: 5,
    rests: 3,
    expiration: 15,
    spacing: 5,
    mutations: 4
  },
  run
})
