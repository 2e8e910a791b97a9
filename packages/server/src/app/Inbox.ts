/**
 * The emails that an app has sent to this server, for tests: waits for one, wherever it was sent from.
 *
 * @since 1.0.0
 */
import { EmailDetails } from "@mailstream/core/EmailOperations"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Account from "../stores/Account.ts"
import { Store, StoreError, storeOf } from "../stores/Store.ts"
import * as Complete from "./inbox/Complete.ts"
import { EmailNotArrived } from "./inbox/EmailNotArrived.ts"
import * as Waiting from "./inbox/Waiting.ts"

export { EmailNotArrived }

/**
 * Which email to wait for. All conditions must hold.
 *
 * @since 1.0.0
 * @category models
 */
export interface WaitOptions {
  /** One of its recipients, `to`, `cc` or `bcc`: `ada@example.com`. Names and case do not matter. Default: any. */
  readonly to?: string | undefined
  /** What its subject contains, in the same upper and lower case, or a pattern. Default: any. */
  readonly subject?: string | RegExp | undefined
  /** The campaign that it belongs to. Default: any, or none. */
  readonly campaign?: string | undefined
  /** Only emails that were sent at this time or later. Default: any. */
  readonly since?: DateTime.DateTime.Input | undefined
  /** How long to wait. Default: 5 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
  /** The account that sends it. Default: `Account.defaultId`. */
  readonly account?: string | undefined
}

/**
 * An email that was sent, with everything about it.
 *
 * @since 1.0.0
 * @category schemas
 */
export const SentEmail = Schema.Struct({
  ...EmailDetails.fields,
  /** Those that were given when it was sent. */
  headers: Schema.Record({ key: Schema.String, value: Schema.String }),
  /** The campaign that it belongs to, by its tag `mailstream`. */
  campaign: Schema.NullOr(Schema.String),
  attachments: Schema.Array(Schema.Struct({
    id: Schema.String,
    filename: Schema.NullOr(Schema.String),
    content_type: Schema.NullOr(Schema.String),
    content_id: Schema.NullOr(Schema.String),
    size: Schema.NullOr(Schema.Number),
    /** A path of this server, which needs an API key; a URL, if the content is elsewhere. */
    download_url: Schema.String
  })),
  /** What happened to it, oldest first: `email.sent`, `email.delivered`. */
  events: Schema.Array(Schema.Struct({
    type: Schema.String,
    created_at: Schema.String,
    data: Schema.Unknown
  })),
  /** Whether `events` lacks some that are no longer kept: see `EventOptions`. */
  events_pruned: Schema.Boolean,
  /** The request that it was sent with, if that is known. */
  request: Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
}).annotations({ identifier: "SentEmail" })

/**
 * @since 1.0.0
 * @category models
 */
export interface SentEmail extends Schema.Schema.Type<typeof SentEmail> {}

const check = ({ since, timeout = "5 seconds" }: WaitOptions) =>
  Effect.gen(function*() {
    const time = since === undefined ? undefined : Option.getOrUndefined(DateTime.make(since))
    yield* InvalidOption.unless(since === undefined || time !== undefined, "since", "must be a time")
    return {
      since: time === undefined ? undefined : DateTime.toEpochMillis(time),
      timeout: yield* InvalidOption.duration("timeout", timeout, { min: 0 })
    }
  })

/**
 * The newest email that matches, as soon as there is one: at once, if it has been sent already. An email that is scheduled counts
 * from the moment on that it is sent.
 *
 * In a test that sends several emails to the same address, say which: by its subject, or by `since`.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { Inbox, Server } from "@mailstream/server"
 * import { Effect } from "effect"
 *
 * const resetsPassword = Effect.gen(function*() {
 *   // … your app, which sends to `TestServer`, is asked to reset a password …
 *   const email = yield* Inbox.waitFor({ to: "ada@example.com", subject: "Reset your password" })
 *   return email.text
 * })
 *
 * const program = resetsPassword.pipe(Effect.provide(Server.layerTest()))
 * ```
 */
export const waitFor = (
  options: WaitOptions
): Effect.Effect<SentEmail, EmailNotArrived | StoreError | InvalidOption.InvalidOption, Store> =>
  Effect.gen(function*() {
    const { since, timeout } = yield* check(options)
    const wanted = { campaign: options.campaign, to: options.to, subject: options.subject, since }
    const store = storeOf(yield* Store, options.account ?? Account.defaultId)
    const found = yield* Waiting.find(store, wanted, timeout)
    return yield* Complete.of(store, found).pipe(
      Effect.flatMap(Schema.decodeUnknown(SentEmail)),
      Effect.catchTag(
        "ParseError",
        (cause) => new StoreError({ reason: "Failed", description: "A stored email does not match its schema.", cause })
      )
    )
  }).pipe(Effect.withSpan("Inbox.waitFor"))
