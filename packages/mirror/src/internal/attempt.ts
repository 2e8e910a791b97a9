/** One attempt at a pass: does what was decided about what it has seen, and commits it. */
import { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { TooManyDeletions } from "../MirrorError.ts"
import * as Commit from "./commit.ts"
import * as Compare from "./compare.ts"
import type { Copy, Item } from "./copy.ts"
import * as Damaged from "./damaged.ts"
import type { Query } from "./database.ts"
import * as Decide from "./decide.ts"
import * as Digests from "./digests.ts"
import type * as Feeds from "./feeds.ts"
import * as Find from "./find.ts"
import { toJson } from "./json.ts"
import type * as Check from "./options.ts"
import type { NotNew } from "./rows.ts"
import { type Block, type Range, type Seen, toRanges } from "./seen.ts"
import * as State from "./state.ts"
import { Gate } from "./storable.ts"

export type Options = Feeds.Options & Check.Pass

export class StartOver extends Data.TaggedError("StartOver") {}

/** Distinct items that consist of runs. */
export interface Runs {
  readonly items: ReadonlyArray<Item>
  readonly json: string
  /** None if the runs have items in common. */
  readonly runs: ReadonlyArray<Digests.Run>
}

type Failure = SqlError | Commit.Overtaken

export class Attempt {
  readonly copy: Copy
  readonly options: Options
  readonly gate: Gate
  readonly #seen: Seen
  #state: State.Running
  /** When others last heard of it, on a clock that nobody sets. */
  #heard: bigint | undefined

  constructor(copy: Copy, options: Options, state: State.Running, seen: Seen) {
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
  begin(items: ReadonlyArray<Item>): void {
    this.#state = { ...this.#state, newest: State.newestOf(items.map(({ id }) => id)) }
  }

  /** Takes note of rows whose items are unchanged. */
  recognize(rows: ReadonlyArray<Range>): void {
    this.#seen.add(rows)
  }

  /** Commits distinct items, together with how far the pass has come, so that it can be continued after them. */
  commit(items: ReadonlyArray<Item>, progress: State.Progress, owner = ""): Effect.Effect<void, Failure> {
    return Effect.gen(this, function*() {
      const difference = Compare.compare(items, yield* this.#find(toJson(items), owner), this.#state.ordinals)
      yield* this.#write(
        difference,
        progress,
        (state, seen) => Commit.write(this.copy, state, difference, { owner, seen })
      )
    })
  }

  /** Commits runs in a pass that begins at the top again after an interruption: what was seen is not stored. */
  commitRuns(batch: Runs, known: Digests.Known): Effect.Effect<void, Failure> {
    return Effect.flatMap(this.#find(batch.json, ""), (rows) => this.#writeRuns(batch, known, rows, Commit.write))
  }

  /** The same, for items that are assumed to be new. */
  commitNewRuns(batch: Runs, known: Digests.Known): Effect.Effect<void, Failure | NotNew> {
    return Effect.suspend(() => this.#writeRuns(batch, known, Compare.noRows, Commit.writeNew))
  }

  #writeRuns<E>(
    { items, json, runs }: Runs,
    known: Digests.Known,
    rows: Compare.Rows,
    write: (...args: Parameters<typeof Commit.write<State.Running>>) => Effect.Effect<Commit.Written<State.Running>, E>
  ): Effect.Effect<void, E> {
    const difference = Compare.compare(items, rows, this.#state.ordinals)
    const digests = Digests.digestsOf(runs, difference.ordinals)
    const created = difference.created.length === items.length ? json : undefined
    return this.#write(difference, this.progress, (state) =>
      Effect.tap(
        write(this.copy, state, difference, { owner: "", digests, created }),
        ({ dropped }) => Effect.sync(() => known.replace(dropped, digests))
      ))
  }

  #find(json: string, owner: string): Query<Compare.Rows> {
    // A list that was never copied has no rows.
    return this.#state.ordinals > 0 ? Find.rows(this.copy, owner, json) : Effect.succeed(Compare.noRows)
  }

  #write<E>(
    difference: Compare.Difference,
    progress: State.Progress,
    write: (
      state: State.Running,
      seen: ReadonlyArray<Block>
    ) => Effect.Effect<Commit.Written<State.Running>, E>
  ): Effect.Effect<void, E> {
    return Effect.gen(this, function*() {
      const { dryRun } = this.options
      const seen = this.#seen.with(toRanges(dryRun ? difference.present : difference.ordinals))
      const state = Decide.heard(Decide.count(this.#state, difference, this.#seen.sizeWith(seen)), progress)
      this.#state = dryRun ? state : (yield* write(state, seen)).state
      this.#heard = yield* Clock.currentTimeNanos
      this.#seen.put(seen)
    })
  }

  /** Stores how far the pass has come. */
  mark(progress: State.Progress): Effect.Effect<void, Failure> {
    return Effect.gen(this, function*() {
      const state = Decide.heard(this.#state, progress)
      this.#state = this.options.dryRun ? state : yield* Commit.mark(this.copy, state)
      this.#heard = yield* Clock.currentTimeNanos
    })
  }

  /** Takes note of rows that cannot be compared, and stay as they are. */
  keep(ordinals: ReadonlyArray<number>): Effect.Effect<void, Failure> {
    const difference = { ...Compare.same, present: ordinals, ordinals }
    return this.#write(
      difference,
      this.progress,
      (state, seen) => Commit.write(this.copy, state, difference, { owner: "", seen })
    )
  }

  /** Lets other processes know that this one is alive, even if nothing changes. */
  showLife(): Effect.Effect<void, Failure> {
    return Effect.flatMap(Clock.currentTimeNanos, (now) => {
      this.#heard ??= now
      return Decide.isSilent(now - this.#heard) ? this.mark(this.progress) : Effect.void
    })
  }

  /** Lets others know that this process does not continue the pass. */
  pause(): Effect.Effect<void> {
    const state = { ...this.#state, pass: { ...this.#state.pass, isPaused: true } }
    return this.options.dryRun
      ? Effect.void
      : Effect.ignore(
        Effect.timeout(Effect.interruptible(Effect.disconnect(Commit.mark(this.copy, state))), "1 second")
      )
  }

  /** Begins the pass again, unless that has been tried often enough: then it is given up because of an error. */
  startOver<E>(error: E): Effect.Effect<never, E | Failure | StartOver> {
    return Effect.gen(this, function*() {
      if (this.options.dryRun) return yield* Effect.fail(error)
      const { pass } = yield* Commit.reset(this.copy, Decide.restart(this.#state))
      return yield* pass === undefined ? Effect.fail(error) : new StartOver()
    })
  }

  /** The rows whose items the pass has not seen. */
  findUnseen(): Effect.Effect<Find.Existing, Failure | StartOver> {
    return Effect.gen(this, function*() {
      const existing = yield* Find.unseen(this.copy, this.#seen)
      if (this.options.dryRun || existing.count - existing.gone.length === this.#seen.size) return existing
      // Another program has deleted rows: without the digests, their items are looked up, and copied again.
      yield* Digests.drop(this.copy)
      return yield* this.startOver(
        new SqlError({
          cause: undefined,
          message: `Another program is deleting rows from the table ${this.copy.table.table}.`
        })
      )
    })
  }

  /** Ends the pass, unless too much is gone. */
  finish(existing: Find.Existing, maxDeleted: number): Effect.Effect<State.Counts, Failure | TooManyDeletions> {
    return Effect.gen(this, function*() {
      const { dryRun } = this.options
      const damaged = yield* Damaged.find(this.copy, existing.gone)
      const count = existing.count - damaged.length
      const gone = existing.gone.filter((ordinal) => !damaged.includes(ordinal))
      const end = Decide.end(this.#state, { count, gone }, { dryRun, maxDeleted, seen: this.#seen.size })
      if (end._tag === "Refused") {
        const { known, missing } = end
        if (!dryRun) yield* Commit.reset(this.copy, { ...this.#state, pass: undefined })
        return yield* new TooManyDeletions({ ...this.copy.key, missing, known, maxDeleted })
      }
      const { counts, items } = end
      if (!dryRun) yield* Commit.complete(this.copy, this.#state, { counts, items, gone, damaged })
      return counts
    })
  }
}
