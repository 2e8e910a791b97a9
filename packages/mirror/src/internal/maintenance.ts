/** Looking at the copy, and dropping what is no longer needed. */
import type { Fragment, Identifier } from "@effect/sql/Statement"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { defaults } from "../Lists.ts"
import type { MirrorService } from "../MirrorService.ts"
import type { PassStatus, Status } from "../Status.ts"
import * as Copy from "./copy.ts"
import { type Database, Integer, type Query } from "./database.ts"
import * as Decide from "./decide.ts"
import * as Feeds from "./feeds.ts"
import * as State from "./state.ts"

const passStatus = (state: State.State): PassStatus | undefined => {
  const { pass, storedAt } = state
  return pass === undefined ? undefined : {
    beganAt: pass.beganAt,
    activeAt: storedAt ?? pass.activeAt,
    isInterrupted: Decide.isInterrupted(state),
    attempts: pass.attempts,
    counts: pass.counts
  }
}

const Totals = Schema.Struct({ total: Integer, deleted: Integer })

const Consumer = Schema.Struct({ consumer: Schema.String, seq: Integer })

const status = (copy: Copy.Copy): Query<Status> =>
  Effect.gen(function*() {
    const { database: { name, read, sql }, key: { account }, own, rows, table } = copy
    const state = yield* State.load(copy)
    const [{ deleted, total } = { deleted: 0, total: 0 }] = yield* read(
      Totals,
      sql`SELECT COUNT(*) AS total, COUNT(deleted_at) AS deleted FROM ${rows} WHERE account = ${account}`
    )
    const consumers = yield* read(
      Consumer,
      sql`SELECT consumer, seq FROM ${name("mirror_consumers")} WHERE ${own} ORDER BY consumer`
    )
    return {
      list: table.name,
      isCostly: !defaults.includes(table.name),
      items: total - deleted,
      deleted,
      completedAt: state?.completedAt,
      lastPass: state?.lastPass?.counts,
      pass: state === undefined ? undefined : passStatus(state),
      error: state?.error,
      changes: state?.changes ?? 0,
      consumers: Object.fromEntries(consumers.map(({ consumer, seq }) => [consumer, seq]))
    }
  })

const Time = Schema.Struct({ now: Schema.DateTimeUtc })

/** The point in time before which things are dropped, by the clock that wrote their times; an age may be zero. */
const cutoffOf = ({ iso, now, read, sql }: Database, olderThan: Duration.DurationInput) =>
  Effect.gen(function*() {
    const age = yield* InvalidOption.duration("olderThan", olderThan, { min: 0 })
    const [row] = yield* read(Time, sql`SELECT ${iso("n.now")} AS now FROM (SELECT ${yield* now} AS now) AS n`)
    return DateTime.formatIso(DateTime.subtractDuration(row?.now ?? (yield* DateTime.now), age))
  })

/** Deletes rows, and returns how many there were. */
const drop = ({ atLength, numbers, run, sql }: Database, table: Identifier, where: Fragment): Query<number> =>
  atLength(Effect.gen(function*() {
    const [count = 0] = yield* numbers(sql`SELECT COUNT(*) AS number FROM ${table} AS t WHERE ${where}`)
    yield* run(sql`DELETE FROM ${table} AS t WHERE ${where}`)
    return count
  }))

/**
 * Drops rows that were marked as deleted. A pass may be about to bring one of them back, so a list with a pass under way is
 * left alone; a poll that has compared its items already is refused, because the version has changed.
 */
const purge = ({ database, key: { account }, own, rows }: Copy.Copy, cutoff: string): Query<number> =>
  database.transaction(Effect.gen(function*() {
    const { name, numbers, sql, time } = database
    const free = yield* numbers(
      sql`UPDATE ${
        name("mirror_lists")
      } SET version = version + 1 WHERE ${own} AND pass IS NULL RETURNING version AS number`
    )
    if (free.length === 0) return 0
    return yield* drop(database, rows, sql`t.account = ${account} AND t.deleted_at < ${time(cutoff)}`)
  }))

/** Drops changes that every consumer has committed. */
const prune = (database: Database, account: string, cutoff: string): Query<number> => {
  const { name, sql, time, transaction } = database
  return transaction(drop(
    database,
    name("mirror_changes"),
    sql`t.account = ${account} AND t.at < ${time(cutoff)} AND NOT EXISTS (
          SELECT 1 FROM ${name("mirror_consumers")} c
          WHERE c.account = t.account AND c.list = t.list AND c.seq < t.seq
        )`
  ))
}

export const make = (database: Database, account: string): Pick<MirrorService, "status" | "purge" | "prune"> => {
  const copies = Feeds.all.map(({ table }) => Copy.make(database, account, table))
  const attributes = { "mailstream.account": account }
  return {
    status: Effect.withSpan(Effect.forEach(copies, status), "Mirror.status", { attributes }),
    purge: (olderThan) =>
      cutoffOf(database, olderThan).pipe(
        Effect.flatMap((cutoff) => Effect.forEach(copies, (copy) => purge(copy, cutoff))),
        Effect.map((dropped) => dropped.reduce((sum, count) => sum + count, 0)),
        Effect.withSpan("Mirror.purge", { attributes })
      ),
    prune: (olderThan) =>
      cutoffOf(database, olderThan).pipe(
        Effect.flatMap((cutoff) => prune(database, account, cutoff)),
        Effect.withSpan("Mirror.prune", { attributes })
      )
  }
}
