/** Finds out what became of doubtful units from the emails of the account. */
import type { SqlError } from "@effect/sql/SqlError"
import { type Email, isTransient, reasonOf, RequestError } from "@mailstream/core"
import { Emails } from "@mailstream/http/Services"
import * as Moment from "@mailstream/kernel/Moment"
import type { ListError } from "@mailstream/stream/ListError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { CampaignPaused, type CampaignTakenOver } from "../CampaignError.ts"
import { since } from "./deliveries.ts"
import { bare, parseTag, tagName } from "./message.ts"
import type { Entry, StoredMember, StoredUnit, Unit } from "./rows.ts"
import * as Rules from "./rules.ts"
import type { Running } from "./running.ts"
import * as Stores from "./store.ts"
import * as Units from "./units.ts"

/** A doubtful unit, and those of its members whose emails may have been sent. */
interface Doubtful {
  readonly unit: StoredUnit
  readonly members: ReadonlyArray<StoredMember>
  /** The ids of the emails that were found, by place. */
  readonly found: Map<number, string>
}

/**
 * Looks at the emails of the account, from the newest to those that were accepted before the units were first sent. Nothing depends
 * on the clock of this machine. Then stores what became of each member, and new units for those who were not written to.
 */
export const reconcile = (
  running: Running,
  numbers: ReadonlySet<number>
): Effect.Effect<void, SqlError | CampaignTakenOver | CampaignPaused> =>
  Effect.gen(function*() {
    yield* quiet(running)
    const { name, store } = running
    const all: Array<Doubtful> = []
    for (const number of numbers) {
      const unit = yield* Stores.patiently(store.unitAt(name, number))
      if (unit === undefined) continue
      const members = yield* Stores.patiently(store.members(name, number))
      all.push({ unit, members, found: new Map() })
    }
    if (all.length === 0) return
    const looked = yield* Effect.either(look(running, all))
    const refusal = looked._tag === "Left" ? looked.left : undefined
    if (refusal !== undefined && isPassing(refusal)) {
      return yield* new CampaignPaused({ campaign: name, reason: "Unavailable", error: refusal })
    }
    yield* Effect.forEach(all, (doubtful) =>
      conclude(running, doubtful, (address) =>
        Either.match(looked, {
          onLeft: (error) => `The emails of the account could not be looked at: ${reasonOf(error)}`,
          onRight: (looked) => obstacleOf(doubtful.unit, address, looked)
        })), { discard: true })
  })

/** Why an email to this address that was not found may have been sent all the same. */
const obstacleOf = (
  { anchor }: Pick<Unit, "anchor">,
  address: string,
  { known, seen, unclear }: Looked
): string | undefined => {
  // There were no emails before the campaign: then the list goes back far enough if it has any that this campaign has sent since.
  const wanted = anchor === "" ? known : anchor
  return wanted === undefined
    ? "The emails of the account could not be looked at when the campaign began, so nobody knows how far back to look."
    : wanted !== "" && !seen.has(wanted)
    ? "The list of emails does not go back to when this one may have been sent, or it is that of another account."
    : unclear.some(Rules.couldBeTo([address]))
    ? "The service does not say which tags some emails have."
    : undefined
}

/** Whether looking may succeed later. Otherwise, because the API key may not list emails for example, nobody can tell. */
export const isPassing = (error: ListError): error is RequestError =>
  Schema.is(RequestError)(error) && (isTransient(error) || "statusCode" in error && error.statusCode === 429)

/** Waits until no request of an earlier process, or of this one, can still be under way. */
const quiet = ({ lastAttempt, lease, options }: Running): Effect.Effect<void> =>
  Effect.flatMap(Moment.now, ({ monotonic }) => {
    const since = Math.max(lease.since.monotonic, lastAttempt)
    const left = since + Duration.toMillis(options.settle) - monotonic
    return left <= 0 ? Effect.void : Effect.sleep(left)
  })

/** What was seen beside the emails of the units. */
interface Looked {
  /** An email of this campaign, if possible of an earlier run: an empty text if none is known. */
  readonly known: string | undefined
  /** The anchors that are in the list. */
  readonly seen: ReadonlySet<string>
  /** The recipients of emails that do not say which tags they have, or that are no longer there. */
  readonly unclear: ReadonlyArray<ReadonlyArray<string> | undefined>
}

/** Looks for the emails of the units, and notes those that it finds. */
const look = (running: Running, all: ReadonlyArray<Doubtful>): Effect.Effect<Looked, ListError> => {
  const seen = new Set<string>()
  const unclear: Array<ReadonlyArray<string> | undefined> = []
  const anchors = all.map(({ unit }) => unit.anchor)
  const known = running.lease.row.newest ?? running.anchor
  const byKey = new Map(all.map((doubtful) => [doubtful.unit.key, doubtful]))
  const isWanted = Rules.couldBeTo(all.flatMap(({ members }) => members.map(({ address }) => address)))
  const isComplete = ({ found, members }: Doubtful): boolean => members.every(({ place }) => found.has(place))
  const check = ({ id, to }: Email) =>
    running.emails.get(id, { retry: running.options.retry }).pipe(
      Effect.map(({ tags }) => tags),
      // It is listed, but it was removed meanwhile.
      Effect.catchTag("not_found", () => Effect.succeed(undefined)),
      Effect.map((tags) => {
        if (tags === undefined || tags === null) unclear.push(to?.map(bare))
        for (const { name, value } of tags ?? []) {
          const tag = name === tagName ? parseTag(value) : undefined
          if (tag !== undefined) byKey.get(tag.key)?.found.set(tag.place, id)
        }
      })
    )
  return since(anchors, { retry: running.options.retry }).pipe(
    Stream.tap((page) =>
      Effect.sync(() => {
        for (const { id } of page) if (id === known || anchors.includes(id)) seen.add(id)
      })
    ),
    Stream.mapEffect((page) =>
      Effect.forEach(
        page.filter(({ to }) => isWanted(to?.map(bare))),
        check,
        { concurrency: 4, discard: true }
      )
    ),
    Stream.takeUntil(() => all.every(isComplete)),
    Stream.runDrain,
    Effect.provideService(Emails, running.emails),
    Effect.map(() => ({ known, seen, unclear }))
  )
}

/** Stores what became of the members of a doubtful unit. `whyOf`: why nobody can tell about one who was not found, if so. */
const conclude = (
  running: Running,
  { found, members, unit }: Doubtful,
  whyOf: (address: string) => string | undefined
): Effect.Effect<void, SqlError | CampaignTakenOver | CampaignPaused> =>
  Effect.gen(function*() {
    const doubt: Rules.Doubt = unit.doubt ?? "Expired"
    const update: Array<Entry> = []
    const again: Array<StoredMember> = []
    let doubted: string | undefined
    for (const member of members) {
      const { address, id, place } = member
      const emailId = found.get(place)
      const why = emailId === undefined ? whyOf(address) : undefined
      const finding = emailId !== undefined ? "Found" : why === undefined ? "Absent" : "CannotLook"
      const next = Rules.afterLooking(doubt, finding)
      if (next === "planned") again.push(member)
      else {
        update.push({
          id,
          address,
          unit: unit.unit,
          place,
          state: next,
          emailId,
          reason: next === "accepted" ? undefined : why ?? conflict
        })
        if (next === "undecided") doubted ??= why
      }
    }
    const replacement = again.length === 0
      ? undefined
      : Units.again(running.numbering, unit, again.map(({ place }) => place))
    const count = (state: Entry["state"]) =>
      [...update, ...again.map(() => ({ state: "planned" }))].filter((entry) => entry.state === state).length -
      members.filter((member) => member.state === state).length
    const undecided = update.filter(({ state }) => state === "undecided").length
    if (undecided > 0) running.doubt = doubted ?? conflict
    const row = yield* running.commit({
      // A unit that is done is recognized by itself.
      isDone: undecided === 0
        ? undefined
        : Effect.map(running.store.members(running.name, unit.unit), (left) =>
          left.length === undecided && left.every(({ state }) => state === "undecided")),
      counts: { planned: count("planned"), accepted: count("accepted"), undecided: count("undecided") },
      update: [
        ...update,
        ...again.map(({ address, id }, place): Entry => ({
          id,
          address,
          state: "planned",
          unit: replacement!.unit,
          place
        }))
      ],
      units: replacement === undefined ? [] : [replacement],
      conclude: { unit: unit.unit, state: undecided > 0 ? "undecided" : "done" }
    })
    yield* running.observe(row)
  })

const conflict = "The service says that the idempotency key was used with other content."
