/** Passes over lists, and what is new between them. */
import * as InvalidOption from "@mailstream/core/InvalidOption"
import type * as Mailstream from "@mailstream/http/Mailstream"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schedule from "effect/Schedule"
import type { MirrorService } from "../MirrorService.ts"
import { type Counts, type Report, type SyncError, SyncFailed, type SyncOptions } from "../Sync.ts"
import type { Options } from "./attempt.ts"
import * as Copy from "./copy.ts"
import type { Database } from "./database.ts"
import * as Feeds from "./feeds.ts"
import * as Follow from "./follow.ts"
import * as Check from "./options.ts"
import * as Pass from "./pass.ts"

type Copied = Effect.Effect<Counts, SyncError, Mailstream.Mailstream>

type Reported = Effect.Effect<ReadonlyArray<Report>, never, Mailstream.Mailstream>

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

/** The feeds that are chosen, in their order. */
const chosen = ({ lists }: SyncOptions): ReadonlyArray<Feeds.Feed> =>
  Feeds.all.filter(({ table }) => lists === undefined || lists.includes(table.name))

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
  /** The report about a list, once its options were found to be such as the API allows. */
  const report = <Feed extends Feeds.Feed>(
    feed: Feed,
    work: Work<Feed>,
    options: Options,
    { progress }: SyncOptions
  ) => {
    const list = feed.table.name
    const copied = work(Copy.make(database, account, feed.table), feed, { ...options, progress: progress?.(list) })
    return Effect.map(
      Effect.either(Effect.zipRight(Feeds.admit(feed, options), copied)),
      (result): Report => ({ list, result })
    )
  }
  const passes = (given: SyncOptions, options: Options, onReport: (report: Report) => Effect.Effect<void>): Reported =>
    Effect.forEach(chosen(given), (feed) => Effect.tap(report(feed, pass, options, given), onReport))
  const polls = (given: SyncOptions, options: Options): Reported =>
    Effect.forEach(
      chosen(given).filter((feed) => feed._tag === "Listed"),
      (feed) => report(feed, poll, options, given)
    )
  const syncEither: MirrorService["syncEither"] = (given = {}) =>
    Effect.flatMap(Check.pass(given), (options) => passes(given, options, () => Effect.void))
  const pollEither: MirrorService["pollEither"] = (given = {}) =>
    Effect.flatMap(Check.pass(given), (options) => polls(given, options))
  const withSpan = (method: string) =>
    Effect.withSpan(`Mirror.${method}`, { attributes: { "mailstream.account": account } })
  return {
    syncEither: (options) => withSpan("syncEither")(syncEither(options)),
    sync: (options) => withSpan("sync")(orFail(account, syncEither(options))),
    pollEither: (options) => withSpan("pollEither")(pollEither(options)),
    poll: (options) => withSpan("poll")(orFail(account, pollEither(options))),
    run: ({ every = "1 hour", onReport = () => Effect.void, poll = "5 seconds", ...given } = {}) =>
      Effect.gen(function*() {
        const options = yield* Check.pass(given)
        const period = yield* InvalidOption.duration("every", every)
        const interval = yield* InvalidOption.duration("poll", poll)
        // What is new is not a report; what fails is reported by the next pass.
        const follow = Effect.zipRight(
          Effect.sleep(interval),
          Effect.repeat(polls(given, options), Schedule.spaced(interval))
        )
        const round = Effect.gen(function*() {
          const began = yield* Clock.currentTimeMillis
          yield* passes(given, options, onReport)
          const left = began + Duration.toMillis(period) - (yield* Clock.currentTimeMillis)
          if (left > 0) yield* Effect.timeoutOption(follow, Duration.millis(left))
        })
        return yield* Effect.forever(round)
      })
  }
}
