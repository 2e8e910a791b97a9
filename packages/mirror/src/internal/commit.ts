/** Writes items, what changed, and where the copy stands, in one transaction. */
import { SqlError } from "@effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import type { Copy, Difference } from "./copy.ts"
import * as Damaged from "./damaged.ts"
import * as Digests from "./digests.ts"
import { toJson } from "./json.ts"
import * as Rows from "./rows.ts"
import type { Block } from "./seen.ts"
import * as State from "./state.ts"

/** Another process has committed to this copy since its state was read. Nothing was written. */
export class Overtaken extends Data.TaggedError("Overtaken") {}

/** Writes the next state and other things atomically, unless another process was faster. Returns the stored state. */
const commit = <S extends State.State, E>(
  { database, key }: Copy,
  next: S,
  work: Effect.Effect<unknown, E>
): Effect.Effect<S, E | SqlError | Overtaken> =>
  Effect.as(
    database.transaction(Effect.gen(function*() {
      if (!(yield* State.advance(database, key, next))) return yield* new Overtaken()
      yield* work
    })),
    { ...next, version: next.version + 1 }
  )

/** What is written besides a difference. */
export interface Details {
  readonly owner: string
  readonly at: string
  /** The created items as JSON, if it is known. */
  readonly created?: string | undefined
  /** The rows that the pass has seen, if it can be continued in the middle of the list. */
  readonly seen?: ReadonlyArray<Block> | undefined
  /** What items are to be recognized by in the next pass. */
  readonly digests?: ReadonlyArray<Digests.Digest> | undefined
}

/** The state after a difference. */
export const after = <S extends State.State>(state: S, { created, revived, updated }: Difference): S => ({
  ...state,
  ordinals: state.ordinals + created.length,
  changes: state.changes + created.length + updated.length + revived.length,
  error: undefined
})

/** The next state, and the digests that are no longer true. */
export interface Written<S> {
  readonly state: S
  readonly dropped: ReadonlyArray<string>
}

/** Writes a difference whose created items are only assumed to be new. */
export const writeNew = <S extends State.State>(
  copy: Copy,
  state: S,
  difference: Difference,
  details: Details
): Effect.Effect<Written<S>, SqlError | Overtaken | Rows.NotNew> =>
  Effect.suspend(() => {
    const { changing, created, revived, updated } = difference
    const { at, owner } = details
    let dropped: ReadonlyArray<string> = []
    const work = Effect.gen(function*() {
      yield* storeSeen(copy, details.seen ?? [])
      yield* Rows.insert(copy, state, {
        items: details.created ?? toJson(created),
        count: created.length,
        owner,
        at
      })
      dropped = yield* Digests.forget(copy, changing)
      const changes = state.changes + created.length
      yield* Rows.update(copy, updated, owner, { kind: "Updated", changes, at })
      yield* Rows.update(copy, revived, owner, { kind: "Created", changes: changes + updated.length, at })
      yield* Digests.store(copy, details.digests ?? [])
    })
    return Effect.map(commit(copy, after(state, difference), work), (state) => ({ state, dropped }))
  })

/** Writes a difference. */
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

/** Ends a pass: marks rows as deleted, and stores the result of the pass. */
export const complete = (
  copy: Copy,
  state: State.State,
  gone: ReadonlyArray<number>,
  { at, counts, damaged, items }: {
    readonly at: string
    readonly counts: State.Counts
    /** The rows that are to be dropped. */
    readonly damaged: ReadonlyArray<number>
    readonly items: number
  }
): Effect.Effect<State.State, SqlError | Overtaken> =>
  commit(
    copy,
    {
      ...state,
      changes: state.changes + gone.length,
      pass: undefined,
      lastPass: { counts, items, ordinals: state.ordinals },
      completedAt: at,
      error: undefined
    },
    Effect.gen(function*() {
      yield* forgetSeen(copy)
      yield* Digests.forget(copy, [...gone, ...damaged])
      yield* Damaged.drop(copy, damaged)
      yield* Rows.markDeleted(copy, gone, { changes: state.changes, at })
    })
  )

/** Stores a state as it is. */
export const mark = <S extends State.State>(copy: Copy, state: S): Effect.Effect<S, SqlError | Overtaken> =>
  commit(copy, state, Effect.void)

/** Stores a state in which nothing has been seen: a pass begins, begins again, or is given up. */
export const reset = <S extends State.State>(copy: Copy, state: S): Effect.Effect<S, SqlError | Overtaken> =>
  commit(copy, state, forgetSeen(copy))

const forgetSeen = (
  { database: { name, run }, key: { account, list } }: Copy
): Effect.Effect<unknown, SqlError> =>
  run(`DELETE FROM ${name("mirror_seen")} WHERE account = ? AND list = ?`, [account, list])

const storeSeen = (
  { database: { name, run }, key: { account, list } }: Copy,
  blocks: ReadonlyArray<Block>
): Effect.Effect<void, SqlError> =>
  Effect.forEach(blocks, ({ bits, number }) =>
    run(
      `INSERT INTO ${name("mirror_seen")} (account, list, block, bits) VALUES (?, ?, ?, ?)
       ON CONFLICT (account, list, block) DO UPDATE SET bits = excluded.bits`,
      [account, list, number, Encoding.encodeBase64(bits)]
    ), { discard: true })

/** The rows that the current pass has seen so far. */
export const loadSeen = (
  { database: { name, run }, key: { account, list } }: Copy
): Effect.Effect<ReadonlyArray<Block>, SqlError> =>
  Effect.flatMap(
    run(`SELECT block, bits FROM ${name("mirror_seen")} WHERE account = ? AND list = ?`, [account, list]),
    (rows) =>
      Effect.orDie(Effect.forEach(rows, ({ bits, block }) =>
        Effect.map(Encoding.decodeBase64(String(bits)), (bits): Block => ({ number: Number(block), bits }))))
  )
