/**
 * A copy of the service's lists in your own database, and a stream of what changes in them.
 *
 * @since 1.0.0
 */
import type { MigrationError } from "@effect/sql/Migrator"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { ContactId } from "@mailstream/core/Contact"
import type * as Mailstream from "@mailstream/http/Mailstream"
import type { Progress, RetryPolicy } from "@mailstream/stream"
import * as Commit from "@mailstream/stream/Commit"
import * as Array from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Change } from "./Change.ts"
import * as Changes from "./internal/changes.ts"
import type { Copy } from "./internal/copy.ts"
import type { Database } from "./internal/database.ts"
import * as Feeds from "./internal/feeds.ts"
import * as Follow from "./internal/follow.ts"
import * as Maintenance from "./internal/maintenance.ts"
import * as Check from "./internal/options.ts"
import * as Pass from "./internal/pass.ts"
import * as DatabaseSchema from "./internal/schema.ts"
import type * as Tables from "./internal/tables.ts"
import type { ConsumerMoved, InvalidOption, TableInUse } from "./MirrorError.ts"

/**
 * A list that can be copied. `segment-contacts` holds which contacts are in which segments.
 *
 * @since 1.0.0
 * @category models
 */
export type Name = Tables.Name

/**
 * Every list, in the order in which they are copied: owners before what they own.
 *
 * @since 1.0.0
 * @category models
 */
export const names: ReadonlyArray<Name> = Feeds.all.map(({ table }) => table.name)

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** Tells the rows of several accounts apart; default: `default`. */
  readonly account?: string | undefined
  /** The PostgreSQL schema of the tables; default: the current one. Created if it does not exist. */
  readonly schema?: string | undefined
  /** What the names of all tables begin with; default: nothing. */
  readonly prefix?: string | undefined
}

/**
 * The copy in a database. `layer` makes it; the functions of this module use it.
 *
 * @since 1.0.0
 * @category services
 */
export class Mirror extends Context.Tag("@mailstream/mirror/Mirror")<Mirror, {
  readonly account: string
  /** How the tables are read and written. */
  readonly database: Database
}>() {}

/**
 * The copy in the database of any SQL client: SQLite or PostgreSQL. Creates the tables that are missing.
 *
 * @since 1.0.0
 * @category layers
 */
export const layer = (
  options: Options = {}
): Layer.Layer<Mirror, SqlError | MigrationError | TableInUse | InvalidOption, SqlClient.SqlClient> =>
  Layer.effect(
    Mirror,
    Effect.gen(function*() {
      const account = yield* Check.nameOf("account", options.account ?? "default")
      const database = yield* Check.databaseOf(options)
      yield* DatabaseSchema.ensure(database, Feeds.all.map(({ table }) => table))
      return { account, database }
    })
  )

/**
 * Whether the database holds a copy, of whichever account. Unlike `layer`, it creates nothing.
 *
 * @since 1.0.0
 * @category combinators
 */
export const exists = (
  options: Omit<Options, "account"> = {}
): Effect.Effect<boolean, SqlError | InvalidOption, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const { isPostgres, name, naming, run } = yield* Check.databaseOf(options)
    const rows = yield* isPostgres
      ? run("SELECT 1 AS one WHERE to_regclass(?) IS NOT NULL", [name("mirror_lists")])
      : run("SELECT 1 AS one FROM sqlite_master WHERE name = ?", [`${naming.prefix}mirror_lists`])
    return rows.length > 0
  })

/**
 * @since 1.0.0
 * @category models
 */
export interface SyncOptions {
  /** The lists to copy; default: all. */
  readonly lists?: ReadonlyArray<Name> | undefined
  /** How many parts of a list are walked at once, if it comes in pages and has been copied before; default: 1. */
  readonly lanes?: number | undefined
  /** The share of the items in the copy that one pass may mark as deleted, from 0 to 1; default: 0.5. */
  readonly maxDeleted?: number | undefined
  /** The maximum number of items in a page, from 1 to 100; default: 100. */
  readonly pageSize?: number | undefined
  /**
   * How long another process that makes the same pass may be silent before this one takes over; default: a minute. It should
   * exceed what a request takes with its retries: if both continue the pass, the slower one has wasted a request.
   */
  readonly patience?: Duration.DurationInput | undefined
  /**
   * Also compares the rows of items that have not changed since the last pass, and so repairs those that other programs have
   * edited; default: false.
   */
  readonly full?: boolean | undefined
  /** Only counts what a pass would change; default: false. */
  readonly dryRun?: boolean | undefined
  /** When to retry a request; default: `RetryPolicy.default`. */
  readonly retry?: RetryPolicy.RetryPolicy | undefined
  /** Receives the progress of a list. */
  readonly progress?: ((list: Name) => Progress.Tracker | undefined) | undefined
}

/**
 * How many items of a list were created, updated, deleted or unchanged.
 *
 * @since 1.0.0
 * @category models
 */
export interface Counts {
  readonly created: number
  readonly updated: number
  readonly deleted: number
  readonly unchanged: number
}

/**
 * Why a list could not be copied.
 *
 * @since 1.0.0
 * @category errors
 */
export type SyncError = Pass.Failure

/**
 * What a pass over one list has done.
 *
 * @since 1.0.0
 * @category models
 */
export interface Synced extends Counts {
  readonly list: Name
}

/**
 * What a pass over one list did, or why it failed.
 *
 * @since 1.0.0
 * @category models
 */
export interface Report {
  readonly list: Name
  readonly result: Either.Either<Counts, SyncError>
}

/**
 * Some lists could not be copied. All others were.
 *
 * @since 1.0.0
 * @category errors
 */
export class SyncFailed extends Data.TaggedError("SyncFailed")<{
  readonly account: string
  /** One for each list, in order. */
  readonly reports: ReadonlyArray<Report>
}> {
  /** The errors, by list. */
  get failures(): ReadonlyArray<{ readonly list: Name; readonly error: SyncError }> {
    return this.reports.flatMap(({ list, result }) => Either.isLeft(result) ? [{ list, error: result.left }] : [])
  }

  override get message(): string {
    // A wrong key fails every list in the same way, which is said once.
    const reasons = Object.entries(Array.groupBy(this.failures, ({ error }) => error.message)).map(([reason, failed]) =>
      `${failed.map(({ list }) => list).join(", ")}: ${reason}`
    )
    return `${this.failures.length} of ${this.reports.length} lists of account "${this.account}" could not be copied. \
${reasons.join(" ")}`
  }
}

const copyOf = ({ account, database }: typeof Mirror.Service, table: Tables.Table): Copy => ({
  database,
  table,
  key: { account, list: table.name }
})

/** What was done, if everything was. */
const orFail = <E, R>(
  reports: Effect.Effect<ReadonlyArray<Report>, E, R>
): Effect.Effect<ReadonlyArray<Synced>, E | SyncFailed, R | Mirror> =>
  Effect.flatMap(reports, (reports) => {
    const synced = reports.flatMap(({ list, result }) => Either.isRight(result) ? [{ list, ...result.right }] : [])
    return synced.length === reports.length
      ? Effect.succeed(synced)
      : Effect.flatMap(Mirror, ({ account }) => new SyncFailed({ account, reports }))
  })

/**
 * Makes one pass over each list, one after the other. A list that cannot be copied does not stop the others, but fails the
 * sync in the end, with what was done and why the rest was not.
 *
 * @since 1.0.0
 * @category combinators
 */
export const sync = (
  options: SyncOptions = {}
): Effect.Effect<ReadonlyArray<Synced>, SyncFailed | InvalidOption, Mirror | Mailstream.Mailstream> =>
  orFail(syncEither(options))

/**
 * Makes the same passes as `sync`, and succeeds whatever happens to them: the report of each list says how its pass ended.
 *
 * @since 1.0.0
 * @category combinators
 */
export const syncEither = (
  options: SyncOptions = {}
): Effect.Effect<ReadonlyArray<Report>, InvalidOption, Mirror | Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const mirror = yield* Mirror
    const pass = yield* Check.passOptions(options)
    return yield* Effect.forEach(yield* Check.chosen(options.lists), (feed) => passOver(mirror, feed, pass, options))
  })

const passOver = (
  mirror: typeof Mirror.Service,
  feed: Feeds.Feed,
  pass: Pass.Options,
  { progress }: SyncOptions
): Effect.Effect<Report, never, Mailstream.Mailstream> => {
  const copy = copyOf(mirror, feed.table)
  const list = feed.table.name
  return Pass.run(copy, feed, { ...pass, progress: progress?.(list) }).pipe(
    Effect.withSpan("mirror.pass", { attributes: { list, account: mirror.account } }),
    Effect.either,
    Effect.map((result): Report => ({ list, result }))
  )
}

/**
 * Copies what is newer than everything in the copy, list by list, with one request for each that has nothing new. A list
 * of which nothing is known gets a pass. A list that cannot be copied does not stop the others, but fails the poll in the end.
 *
 * @since 1.0.0
 * @category combinators
 */
export const poll = (
  options: Omit<SyncOptions, "dryRun"> = {}
): Effect.Effect<ReadonlyArray<Synced>, SyncFailed | InvalidOption, Mirror | Mailstream.Mailstream> =>
  orFail(pollEither(options))

/**
 * Looks for new items as `poll` does, and succeeds whatever happens: the report of each list says how that ended.
 *
 * @since 1.0.0
 * @category combinators
 */
export const pollEither = (
  options: Omit<SyncOptions, "dryRun"> = {}
): Effect.Effect<ReadonlyArray<Report>, InvalidOption, Mirror | Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const mirror = yield* Mirror
    const pass = yield* Check.passOptions(options)
    const feeds = yield* Check.chosen(options.lists)
    return yield* Effect.forEach(feeds.filter((feed) => feed._tag === "Listed"), (feed) =>
      Effect.flatMap(
        Effect.either(Follow.poll(copyOf(mirror, feed.table), feed, pass)),
        (result) =>
          Either.isRight(result) && result.right === undefined
            ? passOver(mirror, feed, pass, options)
            : Effect.succeed<Report>({
              list: feed.table.name,
              result: Either.map(result, (created = 0) => ({ created, updated: 0, deleted: 0, unchanged: 0 }))
            })
      ))
  })

/**
 * @since 1.0.0
 * @category models
 */
export interface RunOptions extends Omit<SyncOptions, "dryRun"> {
  /** The time from pass to pass; default: an hour. */
  readonly every?: Duration.DurationInput | undefined
  /** How often to look for new items between passes; default: every five seconds. */
  readonly poll?: Duration.DurationInput | undefined
  /** Receives the report of each list after each pass. */
  readonly onReport?: ((report: Report) => Effect.Effect<void>) | undefined
}

/**
 * Keeps the copy current until it is interrupted: a pass over every list at intervals, and new items as they come in
 * between. A failure is reported, and tried again with the next pass.
 *
 * @since 1.0.0
 * @category combinators
 */
export const run = (
  options: RunOptions = {}
): Effect.Effect<never, InvalidOption, Mirror | Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const mirror = yield* Mirror
    const pass = yield* Check.passOptions(options)
    const feeds = yield* Check.chosen(options.lists)
    const every = yield* Check.duration("every", options.every ?? "1 hour")
    const interval = yield* Check.duration("poll", options.poll ?? "5 seconds")
    yield* Check.functionOf("onReport", options.onReport)
    const report = options.onReport ?? (() => Effect.void)
    const passOne = (feed: Feeds.Feed) => Effect.flatMap(passOver(mirror, feed, pass, options), report)
    // What is new is not a report; what fails is reported by the next pass.
    const follow = pollEither(options)
    const round = Effect.gen(function*() {
      const began = yield* Clock.currentTimeMillis
      yield* Effect.forEach(feeds, passOne, { discard: true })
      const left = began + Duration.toMillis(every) - (yield* Clock.currentTimeMillis)
      if (left > 0) {
        yield* Effect.timeoutOption(
          Effect.zipRight(Effect.sleep(interval), Effect.repeat(follow, Schedule.spaced(interval))),
          Duration.millis(left)
        )
      }
    })
    return yield* Effect.forever(round)
  })

/**
 * A list whose changes can be read: a module of `@mailstream/stream`, such as `contacts`, or `segmentContacts`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Module<Item extends { readonly id: string }, Encoded> {
  readonly list: { readonly resource: { readonly name: string; readonly item: Schema.Schema<Item, Encoded> } }
}

const Member = Schema.Struct({ id: ContactId })

/**
 * Which contacts are in which segments. In a change, `item.id` is the contact, and `owner` is the segment.
 *
 * @since 1.0.0
 * @category changes
 */
export const segmentContacts: Module<typeof Member.Type, typeof Member.Encoded> = {
  list: { resource: { name: "segment-contacts" satisfies Name, item: Member } }
}

/**
 * @since 1.0.0
 * @category models
 */
export interface ChangesOptions {
  /** Begins after the change with this number; default: 0, with the oldest change that is kept. */
  readonly after?: number | undefined
  /** How often to look for more at the end; default: the stream ends. */
  readonly poll?: Duration.DurationInput | undefined
}

/**
 * The changes of a list, in the order in which they were observed. The first pass creates every item.
 *
 * @since 1.0.0
 * @category changes
 */
export const changes = <Item extends { readonly id: string }, Encoded>(
  list: Module<Item, Encoded>,
  options: ChangesOptions = {}
): Stream.Stream<Change<Item>, SqlError | InvalidOption, Mirror> =>
  Stream.unwrap(Effect.map(Mirror, (mirror) =>
    Stream.flatMap(
      Changes.batches({ ...mirror, resource: list.list.resource }, options),
      Stream.fromIterable
    )))

/**
 * Changes that are committed together.
 *
 * @since 1.0.0
 * @category models
 */
export interface CommittableChanges<out Item> {
  readonly changes: ReadonlyArray<Change<Item>>
  /**
   * Marks these changes as done, in any order of batches. Run it inside `sql.withTransaction`, together with what you write
   * to the same database, and each change has its effect exactly once: a transaction that is rolled back takes the
   * commit with it.
   */
  readonly commit: Effect.Effect<void, SqlError | ConsumerMoved>
}

/**
 * Hands the changes that a consumer has not committed yet to a function, as a stream of batches.
 *
 * @since 1.0.0
 * @category changes
 */
export const processPages = <Item extends { readonly id: string }, Encoded, A, E, R>(
  list: Module<Item, Encoded>,
  consumer: string,
  use: (pages: Stream.Stream<CommittableChanges<Item>, SqlError | InvalidOption, Mirror>) => Effect.Effect<A, E, R>,
  options: Pick<ChangesOptions, "poll"> = {}
): Effect.Effect<A, SqlError | InvalidOption | E, R | Mirror> =>
  Effect.flatMap(Mirror, (mirror) =>
    Effect.flatMap(
      Changes.uncommitted({ ...mirror, resource: list.list.resource }, consumer, options),
      use
    ))

/**
 * Handles each change that a consumer has not committed yet, and commits by itself. After a crash, only changes that were
 * not committed are handled again.
 *
 * @since 1.0.0
 * @category changes
 */
export const process = <Item extends { readonly id: string }, Encoded, E, R>(
  list: Module<Item, Encoded>,
  consumer: string,
  handle: (change: Change<Item>) => Effect.Effect<unknown, E, R>,
  options: Pick<ChangesOptions, "poll"> & { readonly concurrency?: number | undefined } = {}
): Effect.Effect<void, SqlError | InvalidOption | ConsumerMoved | E, R | Mirror> => {
  const { concurrency = 1 } = options
  const handled = processPages(
    list,
    consumer,
    (pages) =>
      Commit.forEach(Stream.map(pages, ({ changes, commit }) => ({ data: changes, commit })), handle, { concurrency }),
    options
  )
  return Effect.zipRight(Check.concurrencyOf(concurrency), handled)
}

/**
 * What the copy of one list holds, and what is under way.
 *
 * @since 1.0.0
 * @category models
 */
export interface Status extends Maintenance.Status {
  readonly list: Name
}

/**
 * What the copy holds, how old it is, and what is under way. Needs the database only.
 *
 * @since 1.0.0
 * @category combinators
 */
export const status: Effect.Effect<ReadonlyArray<Status>, SqlError, Mirror> = Effect.flatMap(
  Mirror,
  (mirror) =>
    Effect.forEach(Feeds.all, ({ table }) =>
      Effect.map(
        Maintenance.status(copyOf(mirror, table)),
        (status): Status => ({ list: table.name, ...status })
      ))
)

/**
 * Drops the rows of items that were marked as deleted longer ago than this, and returns how many there were. Lists with a
 * pass under way are left alone.
 *
 * @since 1.0.0
 * @category combinators
 */
export const purge = (olderThan: Duration.DurationInput): Effect.Effect<number, SqlError | InvalidOption, Mirror> =>
  Effect.gen(function*() {
    const mirror = yield* Mirror
    const age = yield* Check.ageOf(olderThan)
    const dropped = yield* Effect.forEach(Feeds.all, ({ table }) => Maintenance.purge(copyOf(mirror, table), age))
    return dropped.reduce((sum, count) => sum + count, 0)
  })

/**
 * Drops changes that were observed longer ago than this, unless a consumer has not committed them yet, and returns how
 * many there were.
 *
 * @since 1.0.0
 * @category combinators
 */
export const prune = (olderThan: Duration.DurationInput): Effect.Effect<number, SqlError | InvalidOption, Mirror> =>
  Effect.gen(function*() {
    const { account, database } = yield* Mirror
    return yield* Maintenance.prune(database, account, yield* Check.ageOf(olderThan))
  })
