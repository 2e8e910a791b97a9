/** How far campaigns are, what became of each contact, and what an operator decides about them. */
import { Campaign, type Recipient } from "@mailstream/campaign"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Operations from "../operations/Run.ts"
import * as Format from "../output/Format.ts"
import * as ItemWriter from "../output/ItemWriter.ts"
import { Reported } from "../terminal/Errors.ts"
import * as Live from "../terminal/Live.ts"
import type { Running } from "../terminal/Running.ts"
import { Stdio, tell } from "../terminal/Stdio.ts"
import type { Given } from "../usage/Flag.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Advice from "./Advice.ts"
import * as Database from "./Database.ts"
import * as Flags from "./Flags.ts"

const stateOf = ({ endedAt, isRunning, paused }: Campaign.Status, isAlive: boolean): string =>
  endedAt !== undefined
    ? "complete"
    : paused !== undefined
    ? "paused"
    : isRunning
    ? isAlive ? "running" : "unresponsive"
    : "stopped"

const time = (at: DateTime.Utc | undefined): string | null => at === undefined ? null : DateTime.formatIso(at)

/** A campaign as a row. */
export const row = (status: Campaign.Status, isAlive = true) => ({
  campaign: status.campaign,
  state: stateOf(status, isAlive),
  accepted: status.accepted,
  rejected: status.rejected,
  skipped: status.skipped,
  planned: status.planned,
  undecided: status.undecided,
  created_at: time(status.createdAt),
  started_at: time(status.startedAt),
  ended_at: time(status.endedAt),
  paused: status.paused ?? null,
  paused_until: time(status.pausedUntil)
})

/** What is known about a campaign after watching for a moment whether the process that runs it is alive. */
const watched = (status: Campaign.Status) =>
  Effect.gen(function*() {
    if (stateOf(status, true) !== "running" || (yield* Campaign.isAlive(status.campaign))) return row(status)
    // It may have ended meanwhile.
    const now = yield* Campaign.status(status.campaign)
    const found = row(now, false)
    if (found.state === "unresponsive") {
      const { say } = yield* Stdio
      yield* say(
        `The process that ran "${now.campaign}" shows no sign of life: it was killed or suspended, or cannot reach the database. ` +
          "To continue, run the campaign again."
      )
    }
    return found
  })

export const status = (given: Given<typeof Flags.status>): Running =>
  Effect.gen(function*() {
    const place = yield* Flags.placeOf(given)
    const { err } = yield* Stdio
    const status = yield* Database.existing(place, true, Effect.flatMap(Campaign.status(given.name), watched))
    yield* ItemWriter.rows([status], given.format)
    if (status.undecided > 0 && err.isTerminal) {
      yield* Advice.say(
        `Nobody can tell whether ${
          Live.counted(status.undecided, "contacts")
        } were written to. To list them, run: ${yield* Advice.command(
          "recipients",
          given.name,
          "--state",
          "undecided"
        )}`
      )
    }
  })

export const list = (given: Given<typeof Flags.list>): Running =>
  Effect.gen(function*() {
    const place = yield* Flags.placeOf(given)
    const rows = yield* Database.existing(
      place,
      true,
      Effect.flatMap(Campaign.list, Effect.forEach(watched, { concurrency: "unbounded" }))
    )
    if (rows.length === 0) yield* tell("No campaigns.")
    yield* ItemWriter.rows(rows, given.format)
  })

const fields = ["id", "address", "state", "email_id", "reason", "changed_at", "last_event"]

const recipient = ({ address, changedAt, emailId, id, lastEvent, reason, state }: Recipient) => ({
  id,
  address,
  state,
  email_id: emailId ?? null,
  reason: reason ?? null,
  changed_at: changedAt.toISOString(),
  last_event: lastEvent ?? null
})

export const recipients = (given: Given<typeof Flags.recipients>): Running =>
  Effect.gen(function*() {
    const { format, name, state } = given
    const place = yield* Flags.placeOf(given)
    const { err, out } = yield* Stdio
    const formatter = Format.make(format, { known: fields }, out)
    let [isAnyAccepted, isAnyKnown] = [false, false]
    const rows = Stream.map(Campaign.recipients(name, { state }), (found) => {
      isAnyAccepted ||= found.state === "accepted"
      isAnyKnown ||= found.lastEvent !== undefined
      return recipient(found)
    })
    const count = yield* Database.existing(place, true, ItemWriter.run(rows, formatter, out.write))
    yield* count === 0
      ? tell(`No ${state ?? ""} recipients.`.replace("  ", " "))
      : ItemWriter.tellHidden(formatter, "--format json")
    if (err.isTerminal && isAnyAccepted && !isAnyKnown) {
      yield* Advice.say(`To ask whether their emails were delivered, run: ${yield* Advice.command("deliveries", name)}`)
    }
  })

/** Changes a campaign that nobody is running, once the user has agreed. */
const deciding = <A, E>(
  given: { readonly name: string; readonly database: Given<typeof Flags.status>["database"]; readonly yes: boolean },
  verb: string,
  question: (status: Campaign.Status) => string,
  change: Effect.Effect<A, E, Effect.Effect.Context<ReturnType<typeof Campaign.forget>>>
) =>
  Effect.gen(function*() {
    const place = yield* Flags.placeOf(given)
    const work = Effect.gen(function*() {
      const status = yield* Campaign.status(given.name)
      if (!given.yes) yield* Operations.confirm(`campaign ${verb}`, question(status), false)
      return yield* change
    })
    return yield* Database.existing(place, false, work)
  })

/** Those of these contacts who are undecided. */
const undecidedOf = (name: string, ids: ReadonlySet<string>) =>
  ids.size === 0
    ? Effect.succeed(new Set<string>())
    : Stream.runFold(
      Campaign.recipients(name, { state: "undecided" }),
      new Set<string>(),
      (found, { id }) => ids.has(id) ? found.add(id) : found
    )

/** How many contacts are named in a message. */
const mostNamed = 5

const notUndecided = (ids: ReadonlyArray<string>): string => {
  const named = ids.slice(0, mostNamed).map((id) => `"${id}"`).join(", ")
  const more = ids.length - mostNamed
  return ids.length === 1
    ? `The contact ${named} is not undecided.`
    : `${Live.count(ids.length)} contacts are not undecided: ${named}${
      more > 0 ? ` and ${Live.count(more)} more` : ""
    }.`
}

export const resolve = (given: Given<typeof Flags.resolve>): Running =>
  Effect.gen(function*() {
    const { assumeSent, format, id: ids, name, resend } = given
    if (assumeSent === resend) return yield* UsageError.fail("resolve needs either --assume-sent or --resend")
    const chosen = new Set(ids)
    const [isUndecided, count] = yield* deciding(
      given,
      "resolve",
      ({ undecided }) => {
        const people = Live.counted(ids === undefined ? undecided : chosen.size, "contacts")
        return assumeSent
          ? `Take it that ${people} of the campaign "${name}" were written to?`
          : `Let the next run of the campaign "${name}" write to ${people} again, some of them perhaps for the second time?`
      },
      Effect.zip(undecidedOf(name, chosen), Campaign.resolve(name, assumeSent ? "assumeSent" : "resend", { ids }))
    )
    yield* ItemWriter.rows([{ resolved: count }], format)
    const others = [...chosen].filter((id) => !isUndecided.has(id))
    if (others.length > 0) {
      const undecided = yield* Advice.command("recipients", name, "--state", "undecided")
      yield* Advice.say(`${notUndecided(others)} To list those who are, run: ${undecided}`)
      return yield* new Reported()
    }
  })

export const forget = (given: Given<typeof Flags.forget>): Running =>
  Effect.gen(function*() {
    const { format, name, state } = given
    const [count, left] = yield* deciding(
      given,
      "forget",
      (status) =>
        `Let the next run of the campaign "${name}" consider ${
          Live.counted(status[state], "contacts")
        } again who are ${state}?`,
      Effect.zip(Campaign.forget(name, state), Effect.map(Campaign.status(name), (status) => status[state]))
    )
    yield* ItemWriter.rows([{ forgotten: count }], format)
    if (left > 0) {
      const { say } = yield* Stdio
      yield* say(
        `${
          Live.counted(left, "contacts")
        } stay planned: requests with their emails have been attempted, and may have been processed. ` +
          "The next run finds out, and finishes them."
      )
    }
  })
