/** Tells open pages that something has changed. They read what it is by themselves. */
import { ServiceUnavailable } from "@mailstream/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { StoreService } from "../../stores/Store.ts"
import * as Views from "../../stores/Views.ts"
import * as Response from "../Response.ts"
import * as Sent from "./Sent.ts"

/** How often to look for what other processes have changed in the same database. */
export const pollInterval: Duration.Duration = Duration.seconds(1)

/** The shortest time between two messages. */
const pause = Duration.millis(250)

/** After so many polls without a message, one is sent that says nothing: a client that is gone is noticed then. */
const maxSilence = 15

/** How many pages of an account are told at the same time. */
const maxPages = 100

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff"
}

const tooMany = new ServiceUnavailable({
  statusCode: 503,
  message: "Too many pages of the inbox are open.",
  retryAfter: Duration.seconds(10)
})

/** Makes the messages for the pages of an account, until the server stops. */
export const make = (
  storeOf: (account: string) => StoreService,
  stopping: Effect.Effect<void>
): (account: string) => Effect.Effect<Response.Response> => {
  const accounts = Views.once((account) => Effect.runSync(watch(storeOf(account))))
  return (account) =>
    Effect.sync(() => {
      const watched = accounts(account)
      if (watched.pages >= maxPages) return Response.fromError(tooMany)
      const body = Stream.acquireRelease(
        Effect.sync(() => watched.pages++),
        () => Effect.sync(() => watched.pages--)
      ).pipe(
        Stream.flatMap(() => Stream.concat(Stream.make("retry: 2000\n\n"), watched.messages)),
        Stream.interruptWhen(stopping)
      )
      return { status: 200, headers, body }
    })
}

interface Seen {
  readonly count: number
  readonly newest: string
  readonly silence: number
}

const watch = (store: StoreService) =>
  Effect.gen(function*() {
    // All pages together look once in an interval. Not interruptible: others may wait for it.
    const newest = yield* store.page(Sent.emails, { limit: 20 }).pipe(
      Effect.map(({ items }) => items.join()),
      Effect.orElseSucceed(() => ""),
      Effect.uninterruptible,
      Effect.cachedWithTTL(pollInterval)
    )

    const next = (seen: Seen) =>
      Effect.gen(function*() {
        const count = yield* Effect.timeoutTo(store.changed(seen.count), {
          duration: pollInterval,
          onSuccess: (count) => count,
          onTimeout: () => seen.count
        })
        if (count > seen.count) yield* Effect.sleep(pause)
        const now: Seen = {
          count: count > seen.count ? yield* store.changed(-1) : count,
          newest: yield* newest,
          silence: seen.silence + 1
        }
        if (now.count > seen.count || now.newest !== seen.newest) {
          return ["event: changed\ndata: {}\n\n", { ...now, silence: 0 }] as const
        }
        return now.silence < maxSilence ? ["", now] as const : [": still here\n\n", { ...now, silence: 0 }] as const
      })

    const messages = Stream.fromEffect(Effect.all({ count: store.changed(-1), newest })).pipe(
      Stream.flatMap(({ count, newest }) =>
        Stream.unfoldEffect({ count, newest, silence: 0 }, (seen: Seen) => Effect.asSome(next(seen)))
      ),
      Stream.filter((message) => message !== "")
    )
    return { pages: 0, messages }
  })
