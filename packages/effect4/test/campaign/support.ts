/** Campaigns of either line, on the same databases and services. */
import * as Campaign3 from "@mailstream/campaign/Campaign"
import * as Campaign4 from "@mailstream/effect4/Campaign"
import * as Postgres4 from "@mailstream/effect4/Postgres"
import * as Sqlite4 from "@mailstream/effect4/Sqlite"
import * as UndiciTransport4 from "@mailstream/effect4/UndiciTransport"
import { Mailstream as Mailstream3, RetryPolicy as RetryPolicy3 } from "@mailstream/http"
import * as UndiciTransport3 from "@mailstream/http/UndiciTransport"
import * as Postgres3 from "@mailstream/sql/Postgres"
import * as Sqlite3 from "@mailstream/sql/Sqlite"
import * as Postgres from "@mailstream/testing/Postgres"
import * as Provided from "@mailstream/testing/Provided"
import * as SendingService from "@mailstream/testing/SendingService"
import * as Temporary from "@mailstream/testing/Temporary"
import { Clock, Effect, Layer, Redacted, Schedule, type Scope, Stream } from "effect"
import { SqlClient } from "effect/sql"
import {
  Effect as Effect3,
  Layer as Layer3,
  Redacted as Redacted3,
  Schedule as Schedule3,
  Stream as Stream3
} from "effect3"
import { Mailstream } from "../../src/http/index.ts"
import * as RetryPolicy from "../../src/http/RetryPolicy.ts"
import { fromEffect3 } from "../support/service.ts"

export interface Person {
  readonly id: string
  readonly email: string
}

/** An email, as far as these tests need it. */
export interface Email {
  readonly from: string
  readonly to: string | ReadonlyArray<string>
  readonly subject: string
  readonly text: string
  readonly tags?: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly attachments?: ReadonlyArray<{ readonly filename: string; readonly content: string }>
}

export const people = (count: number): ReadonlyArray<Person> =>
  Array.from({ length: count }, (_, index) => ({ id: `person-${index}`, email: `person-${index}@example.com` }))

export const emailTo = ({ email }: Person): Email => ({
  from: "ada@example.com",
  to: email,
  subject: "News",
  text: "Hello!"
})

/** What a run may be told, for either line. */
export interface Options {
  readonly name?: string
  readonly people: ReadonlyArray<Person>
  /** What is done with somebody; by default, an email. */
  readonly message?: (person: Person) => Email | { readonly skip: string }
  readonly once?: "contact" | "address"
  readonly scope?: string
  readonly batchSize?: number
  readonly concurrency?: number
  readonly lease?: number
  /** How often a request is repeated, at once. */
  readonly retries?: number
  readonly onUndecided?: "fail" | "report"
  readonly again?: boolean
  /** The time of the wall clock, in milliseconds after the real one. */
  readonly ahead?: number
}

/** How a run ended: with the counts, or with an error. */
export type Outcome =
  | { readonly counts: { readonly [state: string]: number }; readonly isEnded: boolean }
  | { readonly error: { readonly [field: string]: unknown } }

/** One line: how it runs a campaign on a database and a service, and what it reads. */
export interface Line {
  readonly name: string
  readonly run: (place: Place, options: Options, signal?: AbortSignal) => Promise<Outcome>
  readonly recipients: (place: Place, name?: string) => Promise<ReadonlyArray<object>>
  /** Decides, forgets, asks: with the results, or the error. */
  readonly resolve: (place: Place, decision: "assumeSent" | "resend") => Promise<unknown>
  readonly forget: (place: Place, state: "rejected" | "skipped" | "planned") => Promise<unknown>
  readonly deliveries: (place: Place) => Promise<unknown>
}

/** Where a campaign is run. */
export interface Place {
  readonly baseUrl: string
  /** The file of SQLite, or the URL of PostgreSQL. */
  readonly database: string
}

/** What of an error both lines have. */
const errorOf = (error: unknown): Outcome => {
  const { _tag, message, ...fields } = error as { readonly [field: string]: unknown }
  const all = Object.fromEntries(
    ["campaign", "reason", "count", "description", "begunWith", "known", "option"].flatMap((name) =>
      fields[name] === undefined || typeof fields[name] === "object" && name !== "known" ? [] : [[name, fields[name]]]
    )
  )
  return { error: { _tag, message, ...all } }
}

const statusOf = (
  { accepted, endedAt, planned, rejected, skipped, undecided }: Campaign3.Status | Campaign4.Status
): Outcome => ({ counts: { accepted, planned, rejected, skipped, undecided }, isEnded: endedAt !== undefined })

const runOptions = ({ again, batchSize = 5, concurrency, lease = 500, onUndecided }: Options) => ({
  batchSize,
  lease,
  settle: 0,
  ...(concurrency === undefined ? {} : { concurrency }),
  ...(onUndecided === undefined ? {} : { onUndecided }),
  ...(again === undefined ? {} : { again })
})

const definitionOf = ({ once, scope }: Options) => ({
  ...(once === undefined ? {} : { once }),
  ...(scope === undefined ? {} : { scope })
})

const isFile = (database: string): boolean => !database.startsWith("postgres")

const database3 = ({ database }: Place) =>
  Layer3.fresh(Layer3.orDie(
    isFile(database)
      ? Sqlite3.layer({ filename: database })
      : Postgres3.layer({ url: Redacted3.make(database), maxConnections: 4 })
  ))

const client3 = ({ baseUrl }: Place) =>
  Layer3.fresh(Layer3.orDie(
    Mailstream3.layer({ baseUrl, apiKey: Redacted3.make("re_1"), rateLimit: false, timeout: "3 seconds" }).pipe(
      Layer3.provide(UndiciTransport3.layer)
    )
  ))

export const database4 = ({ database }: Place) =>
  Layer.orDie(
    isFile(database)
      ? Sqlite4.layer({ filename: database })
      : Postgres4.layer({ url: Redacted.make(database), maxConnections: 4 })
  )

export const client4 = ({ baseUrl }: Place) =>
  Layer.orDie(
    Mailstream.layer({ baseUrl, apiKey: Redacted.make("re_1"), rateLimit: false, timeout: "3 seconds" }).pipe(
      Layer.provide(UndiciTransport4.layer)
    )
  )

// Packages for Effect 3 are of another copy of it than the tests.
const run3 = <A, E>(effect: Effect3.Effect<A, E, never>, signal?: AbortSignal): Promise<A> =>
  Effect3.runPromise(effect, signal === undefined ? {} : { signal })

const run4 = <A, E>(effect: Effect.Effect<A, E>, signal?: AbortSignal): Promise<A> =>
  Effect.runPromise(effect, signal === undefined ? {} : { signal })

export const line3: Line = {
  name: "Effect 3",
  run: (place, options, signal) => {
    const { message = emailTo, name = "news", people, retries = 0 } = options
    const campaign = Campaign3.make(name, {
      ...definitionOf(options),
      audience: Stream3.rechunk(Stream3.fromIterable(people), 4),
      message: (person: Person) => {
        const made = message(person)
        return "skip" in made ? Campaign3.skip(made.skip) : made
      }
    })
    const retry = Schedule3.recurs(retries).pipe(RetryPolicy3.withRetryAfter("1 second"))
    return run3(
      Campaign3.run(campaign, { ...runOptions(options), retry }).pipe(
        Effect3.provide(Layer3.merge(client3(place), database3(place))),
        ahead3(options),
        Effect3.match({ onFailure: errorOf, onSuccess: statusOf })
      ),
      signal
    )
  },
  recipients: (place, name = "news") =>
    run3(
      Stream3.runCollect(Campaign3.recipients(name)).pipe(
        Effect3.provide(database3(place)),
        Effect3.map((all) => [...all])
      )
    ),
  resolve: (place, decision) =>
    run3(
      Effect3.merge(
        Effect3.mapError(
          Effect3.provide(Campaign3.resolve("news", decision, { lease: 500 }), database3(place)),
          errorOf
        )
      )
    ),
  forget: (place, state) =>
    run3(
      Effect3.merge(
        Effect3.mapError(Effect3.provide(Campaign3.forget("news", state, { lease: 500 }), database3(place)), errorOf)
      )
    ),
  deliveries: (place) =>
    run3(
      Effect3.merge(Effect3.mapError(
        Effect3.provide(Campaign3.deliveries("news"), Layer3.merge(client3(place), database3(place))),
        errorOf
      ))
    )
}

export const line4: Line = {
  name: "Effect 4",
  run: (place, options, signal) => {
    const { message = emailTo, name = "news", people, retries = 0 } = options
    const campaign = Campaign4.make(name, {
      ...definitionOf(options),
      audience: Stream.rechunk(Stream.fromIterable(people), 4),
      message: (person: Person) => {
        const made = message(person)
        return "skip" in made ? Campaign4.skip(made.skip) : made
      }
    })
    const retry = Schedule.recurs(retries).pipe(RetryPolicy.withRetryAfter("1 second"))
    return run4(
      Campaign4.run(campaign, { ...runOptions(options), retry }).pipe(
        Effect.provide(Layer.merge(client4(place), database4(place))),
        ahead4(options),
        Effect.match({ onFailure: errorOf, onSuccess: statusOf })
      ),
      signal
    )
  },
  recipients: (place, name = "news") =>
    run4(Effect.provide(Stream.runCollect(Campaign4.recipients(name)), database4(place))),
  resolve: (place, decision) =>
    run4(
      Effect.match(Effect.provide(Campaign4.resolve("news", decision, { lease: 500 }), database4(place)), {
        onFailure: errorOf,
        onSuccess: (count): unknown => count
      })
    ),
  forget: (place, state) =>
    run4(
      Effect.match(Effect.provide(Campaign4.forget("news", state, { lease: 500 }), database4(place)), {
        onFailure: errorOf,
        onSuccess: (count): unknown => count
      })
    ),
  deliveries: (place) =>
    run4(
      Effect.match(
        Effect.provide(Campaign4.deliveries("news"), Layer.merge(client4(place), database4(place))),
        { onFailure: errorOf, onSuccess: (counts): unknown => counts }
      )
    )
}

const ahead3 = ({ ahead = 0 }: Options) => <A, E, R>(effect: Effect3.Effect<A, E, R>): Effect3.Effect<A, E, R> =>
  Effect3.flatMap(Effect3.clock, (clock) => {
    const millis = () => clock.unsafeCurrentTimeMillis() + ahead
    return Effect3.withClock(effect, {
      ...clock,
      unsafeCurrentTimeMillis: millis,
      unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
      sleep: (duration) => clock.sleep(duration),
      currentTimeNanos: clock.currentTimeNanos,
      currentTimeMillis: Effect3.sync(millis)
    })
  })

const ahead4 = ({ ahead = 0 }: Options) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) => {
    const millis = () => clock.currentTimeMillisUnsafe() + ahead
    return Effect.provideService(effect, Clock.Clock, {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
      currentTimeNanos: clock.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    })
  })

/** New databases, of which both lines are told. */
export const databases: ReadonlyArray<readonly [name: string, make: Effect.Effect<string, never, Scope.Scope>]> = [
  ["SQLite", Effect.suspend(() => fromEffect3(Temporary.file("campaign.db")))],
  [
    "PostgreSQL",
    Effect.map(
      fromEffect3(Effect3.suspend(() => Postgres.createSchema(Provided.postgres()))),
      (url) => Redacted3.value(url)
    )
  ]
]

const tables = (place: Place) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    return {
      campaigns: yield* sql<Row>`SELECT * FROM mailstream_campaigns ORDER BY name`,
      units: yield* sql<Row>`SELECT * FROM mailstream_units ORDER BY campaign, unit`,
      recipients: yield* sql<Row>`SELECT * FROM mailstream_recipients ORDER BY campaign, id`
    }
  }).pipe(Effect.provide(database4(place)))

interface Row {
  readonly [column: string]: unknown
}

/**
 * The rows of all tables, but for what depends on time, on the service and on how often a lease was renewed. The anchor of a unit is the
 * newest email whose response has arrived when it is stored: any that is known will do.
 */
export const rowsOf = (place: Place): Effect.Effect<{ readonly [table: string]: ReadonlyArray<Row> }> =>
  Effect.map(Effect.orDie(tables(place)), (all) =>
    Object.fromEntries(
      Object.entries(all).map(([table, rows]) => [
        table,
        rows.map((row) =>
          Object.fromEntries(
            Object.entries(row).flatMap(([column, value]) =>
              ["service", "beat"].includes(column)
                ? []
                : /_(at|until)$/.test(column)
                ? [[column, value === null ? "none" : "time"]]
                : table === "units" && column === "anchor"
                ? [[column, value === null ? "none" : "known"]]
                : [[column, typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value]]
            )
          )
        )
      ])
    ))

/** Keys are random: what a value is with the first one, the second one and so on. */
export const withoutKeys = (value: unknown): unknown => {
  const known = new Map<string, string>()
  return JSON.parse(
    JSON.stringify(value ?? null).replace(/news_[0-9a-f]{24}/g, (key) => {
      const found = known.get(key) ?? `key-${known.size}`
      known.set(key, found)
      return found
    })
  )
}

/** A service that does what a test tells it. */
export const service: Effect.Effect<SendingService.Service, never, Scope.Scope> = Effect.suspend(() =>
  fromEffect3(SendingService.make)
)
