/** The turns of the accounts on this worker: each is one pass over the lists of an account, or a part of it. */
import * as Entity from "@effect/cluster/Entity"
import type { Sharding } from "@effect/cluster/Sharding"
import type { SqlError } from "@effect/sql/SqlError"
import type { Transport } from "@mailstream/http/Transport"
import * as Waiting from "@mailstream/kernel/Waiting"
import type * as Mirror from "@mailstream/mirror/Mirror"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
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
import * as Tables from "./tables.ts"
import * as Turn from "./turn.ts"

export interface Options extends Turn.Backoff {
  /** The time from pass to pass. */
  readonly every: Duration.Duration
  /** How the other workers know this one. */
  readonly address: string
  readonly ledger: Ledger.Ledger
  readonly room: Room.Room
  /** The copy, of whichever account. */
  readonly mirror: Mirror.MirrorService
  readonly sync: Mirror.SyncOptions
  readonly client: Client.Options
}

/** A turn that this worker works on, and how to stop it. */
interface Taken extends Turn.Turn {
  readonly shard: string
  readonly stop: Deferred.Deferred<void>
}

/** An account that nobody has asked about for this long is forgotten, and its rate limit with it. */
const maxIdleTime = Duration.minutes(5)

/**
 * How long a pass that somebody else has continued is left alone. It was the last commit of a worker that has stopped: nobody
 * else may make this pass.
 */
const patience = Duration.seconds(2)

/** How often to look for turns that were lost, and for accounts that were removed. */
const checkInterval = Duration.seconds(2)

/** A row that cannot be written is written later: until then, the turn has not ended. */
const persistently = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A> =>
  statement.pipe(
    Effect.tapError((error) => Effect.logWarning(`Could not record a turn; trying again: ${Tables.reasonOf(error)}`)),
    Effect.retry(Schedule.union(Schedule.exponential("500 millis"), Schedule.spaced("10 seconds"))),
    Effect.orDie
  )

/** Makes a pass. A failure concerns this account alone. */
const pass = (id: string, client: Client.Client, { mirror, sync }: Options): Effect.Effect<Turn.Ended> =>
  Effect.flatMap(
    client,
    (api) =>
      Effect.flatMap(mirror.forAccount(id), (copy) => copy.syncEither({ ...sync, patience })).pipe(
        Effect.provide(api)
      )
  ).pipe(
    Effect.map(Turn.fromReports),
    Effect.catchAll((error) => Effect.succeed(Turn.failed(error.message))),
    Effect.catchAllDefect((defect) =>
      Effect.as(
        Effect.logError("A pass ended with a defect", Cause.die(defect)),
        Turn.failed("the pass crashed; see the log")
      )
    )
  )

const counted = <A>(pass: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.acquireUseRelease(
    Metric.increment(Metrics.passes),
    () => pass,
    () => Metric.incrementBy(Metrics.passes, -1)
  )

/** The entities of all accounts on this worker. */
export const layer = (options: Options): Layer.Layer<never, never, Sharding | Accounts | Transport | Lease.Lease> => {
  const { address, ledger, room } = options
  const taken = new Set<Taken>()

  const finish = (turn: Turn.Turn, ended: Turn.Ended, attempts: number): Effect.Effect<void> =>
    Effect.gen(function*() {
      yield* Metric.increment(Metric.tagged(Metrics.turns, "outcome", ended._tag))
      const { log, outcome } = Turn.decide(ended, attempts, yield* Random.next, options)
      if (log !== undefined) yield* Effect.logWithLevel(LogLevel.fromLiteral(log.level), log.text)
      if (outcome !== undefined) yield* persistently(ledger.finish(turn, outcome, options))
    })

  const work = (turn: Taken, client: Client.Client): Effect.Effect<void> =>
    Effect.gen(function*() {
      const received = yield* persistently(ledger.receive(turn, address, turn.shard))
      if (received === undefined) return
      const work = counted(Effect.zipRight(persistently(ledger.start(turn)), pass(turn.id, client, options)))
      const ended = yield* Waiting.raceFirst(
        Effect.map(
          room.run(work, { isLong: received.yields > 0 }),
          Option.getOrElse((): Turn.Ended => ({ _tag: "Yielded" }))
        ),
        Effect.as(Deferred.await(turn.stop), { _tag: "Removed" } as const)
      )
      yield* finish(turn, ended, received.attempts)
    })

  const take = (turn: Turn.Turn & { readonly shard: string }, client: Client.Client): Effect.Effect<void> =>
    Effect.acquireUseRelease(
      Effect.map(Deferred.make<void>(), (stop) => {
        const entry: Taken = { ...turn, stop }
        taken.add(entry)
        return entry
      }),
      (entry) => work(entry, client),
      (entry) => Effect.sync(() => taken.delete(entry))
    ).pipe(
      Metric.trackDuration(Metrics.duration),
      Effect.annotateLogs({ account: turn.id, worker: address }),
      Effect.withSpan("Worker.turn", { attributes: { "mailstream.account": turn.id, "mailstream.turn": turn.turn } })
    )

  /**
   * Stops turns of accounts that were removed, and returns turns that were lost here. The engine marks a message as read when
   * it takes it from the database: if the connection breaks in between, it does not look at it again for ten minutes.
   */
  const check = Effect.gen(function*() {
    const removed = taken.size === 0 ? [] : yield* ledger.removed(Array.from(taken, ({ id }) => id))
    for (const { id, stop } of taken) {
      if (removed.includes(id)) yield* Deferred.succeed(stop, undefined)
    }
    const lost = Turn.without(yield* ledger.received(address), taken)
    if (lost.length === 0) return
    yield* Effect.logInfo(`Returning turns that were lost on this worker: ${lost.length}`)
    yield* ledger.returned(address, lost)
  }).pipe(
    // While the database is away, every turn says so.
    Effect.catchTag("SqlError", (error) => Effect.logDebug("Could not check for lost turns", error)),
    Effect.catchAllCause((cause) => Effect.logError("Could not check for lost turns", cause)),
    Effect.repeat(Schedule.spaced(checkInterval))
  )

  const entities = Protocol.Account.toLayer(
    Effect.gen(function*() {
      const { entityId, shardId } = yield* Entity.CurrentAddress
      const client = yield* Client.make(entityId, shardId, options.client)
      return { Turn: ({ payload }) => take({ id: entityId, turn: payload.turn, shard: shardId.toString() }, client) }
    }),
    { concurrency: 1, maxIdleTime }
  )
  return Layer.merge(entities, Layer.scopedDiscard(Effect.forkScoped(check)))
}
