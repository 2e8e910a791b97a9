/** Reads the changes of a list, and keeps how far each consumer has come. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Change } from "../Change.ts"
import { ConsumerMoved } from "../MirrorError.ts"
import type { Copy } from "./copy.ts"
import { Integer, type Query } from "./database.ts"
import { isSame, parse } from "./json.ts"

export interface Batch<out Item> {
  readonly changes: ReadonlyArray<Change<Item>>
  /** The number of the last change that was read, whether it was left out or not; undefined if none was read. */
  readonly last: number | undefined
}

const Row = Schema.Struct({
  seq: Integer,
  kind: Schema.Literal("Created", "Updated", "Deleted"),
  owner: Schema.String,
  at: Schema.Date,
  before: Schema.NullOr(Schema.String),
  after: Schema.NullOr(Schema.String)
})

/** What a row says; nothing if it is not about an item. */
const toChange = <Item extends { readonly id: string }>(
  { after, at, before, kind, owner, seq }: typeof Row.Type,
  isOwned: boolean,
  isItem: (value: unknown) => value is Item
): Option.Option<Change<Item>> => {
  const item = (json: string | null): Option.Option<Item> => Option.filter(parse(String(json)), isItem)
  const observed = { seq, at, ...(isOwned ? { owner } : {}) }
  if (kind === "Deleted") return Option.map(item(before), (item) => ({ _tag: kind, ...observed, item }))
  const old = kind === "Created" ? Option.none() : item(before)
  return Option.map(item(after), (item) =>
    Option.isNone(old)
      ? { _tag: "Created", ...observed, item }
      : { _tag: "Updated", ...observed, before: old.value, item, fields: differing(old.value, item) })
}

/**
 * The changes after a number, in order. If another program has deleted the row that a change is about, or has made it
 * something other than an item, the change is left out: once the item has been copied again, it is created.
 */
export const read = <Item extends { readonly id: string }, Encoded>(
  { database: { iso, name, read, sql }, key: { account, list }, rows, table }: Copy,
  schema: Schema.Schema<Item, Encoded>,
  after: number,
  limit: number
): Query<Batch<Item>> => {
  // What is not known is kept as it is, whatever it is called.
  const isItem = Schema.is(schema)
  const current = sql`(SELECT t.json FROM ${rows} t WHERE ${
    sql.and([
      "t.account = c.account",
      sql`${sql(`t.${table.id}`)} = c.id`,
      ...(table.owner === undefined ? [] : [sql`${sql(`t.${table.owner.column}`)} = c.owner`])
    ])
  })`
  return Effect.flatMap(
    read(
      Row,
      sql`SELECT c.seq AS seq, c.kind AS kind, c.owner AS owner, ${iso("c.at")} AS at, CAST(c.before AS text) AS before,
            CAST(COALESCE(c.after, ${current}) AS text) AS after
          FROM ${name("mirror_changes")} c
          WHERE c.account = ${account} AND c.list = ${list} AND c.seq > ${after}
            AND (c.kind = 'Deleted' OR COALESCE(c.after, ${current}) IS NOT NULL)
          ORDER BY c.seq LIMIT ${limit}`
    ),
    (rows) => {
      const changes = rows.flatMap((row) => Option.toArray(toChange(row, table.owner !== undefined, isItem)))
      const skipped = rows.length - changes.length
      return Effect.as(
        skipped === 0
          ? Effect.void
          : Effect.logWarning(`${list}: skipped changes that are not about an item: ${skipped}`),
        { changes, last: rows[rows.length - 1]?.seq }
      )
    }
  )
}

/** The names of the fields in which two items differ. */
const differing = (before: object, after: object): ReadonlyArray<string> => {
  const old = new Map<string, unknown>(Object.entries(before))
  const now = new Map<string, unknown>(Object.entries(after))
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => !isSame(old.get(name), now.get(name)))
}

/** Changes from one number, exclusive, to another, inclusive. */
type Range = readonly [from: number, to: number]

/** What a consumer has committed: everything up to a change, and some ranges beyond it. */
const Committed = Schema.Struct({
  seq: Integer,
  done: Schema.parseJson(Schema.Array(Schema.Tuple(Schema.Number, Schema.Number)))
})

export type Committed = typeof Committed.Type

const nothing: Committed = { seq: 0, done: [] }

const encode = Schema.encodeSync(Committed)

export const isCommitted = ({ done, seq }: Committed, change: number): boolean =>
  change <= seq || done.some(([from, to]) => from < change && change <= to)

/** Adds a range. What is contiguous becomes one. */
export const add = ({ done, seq }: Committed, range: Range): Committed => {
  const left: Array<Range> = []
  let last = seq
  for (const [from, to] of [...done, range].sort(([a], [b]) => a - b)) {
    if (from <= last) last = Math.max(last, to)
    else left.push([from, to])
  }
  return { seq: last, done: left }
}

/** What a consumer has committed. From now on, nothing that it has yet to see is pruned. */
export const register = (copy: Copy, consumer: string): Query<Committed> => {
  const { database: { name, run, sql }, key } = copy
  return Effect.zipRight(
    run(sql`INSERT INTO ${name("mirror_consumers")} ${sql.insert({ ...key, consumer, ...encode(nothing) })}
            ON CONFLICT (account, list, consumer) DO NOTHING`),
    load(copy, consumer)
  )
}

const load = (
  { database: { isPostgres, name, read, sql }, own }: Copy,
  consumer: string,
  isLocking = false
): Query<Committed> => {
  const lock = sql.literal(isPostgres && isLocking ? "FOR UPDATE" : "")
  return Effect.map(
    read(
      Committed,
      sql`SELECT seq, done FROM ${name("mirror_consumers")} WHERE ${own} AND consumer = ${consumer} ${lock}`
    ),
    ([committed = nothing]) => committed
  )
}

/**
 * Commits changes, in the transaction of the caller if there is one. To commit them again changes nothing. Fails if another process
 * has committed one of them. Everything is in the database, so that a transaction that is rolled back takes its commit with it.
 */
export const commit = (
  copy: Copy,
  consumer: string,
  range: Range,
  changes: ReadonlyArray<{ readonly seq: number }>
): Effect.Effect<void, SqlError | ConsumerMoved> => {
  const { database: { isNested, name, run, sql, transaction }, key: { list }, own } = copy
  /** Whether these changes were committed here, or may have been: a response can be lost. */
  let isOwn = false
  const work = transaction(Effect.gen(function*() {
    const committed = yield* load(copy, consumer, true)
    const found = changes.filter(({ seq }) => isCommitted(committed, seq))
    if (isOwn && found.length === changes.length) return
    if (found.length > 0) return yield* new ConsumerMoved({ consumer, list })
    yield* run(sql`UPDATE ${name("mirror_consumers")} SET ${sql.update(encode(add(committed, range)))}
                   WHERE ${own} AND consumer = ${consumer}`)
  }))
  const remember = Effect.onExit(work, (exit) =>
    Effect.sync(() => {
      isOwn = isOwn || Exit.isSuccess(exit) || !Cause.failures(exit.cause).pipe(Chunk.some(isMoved))
    }))
  // The caller may still roll back what it commits in its own transaction.
  return Effect.flatMap(isNested, (isNested) => isNested ? work : remember)
}

const isMoved = (error: SqlError | ConsumerMoved): boolean => error._tag === "ConsumerMoved"
