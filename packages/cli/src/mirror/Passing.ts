/**
 * What passes show: which list is being copied, or that the next pass is due later, and why lists could not be copied.
 */
import type { Mirror } from "@mailstream/mirror"
import * as Progress from "@mailstream/stream/Progress"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as Retry from "../api/Retry.ts"
import * as Explained from "../explain/Explained.ts"
import * as Live from "../terminal/Live.ts"
import { Stdio } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"

interface Passing {
  /** Begins to show the progress of a list. */
  readonly progress: (list: Mirror.Name) => Progress.Tracker
  /** Stops showing it, and writes something in its place. */
  readonly done: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Whether the service has responded to the current pass. */
  readonly hasResponded: Effect.Effect<boolean>
  /** Records that a list failed. What lists have in common, such as a wrong API key, is reported once. */
  readonly failed: (list: Mirror.Name, error: Mirror.SyncError) => Effect.Effect<void>
  /** Reports what has been recorded. */
  readonly flush: Effect.Effect<void>
}

/** Why a list was not copied, and what to do. */
const messageOf = (error: Mirror.SyncError): string => {
  switch (error._tag) {
    case "TooManyDeletions":
      return `the service no longer lists ${Live.count(error.missing)} of ${
        Live.count(error.known)
      } items in the copy, ` +
        `which is more than the allowed share of ${error.maxDeleted}. Nothing was marked as deleted, but what it lists ` +
        "instead has been added. Check the API key: a sync with the right one marks that as deleted. If the items really " +
        "are gone, raise --max-deleted, up to 1."
    case "OtherService":
      return `the copy of account "${error.account}" was made from ${error.stored}, not from ${error.current}. ` +
        "Check --base-url; a copy of another service needs another --account, or another database."
    case "SqlError":
      return Text.reasonOf(error)
    default:
      return error.message
  }
}

/** What two failures have in common if they are the same, whichever list was requested. */
const identityOf = (error: Mirror.SyncError): string =>
  `${error._tag} ${messageOf(error).replace(/\bhttps?:\/\/\S+/g, "")}`

/** Records and reports failures. */
const makeFailures = Effect.map(Stdio, ({ err, say }): Pick<Passing, "failed" | "flush"> => {
  let noted: { readonly error: Mirror.SyncError; readonly lists: ReadonlyArray<Mirror.Name> } | undefined
  const flush = Effect.suspend(() => {
    if (noted === undefined) return Effect.void
    const { error, lists } = noted
    noted = undefined
    const message = `${lists.join(", ")}: ${messageOf(error)}`
    return say(Explained.line({ _tag: error._tag, message }, err))
  })
  return {
    flush,
    failed: (list, error) =>
      Effect.suspend(() => {
        const before = noted !== undefined && identityOf(noted.error) === identityOf(error) ? noted.lists : undefined
        return Effect.map(before === undefined ? flush : Effect.void, () => {
          noted = { error, lists: [...(before ?? []), list] }
        })
      })
  }
})

/** Shows the progress until the scope closes. Between passes, it shows what comes next. */
export const make = (
  every: Duration.Duration | undefined,
  /** Why the last request failed. */
  reason: () => string
): Effect.Effect<Passing, never, Stdio | Scope.Scope> =>
  Effect.gen(function*() {
    const failures = yield* makeFailures
    // Added first, so that it runs when the line has been cleared.
    yield* Effect.addFinalizer(() => failures.flush)
    const tracker = yield* Progress.make
    const waiting = every === undefined
      ? ""
      : `waiting · a pass every ${Live.interval(every)}, new items in between · Ctrl+C to stop`
    let current: Mirror.Name | undefined
    let shown: { readonly list: Mirror.Name; readonly since: Duration.Duration } | undefined
    const { aside } = yield* Live.draw((columns, elapsed) => {
      if (current === undefined) {
        shown = undefined
        return Effect.succeed(Live.spinning(waiting, elapsed, columns))
      }
      const { list, since } = shown = shown?.list === current ? shown : { list: current, since: elapsed }
      return Effect.map(
        tracker,
        (progress) => Live.line({ name: list, reason }, progress, Duration.subtract(elapsed, since), columns)
      )
    })
    return {
      ...failures,
      progress: (list) => {
        current = list
        return tracker
      },
      done: (effect) =>
        Effect.suspend(() => {
          current = undefined
          return Effect.ensuring(aside(effect), SubscriptionRef.set(tracker, Progress.initial))
        }),
      hasResponded: Retry.hasResponded(tracker)
    }
  })
