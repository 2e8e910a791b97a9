/** Finds out what became of doubtful units from the emails of the account. */
import type { SqlError } from "@effect/sql/SqlError"
import { type Email, isTransient, RequestError } from "@mailstream/core"
import { Emails } from "@mailstream/http/Services"
import type { ListError } from "@mailstream/stream/ListError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { CampaignPaused, type CampaignTakenOver } from "../CampaignError.ts"
import { since } from "./deliveries.ts"
import { now } from "./lease.ts"
import { bare, freeze, parseTag, tagName, thaw } from "./message.ts"
import type { Entry, StoredMember, StoredUnit, Unit } from "./rows.ts"
import * as Rules from "./rules.ts"
import type { Running } from "./running.ts"
import * as Stores from "./store.ts"

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
    yield* Effect.forEach(all, (doubtful) => conclude(running, doubtful, refusal?.message), { discard: true })
  })

/** Whether looking may succeed later. Otherwise, because the API key may not list emails for example, nobody can tell. */
const isPassing = (error: ListError): error is RequestError =>
  Schema.is(RequestError)(error) && (isTransient(error) || "statusCode" in error && error.statusCode === 429)

/** Waits until no request of an earlier process, or of this one, can still be under way. */
const quiet = ({ lastAttempt, lease, options }: Running): Effect.Effect<void> =>
  Effect.flatMap(now, ({ monotonic }) => {
    const since = Math.max(lease.since.monotonic, lastAttempt)
    const left = since + Duration.toMillis(options.settle) - monotonic
    return left <= 0 ? Effect.void : Effect.sleep(left)
  })

/** Looks for the emails of the units, and notes those that it finds. */
const look = (running: Running, all: ReadonlyArray<Doubtful>): Effect.Effect<void, ListError> => {
  const byKey = new Map(all.map((doubtful) => [doubtful.unit.key, doubtful]))
  const addresses = new Set(all.flatMap(({ members }) => members.flatMap(({ address }) => address.split(", "))))
  const isComplete = ({ found, members }: Doubtful): boolean => members.every(({ place }) => found.has(place))
  const check = ({ id }: Email) =>
    Effect.map(
      running.emails.get(id, { retry: running.options.retry }),
      ({ tags }) => {
        for (const { name, value } of tags ?? []) {
          const tag = name === tagName ? parseTag(value) : undefined
          if (tag !== undefined) byKey.get(tag.key)?.found.set(tag.place, id)
        }
      }
    )
  return since(all.map(({ unit }) => unit.anchor), { retry: running.options.retry }).pipe(
    Stream.mapEffect((page) =>
      Effect.forEach(
        page.filter(({ to }) => to?.some((address) => addresses.has(bare(address)))),
        check,
        { concurrency: 4, discard: true }
      )
    ),
    Stream.takeUntil(() => all.every(isComplete)),
    Stream.runDrain,
    Effect.provideService(Emails, running.emails)
  )
}

/** Stores what became of the members of a doubtful unit. */
const conclude = (
  running: Running,
  { found, members, unit }: Doubtful,
  refusal: string | undefined
): Effect.Effect<void, SqlError | CampaignTakenOver | CampaignPaused> =>
  Effect.gen(function*() {
    const doubt: Rules.Doubt = unit.doubt ?? "Expired"
    const update: Array<Entry> = []
    const again: Array<StoredMember> = []
    for (const member of members) {
      const { address, id, place } = member
      const emailId = found.get(place)
      const finding: Rules.Finding = {
        _tag: emailId !== undefined ? "Found" : refusal === undefined ? "Absent" : "CannotLook"
      }
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
          reason: next === "accepted" ? undefined : reasonOf(refusal)
        })
      }
    }
    const replacement = again.length === 0 ? undefined : resend(running, unit, again)
    const isUndecided = update.some(({ state }) => state === "undecided")
    const count = (state: Entry["state"]) =>
      [...update, ...again.map(() => ({ state: "planned" }))].filter((entry) => entry.state === state).length -
      members.filter((member) => member.state === state).length
    const row = yield* running.commit({
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
      conclude: { unit: unit.unit, state: isUndecided ? "undecided" : "done" }
    })
    yield* running.observe(row)
  })

const reasonOf = (refusal: string | undefined): string =>
  refusal !== undefined
    ? `The emails of the account could not be looked at: ${refusal}`
    : "The service says that the idempotency key was used with other content."

/** A new unit, with a new key, for members of another one who certainly were not written to. */
export const resend = (
  running: Pick<Running, "freshKey" | "nextUnit">,
  { body, isBatch }: Pick<Unit, "body" | "isBatch">,
  members: ReadonlyArray<{ readonly place: number }>
): Unit => {
  const emails = thaw(body, isBatch)
  const key = running.freshKey()
  return {
    unit: running.nextUnit(),
    key,
    isBatch,
    size: members.length,
    body: freeze(members.map(({ place }) => emails[place]!), key, isBatch),
    firstAttemptAt: undefined,
    anchor: undefined,
    doubt: undefined
  }
}
