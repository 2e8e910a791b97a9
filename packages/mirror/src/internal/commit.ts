/** Writes items, what changed, and where the copy stands, in one transaction. */
import { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Difference } from "./compare.ts"
import type { Copy } from "./copy.ts"
import * as Damaged from "./damaged.ts"
import { Integer, type Query } from "./database.ts"
import * as Digests from "./digests.ts"
import { toJson } from "./json.ts"
import * as Rows from "./rows.ts"
import type { Block } from "./seen.ts"
import * as State from "./state.ts"

/** Another process has committed to this copy since its state was read. Nothing was written. */
export class Overtaken extends Data.TaggedError("Overtaken") {}

/** Writes the next state and other things atomically, unless another process was faster. Returns the stored state. */
const commit = <S extends State.State, E>(
  copy: Copy,
  next: S,
  work: (at: string) => Effect.Effect<unknown, E>,
  isCompleted = false
): Effect.Effect<S, E | SqlError | Overtaken> =>
  copy.database.transaction(Effect.gen(function*() {
    const at = yield* State.advance(copy, next, isCompleted)
    if (at === undefined) return yield* new Overtaken()
    yield* work(at)
    return { ...next, version: next.version + 1, storedAt: at }
  }))

/** What is written besides a difference. */
export interface Details {
  readonly owner: string
  /** The created items as JSON, if it is known. */
  readonly created?: string | undefined
  /** The rows that the pass has seen, if it can be continued in the middle of the list. */
  readonly seen?: ReadonlyArray<Block> | undefined
  /** What items are to be recognized by in the next pass. */
  readonly digests?: ReadonlyArray<Digests.Digest> | undefined
}

/** The next state, and the digests that are no longer true. */
export interface Written<S> {
  readonly state: S
  readonly dropped: ReadonlyArray<string>
}

/** Writes a difference whose created items are only assumed to be new. */
export const writeNew = <S extends State.State>(
  copy: Copy,
  state: S,
  { changing, created, revived, updated }: Difference,
  { digests = [], owner, seen = [], ...details }: Details
): Effect.Effect<Written<S>, SqlError | Overtaken | Rows.NotNew> =>
  Effect.suspend(() => {
    const next = {
      ...state,
      ordinals: state.ordinals + created.length,
      changes: state.changes + created.length + updated.length + revived.length,
      error: undefined
    }
    let dropped: ReadonlyArray<string> = []
    const work = Effect.fnUntraced(function*(at: string) {
      yield* storeSeen(copy, seen)
      const items = details.created ?? toJson(created)
      yield* Rows.insert(copy, state, { items, count: created.length, owner, at })
      dropped = yield* Digests.forget(copy, changing)
      const changes = state.changes + created.length
      yield* Rows.update(copy, updated, owner, { kind: "Updated", changes, at })
      yield* Rows.update(copy, revived, owner, { kind: "Created", changes: changes + updated.length, at })
      yield* Digests.store(copy, digests)
    })
    return Effect.map(commit(copy, next, work), (state) => ({ state, dropped }))
  })

export const write = <S extends State.State>(
  copy: Copy,
  state: S,
  difference: Difference,
  details: Details
): Effect.Effect<Written<S>, SqlError | Overtaken> =>
  Effect.catchTag(
    writeNew(copy, state, difference, details),
    "NotNew",
    (cause) => new SqlError({ cause, message: `Another program is inserting rows into the table ${copy.table.table}.` })
  )

/** What a pass leaves behind. */
export interface Ending {
  readonly counts: State.Counts
  /** How many items the copy holds. */
  readonly items: number
  /** The rows to mark as deleted. */
  readonly gone: ReadonlyArray<number>
  /** The rows to drop. */
  readonly damaged: ReadonlyArray<number>
}

export const complete = (
  copy: Copy,
  state: State.State,
  { counts, damaged, gone, items }: Ending
): Effect.Effect<State.State, SqlError | Overtaken> =>
  commit(
    copy,
    {
      ...state,
      changes: state.changes + gone.length,
      newest: items === 0 ? [] : state.newest,
      pass: undefined,
      lastPass: { counts, items, ordinals: state.ordinals },
      error: undefined
    },
    Effect.fnUntraced(function*(at) {
      yield* forgetSeen(copy)
      yield* Digests.forget(copy, [...gone, ...damaged])
      yield* Damaged.drop(copy, damaged)
      yield* Rows.markDeleted(copy, gone, { changes: state.changes, at })
    }),
    true
  )

export const mark = <S extends State.State>(copy: Copy, state: S): Effect.Effect<S, SqlError | Overtaken> =>
  commit(copy, state, () => Effect.void)

/** Stores a state in which nothing has been seen: a pass begins, begins again, or is given up. */
export const reset = <S extends State.State>(copy: Copy, state: S): Effect.Effect<S, SqlError | Overtaken> =>
  commit(copy, state, () => forgetSeen(copy))

const forgetSeen = ({ database: { name, run, sql }, own }: Copy): Query<void> =>
  run(sql`DELETE FROM ${name("mirror_seen")} WHERE ${own}`)

const Stored = Schema.Struct({
  number: Integer.pipe(Schema.propertySignature, Schema.fromKey("block")),
  bits: Schema.Uint8ArrayFromBase64
})

const encode = Schema.encodeSync(Stored)

const storeSeen = ({ database: { name, run, sql }, key }: Copy, blocks: ReadonlyArray<Block>): Query<void> =>
  Effect.forEach(
    blocks,
    (block) =>
      run(sql`INSERT INTO ${name("mirror_seen")} ${sql.insert({ ...key, ...encode(block) })}
            ON CONFLICT (account, list, block) DO UPDATE SET bits = excluded.bits`),
    { discard: true }
  )

/** The rows that the current pass has seen so far. */
export const loadSeen = ({ database: { name, read, sql }, own }: Copy): Query<ReadonlyArray<Block>> =>
  read(Stored, sql`SELECT block, bits FROM ${name("mirror_seen")} WHERE ${own}`)
