/**
 * Drops what is no longer needed, in short transactions: passes go on in between, and whoever stops it loses at most one of them.
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { DropOptions, MirrorService } from "../MirrorService.ts"
import * as Copy from "./copy.ts"
import { type Database, Integer, nullable, type Query } from "./database.ts"
import * as Feeds from "./feeds.ts"

/** How many rows are dropped at once. */
const batchSize = 2000

const Time = Schema.Struct({ now: Schema.DateTimeUtc })

/** The point in time before which things are dropped, by the clock that wrote their times; an age may be zero. */
const cutoffOf = ({ iso, now, read, sql }: Database, age: Duration.Duration): Query<string> =>
  Effect.gen(function*() {
    const [row] = yield* read(Time, sql`SELECT ${iso("n.now")} AS now FROM (SELECT ${yield* now} AS now) AS n`)
    return DateTime.formatIso(DateTime.subtractDuration(row?.now ?? (yield* DateTime.now), age))
  })

/** Where it continues, and how much was dropped; nowhere if there is no more. */
interface Batch<Place> {
  readonly next: Place | undefined
  readonly dropped: number
}

/** Drops batch by batch, until there is nothing more to drop, or it was this much. */
const inBatches = <Place>(
  start: Place,
  atMost: number,
  drop: (place: Place, limit: number) => Query<Batch<Place>>
): Query<number> =>
  Effect.map(
    Effect.iterate({ next: start as Place | undefined, dropped: 0 }, {
      while: ({ dropped, next }) => next !== undefined && dropped < atMost,
      body: ({ dropped, next }) =>
        next === undefined
          ? Effect.succeed({ next, dropped })
          : Effect.map(
            drop(next, Math.min(batchSize, atMost - dropped)),
            (batch) => ({ next: batch.next, dropped: dropped + batch.dropped })
          )
    }),
    ({ dropped }) => dropped
  )

/** The copies in which rows were marked as deleted before then. */
const withDeleted = (
  { read, sql, time }: Database,
  copies: ReadonlyArray<Copy.Copy>,
  cutoff: string
): Query<ReadonlyArray<Copy.Copy>> => {
  const probes = copies.map(({ key: { account, list }, rows }) =>
    sql`SELECT CAST(${list} AS text) AS list WHERE EXISTS (
      SELECT 1 FROM ${rows} WHERE account = ${account} AND deleted_at < ${time(cutoff)})`
  )
  return Effect.map(
    read(Schema.Struct({ list: Schema.String }), sql`${sql.join(" UNION ALL ", false)(probes)}`),
    (found) => copies.filter(({ key }) => found.some(({ list }) => list === key.list))
  )
}

/**
 * Drops rows that were marked as deleted. A pass may be about to bring one of them back, so a list with a pass under way is
 * left alone, unless that has failed: nobody knows when it will be continued, which reads the rows anew. A poll that has compared its
 * items already is refused, because the version has changed.
 */
const purge =
  ({ database, key: { account }, own, rows }: Copy.Copy, cutoff: string) =>
  (_: true, limit: number): Query<Batch<true>> =>
    database.transaction(Effect.gen(function*() {
      const { name, numbers, oneOf, place, sql, time } = database
      const free = yield* numbers(
        sql`UPDATE ${
          name("mirror_lists")
        } SET version = version + 1 WHERE ${own} AND (pass IS NULL OR error IS NOT NULL) RETURNING version AS number`
      )
      if (free.length === 0) return { next: undefined, dropped: 0 }
      const old = sql`SELECT ${place} FROM ${rows} WHERE account = ${account} AND deleted_at < ${time(cutoff)}
        ORDER BY deleted_at LIMIT ${limit}`
      const { length: dropped } = yield* numbers(
        sql`DELETE FROM ${rows} WHERE ${oneOf(place, old)} RETURNING ordinal AS number`
      )
      return { next: dropped === limit ? true : undefined, dropped }
    }))

const Window = Schema.Struct({ last: nullable(Integer), old: Integer })

/** The lists whose first change is from before then. */
const withOld = ({ name, read, sql, time }: Database, account: string, cutoff: string) =>
  Effect.map(
    read(
      Schema.Struct({ list: Schema.String }),
      sql`SELECT l.list AS list FROM ${name("mirror_lists")} l WHERE l.account = ${account} AND (
            SELECT c.at FROM ${name("mirror_changes")} c WHERE c.account = l.account AND c.list = l.list
            ORDER BY c.seq LIMIT 1
          ) < ${time(cutoff)}`
    ),
    (rows) => rows.map(({ list }) => list)
  )

/**
 * Drops changes that every consumer has committed. Their times are in the order of their numbers, so the first of them without one that
 * is old enough ends it. What a pass has locked stays: to wait for a pass that waits for this would fail both.
 */
const prune = (database: Database, account: string, list: string, cutoff: string) => {
  const { isPostgres, name, numbers, oneOf, read, sql, time, transaction } = database
  const changes = name("mirror_changes")
  const consumers = sql`${name("mirror_consumers")} m WHERE m.account = ${account} AND m.list = ${list}`
  return (after: number, limit: number): Query<Batch<number>> => {
    const next = sql`c.account = ${account} AND c.list = ${list} AND c.seq > ${after}`
    return transaction(Effect.gen(function*() {
      const [{ last, old } = { last: undefined, old: 0 }] = yield* read(
        Window,
        sql`SELECT MAX(w.seq) AS last, COUNT(CASE WHEN w.at < ${time(cutoff)} THEN 1 END) AS old FROM (
              SELECT c.seq AS seq, c.at AS at FROM ${changes} c
              WHERE ${next} AND c.seq <= COALESCE((SELECT MIN(m.seq) FROM ${consumers}), c.seq)
              ORDER BY c.seq LIMIT ${limit}
            ) AS w`
      )
      if (last === undefined || old === 0) return { next: undefined, dropped: 0 }
      const free = sql`SELECT c.seq FROM ${changes} c
        WHERE ${next} AND c.seq <= ${last} AND c.at < ${time(cutoff)}
          AND NOT EXISTS (SELECT 1 FROM ${consumers} AND m.seq < c.seq)
        ${sql.literal(isPostgres ? "FOR UPDATE OF c SKIP LOCKED" : "")}`
      const { length: dropped } = yield* numbers(
        sql`DELETE FROM ${changes} WHERE account = ${account} AND list = ${list} AND ${oneOf(sql`seq`, free)}
            RETURNING seq AS number`
      )
      return { next: last, dropped }
    }))
  }
}

/** One after the other, until as much has been dropped as may be. */
const eachOf = <A>(
  parts: ReadonlyArray<A>,
  atMost: number,
  drop: (part: A, atMost: number) => Query<number>
): Query<number> =>
  Effect.reduce(
    parts,
    0,
    (dropped, part) =>
      dropped >= atMost ? Effect.succeed(dropped) : Effect.map(drop(part, atMost - dropped), (more) => dropped + more)
  )

export const make = (database: Database, account: string): Pick<MirrorService, "purge" | "prune"> => {
  const copies = Feeds.all.map(({ table }) => Copy.make(database, account, table))
  const dropping =
    (method: string, drop: (cutoff: string, atMost: number) => Query<number>) =>
    (olderThan: Duration.DurationInput, { atMost = Infinity }: DropOptions = {}) =>
      Effect.gen(function*(): Effect.fn.Return<number, SqlError | InvalidOption.InvalidOption> {
        const age = yield* InvalidOption.duration("olderThan", olderThan, { min: 0 })
        if (atMost !== Infinity) yield* InvalidOption.integer("atMost", atMost, { min: 1 })
        return yield* drop(yield* cutoffOf(database, age), atMost)
      }).pipe(Effect.withSpan(`Mirror.${method}`, { attributes: { "mailstream.account": account } }))
  return {
    purge: dropping(
      "purge",
      (cutoff, atMost) =>
        Effect.flatMap(
          withDeleted(database, copies, cutoff),
          (found) => eachOf(found, atMost, (copy, atMost) => inBatches<true>(true, atMost, purge(copy, cutoff)))
        )
    ),
    prune: dropping(
      "prune",
      (cutoff, atMost) =>
        Effect.flatMap(
          withOld(database, account, cutoff),
          (lists) =>
            eachOf(lists, atMost, (list, atMost) => inBatches(0, atMost, prune(database, account, list, cutoff)))
        )
    )
  }
}
