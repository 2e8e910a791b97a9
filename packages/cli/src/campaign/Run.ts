/** `mailstream campaign run`: writes to every contact, each at most once. */
import { Campaign } from "@mailstream/campaign"
import type { Resource } from "@mailstream/core"
import { type Contact, type Position } from "@mailstream/core"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import { Segments } from "@mailstream/http/Services"
import { contacts } from "@mailstream/stream"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Connection from "../api/Connection.ts"
import * as Retry from "../api/Retry.ts"
import * as Operations from "../operations/Run.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { Reported } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import type { Running } from "../terminal/Running.ts"
import { Stdio, tell } from "../terminal/Stdio.ts"
import * as Advice from "./Advice.ts"
import * as Database from "./Database.ts"
import * as DryRun from "./DryRun.ts"
import * as Flags from "./Flags.ts"
import * as Message from "./Message.ts"
import * as Progress from "./Progress.ts"
import * as Status from "./Status.ts"

export const run = (given: Flags.RunGiven): Running =>
  Effect.gen(function*() {
    const place = yield* Flags.placeOf(given)
    const before = yield* Database.statusOf(place, given.name)
    yield* Effect.provide(toService(given, place, before), Connection.layer(given))
  })

const toService = (given: Flags.RunGiven, place: Database.Place, before: Campaign.Status | undefined) =>
  Effect.gen(function*() {
    const { dryRun, name, segment } = given
    const filter = filterOf(segment)
    // The service has not responded to anything before.
    const first = given.retry ?? Retry.once(Effect.succeed(false))(RetryPolicy.default)
    const { message, sender } = yield* Message.make(given, first)
    const audience = yield* audienceOf(given, first)
    const noted = Retry.noting()
    const retry = noted.by(given.retry ?? RetryPolicy.patient)
    if (dryRun) return yield* DryRun.run(given, contacts.items({ filter, retry }), message, before)
    const isComplete = before?.endedAt !== undefined && before.undecided === 0 && !given.again
    const total = given.count && !isComplete ? yield* counted(filter, retry) : undefined
    if (!given.yes && !isComplete) {
      const asked = { ...audience, total: total ?? audience.total, sender, service: yield* Connection.Address }
      yield* Operations.confirm("campaign run", question(given, asked, before), false)
    }
    let isWalked = false
    const campaign = Campaign.make(name, {
      audience: (from: Position.Open<never>) =>
        Stream.concat(
          contacts.pages({ filter, from, retry }),
          Stream.execute(Effect.sync(() => {
            isWalked = true
          }))
        ),
      message: (contact: Contact) => message(contact),
      once: given.once,
      scope: segment ?? allContacts
    })
    yield* sayBegin(given, before, isComplete)
    if ((total ?? audience.total) === 0 && !isComplete) yield* tell(Advice.nobody(audience.segment))
    const watched = { before, total, isWalked: () => isWalked, reason: noted.reason }
    const ran = yield* Effect.scoped(Effect.zipRight(
      Progress.show(name, watched),
      endingSoon(Effect.catchTag(
        Campaign.run(campaign, {
          concurrency: given.concurrency,
          onPause: given.wait ? "wait" : "fail",
          again: given.again,
          retry
        }),
        "CampaignMismatch",
        Advice.mismatch(segment, allContacts)
      ))
    )).pipe(
      Effect.onExit((exit) => Exit.isSuccess(exit) ? Effect.void : stopped(name, exit.cause)),
      Database.worded(place),
      Effect.provide(Database.created(place))
    )
    yield* conclude(given, ran)
  })

/** The scope of a campaign without a segment. */
const allContacts = "all contacts"

const filterOf = (segment: Flags.RunGiven["segment"]): Resource.SegmentFilter | undefined =>
  segment === undefined ? undefined : { segment_id: segment }

/** Who is written to. */
interface Audience {
  /** The name of the segment, if it is one. */
  readonly segment: string | undefined
  /** How many contacts there are, if that is known. */
  readonly total: number | undefined
}

/** A service that cannot be reached, or a key or a segment that it does not know, is noticed before anything is asked. */
const audienceOf = ({ segment }: Flags.RunGiven, retry: RetryPolicy.RetryPolicy) =>
  Effect.gen(function*() {
    const name = segment === undefined
      ? undefined
      : (yield* Advice.naming("--segment", segment, "segments")(
        Effect.flatMap(Segments, ({ get }) => get(segment, { retry }))
      )).name ?? segment
    // One page is cheap, and a short list has no other.
    const page = yield* Stream.runHead(contacts.pages({ filter: filterOf(segment), retry }))
    const audience: Audience = {
      segment: name,
      total: Option.match(page, {
        onNone: () => 0,
        onSome: ({ data, next }) => next._tag === "End" ? data.length : undefined
      })
    }
    return audience
  })

/** What is about to happen, as far as it is known. */
const question = (
  { includeUnsubscribed, name }: Flags.RunGiven,
  { segment, sender, service, total }: Audience & { readonly sender: string | undefined; readonly service: string },
  before: Campaign.Status | undefined
): string => {
  const [count, more] = total === undefined ? ["contacts", " (more than 100)"] : [Live.counted(total, "contacts"), ""]
  const everybody = segment === undefined ? `all ${count}${more}` : `the ${count} of the segment "${segment}"${more}`
  return [
    before === undefined
      ? `Begin the campaign "${name}" at ${service}`
      : `Continue the campaign "${name}" at ${service} (${Advice.wordsOf(before)})`,
    `, and send an email${sender === undefined ? "" : ` from ${sender}`} to `,
    before === undefined ? everybody : `those who are left of ${everybody}`,
    includeUnsubscribed ? "?" : ", except those who have unsubscribed?"
  ].join("")
}

const counted = (filter: Resource.SegmentFilter | undefined, retry: RetryPolicy.RetryPolicy) =>
  Effect.scoped(Effect.gen(function*() {
    let total = 0
    yield* Live.draw((columns, elapsed) =>
      Effect.sync(() => Live.spinning(`counting · ${Live.counted(total, "contacts")}`, elapsed, columns))
    )
    yield* Stream.runForEach(contacts.pages({ filter, retry }), ({ data }) =>
      Effect.sync(() => {
        total += data.length
      }))
    return total
  }))

/** Says what a script, which is not asked, should know: a name or a database that is new, most of all. */
const sayBegin = ({ name, yes }: Flags.RunGiven, before: Campaign.Status | undefined, isComplete: boolean) =>
  Effect.gen(function*() {
    const { say } = yield* Stdio
    if (isComplete) {
      return yield* say(`The campaign "${name}" is already complete. To write to contacts who are new, add --again.`)
    }
    if (yes) {
      yield* say(
        before === undefined
          ? `Beginning the campaign "${name}".`
          : `Continuing the campaign "${name}": ${Advice.wordsOf(before)}.`
      )
    }
  })

/** How long a run that is stopped may take to end, before it is left alone: a database may not respond. Nothing is lost by that. */
const grace = "4 seconds"

const endingSoon = <A, E, R>(run: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.forkDaemon(restore(run)),
      (fiber) =>
        Effect.onInterrupt(restore(Fiber.join(fiber)), () =>
          Effect.zipRight(
            Fiber.interruptFork(fiber),
            Effect.timeoutOption(Effect.interruptible(Fiber.await(fiber)), grace)
          ))
    )
  )

/** Says how to continue after whatever ended a run. */
const stopped = (name: string, cause: Cause.Cause<unknown>) =>
  Effect.gen(function*() {
    // The database may be what does not respond.
    const status = yield* Campaign.status(name).pipe(
      Effect.disconnect,
      Effect.interruptible,
      Effect.timeout("2 seconds"),
      Effect.option,
      Effect.map(Option.getOrUndefined)
    )
    const error = Option.getOrUndefined(Cause.failureOption(cause))
    yield* Advice.sayStopped(name, status, Advice.kindOf(error))
  })

/** Prints how the campaign ended. Fails if somebody was rejected. */
const conclude = ({ format, name }: Flags.RunGiven, status: Campaign.Status) =>
  Effect.gen(function*() {
    yield* ItemWriter.rows([Status.row(status)], format)
    if (status.rejected === 0) return
    yield* Advice.say(
      `${Live.counted(status.rejected, "emails")} rejected. To see why, run: ${yield* Advice.command(
        "recipients",
        name,
        "--state",
        "rejected"
      )}`
    )
    return yield* new Reported()
  })
