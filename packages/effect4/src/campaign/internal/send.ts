/** Sends one unit until its outcome is known, as the rules say. */
import * as Plans from "@mailstream/kernel/campaign/Plans"
import type { Member, Unit } from "@mailstream/kernel/campaign/Rows"
import * as Units from "@mailstream/kernel/campaign/Units"
import type { Moment } from "@mailstream/kernel/Moments"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import type { SqlError } from "effect/sql/SqlError"
import { operations } from "../../core/EmailOperations.ts"
import {
  type ApiError,
  type EmailId,
  reasonOf,
  type RequestError,
  SentBatch,
  SentEmail,
  UnexpectedResponse
} from "../../core/index.ts"
import { idempotencyKey, validation } from "../../core/SendEmail.ts"
import * as RetryPolicy from "../../http/RetryPolicy.ts"
import * as Moments from "../../internal/moment.ts"
import { raceFirst } from "../../internal/waiting.ts"
import { CampaignPaused, type CampaignTakenOver } from "../CampaignError.ts"
import * as Rules from "./rules.ts"
import type { Running } from "./running.ts"
import { patiently } from "./store.ts"

export type Failure = CampaignPaused | CampaignTakenOver | SqlError

/** A unit, and those of its members who are not known to be anything else. */
export interface Sendable {
  readonly unit: Unit
  /** By their places in the unit. */
  readonly members: ReadonlyArray<Member>
  /** When this process stored it as about to be sent: certainly, it has not been sent yet. */
  readonly planned?: Moment | undefined
  /** What can begin when its outcome is known, and is about to be stored. */
  readonly onSettled?: Effect.Effect<void> | undefined
}

/** What became of one member of a unit. */
export type Fate =
  | { readonly state: "accepted"; readonly emailId: string }
  | { readonly state: "rejected"; readonly error: ApiError }

/**
 * Sends a unit. When this succeeds, what became of each of its members is stored, only the emails of the account can tell
 * (`running.doubtful`), or the run is halted.
 */
export const send = (running: Running, sendable: Sendable): Effect.Effect<void, Failure> =>
  Effect.gen(function*() {
    const { halt, lease, name, options, store } = running
    const { members, planned, unit } = sendable
    if (unit.doubt !== undefined) return void running.doubtful.add(unit.unit)
    const delay = yield* Schedule.toStepWithSleep(RetryPolicy.monotonic(options.retry))
    /** When the first attempt that may have been accepted began. That of an earlier process was that long before this one began. */
    let first = planned ?? Rules.momentOf(unit.firstAttemptAt, lease.since)
    let isDoubtful = planned === undefined && first !== undefined
    let { anchor } = unit
    const mark = (firstAttemptAt: number, doubt: Unit["doubt"]) =>
      store.mark(name, lease.fence, { unit: unit.unit, firstAttemptAt, anchor, doubt })
    while (!Deferred.isDoneUnsafe(halt)) {
      yield* lease.held
      const at = yield* Moments.now
      if (first === undefined || !isDoubtful && !Rules.isWithinWindow(first, at)) {
        // Durable before the first byte leaves; it never moves while the outcome is unknown.
        anchor = running.anchor
        yield* mark(at.wall, undefined)
        first = at
        running.unsent.set(unit.unit, unit)
      } else if (!Rules.isWithinWindow(first, at)) {
        // Stored, because the clock may say something else in the next run.
        yield* mark(first.wall, "Expired")
        return void running.doubtful.add(unit.unit)
      }
      const attempt = yield* attemptOf(running, unit, first)
      if (attempt === "Withdrawn") continue
      if (Result.isSuccess(attempt)) return yield* settle(running, sendable, attempt.success)
      const error = attempt.failure
      const verdict = Rules.afterFailure({ error, isDoubtful, size: members.length })
      switch (verdict._tag) {
        case "Reject": {
          return yield* settle(running, sendable, [{ state: "rejected", error: verdict.error }])
        }
        case "Divide": {
          return yield* divide(running, sendable)
        }
        case "Reconcile": {
          yield* mark(first.wall, verdict.because)
          return void running.doubtful.add(unit.unit)
        }
        case "Repeat": {
          isDoubtful = verdict.isDoubtful
          if (!isDoubtful) running.unsent.set(unit.unit, unit)
          const isOver = Pull.catchDone(Effect.as(delay(error), false), () => Effect.succeed(true))
          // When the run is halted, the loop ends.
          if (yield* raceFirst(isOver, Effect.as(Deferred.await(halt), false))) {
            return yield* paused(name, { reason: "Unavailable", error })
          }
          break
        }
        case "Pause": {
          const { after, reason } = verdict
          if (!isDoubtful) running.unsent.set(unit.unit, unit)
          if (options.onPause === "fail" || reason !== "Quota") {
            return yield* paused(name, { reason, error, after })
          }
          yield* rest(running, error, after)
        }
      }
    }
  })

/** One attempt with the key and the exact bytes of a unit. Nothing leaves if its window, or the lease, has ended at that moment. */
const attemptOf = (
  running: Running,
  { body, isBatch, key, size, unit }: Unit,
  first: Moment
): Effect.Effect<"Withdrawn" | Result.Result<ReadonlyArray<Fate>, RequestError>> =>
  Effect.clockWith((clock) => {
    const { client, lease } = running
    let isAsked = false
    let isStarted = false
    const mayStart = (): boolean => {
      const at = Moments.of(clock)
      isAsked = true
      const isAllowed = lease.isHeld(at) && Rules.isWithinWindow(first, at)
      if (isAllowed) {
        isStarted = true
        running.unsent.delete(unit)
      }
      return isAllowed
    }
    const request = { method: "POST", json: body, mayStart } as const
    const accepted = (id: EmailId): Fate => ({ state: "accepted", emailId: id })
    const sent: Effect.Effect<ReadonlyArray<Fate>, RequestError> = isBatch
      ? client.call({
        ...request,
        name: "Emails.sendBatch",
        path: operations.sendBatch.path,
        headers: { [idempotencyKey.name]: key, [validation.name]: "permissive" },
        schema: SentBatch
      }).pipe(
        Effect.map((results) =>
          results.map((result): Fate =>
            result._tag === "Accepted" ? accepted(result.id) : { state: "rejected", error: result.error }
          )
        )
      )
      : client.call({
        ...request,
        name: "Emails.send",
        path: operations.send.path,
        headers: { [idempotencyKey.name]: key },
        schema: SentEmail
      }).pipe(Effect.map(({ id }) => [accepted(id)]))
    return sent.pipe(
      Effect.flatMap((fates) => fates.length === size ? Effect.succeed(fates) : Effect.fail(otherResponse())),
      Effect.result,
      Effect.map((result) => {
        running.lastAttempt = Moments.of(clock).monotonic
        return isAsked && !isStarted ? "Withdrawn" : result
      })
    )
  })

const otherResponse = (): UnexpectedResponse =>
  new UnexpectedResponse({
    reason: "WrongShape",
    statusCode: 200,
    method: "POST",
    url: operations.sendBatch.path,
    field: "",
    description: "is the response to another request"
  })

/** Stores what became of the members of a unit. */
const settle = (
  running: Running,
  { members, onSettled, unit }: Sendable,
  fates: ReadonlyArray<Fate>
): Effect.Effect<void, Failure> =>
  Effect.gen(function*() {
    let refusal: ApiError | undefined
    for (const fate of fates) if (fate.state === "rejected") refusal = fate.error
    const change = Plans.settled(
      unit,
      members,
      fates.map((fate) => fate.state === "rejected" ? { state: "rejected", reason: reasonOf(fate.error) } : fate)
    )
    const row = yield* running.commit(change, onSettled)
    running.anchor = change.newest ?? running.anchor
    yield* running.observe(row, refusal)
  })

/** Sends the halves of a unit that was refused, under new keys: certainly, nothing of it was accepted. */
const divide = (running: Running, { members, unit }: Sendable): Effect.Effect<void, Failure> =>
  Effect.gen(function*() {
    const halves = Rules.halves([...members.keys()]).map((places): Sendable => ({
      unit: Units.again(running.numbering, unit, places),
      members: places.map((place) => members[place]!)
    }))
    yield* running.commit(Plans.divided(unit, halves))
    yield* Effect.forEach(halves, (half) => send(running, half), { discard: true })
  })

/** Ends the run. `after`: in milliseconds. */
const paused = (
  campaign: string,
  { after, error, reason }: {
    readonly reason: CampaignPaused["reason"]
    readonly error: RequestError
    readonly after?: number | undefined
  }
): Effect.Effect<never, CampaignPaused> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.fail(
      new CampaignPaused({
        campaign,
        reason,
        error,
        until: after === undefined ? undefined : DateTime.makeUnsafe(now + after)
      })
    ))

/** Waits for a quota, or until the run is halted. */
const rest = (
  { halt, lease: { fence }, name, store: { statements, swap } }: Running,
  error: RequestError,
  after: number = Rules.aWhile
): Effect.Effect<void, SqlError> =>
  Effect.gen(function*() {
    const runner = { name, fence }
    const until = (yield* Clock.currentTimeMillis) + after
    yield* patiently(swap(statements.pause(runner, reasonOf(error), until)))
    // Timers do not wait for weeks; a quota may also be raised.
    yield* raceFirst(Effect.sleep(Math.min(after, Rules.longestRest)), Deferred.await(halt))
    yield* patiently(swap(statements.resume(runner)))
  })
