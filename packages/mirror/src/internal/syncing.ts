/** Passes over lists, and what is new between them. */
import * as InvalidOption from "@mailstream/core/InvalidOption"
import type * as Mailstream from "@mailstream/http/Mailstream"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schedule from "effect/Schedule"
import type { MirrorService } from "../MirrorService.ts"
import { type Counts, type Report, type RunOptions, type SyncError, SyncFailed, type SyncOptions } from "../Sync.ts"
import type { Options } from "./attempt.ts"
import * as Copy from "./copy.ts"
import type { Database } from "./database.ts"
import * as Feeds from "./feeds.ts"
import * as Follow from "./follow.ts"
import * as Check from "./options.ts"
import * as Pass from "./pass.ts"

type Copied = Effect.Effect<Counts, SyncError, Mailstream.Mailstream>

/** Makes a pass, or looks for what is new. */
type Work<Feed> = (copy: Copy.Copy, feed: Feed, options: Options) => Copied

const pass: Work<Feeds.Feed> = (copy, feed, options) =>
  Pass.run(copy, feed, options).pipe(
    Effect.tap(({ created, deleted, unchanged, updated }) =>
      Effect.annotateCurrentSpan({
        "mailstream.created": created,
        "mailstream.updated": updated,
        "mailstream.deleted": deleted,
        "mailstream.unchanged": unchanged
      })
    ),
    Effect.withSpan("Mirror.pass", {
      attributes: { "mailstream.account": copy.key.account, "mailstream.list": copy.key.list }
    })
  )

const poll: Work<Feeds.Listed> = (copy, feed, options) =>
  Effect.flatMap(
    Follow.poll(copy, feed, options),
    (created) =>
      created === undefined
        ? pass(copy, feed, options)
        : Effect.succeed({ created, updated: 0, deleted: 0, unchanged: 0 })
  )

/** The default `onReport` of `run`: logs failures. */
const warn = ({ list, result }: Report): Effect.Effect<void> =>
  Either.isLeft(result) ? Effect.logWarning(`${list} could not be copied: ${result.left.message}`) : Effect.void

/** What was done, if everything was. */
const orFail = <E, R>(account: string, reports: Effect.Effect<ReadonlyArray<Report>, E, R>) =>
  Effect.flatMap(reports, (reports) => {
    const synced = reports.flatMap(({ list, result }) => Either.isRight(result) ? [{ list, ...result.right }] : [])
    return synced.length === reports.length ? Effect.succeed(synced) : new SyncFailed({ account, reports })
  })

export const make = (
  database: Database,
  account: string
): Pick<MirrorService, "sync" | "syncEither" | "poll" | "pollEither" | "run"> => {
  const reports = <Feed extends Feeds.Feed>(
    feeds: ReadonlyArray<Feed>,
    work: Work<Feed>,
    options: Options,
    { onReport = () => Effect.void, progress }: Pick<RunOptions, "onReport" | "progress">
  ) =>
    Effect.suspend(() => {
      /** Why no other list can be copied, either. */
      let end: SyncError | undefined
      return Effect.forEach(feeds, (feed) => {
        const list = feed.table.name
        const copy = Copy.make(database, account, feed.table)
        const copied = Effect.tapError(
          work(copy, feed, { ...options, progress: progress?.(list) }),
          (error) =>
            Effect.map(Pass.isEnd(copy, error), (isEnd) => {
              if (isEnd) end = error
            })
        )
        return (end === undefined ? Effect.either(copied) : Effect.succeed(Either.left(end))).pipe(
          Effect.map((result): Report => ({ list, result })),
          Effect.tap(onReport)
        )
      })
    })
  const either = <Feed extends Feeds.Feed>(feeds: ReadonlyArray<Feed>, work: Work<Feed>, given: SyncOptions = {}) =>
    Effect.gen(function*() {
      const options = yield* Check.pass(given)
      return yield* reports(yield* Check.chosen(feeds, given), work, options, given)
    })
  const withSpan = (method: string) =>
    Effect.withSpan(`Mirror.${method}`, { attributes: { "mailstream.account": account } })
  return {
    syncEither: (options) => withSpan("syncEither")(either(Feeds.all, pass, options)),
    sync: (options) => withSpan("sync")(orFail(account, either(Feeds.all, pass, options))),
    pollEither: (options) => withSpan("pollEither")(either(Feeds.lists, poll, options)),
    poll: (options) => withSpan("poll")(orFail(account, either(Feeds.lists, poll, options))),
    run: ({ every = "1 hour", onReport = warn, poll: interval = "5 seconds", ...given } = {}) =>
      Effect.gen(function*() {
        const options = yield* Check.pass(given)
        const feeds = yield* Check.chosen(Feeds.all, given)
        const period = yield* InvalidOption.duration("every", every)
        const spaced = Schedule.spaced(yield* InvalidOption.duration("poll", interval))
        // What is new is not a report; what fails is.
        const polls = reports(feeds.filter((feed) => feed._tag === "Listed"), poll, options, {
          ...given,
          onReport: (report) => Either.isLeft(report.result) ? onReport(report) : Effect.void
        })
        const follow = Effect.schedule(polls, spaced)
        const round = Effect.gen(function*() {
          const [taken] = yield* Effect.timed(reports(feeds, pass, options, { ...given, onReport }))
          const left = Duration.subtract(period, taken)
          if (Duration.greaterThan(left, 0)) yield* Effect.timeoutOption(follow, left)
        })
        return yield* Effect.forever(round)
      })
  }
}
