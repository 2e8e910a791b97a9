/**
 * What was known of a complete list after its last pass: for each run of items that follow each other, a digest of all
 * their fields, and the rows that hold them. A run whose digest is the same again is unchanged, without a look at its rows.
 *
 * A digest is only stored as long as it is true: a transaction that changes a row also drops the digests of all runs that
 * hold it.
 *
 * The digests are SHA-256. A collision would hide a change until the run changes again, so it must not happen, not even if
 * somebody chooses the contents; and hashing takes less time than writing the JSON that is hashed.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import type { Copy, Item } from "./copy.ts"
import type { Query } from "./database.ts"
import { toJson } from "./json.ts"
import { type Range, toRanges } from "./seen.ts"

/** What tells a run from others: items that follow each other. */
export interface Fingerprint {
  /** The id of the first item. */
  readonly first: string
  readonly digest: string
  /** How long its items are as JSON, roughly. */
  readonly length: number
}

export interface Run extends Fingerprint {
  readonly items: ReadonlyArray<Item>
}

/** What is stored of a run. */
export interface Digest extends Pick<Fingerprint, "first" | "digest"> {
  readonly rows: ReadonlyArray<Range>
}

/**
 * Whether a run of some length ends with an item. That depends on the item itself, so that most runs stay the same where
 * items come or go elsewhere. On average, a run has between two and four pages.
 */
export const isEnd = (pageSize: number): (id: string, length: number) => boolean => {
  const average = 2 << Math.ceil(Math.log2(pageSize))
  return (id, length) => (hashOfEnd(id) & (average - 1)) === 0 || length >= 4 * average
}

/** A hash of the last characters, where most ids differ. */
const hashOfEnd = (id: string): number => {
  let hash = 5381
  for (let index = Math.max(0, id.length - 8); index < id.length; index++) hash = (hash * 33) ^ id.charCodeAt(index)
  return hash
}

export const fingerprintOf = (items: ReadonlyArray<Item>): Fingerprint => {
  const json = JSON.stringify(items)
  return {
    first: items[0]?.id ?? "",
    digest: createHash("sha256").update(json).digest("base64"),
    length: json.length
  }
}

/** The digests of runs whose items have rows with these ordinals, in the same order. */
export const digestsOf = (runs: ReadonlyArray<Run>, ordinals: ReadonlyArray<number>): ReadonlyArray<Digest> => {
  let from = 0
  return runs.map(({ digest, first, items }) => {
    const rows = toRanges(ordinals.slice(from, from + items.length))
    from += items.length
    return { first, digest, rows }
  })
}

/** The digests of a list, and which of their runs a pass has met. */
export class Known {
  readonly #digests: Map<string, Digest>
  readonly #met = new Set<string>()

  constructor(digests: ReadonlyArray<Digest>) {
    this.#digests = new Map(digests.map((digest) => [digest.first, digest]))
  }

  /** The rows of a run that is unchanged. */
  meet({ digest, first }: Fingerprint): ReadonlyArray<Range> | undefined {
    const known = this.#digests.get(first)
    if (known?.digest !== digest) return undefined
    this.#met.add(first)
    return known.rows
  }

  /** Takes note of digests that were stored after others had been dropped. */
  replace(dropped: ReadonlyArray<string>, stored: ReadonlyArray<Digest>): void {
    for (const first of dropped) this.#digests.delete(first)
    for (const { first } of stored) this.#met.add(first)
  }

  /** The digests of runs that are no longer in the list. */
  get unmet(): ReadonlyArray<string> {
    return Array.from(this.#digests.keys()).filter((first) => !this.#met.has(first))
  }
}

const Stored = Schema.Struct({
  digests: Schema.parseJson(Schema.Array(Schema.Tuple(
    Schema.String,
    Schema.String,
    Schema.parseJson(Schema.Array(Schema.Tuple(Schema.Number, Schema.Number)))
  )))
})

/** The digests of runs that may hold rows in a range; of all, if none is given. */
const select = (
  { database: { collect, name, read, sql }, own }: Copy,
  [from, to]: Range = [0, Number.MAX_SAFE_INTEGER]
): Query<ReadonlyArray<Digest>> =>
  Effect.map(
    read(
      Stored,
      sql`SELECT ${collect("first", "digest", "ordinals")} AS digests FROM ${name("mirror_digests")}
          WHERE ${own} AND highest >= ${from} AND lowest <= ${to}`
    ),
    ([row]) => row?.digests.map(([first, digest, rows]) => ({ first, digest, rows })) ?? []
  )

export const load = (copy: Copy): Query<Known> => Effect.map(select(copy), (digests) => new Known(digests))

const spanOf = (ranges: ReadonlyArray<Range>): Range => [ranges[0]?.[0] ?? 0, ranges[ranges.length - 1]?.[1] ?? 0]

export const store = (
  { database: { items, name, run, sql }, key: { account, list } }: Copy,
  digests: ReadonlyArray<Digest>
): Query<void> => {
  if (digests.length === 0) return Effect.void
  const given = toJson(digests.map((digest) => ({ ...digest, span: spanOf(digest.rows) })))
  return run(sql`INSERT INTO ${name("mirror_digests")} (account, list, first, digest, ordinals, lowest, highest)
    SELECT CAST(${account} AS text), CAST(${list} AS text), e.value ->> 'first', e.value ->> 'digest', e.value ->> 'rows',
      CAST(e.value -> 'span' ->> 0 AS bigint), CAST(e.value -> 'span' ->> 1 AS bigint)
    FROM ${items(given)} WHERE true
    ON CONFLICT (account, list, first) DO UPDATE SET digest = excluded.digest, ordinals = excluded.ordinals,
      lowest = excluded.lowest, highest = excluded.highest`)
}

/** Drops the digests of all runs that hold one of these rows, and returns the ids of their first items. */
export const forget = (copy: Copy, ordinals: ReadonlyArray<number>): Query<ReadonlyArray<string>> =>
  ordinals.length === 0 ? Effect.succeed([]) : Effect.gen(function*() {
    const changed = toRanges(ordinals)
    const digests = yield* select(copy, spanOf(changed))
    const stale = digests.filter(({ rows }) => overlap(rows, changed)).map(({ first }) => first)
    yield* drop(copy, stale)
    return stale
  })

/** Whether two lists of ranges, in ascending order, have something in common. */
const overlap = (self: ReadonlyArray<Range>, that: ReadonlyArray<Range>): boolean => {
  let at = 0
  return self.some(([from, to]) => {
    while (at < that.length && that[at]![1] < from) at++
    return at < that.length && that[at]![0] <= to
  })
}

/** Drops digests by the ids of their first items; all, if none are given. */
export const drop = ({ database: { among, name, run, sql }, own }: Copy, firsts?: ReadonlyArray<string>): Query<void> =>
  firsts?.length === 0
    ? Effect.void
    : run(sql`DELETE FROM ${name("mirror_digests")} WHERE ${own} ${firsts ? sql`AND first ${among(firsts)}` : sql``}`)
