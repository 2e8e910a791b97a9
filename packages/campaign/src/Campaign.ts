/**
 * Writing to everybody in a list, each at most once, whatever is killed and for however long.
 *
 * Every batch of emails is stored with its idempotency key and its exact bytes before the first of them leaves. As long as nobody
 * knows whether it was accepted, it is repeated with the same key and the same bytes, which the service recognizes for 24 hours;
 * after 23 hours, the emails of the account tell what became of it. So a campaign that is run again continues, and for every contact
 * that the audience returns, at most one email is accepted.
 *
 * @since 1.0.0
 */
import type { MigrationError } from "@effect/sql/Migrator"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { ApiError, SendEmail, WebhookEvent } from "@mailstream/core"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Position from "@mailstream/core/Position"
import * as SendEmails from "@mailstream/core/SendEmail"
import type { ApiClient } from "@mailstream/http/ApiClient"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import { Emails } from "@mailstream/http/Services"
import { addressOf } from "@mailstream/kernel/campaign/Messages"
import * as Sentences from "@mailstream/kernel/campaign/Sentences"
import type { ListError } from "@mailstream/stream/ListError"
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { type CampaignBusy, type CampaignMismatch, type CampaignTakenOver, UnknownCampaign } from "./CampaignError.ts"
import { sameAccount } from "./internal/begin.ts"
import { type AudiencePage, type Definition, Skip } from "./internal/definition.ts"
import * as Deliveries from "./internal/deliveries.ts"
import * as Leases from "./internal/lease.ts"
import { check } from "./internal/message.ts"
import * as Operator from "./internal/operator.ts"
import type { Row } from "./internal/rows.ts"
import * as Runs from "./internal/run.ts"
import { ensure } from "./internal/schema.ts"
import * as Stores from "./internal/store.ts"
import type { Counts, Recipient, State } from "./Recipient.ts"

/**
 * What a campaign does with a contact: the email to send, or `Campaign.skip`.
 *
 * @since 1.0.0
 * @category models
 */
export type Message = SendEmail | Skip

/**
 * The decision not to write to somebody.
 *
 * @since 1.0.0
 * @category models
 */
export type { Skip }

/**
 * Decides not to write to somebody. The reason is kept with them.
 *
 * @since 1.0.0
 * @category constructors
 */
export const skip = (reason: string): Skip => new Skip({ reason })

/**
 * Why a campaign would reject an email before it is sent, if it would: what the service would refuse, and tags that leave no room for that
 * of the campaign.
 *
 * @since 1.0.0
 * @category getters
 */
export const refusalOf = (email: SendEmail): Option.Option<ApiError> => Either.getLeft(check(email))

/**
 * Everybody that a campaign may write to: a stream of items, each with an `id` that it always has. Or a function that begins the
 * stream of pages at a position, as `(from) => contacts.pages({ from })`: then, a run that continues does not read the list from its
 * start again.
 *
 * @since 1.0.0
 * @category models
 */
export type Audience<Item, E = never, R = never> =
  | Stream.Stream<Item & Identified, E, R>
  | ((from: Position.Open<never>) => Stream.Stream<AudiencePage<Item & Identified>, E, R>)

/**
 * @since 1.0.0
 * @category models
 */
export interface Identified {
  readonly id: string
}

/**
 * @since 1.0.0
 * @category models
 */
export interface Definitions<Item, E, R, E2, R2> {
  readonly audience: Audience<Item, E, R>
  /**
   * The email for a contact, or the decision to skip them. What it returns is stored before it is sent, and does not change any more:
   * it is called once for each contact, but again for the few who were not stored yet when a run ended early. If it fails, the run
   * fails with its error, and the next one continues there.
   */
  readonly message: (item: Item) => Message | Effect.Effect<Message, E2, R2>
  /** Whether two contacts with the same address get one email each, or one between them; default: `contact`. */
  readonly once?: "contact" | "address" | undefined
  /**
   * Who the audience is, in your words, such as the id of a segment. It is stored when the campaign begins, and a run with another one
   * is refused: by mistake, it would write to other people.
   */
  readonly scope?: string | undefined
}

/**
 * A campaign that can be run.
 *
 * @since 1.0.0
 * @category models
 */
export interface Campaign<out E = never, out R = never> {
  readonly name: string
  /** @internal */
  readonly definition: Definition<E, R>
}

/**
 * A campaign. Its name is used once: whatever is run under the same name, in the same database, continues the same campaign. It has
 * 1 to 100 letters, digits, `_` and `-`.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { Campaign } from "@mailstream/campaign"
 * import { SegmentId } from "@mailstream/core"
 * import { contacts } from "@mailstream/stream"
 *
 * const filter = { segment_id: SegmentId.make("…") }
 *
 * const news = Campaign.make("news-2026-11", {
 *   audience: (from) => contacts.pages({ filter, from }),
 *   scope: filter.segment_id,
 *   message: (contact) =>
 *     contact.unsubscribed
 *       ? Campaign.skip("unsubscribed")
 *       : {
 *         from: "Ada <ada@example.com>",
 *         to: contact.email,
 *         subject: "November",
 *         html: `<p>Hello ${contact.first_name ?? "there"}!</p>`
 *       }
 * })
 *
 * const program = Campaign.run(news) // again after a crash: it continues
 * ```
 */
export const make = <Item, E, R, E2 = never, R2 = never>(
  name: string,
  { audience, message, once = "contact", scope }: Definitions<Item, E, R, E2, R2>
): Campaign<E | E2, R | R2> => {
  const rendered = (item: Item & Identified) => ({
    id: item.id,
    address: addressOf({ to: "email" in item ? item.email : undefined }),
    message: () => message(item)
  })
  const isResumable = typeof audience === "function"
  const pages = isResumable
    ? audience
    : () => Stream.map(Stream.chunks(Stream.rechunk(audience, SendEmails.batchSize)), asPage)
  return {
    name,
    definition: {
      name,
      once,
      scope,
      isResumable,
      pages: (from) => Stream.map(pages(from), ({ data, next }) => ({ data: data.map(rendered), next }))
    }
  }
}

const asPage = <Item>(items: Chunk.Chunk<Item>): AudiencePage<Item> => ({
  data: Chunk.toReadonlyArray(items),
  next: Position.start
})

/**
 * @since 1.0.0
 * @category models
 */
export interface RunOptions {
  /** How many requests are in flight at most; default: 2. All of them are subject to the rate limit of the client. */
  readonly concurrency?: number | undefined
  /** The most emails in a request; default, and at most: 100. */
  readonly batchSize?: number | undefined
  /** When to repeat a request that failed; default: `RetryPolicy.patient`, about half an hour. Then the run is paused. */
  readonly retry?: RetryPolicy.RetryPolicy | undefined
  /** Whether a used-up quota ends the run (`fail`), or the run waits for it to end; default: `fail`. */
  readonly onPause?: "fail" | "wait" | undefined
  /** Whether the run fails in the end if nobody can tell about somebody; default: `fail`. Everybody else is written to before. */
  readonly onUndecided?: "fail" | "report" | undefined
  /**
   * Walks through the audience again if an earlier run came to its end, to write to those who are new; default: false. Nobody who
   * has been written to, rejected or skipped is considered again.
   */
  readonly again?: boolean | undefined
  /**
   * For how long this process holds the campaign without a sign of life; default: 15 seconds. If it is killed, the next one takes over
   * after watching for 1.5 times as long.
   */
  readonly lease?: Duration.DurationInput | undefined
  /** How long to wait for requests that may still be under way, before doubtful emails are looked for; default: 5 minutes. */
  readonly settle?: Duration.DurationInput | undefined
}

/**
 * How far a campaign is: how many people are in each state, and more.
 *
 * @since 1.0.0
 * @category models
 */
export interface Status extends Counts {
  readonly campaign: string
  readonly createdAt: DateTime.Utc
  /** When the last run began. */
  readonly startedAt: DateTime.Utc
  /** When everybody in the audience was dealt with; undefined if that is not the case yet. */
  readonly endedAt: DateTime.Utc | undefined
  /** Whether a process is running it, or was killed while it did: `isAlive` finds out which. */
  readonly isRunning: boolean
  /** Why it is paused, if it is. */
  readonly paused: string | undefined
  readonly pausedUntil: DateTime.Utc | undefined
}

/**
 * Everything that a run can fail with beside the errors of the audience and the messages.
 *
 * @since 1.0.0
 * @category models
 */
export type RunError = Runs.RunError

/**
 * Writes to everybody in the audience of a campaign, from where the last run stopped. When it succeeds, everybody is accepted,
 * rejected, skipped or, with `onUndecided: "report"`, undecided, and the database says which. It can be killed at any time: run it
 * again. Two processes that run it at the same time do no harm: one of them fails with `CampaignBusy`.
 *
 * @since 1.0.0
 * @category running
 */
export const run = <E, R>(
  campaign: Campaign<E, R>,
  options: RunOptions = {}
): Effect.Effect<Status, E | RunError, R | SqlClient.SqlClient | ApiClient | Emails> =>
  Effect.gen(function*() {
    const { again = false, onPause = "fail", onUndecided = "fail", retry = RetryPolicy.patient } = options
    yield* named(campaign.name)
    const checked = yield* Either.all({
      concurrency: InvalidOption.integer("concurrency", options.concurrency ?? 2, { min: 1 }),
      batchSize: InvalidOption.integer("batchSize", options.batchSize ?? SendEmails.batchSize, {
        min: 1,
        max: SendEmails.batchSize
      }),
      lease: leaseOf(options),
      settle: InvalidOption.duration("settle", options.settle ?? "5 minutes", { min: 0 })
    })
    return statusOf(yield* Runs.run(campaign.definition, { ...checked, again, onPause, onUndecided, retry }))
  }).pipe(Effect.withSpan("Campaign.run", {
    attributes: { "mailstream.campaign": campaign.name },
    captureStackTrace: false
  })) as Effect.Effect<Status, E | RunError, R | SqlClient.SqlClient | ApiClient | Emails>

const named = (name: string): Either.Either<void, InvalidOption.InvalidOption> =>
  InvalidOption.unless(
    Sentences.isName(name),
    "name",
    Sentences.named
  )

const statusOf = (row: Row): Status => {
  const { accepted, planned, rejected, skipped, undecided } = row
  const time = (millis: number) => DateTime.unsafeMake(millis)
  const maybe = (millis: number | undefined) => millis === undefined ? undefined : time(millis)
  return {
    campaign: row.name,
    planned,
    accepted,
    rejected,
    skipped,
    undecided,
    createdAt: time(row.createdAt),
    startedAt: time(row.startedAt),
    endedAt: maybe(row.endedAt),
    isRunning: row.owner !== undefined && row.endedAt === undefined,
    paused: row.paused,
    pausedUntil: maybe(row.pausedUntil)
  }
}

/** A campaign that the database knows. */
const found = (
  name: string
): Effect.Effect<
  { readonly store: Stores.Store; readonly row: Row },
  UnknownCampaign | SqlError | MigrationError,
  SqlClient.SqlClient
> =>
  Effect.gen(function*() {
    yield* ensure
    const store = yield* Stores.make
    const row = yield* store.find(name)
    if (row !== undefined) return { store, row }
    const known = yield* store.all
    return yield* new UnknownCampaign({ campaign: name, known: known.slice(0, 20).map(({ name }) => name) })
  })

/**
 * How far a campaign is.
 *
 * @since 1.0.0
 * @category reading
 */
export const status = (
  name: string
): Effect.Effect<Status, UnknownCampaign | SqlError | MigrationError, SqlClient.SqlClient> =>
  Effect.map(found(name), ({ row }) => statusOf(row))

/**
 * Whether a process is running a campaign, and shows a sign of life within half its lease, 7.5 seconds by default. False if no process is
 * running it, if the one that did was killed, and if it is suspended or cannot reach the database. No clocks are compared.
 *
 * @since 1.0.0
 * @category reading
 */
export const isAlive = (
  name: string
): Effect.Effect<boolean, UnknownCampaign | SqlError | MigrationError, SqlClient.SqlClient> =>
  Effect.flatMap(found(name), ({ row, store }) => Leases.isAlive(store, name, row))

/**
 * All campaigns of the database, the newest first.
 *
 * @since 1.0.0
 * @category reading
 */
export const list: Effect.Effect<ReadonlyArray<Status>, SqlError | MigrationError, SqlClient.SqlClient> = Effect.gen(
  function*() {
    yield* ensure
    const store = yield* Stores.make
    return (yield* store.all).map(statusOf)
  }
)

/**
 * What became of each contact, in the order of their ids: all of them, or those in one state.
 *
 * @since 1.0.0
 * @category reading
 */
export const recipients = (
  name: string,
  options: { readonly state?: State | undefined } = {}
): Stream.Stream<Recipient, UnknownCampaign | SqlError | MigrationError, SqlClient.SqlClient> =>
  Stream.unwrap(
    Effect.map(found(name), ({ store }) =>
      Stream.paginateChunkEffect("", (after) =>
        Effect.map(store.recipients(name, after, options.state), (rows) =>
          [
            Chunk.unsafeFromArray(rows),
            rows.length < Stores.pageSize ? Option.none<string>() : Option.some(rows[rows.length - 1]!.id)
          ] as const)))
  )

const leaseOf = ({ lease = "15 seconds" }: Pick<RunOptions, "lease">): ReturnType<typeof InvalidOption.duration> =>
  InvalidOption.duration("lease", lease, { min: "50 millis" })

/**
 * What a decision about the people of a campaign can fail with.
 *
 * @since 1.0.0
 * @category models
 */
export type DecisionError =
  | UnknownCampaign
  | CampaignBusy
  | CampaignTakenOver
  | InvalidOption.InvalidOption
  | SqlError
  | MigrationError

/**
 * Decides about people who are undecided: they were written to (`assumeSent`), or they are written to again
 * by the next run (`resend`), and may then have got two emails. How many people that was about.
 *
 * @since 1.0.0
 * @category deciding
 */
export const resolve = (
  name: string,
  decision: "assumeSent" | "resend",
  options: { readonly ids?: ReadonlyArray<string> | undefined; readonly lease?: Duration.DurationInput | undefined } =
    {}
): Effect.Effect<
  number,
  DecisionError,
  SqlClient.SqlClient
> =>
  Effect.flatMap(
    Effect.zip(found(name), leaseOf(options)),
    ([{ store }, lease]) => Operator.resolve(store, name, decision, { ids: options.ids, lease })
  )

/**
 * Forgets people who certainly were not written to, so that the next run considers them again, with the message of then: those who
 * were rejected or skipped, or those whose email is planned and has not been attempted. How many people that was about.
 *
 * @since 1.0.0
 * @category deciding
 */
export const forget = (
  name: string,
  state: "rejected" | "skipped" | "planned",
  options: { readonly lease?: Duration.DurationInput | undefined } = {}
): Effect.Effect<
  number,
  DecisionError,
  SqlClient.SqlClient
> =>
  Effect.flatMap(
    Effect.zip(found(name), leaseOf(options)),
    ([{ store }, lease]) => Operator.forget(store, name, state, lease)
  )

/**
 * Asks the service what became of the accepted emails of a campaign, and stores it with each recipient (`lastEvent`). How many there
 * are of each: `{ delivered: 97, bounced: 2, complained: 1 }`, and `unknown` of which the service says nothing. Accepted is not delivered: ask
 * an hour or a day later.
 *
 * @since 1.0.0
 * @category reading
 */
export const deliveries = (
  name: string,
  options: {
    /** When to repeat a request that failed; default: `RetryPolicy.default`. */
    readonly retry?: RetryPolicy.RetryPolicy | undefined
  } = {}
): Effect.Effect<
  Readonly<Record<string, number>>,
  UnknownCampaign | CampaignMismatch | ListError | SqlError | MigrationError,
  SqlClient.SqlClient | Emails
> =>
  Effect.gen(function*() {
    const { row, store } = yield* found(name)
    const { retry = RetryPolicy.default } = options
    if (row.accepted > 0) {
      yield* Effect.catchTag(
        sameAccount(row, yield* Emails, { retry, settle: Duration.seconds(5) }),
        "CampaignPaused",
        ({ error }) => Effect.fail(error)
      )
    }
    return yield* Deliveries.refresh(store, row, { retry })
  })

/**
 * Stores what an event of a webhook says about an email of any campaign in the database; false if it is about something else. Events may
 * arrive in any order, and more than once.
 *
 * @since 1.0.0
 * @category reading
 * @example
 * ```ts
 * import { Campaign } from "@mailstream/campaign"
 * import { WebhookHandler } from "@mailstream/webhook"
 * import { Redacted } from "effect"
 *
 * const app = WebhookHandler.toHttpApp((event) => Campaign.record(event), { secret: Redacted.make("whsec_…") })
 * ```
 */
export const record = (
  event: WebhookEvent
): Effect.Effect<boolean, SqlError | MigrationError, SqlClient.SqlClient> =>
  Effect.flatMap(Effect.zipRight(ensure, Stores.make), (store) => Deliveries.record(store, event))
