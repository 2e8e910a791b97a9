/**
 * The progress of repeated passes: which list is being copied, or that the next pass is due later.
 *
 * @since 1.0.0
 */
import type { Mirror } from "@mailstream/mirror"
import * as Progress from "@mailstream/stream/Progress"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as Retry from "../api/Retry.ts"
import * as Live from "../terminal/Live.ts"
import type { Stdio } from "../terminal/Stdio.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Passing {
  /** Begins to show the progress of a list. */
  readonly progress: (list: Mirror.Name) => Progress.Tracker | undefined
  /** Stops showing it, and writes something in its place. */
  readonly done: <A, E, R>(list: Mirror.Name, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Whether the service has responded to the current pass. */
  readonly hasResponded: Effect.Effect<boolean>
}

/**
 * Shows the progress until the scope closes. Between passes, it shows what comes next.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (
  lists: ReadonlyArray<Mirror.Name>,
  waitingFor: string
): Effect.Effect<Passing, never, Stdio | Scope.Scope> =>
  Effect.gen(function*() {
    const trackers = new Map(
      yield* Effect.forEach(lists, (list) => Effect.map(Progress.make, (tracker) => [list, tracker] as const))
    )
    let current: Mirror.Name | undefined
    let shown: { readonly list: Mirror.Name; readonly since: Duration.Duration } | undefined
    const { aside } = yield* Live.draw((columns, elapsed) => {
      const tracker = current === undefined ? undefined : trackers.get(current)
      if (current === undefined || tracker === undefined) {
        shown = undefined
        return Effect.succeed(Live.spinning(`waiting · ${waitingFor} · Ctrl+C to stop`, elapsed, columns))
      }
      const { list, since } = shown = shown?.list === current ? shown : { list: current, since: elapsed }
      return Effect.map(
        tracker,
        (progress) => Live.line({ name: list }, progress, Duration.subtract(elapsed, since), columns)
      )
    })
    return {
      progress: (list) => {
        current = list
        return trackers.get(list)
      },
      done: (list, effect) =>
        Effect.suspend(() => {
          current = undefined
          const tracker = trackers.get(list)
          const reset = tracker === undefined ? Effect.void : SubscriptionRef.set(tracker, Progress.initial)
          return Effect.ensuring(aside(effect), reset)
        }),
      hasResponded: Effect.exists([...trackers.values()], Retry.hasResponded)
    }
  })
