/**
 * A pass over a list: every item is compared with its row, and what the service no longer lists is marked as deleted.
 *
 * A pass can be continued after any end of the process. All its commits change the version of the list's state, so that of
 * several processes only one continues; the others watch it. Since nothing else is written during a pass, a row that was
 * not seen by the end of it was absent when its place was walked.
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Position from "@mailstream/core/Position"
import type * as Mailstream from "@mailstream/http/Mailstream"
import type { ListError } from "@mailstream/stream"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { OtherService, TooManyDeletions } from "../MirrorError.ts"
import * as Copy from "./copy.ts"
import { quote } from "./database.ts"
import type * as Feeds from "./feeds.ts"
import * as Follow from "./follow.ts"
import * as Owners from "./owners.ts"
import { Seen } from "./seen.ts"
import * as State from "./state.ts"

export interface Options extends Feeds.Options {
  readonly pageSize: number
  /** How long another process that makes the same pass may be silent before it is taken over. */
  readonly patience: Duration.Duration
  /** How many parts of a list that has pages are walked at once. */
  readonly lanes: number
  /** The share of the rows that a pass may mark as deleted. */
  readonly maxDeleted: number
  /** Only counts what would change. */
  readonly dryRun: boolean
}

export type Failure = ListError | SqlError | TooManyDeletions | OtherService

/** The cursor of a lane is gone, so that nobody would walk the rest of the lane: the pass begins again. */
class CursorLost extends Data.TaggedError("CursorLost") {}

/** After so many attempts a pass does without what may have prevented its end: one long response, or several lanes. */
const patientAttempts = 3

/** A pass whose cursors disappear more often than this fails. */
const maxRestarts = 5

/** How many pages of a complete list are committed at once. */
const batch = 10

/** How many of the newest ids are kept, in case the newest items are deleted. */
const memory = 100

export const run = (
  copy: Copy.Copy,
  feed: Feeds.Feed,
  options: Options
): Effect.Effect<State.Counts, Failure, Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const service = yield* feed.service
    const state = options.dryRun
      ? (yield* State.load(copy.database, copy.key)) ?? State.initial(service)
      : yield* State.open(copy.database, copy.key, service)
    if (service !== undefined && state.service !== undefined && state.service !== service) {
      return yield* new OtherService({ ...copy.key, stored: state.service, current: service })
    }
    const isContinued = state.pass !== undefined
    return yield* attempt(copy, feed, options, state).pipe(
      Effect.flatMap((counts) => isContinued ? addNew(copy, feed, options, counts) : Effect.succeed(counts)),
      Effect.catchTag("CursorLost", () => run(copy, feed, options)),
      Effect.catchTag("Overtaken", () =>
        Effect.flatMap(watch(copy, state, options.patience), (counts) =>
          counts === undefined ? run(copy, feed, options) : addNew(copy, feed, options, counts)))
    )
  })

/** A pass that began earlier does not know what has come since. */
const addNew = (
  copy: Copy.Copy,
  feed: Feeds.Feed,
  options: Options,
  counts: State.Counts
): Effect.Effect<State.Counts, Failure, Mailstream.Mailstream> =>
  feed._tag === "Owned" || options.dryRun
    ? Effect.succeed(counts)
    : Effect.flatMap(Follow.poll(copy, feed, options), (found) =>
      found === undefined
        ? run(copy, feed, options)
        : Effect.succeed({ ...counts, created: counts.created + found }))

const attempt = (
  copy: Copy.Copy,
  feed: Feeds.Feed,
  options: Options,
  initial: State.State
): Effect.Effect<State.Counts, Failure | Copy.Overtaken | CursorLost, Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const run = yield* Run.begin(copy, feed, options, initial)
    yield* run.walk()
    return yield* run.finish()
  })

/** Waits while another process continues the pass. Returns its result, or undefined if it stopped. */
const watch = (
  { database, key }: Copy.Copy,
  before: State.State,
  patience: Duration.Duration
): Effect.Effect<State.Counts | undefined, SqlError> =>
  Effect.gen(function*() {
    const interval = Duration.min(Duration.times(patience, 1 / 60), "1 second")
    let version = -1
    for (let waited = Duration.zero; Duration.lessThan(waited, patience); waited = Duration.sum(waited, interval)) {
      const state = yield* State.load(database, key)
      if (state === undefined) return undefined
      if (state.pass === undefined) {
        return state.completedAt === before.completedAt || state.lastPass === undefined
          ? undefined
          : state.lastPass.counts
      }
      if (state.version !== version) waited = Duration.zero
      version = state.version
      yield* Effect.sleep(interval)
    }
    return undefined
  })

const now: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())

/** One attempt at a pass. */
class Run {
  readonly #copy: Copy.Copy
  readonly #feed: Feeds.Feed
  readonly #options: Options
  readonly #seen: Seen
  readonly #commits = Effect.unsafeMakeSemaphore(1)
  #state: State.State
  #pass: State.Pass
  /** Whether the pass begins again, so that nothing more may be committed. */
  #isOver = false

  private constructor(
    copy: Copy.Copy,
    feed: Feeds.Feed,
    options: Options,
    state: State.State,
    pass: State.Pass,
    seen: Seen
  ) {
    this.#copy = copy
    this.#feed = feed
    this.#options = options
    this.#state = state
    this.#pass = pass
    this.#seen = seen
  }

  /** Begins a pass, or continues the one that is under way. */
  static begin(
    copy: Copy.Copy,
    feed: Feeds.Feed,
    options: Options,
    state: State.State
  ): Effect.Effect<Run, SqlError | Copy.Overtaken> {
    return Effect.gen(function*() {
      const under = options.dryRun ? undefined : state.pass
      const attempts = (under?.attempts ?? 0) + 1
      const pass: State.Pass = {
        beganAt: under?.beganAt ?? (yield* now),
        attempts,
        restarts: under?.restarts ?? 0,
        counts: under?.counts ?? State.noCounts,
        progress: yield* progressOf(copy, feed, options, under?.progress, attempts)
      }
      if (options.dryRun) return new Run(copy, feed, options, state, pass, new Seen())
      const seen = under === undefined ? [] : yield* Copy.loadSeen(copy)
      return new Run(copy, feed, options, yield* Copy.mark(copy, state, pass), pass, new Seen(seen))
    })
  }

  walk(): Effect.Effect<void, ListError | SqlError | Copy.Overtaken | CursorLost, Mailstream.Mailstream> {
    const { progress } = this.#pass
    if (this.#feed._tag === "Owned") return this.#owners(this.#feed)
    return progress._tag === "Lanes" || this.#feed.whole === undefined
      ? this.#lanes(this.#feed, progress._tag === "Lanes" ? progress.lanes : [])
      : this.#items(this.#feed.whole(this.#options), "", () => this.#pass)
  }

  /** Items as they arrive, in batches. The next ones are received while a batch is written. */
  #items<E>(
    items: Stream.Stream<Copy.Item, E, Mailstream.Mailstream>,
    owner: string,
    pass: () => State.Pass
  ): Effect.Effect<void, E | SqlError | Copy.Overtaken, Mailstream.Mailstream> {
    let isFirst = owner === ""
    return items.pipe(
      Stream.rechunk(batch * this.#options.pageSize),
      Stream.bufferChunks({ capacity: 2 }),
      Stream.runForEachChunk((chunk) => {
        const data = Chunk.toReadonlyArray(chunk)
        const newest = isFirst ? newestOf(data) : this.#state.newest
        isFirst = false
        return this.#commit(data, owner, pass, newest)
      })
    )
  }

  /** Parts of the list, page by page. Each ends where another one has begun. */
  #lanes(
    feed: Feeds.Listed,
    lanes: ReadonlyArray<State.Lane>
  ): Effect.Effect<void, ListError | SqlError | Copy.Overtaken | CursorLost, Mailstream.Mailstream> {
    const current = (): ReadonlyArray<State.Lane> => {
      const { progress } = this.#pass
      return progress._tag === "Lanes" ? progress.lanes : lanes
    }
    const store = (index: number, lane: State.Lane): State.Pass => ({
      ...this.#pass,
      progress: { _tag: "Lanes", lanes: current().map((other, number) => number === index ? lane : other) }
    })
    return Effect.forEach(lanes, (lane, index) => {
      if (lane.isDone) return Effect.void
      const { position } = lane
      let isTop = position._tag === "Start"
      let { beginning } = lane
      // The item before the next page.
      let last = "id" in position ? position.id : ""
      return feed.pages({ ...this.#options, from: position }).pipe(
        Stream.runForEachWhile((page) =>
          this.#commits.withPermits(1)(Effect.gen(this, function*() {
            if (this.#isOver) return yield* new CursorLost()
            const ids = page.data.map(({ id }) => id)
            const end = endOf([last, ...ids], current().filter((_, number) => number !== index))
            const isDone = end < ids.length || !page.has_more
            const newest = isTop ? newestOf(page.data) : this.#state.newest
            if (!isTop && beginning.length === 1) beginning = [...beginning, ...ids.slice(0, recognizable)]
            isTop = false
            last = ids[ids.length - 1] ?? last
            yield* this.#write(
              page.data.slice(0, end),
              "",
              () => store(index, { beginning, position: isDone ? Position.end : page.next, isDone }),
              newest
            )
            return !isDone
          }))
        ),
        Effect.catchTags({
          PositionLost: (error) => this.#restart(error),
          not_found: (error) => position._tag === "Start" ? Effect.fail(error) : this.#restart(error)
        })
      )
    }, { concurrency: "unbounded", discard: true })
  }

  /** Begins the pass again, with one lane, unless that has been tried often enough. */
  #restart<E>(error: E): Effect.Effect<never, E | SqlError | Copy.Overtaken | CursorLost> {
    return this.#commits.withPermits(1)(Effect.gen(this, function*() {
      if (this.#isOver) return yield* new CursorLost()
      if (this.#options.dryRun) return yield* Effect.fail(error)
      this.#isOver = true
      const restarts = this.#pass.restarts + 1
      const isEnough = restarts > maxRestarts
      const pass = { ...this.#pass, restarts, counts: State.noCounts, progress: oneLane }
      // What has been seen so far is forgotten.
      yield* Copy.mark(this.#copy, { ...this.#state, pass: undefined }, isEnough ? undefined : pass)
      return yield* isEnough ? Effect.fail(error) : new CursorLost()
    }))
  }

  /** Owner by owner, in the order in which they were first seen. If their items are fixed, each is asked once. */
  #owners(
    feed: Feeds.Owned
  ): Effect.Effect<void, ListError | SqlError | Copy.Overtaken, Mailstream.Mailstream> {
    const { database, key } = this.#copy
    const { progress } = this.#pass
    return Effect.iterate(progress._tag === "Owners" ? progress.last : "0", {
      while: (last) => last !== "",
      body: (last) =>
        Effect.gen(this, function*() {
          const owner = yield* Owners.next(database, key, feed, last)
          if (owner === undefined) return ""
          const isFound = yield* this.#items(feed.within(owner.id, this.#options), owner.id, () => this.#pass).pipe(
            Effect.as(true),
            // An owner that is gone has no items, unless it is there again next time.
            Effect.catchTag("not_found", () => Effect.succeed(false))
          )
          yield* this.#mark({ ...this.#pass, progress: { _tag: "Owners", last: owner.ordinal } })
          if (isFound && feed.isFixed && !this.#options.dryRun) yield* Owners.remember(database, key, owner.id)
          return owner.ordinal
        })
    })
  }

  #mark(pass: State.Pass): Effect.Effect<void, SqlError | Copy.Overtaken> {
    return Effect.suspend(() => {
      this.#pass = { ...pass, counts: this.#pass.counts }
      return this.#options.dryRun
        ? Effect.void
        : Effect.map(Copy.mark(this.#copy, this.#state, this.#pass), (state) => {
          this.#state = state
        })
    })
  }

  #commit(
    items: ReadonlyArray<Copy.Item>,
    owner: string,
    pass: () => State.Pass,
    newest: ReadonlyArray<string>
  ): Effect.Effect<void, SqlError | Copy.Overtaken> {
    return this.#commits.withPermits(1)(this.#write(items, owner, pass, newest))
  }

  #write(
    items: ReadonlyArray<Copy.Item>,
    owner: string,
    pass: () => State.Pass,
    newest: ReadonlyArray<string>
  ): Effect.Effect<void, SqlError | Copy.Overtaken> {
    return Effect.gen(this, function*() {
      const difference = yield* Copy.compare(this.#copy, items, owner, this.#state)
      const { created, ordinals, revived, updated } = difference
      const { counts } = this.#pass
      // A pass that was interrupted may see an item twice.
      const again = Array.from(ordinals.values()).filter((ordinal) => this.#seen.has(ordinal)).length
      const unchanged = Math.max(0, difference.unchanged - again)
      const next: State.Pass = {
        ...pass(),
        counts: {
          created: counts.created + created.length + revived.length,
          updated: counts.updated + updated.length,
          deleted: 0,
          unchanged: counts.unchanged + unchanged
        }
      }
      if (this.#options.dryRun) this.#seen.add(ordinals.values())
      else {
        const at = yield* now
        this.#state = yield* Copy.write(this.#copy, this.#state, difference, {
          owner,
          at,
          pass: next,
          newest,
          seen: this.#seen
        })
      }
      this.#pass = next
    })
  }

  /** Marks what was not seen as deleted, unless that is too much to be true. */
  finish(): Effect.Effect<State.Counts, SqlError | TooManyDeletions | Copy.Overtaken> {
    return Effect.gen(this, function*() {
      const isFixed = this.#feed._tag === "Owned" && this.#feed.isFixed
      const gone = isFixed ? yield* Owners.findOrphans(this.#copy) : yield* Copy.findUnseen(this.#copy, this.#seen)
      const { maxDeleted } = this.#options
      const counts = { ...this.#pass.counts, deleted: gone.length }
      const items = yield* Copy.countRows(this.#copy)
      if (gone.length > 0 && !isFixed) {
        // Only what the last pass left counts: what a refused one has added must not make the next one look harmless.
        const { lastPass } = this.#state
        const known = lastPass?.items ?? items
        const missing = lastPass === undefined
          ? gone.length
          : gone.filter((ordinal) => ordinal <= lastPass.ordinals).length
        if (missing > known * maxDeleted) {
          if (!this.#options.dryRun) this.#state = yield* Copy.mark(this.#copy, this.#state, undefined)
          return yield* new TooManyDeletions({ ...this.#copy.key, missing, known, maxDeleted })
        }
      }
      if (this.#options.dryRun) return counts
      const { newest } = this.#state
      if (isFixed) yield* Owners.forget(this.#copy.database, this.#copy.key, this.#feed.table)
      yield* Copy.complete(
        this.#copy,
        {
          ...this.#state,
          newest: this.#seen.size === 0 ? [] : newest
        },
        gone,
        { at: yield* now, counts, items: items - gone.length }
      )
      return counts
    })
  }
}

/** How many of its first items a lane is recognized by. */
const recognizable = 5

/**
 * How many items of a page belong to a lane, given their ids after that of the item before. Two items in a row are needed
 * to recognize the beginning of another lane: one alone may be repeated, or have moved.
 */
const endOf = (ids: ReadonlyArray<string>, others: ReadonlyArray<State.Lane>): number => {
  const pairs = new Set(others.flatMap(({ beginning }) => beginning.slice(1).map((id, at) => `${beginning[at]} ${id}`)))
  const at = ids.findIndex((id, index) => index > 0 && pairs.has(`${ids[index - 1]} ${id}`))
  return at < 0 ? ids.length - 1 : at - 1
}

const newestOf = (items: ReadonlyArray<Copy.Item>): ReadonlyArray<string> => items.slice(0, memory).map(({ id }) => id)

const oneLane: State.Progress = {
  _tag: "Lanes",
  lanes: [{ beginning: [], position: Position.start, isDone: false }]
}

/** How a pass goes on, or begins. */
const progressOf = (
  copy: Copy.Copy,
  feed: Feeds.Feed,
  { dryRun, lanes, pageSize }: Options,
  progress: State.Progress | undefined,
  attempts: number
): Effect.Effect<State.Progress, SqlError> => {
  if (feed._tag === "Owned") {
    return Effect.succeed(progress ?? { _tag: "Owners", last: "0" })
  }
  if (feed.whole !== undefined) {
    return Effect.succeed(
      progress?._tag === "Lanes" ? progress : attempts > patientAttempts ? oneLane : { _tag: "Whole" }
    )
  }
  if (progress !== undefined) return Effect.succeed(progress)
  return dryRun || lanes === 1 ? Effect.succeed(oneLane) : cut(copy, lanes, pageSize)
}

/** Cuts a list at items that are known, evenly by their rows. */
const cut = (
  { database: { name, run }, key: { account }, table }: Copy.Copy,
  lanes: number,
  pageSize: number
): Effect.Effect<State.Progress, SqlError> =>
  Effect.gen(function*() {
    const [row] = yield* run(
      `SELECT COUNT(*) AS count FROM ${name(table.table)} WHERE account = ? AND deleted_at IS NULL`,
      [account]
    )
    const count = Number(row?.["count"])
    // Short lanes would only cost requests.
    const parts = Math.min(lanes, Math.floor(count / (2 * pageSize)))
    if (parts < 2) return oneLane
    const starts = yield* Effect.forEach(Array.from({ length: parts - 1 }, (_, index) => index + 1), (part) =>
      Effect.map(
        run(
          `SELECT ${quote(table.id)} AS id FROM ${name(table.table)} WHERE account = ? AND deleted_at IS NULL
           ORDER BY ordinal LIMIT 1 OFFSET ?`,
          [account, Math.floor(count * part / parts)]
        ),
        ([found]) => String(found?.["id"])
      ))
    const progress: State.Progress = {
      _tag: "Lanes",
      lanes: [
        { beginning: [], position: Position.start, isDone: false },
        ...starts.map((start) => ({ beginning: [start], position: Position.after(start), isDone: false }))
      ]
    }
    return progress
  })
