/** The turn of an account: one pass over its lists, or a part of it. */
import * as Entity from "@effect/cluster/Entity"
import type { Sharding } from "@effect/cluster/Sharding"
import type { SqlError } from "@effect/sql/SqlError"
import type { Transport } from "@mailstream/http/Transport"
import * as Mirror from "@mailstream/mirror/Mirror"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type { Accounts } from "../Accounts.ts"
import * as Client from "./client.ts"
import type * as Lease from "./lease.ts"
import type * as Ledger from "./ledger.ts"
import * as Metrics from "./metrics.ts"
import * as Protocol from "./protocol.ts"
import type * as Room from "./room.ts"
import type { Settings } from "./settings.ts"
import * as Tables from "./tables.ts"

export interface Options {
  readonly settings: Settings
  readonly ledger: Ledger.Ledger
  readonly room: Room.Room
  /** The copy, of whichever account. */
  readonly mirror: typeof Mirror.Mirror.Service
  readonly sync: Mirror.SyncOptions
  readonly client: Client.Options
}

/** An account that nobody has asked about for this long is forgotten, and its rate limit with it. */
const maxIdleTime = Duration.minutes(5)

/**
 * How long a pass that somebody else has continued is left alone. It was the last commit of a worker that has stopped: nobody
 * else may make this pass.
 */
const patience = Duration.seconds(2)

/** How often to look for accounts that were removed. */
const removalInterval = Duration.seconds(2)

/** How often to look for turns that were lost. */
const returnInterval = Duration.seconds(5)

const keyOf = ({ id, turn }: Ledger.Turn): string => `${turn} ${id}`

/** How much of an error is kept. */
const maxErrorLength = 500

/** Why a pass failed. */
class Failed {
  readonly _tag = "Failed"
  readonly error: string

  constructor(error: string) {
    // A service's own words may be in it: PostgreSQL has no U+0000, and terminals obey other control characters.
    this.error = error.replaceAll(/[\p{Cc}\p{Cs}]/gu, " ").slice(0, maxErrorLength)
  }
}

const done = { _tag: "Done" } as const

const removed = { _tag: "Removed" } as const

const yielded = { _tag: "Yielded" } as const

/** A row that cannot be written is written later: until then, the turn has not ended. */
const persistently = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A> =>
  statement.pipe(
    Effect.tapError((error) => Effect.logWarning(`The database does not respond: ${Tables.reasonOf(error)}`)),
    Effect.retry(Schedule.union(Schedule.exponential("500 millis"), Schedule.spaced("10 seconds"))),
    Effect.orDie
  )

/** When to try again: exponentially later, and not all at once. */
const backoff = (
  attempts: number,
  { maxBackoff, minBackoff }: Settings
): Effect.Effect<Duration.Duration> =>
  Effect.map(Random.nextRange(0.5, 1), (jitter) => {
    const longest = Duration.min(Duration.times(minBackoff, 2 ** Math.min(attempts, 30)), maxBackoff)
    return Duration.millis(Math.round(Duration.toMillis(longest) * jitter))
  })

const reasonOf = (error: Mirror.SyncError): string =>
  error._tag === "SqlError" ? `the database failed: ${Tables.reasonOf(error)}` : error.message

/** What went wrong, once for all lists that it went wrong with. */
const reasonsOf = (reports: ReadonlyArray<Mirror.Report>): ReadonlyArray<string> => {
  const lists = new Map<string, ReadonlyArray<string>>()
  for (const { list, result } of reports) {
    if (Either.isRight(result)) continue
    const reason = reasonOf(result.left)
    lists.set(reason, [...lists.get(reason) ?? [], list])
  }
  return Array.from(lists, ([reason, names]) => `${names.join(", ")}: ${reason}`)
}

/** How a turn ended, for the ledger; nothing is left to write for an account that was removed. */
type Ended = { readonly _tag: "Done" } | { readonly _tag: "Removed" } | Failed

/** The entities of all accounts on this worker. */
export const layer = (
  options: Options
): Layer.Layer<never, never, Sharding | Accounts | Transport | Lease.Lease> => {
  const { ledger, room, settings } = options
  const runner = `${settings.host}:${settings.port}`
  /** The turns that this worker has received, until they end. */
  const taken = new Set<Ledger.Turn>()
  /** Passes in progress, and how to stop those of accounts that were removed. */
  const active = new Map<string, Deferred.Deferred<void>>()

  /** Makes a pass. A failure concerns this account alone. */
  const pass = (id: string, client: Client.Client): Effect.Effect<Ended> =>
    Effect.gen(function*() {
      const api = yield* client.current
      const reports = yield* Mirror.syncEither({ ...options.sync, patience }).pipe(
        Effect.provide(api),
        Effect.provideService(Mirror.Mirror, { ...options.mirror, account: id })
      )
      const reasons = reasonsOf(reports)
      return reasons.length === 0 ? done : new Failed(reasons.join(" "))
    }).pipe(
      Effect.catchAll((error) => Effect.succeed(new Failed(error.message))),
      Effect.catchAllDefect((defect) =>
        Effect.as(
          Effect.logError("A pass ended with a defect", Cause.die(defect)),
          new Failed("the pass crashed; see the log")
        )
      )
    )

  /** Keeps an account among those in progress while it is copied. */
  const stoppable = (id: string, work: Effect.Effect<Ended>): Effect.Effect<Ended> =>
    Effect.acquireUseRelease(
      Effect.tap(Deferred.make<void>(), (stop) => {
        active.set(id, stop)
        return Metric.set(Metrics.passes, active.size)
      }),
      (stop) => Effect.raceFirst(work, Effect.as(Deferred.await(stop), removed)),
      () => {
        active.delete(id)
        return Metric.set(Metrics.passes, active.size)
      }
    )

  const finish = (turn: Ledger.Turn, ended: Option.Option<Ended>, attempts: number): Effect.Effect<void> =>
    Effect.gen(function*() {
      const outcome = Option.getOrElse(ended, () => yielded)
      yield* Metric.increment(Metric.tagged(Metrics.turns, "outcome", outcome._tag))
      switch (outcome._tag) {
        case "Removed":
          return
        case "Failed": {
          const retryIn = yield* backoff(attempts, settings)
          // What fails once may have been removed just now, or have a service that is being restarted.
          const log = attempts === 0 ? Effect.logInfo : Effect.logWarning
          yield* log(`${outcome.error} Next attempt in ${Duration.format(retryIn)}.`)
          return yield* persistently(ledger.finish(turn, { ...outcome, retryIn }, settings.every))
        }
        default:
          return yield* persistently(ledger.finish(turn, outcome, settings.every))
      }
    })

  const take = (turn: Ledger.Turn, client: Client.Client): Effect.Effect<void> =>
    Effect.gen(function*() {
      taken.add(turn)
      const received = yield* persistently(ledger.receive(turn, runner))
      if (received === undefined) return
      const work = Effect.zipRight(persistently(ledger.start(turn)), pass(turn.id, client))
      const ended = yield* room.run(stoppable(turn.id, work), { isLong: received.yields > 0 })
      yield* finish(turn, ended, received.attempts)
    }).pipe(
      Effect.ensuring(Effect.sync(() => taken.delete(turn))),
      Metric.trackDuration(Metrics.duration),
      Effect.annotateLogs({ account: turn.id }),
      Effect.withSpan("Worker.turn", { attributes: { account: turn.id, turn: turn.turn } })
    )

  /**
   * Returns turns that were lost here. The engine marks a message as read when it takes it from the database: if the
   * connection breaks in between, it does not look at it again for ten minutes.
   */
  const returns = Effect.gen(function*() {
    const received = yield* ledger.received(runner)
    const kept = new Set(Array.from(taken, keyOf))
    const lost = received.filter((turn) => !kept.has(keyOf(turn)))
    if (lost.length === 0) return
    yield* Effect.logInfo(`Turns that this worker has lost are assigned again: ${lost.length}`)
    yield* ledger.returned(runner, lost)
  }).pipe(
    Effect.catchAll((error) => Effect.logDebug(`Could not check for lost turns: ${Tables.reasonOf(error)}`)),
    Effect.repeat(Schedule.spaced(returnInterval))
  )

  const removals = Effect.gen(function*() {
    if (active.size === 0) return
    for (const id of yield* ledger.removed([...active.keys()])) {
      const stop = active.get(id)
      if (stop !== undefined) yield* Deferred.succeed(stop, undefined)
    }
  }).pipe(
    Effect.catchAll((error) => Effect.logDebug(`Could not check for removed accounts: ${Tables.reasonOf(error)}`)),
    Effect.repeat(Schedule.spaced(removalInterval))
  )

  const entities = Protocol.Account.toLayer(
    Effect.gen(function*() {
      const { entityId, shardId } = yield* Entity.CurrentAddress
      const client = yield* Client.make(entityId, shardId, options.client)
      return {
        Turn: ({ payload }) => take({ id: entityId, turn: payload.turn }, client)
      }
    }),
    { concurrency: 1, maxIdleTime }
  )
  const loops = Effect.zipRight(Effect.forkScoped(removals), Effect.forkScoped(returns))
  return Layer.merge(entities, Layer.scopedDiscard(loops))
}
