/**
 * A worker claims accounts that are due, for as long as the database confirms that it is there.
 *
 * It needs no other worker: each has a row that it moves on with every beat, and whoever finds one that has expired frees its accounts.
 * If beats are not confirmed in time, everything that is under way is interrupted, and the worker joins again under a new
 * identity: nothing that it did before can be taken for what it does then.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as RateLimit from "@mailstream/http/RateLimit"
import { Transport } from "@mailstream/http/Transport"
import { monotonicMillis } from "@mailstream/kernel/Fibers"
import * as Moment from "@mailstream/kernel/Moment"
import * as Waiting from "@mailstream/kernel/Waiting"
import * as Postgres from "@mailstream/sql/Postgres"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Accounts } from "../Accounts.ts"
import * as Chores from "./chores.ts"
import * as Claiming from "./claiming.ts"
import * as Heart from "./heart.ts"
import * as History from "./history.ts"
import * as Lease from "./lease.ts"
import * as Ledger from "./ledger.ts"
import * as Members from "./members.ts"
import * as Metrics from "./metrics.ts"
import * as Outage from "./outage.ts"
import type * as Pass from "./pass.ts"
import * as Requests from "./requests.ts"
import type * as Retention from "./retention.ts"
import * as Tables from "./tables.ts"
import type * as Turn from "./turn.ts"
import * as Turns from "./turns.ts"

export interface Options extends Turn.Backoff, Pass.Options, Members.Settings {
  readonly names: Tables.Names
  readonly slice: Duration.Duration
  readonly retention: Retention.Policy
  /** How many requests all workers together may send to each host. */
  readonly hostRateLimit: { readonly requests: number; readonly per: Duration.Duration } | undefined
}

/** A worker that runs until the scope closes. */
export interface Engine {
  /** Whether the database has confirmed recently that it takes part. */
  readonly isReady: Effect.Effect<boolean>
  /** Why the database cannot be used, if so. */
  readonly problem: Effect.Effect<Option.Option<Outage.Problem>>
}

/** The longest time from beat to beat. */
const longestBeat = Duration.seconds(2)

/** How long the end of turns is waited for when a lease has ended: they can do no harm. */
const goodbye = Duration.seconds(5)

/** Who a worker is until it is lost. */
interface Identity {
  readonly id: string
  readonly lease: Lease.Lease
}

/** A transport that sends no more to a host than this worker's share of what all of them may send. */
const shared = ({ hostRateLimit }: Options, workers: () => number) =>
  Effect.flatMap(Transport, (transport) =>
    hostRateLimit === undefined
      ? Effect.succeed(transport)
      : Effect.orDie(RateLimit.limited(transport, {
        requests: () => hostRateLimit.requests / workers(),
        per: hostRateLimit.per
      })))

/** What sessions have in common. */
const prepare = (options: Options) =>
  Effect.gen(function*() {
    const { lockExpiration, names } = options
    const sql = yield* SqlClient.SqlClient
    const clock = yield* Effect.clock
    const members = Members.make(sql, names)
    const began = monotonicMillis(clock)
    const upFor = Effect.sync(() => (monotonicMillis(clock) - began) / 1000)
    const patience = Duration.unsafeDivide(lockExpiration, 3)
    /** The connection of a statement may be dead, or the database busy. */
    const bounded = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
      Waiting.within(statement, patience, () => {
        const message = `The database did not respond within ${Duration.format(patience)}`
        return new SqlError({ cause: Object.assign(new Error(message), { code: "ETIMEDOUT" }), message })
      })
    const join = Effect.gen(function*() {
      const lease = Lease.make(clock, lockExpiration)
      const sent = Moment.of(clock)
      const id = yield* bounded(Effect.flatMap(upFor, (upFor) => members.join(options, upFor)))
      lease.renew(sent)
      const identity: Identity = { id, lease }
      return identity
    })
    /** How many were alive at the last beat. */
    let workers = 1
    const alive = {
      workers: () => workers,
      tell: (beat: Members.Beat) => {
        workers = beat.workers
      }
    }
    return {
      sql,
      members,
      alive,
      ledger: Ledger.make(sql, names),
      history: History.make(sql, names),
      outage: yield* Outage.make,
      interval: Duration.min(patience, longestBeat),
      upFor,
      bounded,
      join
    }
  })

/** Works until the lease ends. */
const session = (
  { id: worker, lease }: Identity,
  parts: Effect.Effect.Success<ReturnType<typeof prepare>>,
  options: Options
): Effect.Effect<void, never, Accounts | Transport> =>
  Effect.gen(function*() {
    const { every, maxAccounts, maxBackoff, slice } = options
    const { history, members } = parts
    const settings = { size: maxAccounts, slice: Duration.toMillis(slice) }
    const ended = yield* Queue.sliding<void>(1)
    const turns = yield* Turns.make(worker, lease, { ...options, ...settings, ...parts }, Queue.offer(ended, undefined))
    const claiming = Claiming.make({ ...parts, worker, settings, turns, ended })
    const requests = Requests.make((count) => parts.bounded(history.requested(worker, count)))
    const isFirst = yield* Effect.makeLatch(false)
    const chores = Chores.run({
      ...parts,
      longest: Duration.max(every, maxBackoff),
      prune: Effect.zipRight(history.prune, members.prune),
      isFirst
    })
    yield* Effect.addFinalizer(() => Effect.ignore(Waiting.within(turns.abandon, goodbye, () => undefined)))
    // How many workers there are has to be known before.
    const hasBeat = yield* Effect.makeLatch(false)
    yield* Effect.forkScoped(Effect.updateService(hasBeat.whenOpen(claiming.run), Transport, requests.counted))
    yield* Effect.forkScoped(requests.run)
    yield* Effect.forkScoped(chores)
    yield* Effect.addFinalizer(() => Effect.sync(lease.end))
    const onBeat = (beat: Members.Beat) => Effect.zipRight(Effect.sync(() => parts.alive.tell(beat)), hasBeat.open)
    yield* Waiting.raceFirst(
      Heart.beats({ ...parts, worker, lease, turns, claiming, isFirst, onBeat }),
      Heart.watch(lease)
    )
  }).pipe(Effect.scoped)

export const make = (
  options: Options
): Effect.Effect<Engine, SqlError, SqlClient.SqlClient | Accounts | Transport | Scope.Scope> =>
  Effect.gen(function*() {
    const parts = yield* prepare(options)
    const { alive, bounded, join, members, outage, sql } = parts
    const transport = yield* shared(options, alive.workers)
    let current = yield* join
    /** On new connections: the others may be dead. */
    const again = Effect.zipRight(
      Postgres.reset(sql),
      Effect.zipRight(Effect.suspend(() => bounded(members.leave(current.id))), join)
    ).pipe(
      Effect.tapError(outage.failed),
      Effect.retry(Schedule.jittered(Schedule.spaced("1 second"))),
      Effect.orDie
    )
    const round = Effect.gen(function*() {
      yield* Effect.provideService(session(current, parts, options), Transport, transport)
      yield* Metric.increment(Metrics.lost)
      // As after a pause of the machine.
      const isElsewhere = outage.current() === undefined
      if (isElsewhere) {
        yield* Effect.logWarning(
          "The database did not confirm in time that this worker takes part. Its passes were interrupted; it joins again."
        )
      }
      current = yield* again
      yield* outage.confirmed
      if (isElsewhere) yield* Effect.logInfo("This worker takes part again.")
    })
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => members.leave(current.id)).pipe(
        Effect.matchEffect({
          onFailure: (error) => Effect.logDebug(`Could not leave; others take over later: ${Tables.reasonOf(error)}`),
          onSuccess: () => Effect.logInfo("This worker has stopped taking part.")
        }),
        Effect.annotateLogs("worker", options.name)
      )
    )
    const rounds = Effect.zipRight(Effect.logInfo("This worker takes part."), Effect.forever(round))
    yield* Effect.forkScoped(Effect.annotateLogs(rounds, "worker", options.name))
    return {
      isReady: Effect.sync(() => Lease.isHeld(current.lease)),
      problem: Effect.sync(() => Option.fromNullable(outage.current()))
    }
  })
