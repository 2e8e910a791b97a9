/** Finds out, on one worker of the cluster, whose turn it is, and notifies the workers that have these accounts. */
import { RunnerStorage } from "@effect/cluster/RunnerStorage"
import type { Sharding } from "@effect/cluster/Sharding"
import * as Singleton from "@effect/cluster/Singleton"
import * as Arr from "effect/Array"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import { Accounts } from "../Accounts.ts"
import type { EngineTables } from "./engineTables.ts"
import * as Entries from "./entries.ts"
import type { History } from "./history.ts"
import type * as Ledger from "./ledger.ts"
import * as Metrics from "./metrics.ts"
import * as Protocol from "./protocol.ts"

/** How often to look for accounts that are due: one statement on an index. */
const interval = Duration.seconds(1)

/** How often to ask which accounts there are. */
const accountsInterval = Duration.seconds(5)

const pruneInterval = Duration.seconds(30)

/** A worker that does not respond is asked again later. */
const notifyTimeout = Duration.seconds(5)

export interface Options {
  readonly ledger: Ledger.Ledger
  readonly history: History
  readonly tables: EngineTables
  readonly lockExpiration: Duration.Duration
  /** The time from pass to pass. */
  readonly every: Duration.Duration
  /** The longest time until an account that failed is tried again. */
  readonly maxBackoff: Duration.Duration
  readonly maxAccounts: number
  readonly keepMessages: Duration.Duration
}

/**
 * How many turns may be assigned at once. They wait in the memory of the workers, so that more would only cost memory; with
 * fewer, a worker whose accounts are slow would keep the others waiting.
 */
const mostOutstanding = (runners: number, maxAccounts: number): number =>
  Math.max(1, runners) * Math.max(256, 4 * maxAccounts)

/** Repeats a step, whether it fails or not. */
const repeatedly = <E, R>(
  every: Duration.Duration,
  step: Effect.Effect<unknown, E, R>
): Effect.Effect<unknown, never, R> =>
  Effect.repeat(
    Effect.catchAllCause(step, (cause) => Effect.logWarning("Scheduler step failed; retrying", cause)),
    Schedule.spaced(every)
  )

const make = (
  { every, history, keepMessages, ledger, lockExpiration, maxAccounts, maxBackoff, tables }: Options
): Effect.Effect<never, never, Accounts | Sharding | RunnerStorage> =>
  Effect.gen(function*() {
    const accounts = yield* Accounts
    const client = yield* Protocol.Account.client
    /** The addresses of the workers that were heard from within the expiration of a lock. */
    const runners = Effect.map(
      (yield* RunnerStorage).getRunners,
      Arr.map(([{ address }]) => `${address.host}:${address.port}`)
    )
    let known = ""

    const reconcile = Effect.gen(function*() {
      const ids = [...yield* accounts.ids].sort()
      const [errors, valid] = Arr.separate(ids.map((id) => Entries.checkId(id)))
      const now = JSON.stringify(ids)
      if (now === known) return
      if (errors[0] !== undefined) yield* Effect.logWarning(`An account's ${errors[0].message}; it is ignored`)
      yield* ledger.reconcile(valid)
      known = now
    })

    /** A worker receives a turn at once, unless it is about to lose the account. */
    const renew = Effect.gen(function*() {
      yield* ledger.repair(Duration.max(every, maxBackoff))
      const count = yield* ledger.renew(Duration.times(lockExpiration, 4), yield* runners)
      if (count === 0) return
      yield* Metric.incrementBy(Metrics.renewed, count)
      yield* Effect.logWarning(`Reassigned turns that no live worker holds: ${count}`)
    })

    /** Sent first and noted then: a turn that is sent twice is given once. */
    const notify = Effect.gen(function*() {
      const due = yield* ledger.due(mostOutstanding((yield* runners).length, maxAccounts))
      const sent = yield* Effect.forEach(due, (turn) =>
        client(turn.id).Turn({ turn: turn.turn }, { discard: true }).pipe(
          Effect.timeout(notifyTimeout),
          Effect.as(turn),
          Effect.either
        ), { concurrency: 32 })
      const [failures, turns] = Arr.separate(sent)
      if (failures[0] !== undefined) {
        yield* Effect.logDebug(`Could not notify workers; trying again. Turns: ${failures.length}`, failures[0])
      }
      if (turns.length > 0) yield* ledger.notified(turns)
    })

    return yield* Effect.zipRight(
      Effect.all([
        repeatedly(accountsInterval, reconcile),
        repeatedly(Duration.min(accountsInterval, lockExpiration), renew),
        repeatedly(interval, notify),
        repeatedly(Duration.min(pruneInterval, keepMessages), tables.prune(keepMessages, lockExpiration)),
        repeatedly(pruneInterval, history.prune)
      ], { concurrency: "unbounded", discard: true }),
      Effect.never
    )
  })

/** The scheduler, on whichever worker the engine chooses. */
export const layer = (options: Options): Layer.Layer<never, never, Accounts | Sharding | RunnerStorage> =>
  Singleton.make("mailstream/Scheduler", make(options))
