/**
 * A copy of the service's lists in your own database, and a stream of what changes in them.
 *
 * @since 0.1.0
 */
import type { MigrationError } from "@effect/sql/Migrator"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Resource from "@mailstream/core/Resource"
import type * as Mailstream from "@mailstream/http/Mailstream"
import type { List, Progress, RetryPolicy } from "@mailstream/stream"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Change } from "./Change.ts"
import type * as Copy from "./internal/copy.ts"
import * as Database from "./internal/database.ts"
import * as Feeds from "./internal/feeds.ts"
import * as Follow from "./internal/follow.ts"
import * as Log from "./internal/log.ts"
import * as Maintenance from "./internal/maintenance.ts"
import * as Pass from "./internal/pass.ts"
import * as Schema from "./internal/schema.ts"
import * as Tables from "./internal/tables.ts"
import { type ConsumerMoved, InvalidOption, type TableInUse } from "./MirrorError.ts"

/**
 * A list that can be copied. `segment-contacts` holds which contacts are in which segments.
 *
 * @since 0.1.0
 * @category models
 */
export type Name = (typeof Resource.all)[number]["name"] | "segment-contacts"

/**
 * Every list, in the order in which they are copied: owners before what they own.
 *
 * @since 0.1.0
 * @category models
 */
export const names: ReadonlyArray<Name> = Feeds.all.map(({ table }) => table.name).filter((name): name is Name =>
  name === "segment-contacts" || Resource.all.some((resource) => resource.name === name)
)

/**
 * @since 0.1.0
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
 * @since 0.1.0
 * @category services
 */
export class Mirror extends Context.Tag("@mailstream/mirror/Mirror")<Mirror, {
  readonly account: string
  /** How the tables are read and written. */
  readonly database: Database.Database
}>() {}

const identifier = /^[a-z_][a-z0-9_]*$/

/**
 * The copy in the database of any SQL client: SQLite or PostgreSQL. Creates the tables that are missing.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options = {}
): Layer.Layer<Mirror, SqlError | MigrationError | TableInUse | InvalidOption, SqlClient.SqlClient> =>
  Layer.effect(
    Mirror,
    Effect.gen(function*() {
      const { account = "default" } = options
      if (account === "") return yield* new InvalidOption({ option: "account", description: "must not be empty." })
      const database = yield* databaseOf(options)
      yield* Schema.ensure(database, Feeds.all.map(({ table }) => table))
      return { account, database }
    })
  )

const databaseOf = (
  { prefix = "", schema }: Options
): Effect.Effect<Database.Database, InvalidOption, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    if (prefix !== "" && !identifier.test(prefix)) return yield* invalidName("prefix")
    if (schema !== undefined && !identifier.test(schema)) return yield* invalidName("schema")
    const database = yield* Database.make({ schema, prefix })
    if (!database.isPostgres && schema !== undefined) {
      return yield* new InvalidOption({ option: "schema", description: "needs PostgreSQL; use a prefix instead." })
    }
    return database
  })

const invalidName = (option: string): InvalidOption =>
  new InvalidOption({ option, description: "must consist of lower-case letters, digits and underscores." })

/**
 * Whether the database holds a copy, of whichever account. Unlike `layer`, it creates nothing.
 *
 * @since 0.1.0
 * @category combinators
 */
export const exists = (
  options: Omit<Options, "account"> = {}
): Effect.Effect<boolean, SqlError | InvalidOption, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const { isPostgres, name, naming, run } = yield* databaseOf(options)
    const rows = yield* isPostgres
      ? run("SELECT 1 AS one WHERE to_regclass(?) IS NOT NULL", [name("mirror_lists")])
      : run("SELECT 1 AS one FROM sqlite_master WHERE name = ?", [`${naming.prefix}mirror_lists`])
    return rows.length > 0
  })

/**
 * @since 0.1.0
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
   * How long another process that makes the same pass may be silent before this one continues it; default: a minute. Longer
   * than a request with its retries takes: whoever loses the race has only wasted a request.
   */
  readonly patience?: Duration.DurationInput | undefined
  /**
   * Only counts what a pass would change; default: false. What belongs to segments or emails that have not been copied yet
   * is not counted.
   */
  readonly dryRun?: boolean | undefined
  /** When to retry a request; default: `RetryPolicy.default`. */
  readonly retry?: RetryPolicy.RetryPolicy | undefined
  /** Receives the progress of a list. */
  readonly progress?: ((list: Name) => Progress.Tracker | undefined) | undefined
}

/**
 * How many items of a list were found to be what.
 *
 * @since 0.1.0
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
 * @since 0.1.0
 * @category errors
 */
export type SyncError = Pass.Failure

/**
 * What a pass over one list did.
 *
 * @since 0.1.0
 * @category models
 */
export interface Report {
  readonly list: Name
  readonly result: Either.Either<Counts, SyncError>
}

const copyOf = ({ account, database }: typeof Mirror.Service, table: Tables.Table): Copy.Copy => ({
  database,
  table,
  key: { account, list: table.name }
})

/** The feeds that are chosen, in their order. */
const chosen = (lists: ReadonlyArray<string> | undefined): Effect.Effect<ReadonlyArray<Feeds.Feed>, InvalidOption> => {
  const unknown = lists?.find((list) => !Feeds.all.some(({ table }) => table.name === list))
  return unknown === undefined
    ? Effect.succeed(Feeds.all.filter(({ table }) => lists === undefined || lists.includes(table.name)))
    : new InvalidOption({
      option: "lists",
      description: `must not name "${unknown}": the lists are ${names.join(", ")}.`
    })
}

const passOptions = (options: SyncOptions): Effect.Effect<Pass.Options, InvalidOption> => {
  const { dryRun = false, lanes = 1, maxDeleted = 0.5, pageSize = 100 } = options
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 100) {
    return new InvalidOption({ option: "pageSize", description: "must be an integer from 1 to 100." })
  }
  if (!Number.isSafeInteger(lanes) || lanes < 1 || lanes > 100) {
    return new InvalidOption({ option: "lanes", description: "must be an integer from 1 to 100." })
  }
  if (!(maxDeleted >= 0 && maxDeleted <= 1)) {
    return new InvalidOption({ option: "maxDeleted", description: "must be a number from 0 to 1." })
  }
  return Effect.map(
    duration("patience", options.patience ?? "1 minute"),
    (patience) => ({ dryRun, lanes, maxDeleted, pageSize, patience, retry: options.retry, progress: undefined })
  )
}

/**
 * Makes one pass over each list, one after the other. A list that cannot be copied does not stop the others: its report
 * says why.
 *
 * @since 0.1.0
 * @category combinators
 */
export const sync = (
  options: SyncOptions = {}
): Effect.Effect<ReadonlyArray<Report>, InvalidOption, Mirror | Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const mirror = yield* Mirror
    const pass = yield* passOptions(options)
    return yield* Effect.forEach(yield* chosen(options.lists), (feed) => passOver(mirror, feed, pass, options))
  })

const passOver = (
  mirror: typeof Mirror.Service,
  feed: Feeds.Feed,
  pass: Pass.Options,
  { progress }: SyncOptions
): Effect.Effect<Report, never, Mailstream.Mailstream> => {
  const copy = copyOf(mirror, feed.table)
  const list = nameOf(feed.table)
  return Pass.run(copy, feed, { ...pass, progress: progress?.(list) }).pipe(
    Effect.tapError((error) => pass.dryRun ? Effect.void : Effect.ignore(Maintenance.note(copy, error))),
    Effect.withSpan("mirror.pass", { attributes: { list, account: mirror.account } }),
    Effect.either,
    Effect.map((result): Report => ({ list, result }))
  )
}

/**
 * Copies what is newer than everything in the copy, list by list, with one request for each that has nothing new. A list
 * of which nothing is known gets a pass.
 *
 * @since 0.1.0
 * @category combinators
 */
export const poll = (
  options: Omit<SyncOptions, "dryRun"> = {}
): Effect.Effect<ReadonlyArray<Report>, InvalidOption, Mirror | Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const mirror = yield* Mirror
    const pass = yield* passOptions(options)
    const feeds = yield* chosen(options.lists)
    return yield* Effect.forEach(feeds.filter((feed) => feed._tag === "Listed"), (feed) =>
      Effect.flatMap(
        Effect.either(Follow.poll(copyOf(mirror, feed.table), feed, pass)),
        (result) =>
          Either.isRight(result) && result.right === undefined
            ? passOver(mirror, feed, pass, options)
            : Effect.succeed<Report>({
              list: nameOf(feed.table),
              result: Either.map(result, (created = 0) => ({ created, updated: 0, deleted: 0, unchanged: 0 }))
            })
      ))
  })

/** Only tables of feeds get here. */
const nameOf = ({ name }: Tables.Table): Name => names.find((known) => known === name) ?? "contacts"

/**
 * @since 0.1.0
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
 * @since 0.1.0
 * @category combinators
 */
export const run = (
  options: RunOptions = {}
): Effect.Effect<never, InvalidOption, Mirror | Mailstream.Mailstream> =>
  Effect.gen(function*() {
    const mirror = yield* Mirror
    const pass = yield* passOptions(options)
    const feeds = yield* chosen(options.lists)
    const every = yield* duration("every", options.every ?? "1 hour")
    const interval = yield* duration("poll", options.poll ?? "5 seconds")
    const report = options.onReport ?? (() => Effect.void)
    const passOne = (feed: Feeds.Feed) => Effect.flatMap(passOver(mirror, feed, pass, options), report)
    // What is new is not a report; what fails is reported by the next pass.
    const follow = poll(options)
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

const duration = (option: string, input: Duration.DurationInput): Effect.Effect<Duration.Duration, InvalidOption> => {
  const decoded = Duration.decodeUnknown(input)
  return decoded._tag === "Some" && Duration.greaterThan(decoded.value, Duration.zero) &&
      Duration.isFinite(decoded.value)
    ? Effect.succeed(decoded.value)
    : new InvalidOption({ option, description: "must be a finite duration greater than 0, as in \"1 hour\"." })
}

/** An age, which may be zero. What is not a number would be zero, too. */
const ageOf = (olderThan: Duration.DurationInput): Effect.Effect<Duration.Duration, InvalidOption> => {
  const decoded = Duration.decodeUnknown(olderThan)
  return decoded._tag === "Some" && Duration.isFinite(decoded.value) &&
      !(typeof olderThan === "number" && !(olderThan >= 0))
    ? Effect.succeed(decoded.value)
    : new InvalidOption({ option: "olderThan", description: "must be a finite duration, as in \"30 days\"." })
}

/**
 * A list, as the modules of `@mailstream/stream` have it: `contacts`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Module<Item extends { readonly id: string }, Encoded, Filter, out Service> {
  readonly list: List.List<Item, Encoded, Filter, Service>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface ChangesOptions {
  /** Begins after the change with this number; default: 0, with the oldest change that is kept. */
  readonly after?: number | undefined
  /** How often to look for more at the end; default: the stream ends. */
  readonly poll?: Duration.DurationInput | undefined
}

/** How many changes are read at once. */
const pageSize = 100

/** The changes of a list, in batches. */
const batches = <Item extends { readonly id: string }, Encoded, Filter, Service>(
  { list: { resource } }: Module<Item, Encoded, Filter, Service>,
  { after = 0, poll }: ChangesOptions
): Stream.Stream<ReadonlyArray<Change<Item>>, SqlError, Mirror> =>
  Stream.unwrap(Effect.map(Mirror, ({ account, database }) => {
    const table = Tables.ofList(resource) ?? Tables.ofOwners(resource)
    if (table === undefined) return Stream.empty
    const key = { account, list: table.name }
    let last = after
    const next = Effect.suspend(() => Log.read(database, key, table, resource.item, last, pageSize)).pipe(
      Effect.tap((changes) => {
        last = changes[changes.length - 1]?.seq ?? last
      })
    )
    const available = Stream.takeWhile(Stream.repeatEffect(next), (changes) => changes.length > 0)
    return poll === undefined ? available : Stream.repeat(available, Schedule.spaced(poll))
  }))

/**
 * The changes of a list, in the order in which they were observed. The first pass creates every item.
 *
 * @since 0.1.0
 * @category changes
 */
export const changes = <Item extends { readonly id: string }, Encoded, Filter, Service>(
  list: Module<Item, Encoded, Filter, Service>,
  options: ChangesOptions = {}
): Stream.Stream<Change<Item>, SqlError, Mirror> => Stream.flatMap(batches(list, options), Stream.fromIterable)

/**
 * Changes that are committed together.
 *
 * @since 0.1.0
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
 * @since 0.1.0
 * @category changes
 */
export const processPages = <Item extends { readonly id: string }, Encoded, Filter, Service, A, E, R>(
  list: Module<Item, Encoded, Filter, Service>,
  consumer: string,
  use: (pages: Stream.Stream<CommittableChanges<Item>, SqlError, Mirror>) => Effect.Effect<A, E, R>,
  options: Pick<ChangesOptions, "poll"> = {}
): Effect.Effect<A, SqlError | InvalidOption | E, R | Mirror> =>
  Effect.gen(function*() {
    if (consumer === "") return yield* new InvalidOption({ option: "consumer", description: "must not be empty." })
    const { account, database } = yield* Mirror
    const table = Tables.ofList(list.list.resource) ?? Tables.ofOwners(list.list.resource)
    const key = { account, list: table?.name ?? list.list.resource.name }
    const committed = yield* Log.register(database, key, consumer)
    return yield* use(
      batches(list, { ...options, after: committed.seq }).pipe(
        Stream.mapAccum(committed.seq, (from, changes) => {
          const to = changes[changes.length - 1]?.seq ?? from
          return [to, { from, to, changes: changes.filter(({ seq }) => !Log.isCommitted(committed, seq)) }]
        }),
        Stream.filter(({ changes }) => changes.length > 0),
        Stream.map(({ changes, from, to }): CommittableChanges<Item> => ({
          changes,
          commit: Log.commit(database, key, consumer, [from, to], changes)
        }))
      )
    )
  })

/**
 * Handles each change that a consumer has not committed yet, and commits by itself. After a crash, only changes that were
 * not committed are handled again.
 *
 * @since 0.1.0
 * @category changes
 */
export const process = <Item extends { readonly id: string }, Encoded, Filter, Service, E, R>(
  list: Module<Item, Encoded, Filter, Service>,
  consumer: string,
  handle: (change: Change<Item>) => Effect.Effect<unknown, E, R>,
  options: Pick<ChangesOptions, "poll"> & { readonly concurrency?: number | undefined } = {}
): Effect.Effect<void, SqlError | InvalidOption | ConsumerMoved | E, R | Mirror> => {
  const { concurrency = 1 } = options
  if (!Number.isSafeInteger(concurrency) || concurrency < 1) {
    return new InvalidOption({ option: "concurrency", description: "must be an integer, 1 or greater." })
  }
  return processPages(list, consumer, (pages) =>
    pages.pipe(
      Stream.flatMap(({ changes, commit }) => {
        let left = changes.length
        return Stream.fromIterable(changes.map((change) =>
          Effect.flatMap(Effect.suspend(() => handle(change)), () => --left === 0 ? commit : Effect.void)
        ))
      }),
      Stream.mapEffect(identity, { concurrency, unordered: true }),
      Stream.runDrain
    ), options)
}

/**
 * What the copy of one list holds, and what is under way.
 *
 * @since 0.1.0
 * @category models
 */
export interface Status extends Maintenance.Status {
  readonly list: Name
}

/**
 * What the copy holds, how old it is, and what is under way. Needs the database only.
 *
 * @since 0.1.0
 * @category combinators
 */
export const status: Effect.Effect<ReadonlyArray<Status>, SqlError, Mirror> = Effect.flatMap(
  Mirror,
  (mirror) =>
    Effect.forEach(Feeds.all, ({ table }) =>
      Effect.map(
        Maintenance.status(copyOf(mirror, table)),
        (status): Status => ({ list: nameOf(table), ...status })
      ))
)

/**
 * Drops the rows of items that were marked as deleted longer ago than this, and returns how many there were. Lists with a
 * pass under way are left alone.
 *
 * @since 0.1.0
 * @category combinators
 */
export const purge = (olderThan: Duration.DurationInput): Effect.Effect<number, SqlError | InvalidOption, Mirror> =>
  Effect.gen(function*() {
    const mirror = yield* Mirror
    const age = yield* ageOf(olderThan)
    const dropped = yield* Effect.forEach(Feeds.all, ({ table }) => Maintenance.purge(copyOf(mirror, table), age))
    return dropped.reduce((sum, count) => sum + count, 0)
  })

/**
 * Drops changes that were observed longer ago than this, unless a consumer has yet to commit them, and returns how many
 * there were.
 *
 * @since 0.1.0
 * @category combinators
 */
export const prune = (olderThan: Duration.DurationInput): Effect.Effect<number, SqlError | InvalidOption, Mirror> =>
  Effect.gen(function*() {
    const { account, database } = yield* Mirror
    return yield* Maintenance.prune(database, account, yield* ageOf(olderThan))
  })
