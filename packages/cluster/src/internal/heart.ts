/** Confirms again and again that a worker is there, and finds out what it has to know. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Moment from "@mailstream/kernel/Moment"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { Claiming } from "./claiming.ts"
import * as Lease from "./lease.ts"
import type { Ledger } from "./ledger.ts"
import type * as Members from "./members.ts"
import type { Outage } from "./outage.ts"
import * as Turn from "./turn.ts"
import type { Running, Turns } from "./turns.ts"

export interface Options {
  readonly worker: string
  readonly lease: Lease.Lease
  readonly sql: SqlClient.SqlClient
  readonly members: Members.Members
  readonly ledger: Ledger
  readonly turns: Turns
  readonly claiming: Claiming
  /** The time from beat to beat. */
  readonly interval: Duration.Duration
  /** For how many seconds the worker has been running. */
  readonly upFor: Effect.Effect<number>
  /** Opened while this worker is the one that does what one worker does for all. */
  readonly isFirst: Effect.Latch
  /** Called with what each beat has found out. */
  readonly onBeat: (beat: Members.Beat) => Effect.Effect<unknown>
  /** Gives up a statement that takes too long. */
  readonly bounded: <A>(statement: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>
  readonly outage: Outage
}

/** How often to look whether the lease has ended. */
const watchInterval = Duration.millis(250)

/** Ends when the lease does. */
export const watch = (lease: Lease.Lease): Effect.Effect<unknown> =>
  Effect.repeat(Effect.delay(Effect.sync(() => Lease.isHeld(lease)), watchInterval), { while: (isHeld) => isHeld })

/** Compares the turns that the database knows with those that are being worked on. */
const tending = ({ bounded, ledger, turns, worker }: Options) => {
  /** Turns that the database knows of, and nobody here, when it was last asked. */
  let suspects: ReadonlyArray<Turn.Turn> = []
  /** Ends turns that are not wanted any more, and returns those that were claimed without a response. */
  return (held: ReadonlyArray<Members.Held>, before: ReadonlyArray<Running>, mayBeNew: boolean) =>
    Effect.gen(function*() {
      const wanted = held.filter(({ isWanted }) => isWanted)
      yield* Effect.forEach(Turn.without(before, wanted), ({ stop }) => stop("Stopped"), { discard: true })
      const unknown = mayBeNew ? [] : Turn.without(held, turns.all())
      const forgotten = Turn.without(unknown, Turn.without(unknown, suspects))
      suspects = unknown
      if (forgotten.length === 0) return
      yield* Effect.logInfo(`Returning turns whose claim was not confirmed in time: ${forgotten.length}`)
      yield* bounded(ledger.returned(worker, forgotten))
    })
}

/** Beats on a connection of its own, so that they wait for nothing else that this worker does. Ends when the worker is lost. */
export const beats = (options: Options): Effect.Effect<void> =>
  Effect.flatMap(Effect.clock, (clock) => {
    const { bounded, claiming, interval, isFirst, lease, members, onBeat, outage, sql, turns, upFor, worker } = options
    const tend = tending(options)
    const on = (own: <A>(statement: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>) =>
      Effect.gen(function*() {
        const sent = Moment.of(clock)
        const beat = yield* own(members.beat(worker, yield* upFor))
        if (!beat.isAlive) {
          yield* outage.confirmed
          return false
        }
        lease.renew(sent)
        yield* (beat.isFirst ? isFirst.open : isFirst.close)
        yield* onBeat(beat)
        const [before, wasClaiming] = [turns.running(), claiming.isUnderWay()]
        const held = yield* own(members.reap(worker))
        // Not before: a database that confirms beats only is of no use.
        yield* outage.confirmed
        yield* tend(held, before, wasClaiming || claiming.isUnderWay())
        yield* Effect.sleep(interval)
        return true
      })
    return Effect.acquireUseRelease(
      Effect.zip(Scope.make(), Effect.makeSemaphore(1)),
      ([scope, turn]) =>
        Effect.flatMap(bounded(Scope.extend(sql.reserve, scope)), (connection) =>
          Effect.repeat(
            on((statement) =>
              bounded(
                turn.withPermits(1)(
                  Effect.provideService(statement, SqlClient.TransactionConnection, [connection, 0])
                )
              )
            ),
            { while: (isAlive) => isAlive }
          )),
      // When the last statement has ended: nobody else may use its connection before.
      ([scope, turn], exit) => Effect.forkDaemon(turn.withPermits(1)(Scope.close(scope, exit)))
    ).pipe(
      Effect.tapError(outage.failed),
      Effect.retry(Schedule.spaced("200 millis")),
      Effect.orDie,
      Effect.asVoid
    )
  })
