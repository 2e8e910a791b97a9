/**
 * One process at a time runs a campaign. No clock decides who: a process that wants to take over watches whether the other one
 * still changes its `beat`, for longer than that one may rely on its last one.
 */
import type { Row } from "@mailstream/kernel/campaign/Rows"
import * as Sentences from "@mailstream/kernel/campaign/Sentences"
import { elapsed, type Moment } from "@mailstream/kernel/Moments"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import { now } from "../../internal/moment.ts"
import { within } from "../../internal/waiting.ts"
import { CampaignBusy, CampaignTakenOver } from "../CampaignError.ts"
import * as Rules from "./rules.ts"
import { patiently, type Store } from "./store.ts"

export interface Lease {
  readonly fence: number
  /** The row when the campaign was taken over. */
  readonly row: Row
  /** Whether no other process can have taken the campaign over. Asked immediately before bytes leave. */
  readonly isHeld: (now: Moment) => boolean
  /** Waits until the lease is certain. Fails if it is lost. */
  readonly held: Effect.Effect<void, SqlError | CampaignTakenOver>
  /** Fails when the lease is lost. */
  readonly lost: Effect.Effect<never, SqlError | CampaignTakenOver>
  /** When the campaign was taken over. */
  readonly since: Moment
}

/** Takes a campaign, and keeps it until the scope closes. */
export const acquire = (
  store: Store,
  name: string,
  duration: Duration.Duration
): Effect.Effect<Lease, SqlError | CampaignBusy | CampaignTakenOver, Scope.Scope> =>
  Effect.gen(function*() {
    const { patience, row, since: began } = yield* Effect.acquireRelease(
      take(store, name, duration),
      ({ row }) => release(store, row),
      { interruptible: true }
    )
    let confirmed = began
    const lost = yield* Deferred.make<never, SqlError | CampaignTakenOver>()
    /** What the wall clock is ahead of the monotonic one. */
    let ahead = began.wall - began.monotonic
    const beat = Effect.gen(function*() {
      const at = yield* now
      const step = Math.round(at.wall - at.monotonic - ahead)
      if (step < -Rules.setBack) yield* store.shift(name, row.fence, step)
      if (step > 0 || step < -Rules.setBack) ahead += step
      const found = yield* patiently(store.swap(store.statements.beat(row)))
      if (found === undefined) return yield* new CampaignTakenOver({ campaign: name })
      confirmed = at
    })
    yield* Effect.forever(Effect.delay(beat, Duration.millis(patience / 3))).pipe(
      Effect.tapCause((cause) => Deferred.failCause(lost, cause)),
      // Also if the run cannot be interrupted: it ends with the run.
      Effect.interruptible,
      Effect.forkScoped
    )
    const isHeld = (now: Moment) => elapsed(confirmed, now) < patience
    const held: Lease["held"] = Effect.flatMap(
      now,
      (now) =>
        isHeld(now)
          ? Effect.void
          : Deferred.isDoneUnsafe(lost)
          ? Deferred.await(lost)
          : Effect.andThen(Effect.sleep("50 millis"), held)
    )
    return { fence: row.fence, row, isHeld, held, lost: Deferred.await(lost), since: began }
  })

/** Takes a campaign that nobody holds, or whose holder has shown no sign of life for long enough. */
const take = (store: Store, name: string, duration: Duration.Duration) =>
  Effect.gen(function*() {
    const patience = Duration.toMillis(duration)
    const read = Effect.flatMap(patiently(store.find(name)), (row) =>
      // It has been created before.
      row === undefined ? Effect.die(new Error(`There is no campaign ${name}`)) : Effect.succeed(row))
    const owner = yield* Effect.sync(() => crypto.randomUUID())
    let seen = yield* read
    const first = seen
    if (first.owner !== undefined) {
      yield* Effect.logInfo(Sentences.looking(name, first.lease, Rules.watched))
    }
    let since = yield* now
    while (true) {
      const at = yield* now
      // The other one relies on its last beat for as long as it has said, and that was before it was seen here.
      if (seen.owner === undefined || at.monotonic - since.monotonic >= seen.lease * Rules.watched) {
        const row = yield* patiently(store.swap(store.statements.take(seen, { owner, lease: patience })))
        if (row !== undefined) return { row, since: at, patience }
      }
      const next = yield* read
      // A commit whose response was lost.
      if (next.owner === owner) return { row: next, since: at, patience }
      if (next.owner !== undefined && (next.fence !== first.fence || next.beat !== seen.beat)) {
        return yield* new CampaignBusy({ campaign: name })
      }
      if (next.beat !== seen.beat || next.fence !== seen.fence) since = yield* now
      seen = next
      yield* Effect.sleep(Math.min(patience / 10, 1000))
    }
  })

/**
 * Whether the process that holds a campaign shows a sign of life within half its lease: it does so in every third of it. False if
 * nobody holds it.
 */
export const isAlive = (
  store: Store,
  name: string,
  { beat, fence, lease, owner }: Row
): Effect.Effect<boolean, SqlError> => {
  if (owner === undefined) return Effect.succeed(false)
  const half = lease / 2
  const changed = store.find(name).pipe(
    Effect.delay(Math.min(half / 10, 250)),
    Effect.repeat({
      until: (row) => row === undefined || row.fence !== fence || row.beat !== beat || row.owner !== owner
    }),
    Effect.map((row) => row?.owner !== undefined)
  )
  return Effect.catchTag(
    within(changed, Duration.millis(half), () => ({ _tag: "Silent" as const })),
    "Silent",
    () => Effect.succeed(false)
  )
}

/** Lets others continue at once. If the database does not respond, they wait for the end of the lease. */
const release = (store: Store, row: Row): Effect.Effect<void> => briefly(store.swap(store.statements.release(row)))

/** For what a run stores when it ends: nothing depends on it. */
export const briefly = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<void> =>
  Effect.ignore(within(work, Duration.seconds(2), () => "too late"))
