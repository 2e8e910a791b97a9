/** The turns that a worker works on under one identity. */
import type { SqlError } from "@effect/sql/SqlError"
import { Transport } from "@mailstream/http/Transport"
import { monotonicMillis } from "@mailstream/kernel/Fibers"
import * as Waiting from "@mailstream/kernel/Waiting"
import * as Availability from "@mailstream/sql/Availability"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as LogLevel from "effect/LogLevel"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type { Accounts } from "../Accounts.ts"
import * as Lease from "./lease.ts"
import type { Claim, Ledger } from "./ledger.ts"
import * as Metrics from "./metrics.ts"
import type { Outage } from "./outage.ts"
import * as Pass from "./pass.ts"
import * as Places from "./places.ts"
import * as Retention from "./retention.ts"
import * as Tables from "./tables.ts"
import * as Turn from "./turn.ts"

export interface Options extends Turn.Backoff, Pass.Options, Places.Settings {
  readonly name: string
  readonly retention: Retention.Policy
  /** The time from pass to pass. */
  readonly every: Duration.Duration
  readonly ledger: Ledger
  /** Gives up a statement that takes too long. */
  readonly bounded: <A>(statement: Effect.Effect<A, SqlError>) => Effect.Effect<A, SqlError>
  readonly outage: Outage
}

/** A turn that is being worked on. */
export interface Running extends Places.Place, Turn.Turn {
  /** Interrupts the pass, and records why. */
  readonly stop: (why: "Yielded" | "Stopped") => Effect.Effect<void>
}

export interface Turns {
  /** Those that have not been told to stop. */
  readonly running: () => ReadonlyArray<Running>
  /** All that have not ended. */
  readonly all: () => ReadonlyArray<Running>
  readonly start: (claim: Claim) => Effect.Effect<void, never, Accounts | Transport>
  /** Interrupts all of them, and records nothing. */
  readonly abandon: Effect.Effect<void>
}

interface Entry extends Running {
  why: "Yielded" | "Stopped" | undefined
}

/** While the database is not available, a row is written later: until then, the turn has not ended. */
const persistently = <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
  statement.pipe(
    Effect.tapError((error) => Effect.logDebug(`Could not record a turn: ${Tables.reasonOf(error)}`)),
    Effect.retry({
      while: Availability.isUnavailable,
      schedule: Schedule.union(Schedule.exponential("200 millis"), Schedule.spaced("5 seconds"))
    })
  )

const interrupted = ({ why }: Entry): Turn.Ended =>
  why === undefined ? Turn.failed("the pass was interrupted") : { _tag: why }

/** What is recorded of a turn whose end the database refuses. */
const unrecorded = Turn.failed("the end of the pass could not be recorded; see the log")

/** Records how a turn ended; if the database refuses that, that it failed. If it refuses this, too, the beats return the turn. */
const recorded = (
  finish: (ended: Turn.Ended) => Effect.Effect<void, SqlError>,
  ended: Turn.Ended,
  wait: Duration.Duration
): Effect.Effect<void> =>
  finish(ended).pipe(
    Effect.tapError((error) => Effect.logWarning(`Could not record how a turn ended: ${Tables.reasonOf(error)}`)),
    Effect.catchAll(() => finish(unrecorded)),
    Effect.catchAll((error) =>
      Effect.zipRight(
        Effect.logError(`Could not record that a turn failed: ${Tables.reasonOf(error)}`),
        // Nothing says that it is not due: it would begin again at once.
        Effect.sleep(wait)
      )
    )
  )

/** For the turns of a worker, which ask for nothing without its lease. `onEnd` is called when one of them has ended. */
export const make = (
  worker: string,
  lease: Lease.Lease,
  options: Options,
  onEnd: Effect.Effect<unknown>
): Effect.Effect<Turns> =>
  Effect.map(Effect.clock, (clock) => {
    const { bounded, every, ledger, minBackoff, name, outage } = options
    const entries = new Map<Entry, Fiber.RuntimeFiber<void>>()

    const finish = (claim: Claim, ended: Turn.Ended, ran: number): Effect.Effect<void, SqlError> =>
      Effect.gen(function*() {
        const { log, outcome } = Turn.decide(ended, claim.attempts, yield* Random.next, options)
        if (log !== undefined) yield* Effect.logWithLevel(LogLevel.fromLiteral(log.level), log.text)
        const spent = claim.spent + ran / 1000
        const kind = Places.kindOf(ended._tag === "Done" ? "short" : claim.kind, spent * 1000, options)
        yield* persistently(bounded(ledger.finish(worker, claim, { outcome, kind, spent }, every)))
      })

    const work = (claim: Claim, entry: Entry, stop: Deferred.Deferred<void>) =>
      Effect.gen(function*() {
        const pass = yield* Effect.fork(
          Effect.updateService(Pass.make(claim, options), Transport, (transport) => Lease.guard(transport, lease))
        )
        yield* Effect.onInterrupt(
          Waiting.raceFirst(Fiber.await(pass), Deferred.await(stop)),
          () => Fiber.interrupt(pass)
        )
        // Unless it has just ended.
        const exit = yield* Fiber.interrupt(pass)
        const ended = Exit.getOrElse(exit, () => interrupted(entry))
        yield* Metric.increment(Metric.tagged(Metrics.turns, "outcome", ended._tag))
        // Others may have the account by now: that it failed is not its own failure.
        const isBroken = ended._tag === "Failed" || ended._tag === "CutOff"
        if (isBroken && !Lease.isHeld(lease)) return
        yield* recorded((ended) => finish(claim, ended, entry.ran), ended, minBackoff)
        if (ended._tag === "CutOff") yield* outage.cutOff(ended.error)
        if (Turn.endsPass(ended)) yield* Retention.apply(claim.id, options.mirror, options.retention)
      }).pipe(
        Lease.within(lease),
        Metric.trackDuration(Metrics.duration),
        Effect.annotateLogs({ account: claim.id, worker: name }),
        Effect.withSpan("Worker.turn", {
          attributes: { "mailstream.account": claim.id, "mailstream.turn": claim.turn }
        })
      )

    const start = (claim: Claim) =>
      Effect.gen(function*() {
        const stop = yield* Deferred.make<void>()
        const began = monotonicMillis(clock)
        const entry: Entry = {
          id: claim.id,
          turn: claim.turn,
          why: undefined,
          get ran() {
            return monotonicMillis(clock) - began
          },
          get kind() {
            return Places.kindOf(claim.kind, claim.spent * 1000 + entry.ran, options)
          },
          stop: (why) =>
            Effect.suspend(() => {
              entry.why ??= why
              return Deferred.succeed(stop, undefined)
            })
        }
        const ended = Effect.zipRight(Effect.sync(() => entries.delete(entry)), onEnd)
        const fiber = yield* Effect.forkDaemon(Effect.ensuring(Effect.interruptible(work(claim, entry, stop)), ended))
        entries.set(entry, fiber)
      })

    return {
      all: () => [...entries.keys()],
      running: () => [...entries.keys()].filter(({ why }) => why === undefined),
      start: (claim) => Effect.uninterruptible(start(claim)),
      abandon: Effect.suspend(() => Fiber.interruptAll([...entries.values()]))
    }
  })
