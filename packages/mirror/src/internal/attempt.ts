/** One attempt at a pass: what it has seen and counted, and what it commits. */
import { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { TooManyDeletions } from "../MirrorError.ts"
import * as Commit from "./commit.ts"
import * as Copy from "./copy.ts"
import * as Damaged from "./damaged.ts"
import { now } from "./database.ts"
import * as Digests from "./digests.ts"
import type * as Feeds from "./feeds.ts"
import { toJson } from "./json.ts"
import type { NotNew } from "./rows.ts"
import { type Block, type Range, type Seen, toRanges } from "./seen.ts"
import * as State from "./state.ts"
import { Gate } from "./storable.ts"

export interface Options extends Feeds.Options {
  readonly pageSize: number
  /** How long another process that makes the same pass may be silent before it is taken over. */
  readonly patience: Duration.Duration
  /** How many parts of a list that has pages are walked at once. */
  readonly lanes: number
  /** The share of the rows that a pass may mark as deleted. */
  readonly maxDeleted: number
  /** Compares every row. */
  readonly full: boolean
  /** Only counts what would change. */
  readonly dryRun: boolean
}

/** The pass begins again. */
export class StartOver extends Data.TaggedError("StartOver") {}

/** A pass that begins again more often than this fails. */
const maxRestarts = 5

/** How many milliseconds a pass is silent at most while nothing changes: others wait for much longer. */
const maxSilence = 5000

/** Distinct items that consist of runs. */
export interface Runs {
  readonly items: ReadonlyArray<Copy.Item>
  readonly json: string
  /** None if the runs have items in common. */
  readonly runs: ReadonlyArray<Digests.Run>
}

export class Attempt {
  readonly copy: Copy.Copy
  readonly options: Options
  readonly gate: Gate
  readonly #seen: Seen
  #state: State.Running

  constructor(copy: Copy.Copy, options: Options, state: State.Running, seen: Seen) {
    this.copy = copy
    this.options = options
    this.gate = new Gate(copy)
    this.#seen = seen
    this.#state = state
  }

  get progress(): State.Progress {
    return this.#state.pass.progress
  }

  /** Whether no pass over the list has ended yet. */
  get isFirst(): boolean {
    return this.#state.completedAt === undefined
  }

  /** Takes note of the first items of the list, the newest. */
  begin(items: ReadonlyArray<Copy.Item>): void {
    this.#state = { ...this.#state, newest: State.newestOf(items.map(({ id }) => id)) }
  }

  /** Takes note of rows whose items are unchanged. */
  recognize(rows: ReadonlyArray<Range>): void {
    this.#seen.add(rows)
  }

  /** Commits distinct items, together with how far the pass has come, so that it can be continued after them. */
  commit(
    items: ReadonlyArray<Copy.Item>,
    progress: State.Progress,
    owner = ""
  ): Effect.Effect<void, SqlError | Commit.Overtaken> {
    return Effect.gen(this, function*() {
      const json = toJson(items)
      const difference = Copy.compare(items, yield* this.#find(json, owner), this.#state)
      yield* this.#write(
        difference,
        progress,
        (state, at, seen) => Commit.write(this.copy, state, difference, { owner, at, seen })
      )
    })
  }

  /** Commits runs in a pass that begins at the top again after an interruption: what was seen is not stored. */
  commitRuns(batch: Runs, known: Digests.Known): Effect.Effect<void, SqlError | Commit.Overtaken> {
    return Effect.flatMap(
      this.#find(batch.json, ""),
      (rows) => this.#writeRuns(batch, known, rows, Commit.write)
    )
  }

  /** The same, for items that are assumed to be new. */
  commitNewRuns(batch: Runs, known: Digests.Known): Effect.Effect<void, SqlError | Commit.Overtaken | NotNew> {
    return Effect.suspend(() => this.#writeRuns(batch, known, Copy.noRows, Commit.writeNew))
  }

  #writeRuns<E>(
    { items, json, runs }: Runs,
    known: Digests.Known,
    rows: Copy.Rows,
    write: (
      copy: Copy.Copy,
      state: State.Running,
      difference: Copy.Difference,
      details: Commit.Details
    ) => Effect.Effect<Commit.Written<State.Running>, E>
  ): Effect.Effect<void, E> {
    const difference = Copy.compare(items, rows, this.#state)
    const digests = Digests.digestsOf(runs, difference.ordinals)
    const created = difference.created.length === items.length ? json : undefined
    return this.#write(difference, this.progress, (state, at) =>
      Effect.tap(
        write(this.copy, state, difference, { owner: "", at, digests, created }),
        ({ dropped }) => Effect.sync(() => known.replace(dropped, digests))
      ))
  }

  #find(json: string, owner: string): Effect.Effect<Copy.Rows, SqlError> {
    // A list that was never copied has no rows.
    return this.#state.ordinals > 0 ? Copy.find(this.copy, owner, json) : Effect.succeed(Copy.noRows)
  }

  #write<E>(
    difference: Copy.Difference,
    progress: State.Progress,
    write: (
      state: State.Running,
      at: string,
      seen: ReadonlyArray<Block>
    ) => Effect.Effect<Commit.Written<State.Running>, E>
  ): Effect.Effect<void, E> {
    return Effect.gen(this, function*() {
      const { created, ordinals, present, revived, updated } = difference
      const { dryRun } = this.options
      const { pass } = this.#state
      const seen = this.#seen.with(toRanges(dryRun ? present : ordinals))
      const counts = {
        created: pass.counts.created + created.length + revived.length,
        updated: pass.counts.updated + updated.length,
        deleted: 0
      }
      const unchanged = Math.max(0, this.#seen.sizeWith(seen) - counts.created - counts.updated)
      const at = yield* now
      const state = { ...this.#state, pass: { ...pass, progress, activeAt: at, counts: { ...counts, unchanged } } }
      this.#state = dryRun ? state : (yield* write(state, at, seen)).state
      this.#seen.put(seen)
    })
  }

  /** Stores how far the pass has come. */
  mark(progress: State.Progress): Effect.Effect<void, SqlError | Commit.Overtaken> {
    return Effect.gen(this, function*() {
      const state = { ...this.#state, pass: { ...this.#state.pass, progress, activeAt: yield* now } }
      this.#state = this.options.dryRun ? state : yield* Commit.mark(this.copy, state)
    })
  }

  /** Lets other processes know that this one is alive, even if nothing changes. */
  showLife(): Effect.Effect<void, SqlError | Commit.Overtaken> {
    return Effect.flatMap(
      Clock.currentTimeMillis,
      (now) => now - Date.parse(this.#state.pass.activeAt) < maxSilence ? Effect.void : this.mark(this.progress)
    )
  }

  /** Lets others know that this process does not continue the pass. */
  pause(): Effect.Effect<void> {
    const state = { ...this.#state, pass: { ...this.#state.pass, isPaused: true } }
    return this.options.dryRun
      ? Effect.void
      : Effect.ignore(
        Effect.disconnect(Effect.timeout(Effect.interruptible(Commit.mark(this.copy, state)), "1 second"))
      )
  }

  /** Begins the pass again, unless that has been tried often enough: then it is given up because of an error. */
  startOver<E>(error: E): Effect.Effect<never, E | SqlError | Commit.Overtaken | StartOver> {
    return Effect.gen(this, function*() {
      if (this.options.dryRun) return yield* Effect.fail(error)
      const { pass } = this.#state
      const restarts = pass.restarts + 1
      if (restarts > maxRestarts) {
        yield* Commit.reset(this.copy, { ...this.#state, pass: undefined })
        return yield* Effect.fail(error)
      }
      const progress = State.beginningOf(pass.progress)
      yield* Commit.reset(this.copy, { ...this.#state, pass: { ...pass, restarts, progress } })
      return yield* new StartOver()
    })
  }

  /** The rows whose items the pass has not seen. */
  findUnseen(): Effect.Effect<Copy.Existing, SqlError | Commit.Overtaken | StartOver> {
    return Effect.gen(this, function*() {
      const { lastPass, pass: { counts: { created } } } = this.#state
      if (created === 0 && this.#seen.size === lastPass?.items) {
        // What was seen is what the last pass left. If there are as many rows, they are the same.
        const count = yield* Copy.countRows(this.copy)
        if (count === this.#seen.size) return { count, gone: [] }
      }
      const existing = yield* Copy.findUnseen(this.copy, this.#seen, this.#state)
      if (this.options.dryRun || existing.count - existing.gone.length === this.#seen.size) return existing
      // Another program has deleted rows: without the digests, their items are looked up, and copied again.
      yield* Digests.dropAll(this.copy)
      return yield* this.startOver(
        new SqlError({
          cause: undefined,
          message: `Another program is deleting rows from the table ${this.copy.table.table}.`
        })
      )
    })
  }

  /** Ends the pass: marks what is gone as deleted, unless that exceeds a share of the copy. */
  finish(
    existing: Copy.Existing,
    maxDeleted: number
  ): Effect.Effect<State.Counts, SqlError | TooManyDeletions | Commit.Overtaken> {
    return Effect.gen(this, function*() {
      const { dryRun } = this.options
      const damaged = yield* Damaged.find(this.copy, existing.gone)
      const count = existing.count - damaged.length
      const gone = existing.gone.filter((ordinal) => !damaged.includes(ordinal))
      const { lastPass, newest, pass: { counts: { created, updated } } } = this.#state
      // Only what the last pass left counts: what a refused one has added must not make the next one look harmless.
      const missing = lastPass === undefined
        ? gone.length
        : gone.filter((ordinal) => ordinal <= lastPass.ordinals).length
      // What has come back since may be gone again, too.
      const known = Math.max(lastPass?.items ?? count, missing)
      if (missing > known * maxDeleted) {
        if (!dryRun) yield* Commit.reset(this.copy, { ...this.#state, pass: undefined })
        return yield* new TooManyDeletions({ ...this.copy.key, missing, known, maxDeleted })
      }
      const items = count - gone.length
      if (dryRun) {
        // Rows that were recognized, but have been deleted by another program, would be copied again.
        const lost = Math.max(0, this.#seen.size - items)
        return { created: created + lost, updated, deleted: gone.length, unchanged: Math.max(0, items - updated) }
      }
      const counts = {
        created,
        updated,
        deleted: gone.length,
        unchanged: Math.max(0, items - updated - created)
      }
      const state = { ...this.#state, newest: items === 0 ? [] : newest }
      yield* Commit.complete(this.copy, state, gone, { at: yield* now, counts, damaged, items })
      return counts
    })
  }
}
