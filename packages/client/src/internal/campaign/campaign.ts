/** Campaigns on a connection and a database. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Campaigns from "@mailstream/campaign/Campaign"
import type * as Recipients from "@mailstream/campaign/Recipient"
import type { SendEmail } from "@mailstream/core"
import * as SendEmails from "@mailstream/core/SendEmail"
import * as Waiting from "@mailstream/kernel/Waiting"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { constTrue } from "effect/Function"
import type * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type { Campaign, CampaignRecipient, CampaignStatus } from "../../Campaigns.ts"
import * as Arguments from "../arguments.ts"
import * as Calls from "../calls.ts"
import type { Definition } from "../campaigns.ts"
import * as Checks from "../checks.ts"
import type { Connection, Services } from "../connection.ts"
import { type Failure, toError } from "../errors.ts"
import * as Observing from "../observing.ts"
import * as Options from "../options.ts"
import * as Audience from "./audience.ts"
import { toFailure } from "./errors.ts"

const leased = { lease: Checks.finiteMillis, signal: Checks.signal }

const runOptions = {
  ...Options.retried,
  ...leased,
  concurrency: Checks.count(1),
  batchSize: Checks.count(1, 100),
  onPause: Checks.among("fail", "wait"),
  onUndecided: Checks.among("fail", "report"),
  again: Checks.make(Predicate.isBoolean, "must be true or false"),
  settle: Checks.make(
    (value): value is number => Predicate.isNumber(value) && value >= 0 && value < Infinity,
    "must be a finite number of milliseconds"
  ),
  progress: Checks.callback<CampaignStatus>()
}

const states = ["planned", "accepted", "rejected", "skipped", "undecided"] as const

const recipientOptions = { state: Checks.among(...states), signal: Checks.signal }

const ids = Checks.make(
  (value): value is ReadonlyArray<string> => Array.isArray(value) && value.every(Predicate.isString),
  "must be an array of the ids of people"
)

/** A campaign whose database is opened for each of its calls, and closed after it. */
export const on = (database: Layer.Layer<SqlClient.SqlClient, SqlError>) =>
(
  connection: Connection,
  { audience, message, name, once, scope }: Definition
): Campaign => {
  const people = Either.getOrThrowWith(Audience.make(audience, connection), toError)
  const campaign = campaignOf(name, people, message, { once, scope })
  const provided = <A, E extends Parameters<ReturnType<typeof toFailure>>[0]>(
    effect: Effect.Effect<A, E, Services | SqlClient.SqlClient>
  ): Effect.Effect<A, Failure, Services> => Effect.mapError(Effect.provide(effect, database), toFailure(name))
  const made: Campaign = {
    name,
    run: (options = {}) =>
      Calls.run(
        connection,
        made.run,
        Checks.all(options, runOptions),
        ({ onRetry, progress, retry, ...options }) => {
          // Which errors are worth another attempt is for the campaign to say.
          const policy = Options.policyOf({ onRetry, retry }, connection.defaults, "patient", constTrue)
          const running = Effect.map(Campaigns.run(campaign, { ...options, retry: policy }), statusOf)
          return provided(progress === undefined ? running : reporting(name, running, progress))
        }
      ),
    status: (options = {}) =>
      Calls.run(
        connection,
        made.status,
        Checks.all(options, { signal: Checks.signal }),
        () => provided(Effect.map(Campaigns.status(name), statusOf))
      ),
    recipients: (options = {}) =>
      Calls.walk(
        connection,
        made.recipients,
        Checks.all(options, recipientOptions),
        ({ state }) =>
          Campaigns.recipients(name, { state }).pipe(
            Stream.map(recipientOf),
            Stream.provideSomeLayer(database),
            Stream.mapError(toFailure(name))
          )
      ),
    deliveries: (options = {}) =>
      Calls.run(
        connection,
        made.deliveries,
        Checks.all(options, Options.call),
        (options) => provided(Campaigns.deliveries(name, { retry: Options.policyOf(options, connection.defaults) }))
      ),
    resolve: (decision, options = {}) =>
      Calls.run(
        connection,
        made.resolve,
        Either.flatMap(
          Checks.among("assumeSent", "resend")(decision, "decision"),
          () => Checks.all(options, { ...leased, ids })
        ),
        (options) => provided(Campaigns.resolve(name, decision, options))
      ),
    forget: (state, options = {}) =>
      Calls.run(
        connection,
        made.forget,
        Either.flatMap(
          Checks.among("rejected", "skipped", "planned")(state, "state"),
          () => Checks.all(options, leased)
        ),
        (options) => provided(Campaigns.forget(name, state, options))
      )
  }
  return made
}

const campaignOf = (
  name: string,
  people: Audience.Audience,
  message: Definition["message"],
  options: Pick<Definition, "once" | "scope">
): Campaigns.Campaign<Failure, Services> => {
  const rendered = ({ item }: Audience.Member) =>
    Effect.flatMap(
      Observing.promised((signal) => message(item, { signal }), (result) => Checks.handled(result, "message")),
      messageOf
    )
  return people._tag === "Iterable"
    ? Campaigns.make(name, { audience: people.members, message: rendered, ...options })
    : Campaigns.make(name, {
      audience: (from) =>
        Stream.map(people.pages(from), ({ data, next }) => ({
          data: data.map((item) => Audience.member(item.id, item)),
          next
        })),
      message: rendered,
      ...options
    })
}

/** What a caller decided about somebody. A field that does not exist ends the run, as it would end a call. */
const messageOf = (result: unknown): Checks.Checked<Campaigns.Message> =>
  Checks.reading<Campaigns.Message>("message", () => {
    if (!Predicate.isRecord(result) || Array.isArray(result)) return Checks.invalid("message", mustReturn)
    if (result["_tag"] === "Skip") {
      return Checks.isText(result["reason"])
        ? Either.right(Campaigns.skip(result["reason"]))
        : Checks.invalid("message", mustReturn)
    }
    // The campaign checks the values of an email, and rejects those that the service would refuse.
    return Either.map(Arguments.input(SendEmails.SendEmail.ast, result, []), (email) => email as SendEmail)
  })

const mustReturn = "must return an email, or skip(\"reason\"), or a promise of one of these"

/** Calls a function when the counts have changed, while a campaign is run and at its end. */
const reporting = <E, R>(
  name: string,
  running: Effect.Effect<CampaignStatus, E, R>,
  progress: (status: CampaignStatus) => unknown
) => {
  let last = ""
  const report = (status: CampaignStatus): Effect.Effect<void, Failure> => {
    const counts = states.map((state) => status[state]).join()
    if (counts === last) return Effect.void
    last = counts
    return Observing.done("progress", () => progress(status))
  }
  const polling = Campaigns.status(name).pipe(
    // In the very beginning there is none, and a database that fails now fails the run itself.
    Effect.matchEffect({ onFailure: () => Effect.void, onSuccess: (status) => report(statusOf(status)) }),
    Effect.delay("1 second"),
    Effect.forever
  )
  return Waiting.raceFirst(running, polling).pipe(Effect.tap((status) => report(status)))
}

const statusOf = (status: Campaigns.Status): CampaignStatus => {
  const dateOf = (time: DateTime.Utc | undefined) => time === undefined ? undefined : DateTime.toDate(time)
  return {
    ...status,
    createdAt: DateTime.toDate(status.createdAt),
    startedAt: DateTime.toDate(status.startedAt),
    endedAt: dateOf(status.endedAt),
    pausedUntil: dateOf(status.pausedUntil)
  }
}

const recipientOf = (
  { address, changedAt, emailId, id, lastEvent, reason, state }: Recipients.Recipient
): CampaignRecipient => ({ id, address, state, emailId, reason, changedAt, lastEvent })
