/**
 * A pass over a list: every item is compared with its row, and what the service no longer lists is marked as deleted.
 *
 * A pass can be continued after any end of the process. All its commits change the version of the list's state, so that of
 * several processes only one continues; the others watch it. Since nothing else is written during a pass, a row that was
 * not seen by the end of it was absent when its place was walked.
 */
import type { SqlError } from "@effect/sql/SqlError"
import type * as Mailstream from "@mailstream/http/Mailstream"
import * as Availability from "@mailstream/sql/Availability"
import { StatementTimeout } from "@mailstream/sql/StatementTimeout"
import type * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { UnreadableOwners, type UnstorableItem } from "../MirrorError.ts"
import type { SyncError } from "../Sync.ts"
import { Attempt, type Options, type StartOver } from "./attempt.ts"
import * as Commit from "./commit.ts"
import * as Copy from "./copy.ts"
import type { Query } from "./database.ts"
import * as Decide from "./decide.ts"
import type * as Feeds from "./feeds.ts"
import * as Follow from "./follow.ts"
import * as Owners from "./owners.ts"
import * as Pages from "./pages.ts"
import { Seen } from "./seen.ts"
import * as State from "./state.ts"
import * as Whole from "./whole.ts"

type Passed = Effect.Effect<State.Counts, SyncError, Mailstream.Mailstream>

/** Makes a pass, and records why if it fails. */
export const run = (copy: Copy.Copy, feed: Feeds.Feed, options: Options): Passed =>
  Effect.tapError(make(copy, feed, options), (error) =>
    // The copy of another service is left alone altogether; and a database that does not respond cannot be told.
    options.dryRun || error._tag === "OtherService" || isSilent(error)
      ? Effect.void
      : Effect.ignore(briefly(error, State.fail(copy, error.message))))

/** After an outage of the database, what is not done at once is not waited for again. */
const briefly = (error: SyncError, record: Query<void>): Effect.Effect<void, SqlError | Cause.TimeoutException> =>
  isOutage(error) ? Effect.timeout(record, moment) : record

/** How long a database that was unavailable may take to respond. */
const moment = Duration.seconds(1)

const isOutage = (error: SyncError): boolean => error._tag === "SqlError" && Availability.isUnavailable(error)

/** Whether, after this error, what is known about a list cannot be read: then no other list can be copied, either. */
export const isEnd = (copy: Copy.Copy, error: SyncError): Effect.Effect<boolean> =>
  isOutage(error) ? Effect.isFailure(Effect.timeout(State.load(copy), moment)) : Effect.succeed(false)

const isSilent = (error: SyncError): boolean =>
  error._tag === "SqlError" && error.cause instanceof StatementTimeout && error.cause.reason === "Silent"

const make = (copy: Copy.Copy, feed: Feeds.Feed, options: Options): Passed =>
  Effect.gen(function*() {
    if (feed._tag === "Owned" && !options.dryRun) yield* findOwners(copy, feed, options)
    const find = options.dryRun ? State.peek : State.open
    const state = yield* find(copy, yield* feed.service)
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
        Effect.flatMap(watch(copy, state, options.patience), (other) =>
          other === undefined ? make(copy, feed, options) : addNew(copy, feed, options, other)))
    )
  })

/** Copies the owners, unless that was done before: without them, a list would only look empty. */
const findOwners = ({ database, key: { account } }: Copy.Copy, { owners }: Feeds.Owned, options: Options) =>
  Effect.gen(function*() {
    const copy = Copy.make(database, account, owners.table)
    const state = yield* State.load(copy)
    if (state?.completedAt === undefined) yield* run(copy, owners, { ...options, progress: undefined })
  })

/** A pass that began earlier does not know what has come since. */
const addNew = (copy: Copy.Copy, feed: Feeds.Feed, options: Options, counts: State.Counts): Passed =>
  feed._tag === "Owned" || options.dryRun
    ? Effect.succeed(counts)
    : Effect.flatMap(Follow.poll(copy, feed, options), (found) =>
      found === undefined
        ? make(copy, feed, options)
        : Effect.succeed({ ...counts, created: counts.created + found }))

/** Waits while another process continues the pass. Returns its result, or undefined if it stopped. */
const watch = (copy: Copy.Copy, before: State.State, patience: Duration.Duration): Query<State.Counts | undefined> =>
  Effect.gen(function*() {
    const interval = Duration.min(Duration.times(patience, 1 / 60), "1 second")
    let version: number | undefined
    for (let waited = Duration.zero; Duration.lessThan(waited, patience); waited = Duration.sum(waited, interval)) {
      const state = yield* State.load(copy)
      const other = Decide.other(before, state)
      if (other !== "Busy") return other === "Stopped" ? undefined : other
      if (state?.version !== version) waited = Duration.zero
      version = state?.version
      yield* Effect.sleep(interval)
    }
    return undefined
  })

/** Begins a pass, or continues the one that is under way. */
const begin = (
  copy: Copy.Copy,
  feed: Feeds.Feed,
  options: Options,
  state: State.State
): Effect.Effect<Attempt, SqlError | Commit.Overtaken> =>
  Effect.gen(function*() {
    const { dryRun, lanes, pageSize } = options
    const under = dryRun ? undefined : state.pass
    const kind = feed._tag === "Owned" ? "Owned" : feed.whole === undefined ? "Paged" : "Whole"
    const progress = kind === "Paged" && under === undefined && !dryRun && lanes > 1
      ? yield* Pages.cut(copy, lanes, pageSize)
      : Decide.walkOf(kind, under)
    const running = Decide.begin({ ...state, pass: under }, progress)
    if (dryRun) return new Attempt(copy, options, running, new Seen())
    if (under === undefined) return new Attempt(copy, options, yield* Commit.reset(copy, running), new Seen())
    return new Attempt(copy, options, yield* Commit.mark(copy, running), new Seen(yield* Commit.loadSeen(copy)))
  })

const walk = (
  attempt: Attempt,
  feed: Feeds.Feed
): Effect.Effect<State.Counts, SyncError | Commit.Overtaken | StartOver, Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const { copy, options, progress } = attempt
    const { dryRun, maxDeleted } = options
    if (feed._tag === "Listed") {
      yield* progress._tag === "Lanes" || feed.whole === undefined
        ? Pages.walk(attempt, feed, progress._tag === "Lanes" ? progress.lanes : [])
        : Whole.walk(attempt, feed.whole(options))
      const unseen = yield* attempt.findUnseen()
      if (progress._tag === "Lanes") yield* Pages.expectStarts(attempt, progress.lanes, unseen)
      return yield* attempt.finish(unseen, maxDeleted)
    }
    const unread = yield* dryRun
      ? Owners.preview(attempt, feed)
      : Owners.walk(attempt, feed, progress._tag === "Owners" ? progress : { _tag: "Owners", last: 0 })
    const counts = yield* finishOwned(attempt, feed)
    return unread === undefined ? counts : yield* new UnreadableOwners({ ...copy.key, ...unread })
  })

const finishOwned = (
  attempt: Attempt,
  feed: Feeds.Owned
): Effect.Effect<State.Counts, SyncError | Commit.Overtaken | StartOver> =>
  Effect.gen(function*() {
    const { copy, options: { dryRun, maxDeleted } } = attempt
    if (!feed.isFixed) return yield* attempt.finish(yield* attempt.findUnseen(), maxDeleted)
    if (dryRun) return yield* attempt.finish(yield* attempt.findUnseen(), Infinity)
    yield* Owners.forget(copy, feed)
    return yield* attempt.finish(yield* Owners.findOrphans(copy, feed), Infinity)
  })
