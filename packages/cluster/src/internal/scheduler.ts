/** Finds out, on one worker of the cluster, whose turn it is, and notifies the workers that have these accounts. */
import type { Sharding } from "@effect/cluster/Sharding"
import * as Singleton from "@effect/cluster/Singleton"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import { Accounts } from "../Accounts.ts"
import * as Entries from "./entries.ts"
import * as Ledger from "./ledger.ts"
import * as Metrics from "./metrics.ts"
import * as Protocol from "./protocol.ts"
import type { Settings } from "./settings.ts"
import type * as Tables from "./tables.ts"

/** How often to look for accounts that are due: one statement on an index. */
const interval = Duration.seconds(1)

/** How often to ask which accounts there are. */
const accountsInterval = Duration.seconds(5)

const pruneInterval = Duration.seconds(30)

/** How many rows one statement prunes. */
const pruneLimit = 5000

/**
 * For each worker, how many turns may be assigned at once. They wait in its memory, so that more would only cost memory;
 * with fewer, a worker whose accounts are slow would keep the others waiting.
 */
const outstandingFor = (maxAccounts: number): number => Math.max(256, 4 * maxAccounts)

/** A worker that does not respond is asked again later. */
const notifyTimeout = Duration.seconds(5)

/** A worker receives a turn at once, unless it is about to lose the account. */
const stalledAfter = (lockExpiration: Duration.Duration): Duration.Duration => Duration.times(lockExpiration, 4)

export interface Options {
  readonly settings: Settings
  readonly names: Tables.Names
  readonly ledger: Ledger.Ledger
}

/** Runs an effect again when this much time has passed since it last ran. */
const throttled = <E, R>(every: Duration.Duration, effect: Effect.Effect<void, E, R>): Effect.Effect<void, E, R> => {
  let last = -Infinity
  return Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (now - last < Duration.toMillis(every)) return Effect.void
    last = now
    return effect
  })
}

/** Drops what the engine keeps about turns that ended some time ago, which it never asks for again, and about lost workers. */
const prune = (
  sql: SqlClient.SqlClient,
  { messages, replies, runners }: Tables.Names,
  { keepMessages, lockExpiration }: Settings
): Effect.Effect<void, SqlError> =>
  sql<{ readonly count: string }>`WITH old AS (
      DELETE FROM ${sql(messages)} WHERE id IN (
        SELECT id FROM ${sql(messages)}
        WHERE processed AND last_read < now() - ${Ledger.seconds(keepMessages)}::interval
        LIMIT ${pruneLimit}
      ) RETURNING request_id
    ), gone AS (DELETE FROM ${sql(replies)} WHERE request_id IN (SELECT request_id FROM old))
    SELECT count(*) AS count FROM old`.pipe(
    Effect.repeat({ while: ([row]) => Number(row?.count) === pruneLimit }),
    Effect.zipRight(sql`DELETE FROM ${sql(runners)}
      WHERE last_heartbeat < now() - ${Ledger.seconds(Duration.times(lockExpiration, 10))}::interval`),
    Effect.asVoid
  )

const make = (
  { ledger, names, settings }: Options
): Effect.Effect<never, never, Accounts | Sharding | SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const sql = (yield* SqlClient.SqlClient).withoutTransforms()
    const accounts = yield* Accounts
    const client = yield* Protocol.Account.client
    const { lockExpiration, maxAccounts } = settings
    let known = ""

    const reconcile = Effect.gen(function*() {
      const ids = [...yield* accounts.ids].sort()
      const invalid = ids.find((id) => Entries.invalidId(id) !== undefined)
      if (invalid !== undefined) {
        yield* Effect.logWarning(`An account's id ${Entries.invalidId(invalid)}; it is ignored`)
      }
      const now = JSON.stringify(ids)
      if (now === known) return
      yield* ledger.reconcile(ids.filter((id) => Entries.invalidId(id) === undefined))
      known = now
    })

    const renew = Effect.gen(function*() {
      const ids = yield* ledger.renew(stalledAfter(lockExpiration), lockExpiration)
      if (ids.length === 0) return
      yield* Metric.incrementBy(Metrics.renewed, ids.length)
      yield* Effect.logWarning(`Turns that no live worker holds are assigned again: ${ids.length}`)
    })

    const runners = Effect.map(
      sql<{ readonly count: string }>`SELECT count(*) AS count FROM ${sql(names.runners)}
        WHERE last_heartbeat > now() - ${Ledger.seconds(lockExpiration)}::interval`,
      ([row]) => Math.max(1, Number(row?.count))
    )

    /** Sent first and noted then: a turn that is sent twice is given once. */
    const notify = Effect.gen(function*() {
      const most = (yield* runners) * outstandingFor(maxAccounts)
      const free = most - (yield* ledger.outstanding)
      if (free <= 0) return
      const due = yield* ledger.due(free)
      const sent = yield* Effect.forEach(due, (turn) =>
        client(turn.id).Turn({ turn: turn.turn }, { discard: true }).pipe(
          Effect.timeout(notifyTimeout),
          Effect.as(turn),
          Effect.either
        ), { concurrency: 32 })
      const turns = sent.flatMap((result) => Either.isRight(result) ? [result.right] : [])
      if (turns.length > 0) yield* ledger.notified(turns)
    })

    const steps = [
      throttled(accountsInterval, reconcile),
      throttled(Duration.min(accountsInterval, lockExpiration), renew),
      notify,
      throttled(pruneInterval, prune(sql, names, settings))
    ]
    return yield* Effect.forEach(
      steps,
      (step) => Effect.catchAllCause(step, (cause) => Effect.logWarning("The scheduler could not do a step", cause)),
      { discard: true }
    ).pipe(
      Effect.repeat(Schedule.spaced(interval)),
      Effect.zipRight(Effect.never)
    )
  })

/** The scheduler, on whichever worker the engine chooses. */
export const layer = (
  options: Options
): Layer.Layer<never, never, Accounts | Sharding | SqlClient.SqlClient> =>
  Singleton.make("mailstream/Scheduler", make(options))
