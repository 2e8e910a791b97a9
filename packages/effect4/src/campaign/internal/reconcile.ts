/** Finds out what became of doubtful units from the emails of the account. */
import { bare, parseTag, tagName } from "@mailstream/kernel/campaign/Messages"
import * as Plans from "@mailstream/kernel/campaign/Plans"
import type { StoredMember, Unit } from "@mailstream/kernel/campaign/Rows"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { type Email, isTransient, reasonOf, RequestError } from "../../core/index.ts"
import { Emails } from "../../http/Services.ts"
import { now } from "../../internal/moment.ts"
import type { ListError } from "../../stream/ListError.ts"
import { CampaignPaused, type CampaignTakenOver } from "../CampaignError.ts"
import { since } from "./deliveries.ts"
import * as Rules from "./rules.ts"
import type { Running } from "./running.ts"
import * as Stores from "./store.ts"

/** A doubtful unit, and those of its members whose emails may have been sent. */
interface Doubtful {
  readonly unit: Unit
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
    const looked = yield* Effect.result(look(running, all))
    if (Result.isFailure(looked) && isPassing(looked.failure)) {
      return yield* new CampaignPaused({ campaign: name, reason: "Unavailable", error: looked.failure })
    }
    const seen = Result.getOrElse(looked, (error) => ({ reason: reasonOf(error) }))
    yield* Effect.forEach(all, (doubtful) => conclude(running, doubtful, seen), { discard: true })
  })

const isRequestError = Schema.is(RequestError)

/** Whether looking may succeed later. Otherwise, because the API key may not list emails for example, nobody can tell. */
export const isPassing = (error: ListError): error is RequestError =>
  isRequestError(error) && (isTransient(error) || "statusCode" in error && error.statusCode === 429)

/** Waits until no request of an earlier process, or of this one, can still be under way. */
const quiet = ({ lastAttempt, lease, options }: Running): Effect.Effect<void> =>
  Effect.flatMap(now, ({ monotonic }) => {
    const since = Math.max(lease.since.monotonic, lastAttempt)
    const left = since + Duration.toMillis(options.settle) - monotonic
    return left <= 0 ? Effect.void : Effect.sleep(left)
  })

/** Looks for the emails of the units, and notes those that it finds. */
const look = (running: Running, all: ReadonlyArray<Doubtful>): Effect.Effect<Rules.Looked, ListError> => {
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

/** Stores what became of the members of a doubtful unit. */
const conclude = (
  running: Running,
  doubtful: Doubtful,
  looked: Rules.Looked | { readonly reason: string }
): Effect.Effect<void, SqlError | CampaignTakenOver | CampaignPaused> =>
  Effect.gen(function*() {
    const { change, doubt, undecided } = Plans.concluded(running.numbering, doubtful, looked)
    if (undecided > 0) running.doubt = doubt
    const row = yield* running.commit({
      ...change,
      // A unit that is done is recognized by itself.
      isDone: undecided === 0
        ? undefined
        : Effect.map(running.store.members(running.name, doubtful.unit.unit), (left) =>
          left.length === undecided && left.every(({ state }) => state === "undecided"))
    })
    yield* running.observe(row)
  })
