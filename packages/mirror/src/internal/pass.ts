/**
 * A pass over a list: every item is compared with its row, and what the service no longer lists is marked as deleted.
 *
 * A pass can be continued after any end of the process. All its commits change the version of the list's state, so that of
 * several processes only one continues; the others watch it. Since nothing else is written during a pass, a row that was
 * not seen by the end of it was absent when its place was walked.
 */
import type { SqlError } from "@effect/sql/SqlError"
import type * as Mailstream from "@mailstream/http/Mailstream"
import type { ListError } from "@mailstream/stream"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { OtherService, TooManyDeletions, UnstorableItem } from "../MirrorError.ts"
import { Attempt, type Options, type StartOver } from "./attempt.ts"
import * as Commit from "./commit.ts"
import type { Copy } from "./copy.ts"
import { now } from "./database.ts"
import type * as Feeds from "./feeds.ts"
import * as Follow from "./follow.ts"
import * as Lanes from "./lanes.ts"
import * as Owners from "./owners.ts"
import { Seen } from "./seen.ts"
import * as State from "./state.ts"
import * as Whole from "./whole.ts"

export type { Options }

export type Failure = ListError | SqlError | TooManyDeletions | OtherService | UnstorableItem

/** After this many attempts, a list that could be read in one long response is walked in pages, each of which counts. */
const patientAttempts = 3

/** Makes a pass, and records why if it fails. */
export const run = (
  copy: Copy,
  feed: Feeds.Feed,
  options: Options
): Effect.Effect<State.Counts, Failure, Mailstream.Mailstream> =>
  Effect.tapError(make(copy, feed, options), (error) =>
    // The copy of another service is left alone altogether.
    options.dryRun || error._tag === "OtherService"
      ? Effect.void
      : Effect.ignore(State.fail(copy.database, copy.key, error.message)))

const make = (
  copy: Copy,
  feed: Feeds.Feed,
  options: Options
): Effect.Effect<State.Counts, Failure, Mailstream.Mailstream> =>
  Effect.gen(function*() {
    if (feed._tag === "Owned" && !options.dryRun) yield* findOwners(copy, feed, options)
    const find = options.dryRun ? State.peek : State.open
    const state = yield* find(copy.database, copy.key, yield* feed.service)
    const isContinued = state.pass !== undefined
    return yield* begin(copy, feed, options, state).pipe(
      Effect.flatMap((attempt) =>
        Effect.flatMap(
          Effect.onInterrupt(walk(attempt, feed), () => attempt.pause()),
          (counts): Effect.Effect<State.Counts, UnstorableItem> => attempt.gate.error ?? Effect.succeed(counts)
        )
      ),
      Effect.flatMap((counts) => isContinued ? addNew(copy, feed, options, counts) : Effect.succeed(counts)),
      Effect.catchTag("StartOver", () => make(copy, feed, options)),
      Effect.catchTag("Overtaken", () =>
        Effect.flatMap(watch(copy, state, options.patience), (counts) =>
          counts === undefined ? make(copy, feed, options) : addNew(copy, feed, options, counts)))
    )
  })

/** Copies the owners, unless that was done before: without them, a list would only look empty. */
const findOwners = (
  { database, key: { account } }: Copy,
  { owners }: Feeds.Owned,
  options: Options
): Effect.Effect<void, Failure, Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const key = { account, list: owners.table.name }
    const state = yield* State.load(database, key)
    if (state?.completedAt !== undefined) return
    yield* run({ database, table: owners.table, key }, owners, { ...options, progress: undefined })
  })

/** A pass that began earlier does not know what has come since. */
const addNew = (
  copy: Copy,
  feed: Feeds.Feed,
  options: Options,
  counts: State.Counts
): Effect.Effect<State.Counts, Failure, Mailstream.Mailstream> =>
  feed._tag === "Owned" || options.dryRun
    ? Effect.succeed(counts)
    : Effect.flatMap(Follow.poll(copy, feed, options), (found) =>
      found === undefined
        ? make(copy, feed, options)
        : Effect.succeed({ ...counts, created: counts.created + found }))

/** Waits while another process continues the pass. Returns its result, or undefined if it stopped. */
const watch = (
  { database, key }: Copy,
  before: State.State,
  patience: Duration.Duration
): Effect.Effect<State.Counts | undefined, SqlError> =>
  Effect.gen(function*() {
    const interval = Duration.min(Duration.times(patience, 1 / 60), "1 second")
    let version = -1
    for (let waited = Duration.zero; Duration.lessThan(waited, patience); waited = Duration.sum(waited, interval)) {
      const state = yield* State.load(database, key)
      if (state === undefined || state.service !== before.service) return undefined
      if (state.pass === undefined) {
        return state.completedAt === before.completedAt ? undefined : state.lastPass?.counts
      }
      if (state.pass.isPaused === true) return undefined
      if (state.version !== version) waited = Duration.zero
      version = state.version
      yield* Effect.sleep(interval)
    }
    return undefined
  })

/** Begins a pass, or continues the one that is under way. */
const begin = (
  copy: Copy,
  feed: Feeds.Feed,
  options: Options,
  state: State.State
): Effect.Effect<Attempt, SqlError | Commit.Overtaken> =>
  Effect.gen(function*() {
    const under = options.dryRun ? undefined : state.pass
    const attempts = (under?.attempts ?? 0) + 1
    const at = yield* now
    const pass: State.Pass = {
      beganAt: under?.beganAt ?? at,
      activeAt: at,
      attempts,
      restarts: under?.restarts ?? 0,
      counts: under?.counts ?? State.noCounts,
      progress: yield* progressOf(copy, feed, options, under?.progress, attempts)
    }
    const running = { ...state, pass, error: undefined }
    if (options.dryRun) return new Attempt(copy, options, running, new Seen())
    if (under === undefined) return new Attempt(copy, options, yield* Commit.reset(copy, running), new Seen())
    return new Attempt(copy, options, yield* Commit.mark(copy, running), new Seen(yield* Commit.loadSeen(copy)))
  })

/** How a pass walks the list: as it began to, or as the options say. */
const progressOf = (
  copy: Copy,
  feed: Feeds.Feed,
  { dryRun, lanes, pageSize }: Options,
  progress: State.Progress | undefined,
  attempts: number
): Effect.Effect<State.Progress, SqlError> => {
  if (feed._tag === "Owned") return Effect.succeed(progress ?? { _tag: "Owners", last: 0 })
  if (feed.whole !== undefined) {
    return Effect.succeed(
      progress?._tag === "Lanes" ? progress : attempts > patientAttempts ? State.oneLane : { _tag: "Whole" }
    )
  }
  if (progress !== undefined) return Effect.succeed(progress)
  return dryRun || lanes === 1 ? Effect.succeed(State.oneLane) : Lanes.cut(copy, lanes, pageSize)
}

const walk = (
  attempt: Attempt,
  feed: Feeds.Feed
): Effect.Effect<State.Counts, Failure | Commit.Overtaken | StartOver, Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const { copy, options, progress } = attempt
    const { dryRun, maxDeleted } = options
    if (feed._tag === "Listed") {
      yield* progress._tag === "Lanes" || feed.whole === undefined
        ? Lanes.walk(attempt, feed, progress._tag === "Lanes" ? progress.lanes : [])
        : Whole.walk(attempt, feed.whole(options))
      const unseen = yield* attempt.findUnseen()
      if (progress._tag === "Lanes") yield* Lanes.expectStarts(attempt, progress.lanes, unseen)
      return yield* attempt.finish(unseen, maxDeleted)
    }
    yield* dryRun
      ? Owners.preview(attempt, feed)
      : Owners.walk(attempt, feed, progress._tag === "Owners" ? progress.last : 0)
    if (!feed.isFixed) return yield* attempt.finish(yield* attempt.findUnseen(), maxDeleted)
    if (dryRun) return yield* attempt.finish(yield* attempt.findUnseen(), Infinity)
    yield* Owners.forget(copy, feed)
    return yield* attempt.finish(yield* Owners.findOrphans(copy, feed), Infinity)
  })
