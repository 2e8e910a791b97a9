/** What a run of a campaign shows while it runs. */
import { Campaign } from "@mailstream/campaign"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Live from "../terminal/Live.ts"
import { Stdio } from "../terminal/Stdio.ts"

/** What is known beside the counts in the database. */
export interface Watched {
  /** How far the campaign was when the run began. */
  readonly before: Campaign.Status | undefined
  /** How many contacts there are, if they were counted. */
  readonly total: number | undefined
  /** Whether the last page of contacts has been read. */
  readonly isWalked: () => boolean
  /** Why the last request failed, if it may be repeated; else empty. */
  readonly reason: () => string
}

type Counts = Pick<Campaign.Status, "planned" | "accepted" | "rejected" | "skipped" | "undecided">

const none: Counts = { planned: 0, accepted: 0, rejected: 0, skipped: 0, undecided: 0 }

const settled = ({ accepted, rejected, undecided }: Counts): number => accepted + rejected + undecided

/** How many people are left, if that is known. */
export const remaining = (now: Counts, { isWalked, total }: Pick<Watched, "isWalked" | "total">): number | undefined =>
  isWalked() ? now.planned : total === undefined ? undefined : Math.max(0, total - settled(now) - now.skipped)

/** The progress in words, the most important first. */
export const words = (
  status: Campaign.Status | undefined,
  watched: Watched,
  elapsed: Duration.Duration
): ReadonlyArray<string> => {
  const now = status ?? watched.before ?? none
  const seconds = Math.max(0.001, Duration.toSeconds(elapsed))
  const rate = (settled(now) - settled(watched.before ?? none)) / seconds
  const left = remaining(now, watched)
  const counts = [
    `${Live.count(now.accepted)} accepted`,
    `${Live.count(now.rejected)} rejected`,
    `${Live.count(now.skipped)} skipped`
  ]
  if (status?.pausedUntil !== undefined) {
    return [...counts, `waiting until ${DateTime.formatIso(status.pausedUntil)} · ${status.paused ?? ""}`]
  }
  const reason = watched.reason()
  if (reason !== "" && rate === 0) return [...counts, `retrying · ${reason}`]
  return [
    ...counts,
    `${Live.count(Math.round(rate * 10) / 10)} emails/s`,
    ...(left === undefined || left === 0 || rate === 0 ? [] : [`${Live.time(Duration.seconds(left / rate))} left`])
  ]
}

/** How often the database is asked how far the campaign is. */
const interval = Duration.millis(500)

/** How often a line is written where there is no terminal. */
const seldom = Duration.seconds(30)

/** Shows how far a campaign is until the scope closes: on a terminal, a line that changes; elsewhere, a line now and then. */
export const show = (name: string, watched: Watched) =>
  Effect.gen(function*() {
    const { err, say } = yield* Stdio
    let status: Campaign.Status | undefined
    const look = Campaign.status(name).pipe(
      Effect.tap((found) =>
        Effect.sync(() => {
          status = found
        })
      ),
      // The run itself reports what is wrong with the database.
      Effect.ignore
    )
    yield* Effect.forkScoped(Effect.repeat(look, Schedule.spaced(interval)))
    yield* Live.draw((columns, elapsed) =>
      Effect.sync(() =>
        Live.spinning([...words(status, watched, elapsed), "Ctrl+C to stop"].join(" · "), elapsed, columns)
      )
    )
    if (err.isTerminal) return
    const start = yield* DateTime.now
    yield* Effect.forkScoped(
      Effect.forever(Effect.delay(
        Effect.flatMap(DateTime.now, (now) =>
          say(words(status, watched, DateTime.distanceDuration(start, now)).join(" · "))),
        seldom
      ))
    )
  })
