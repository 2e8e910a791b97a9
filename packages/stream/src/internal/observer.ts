import { isTransient, type RequestError } from "@mailstream/core"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import * as Fibers from "@mailstream/kernel/Fibers"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type * as Progress from "../Progress.ts"
import * as Metrics from "./metrics.ts"

/** Reports to metrics and progress what a walk does. */
export interface Observer {
  /** Counts a result, and returns it. */
  readonly arrived: <A>(counts: { readonly pages: number; readonly items: number }, arrived: A) => Effect.Effect<A>
  /** Counts the items of a response that were left out because the API repeated them, and warns of them. */
  readonly repeated: (count: number) => Effect.Effect<void>
  /** Counts each attempt of a request. */
  readonly asking: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The policy, for transient failures only; counts its retries and waits. */
  readonly counting: (policy: RetryPolicy.RetryPolicy) => RetryPolicy.RetryPolicy
}

export const make = (list: string, progress: Progress.Tracker | undefined): Observer => {
  const { duplicates, items, pages, retries, waitSeconds } = Metrics.ofList(list)

  const update = (change: (progress: Progress.Progress) => Partial<Progress.Progress>): Effect.Effect<void> =>
    progress === undefined
      ? Effect.void
      : SubscriptionRef.update(progress, (progress) => ({ ...progress, ...change(progress) }))

  const asked = update(({ requests }) => ({ requests: requests + 1, waiting: undefined }))

  const waiting = (delay: Duration.Duration): Effect.Effect<void> =>
    Effect.all([
      Metric.update(retries, 1),
      Metric.update(waitSeconds, Duration.toSeconds(delay)),
      update((progress) => ({
        retries: progress.retries + 1,
        waited: Duration.sum(progress.waited, delay),
        waiting: delay
      }))
    ], { discard: true })

  return {
    arrived: (counts, arrived) => {
      const counted = Fibers.updateMetrics((labels) => {
        pages.unsafeUpdate(counts.pages, labels)
        items.unsafeUpdate(counts.items, labels)
      }, arrived)
      return progress === undefined ? counted : Effect.zipLeft(
        counted,
        update((progress) => ({ pages: progress.pages + counts.pages, items: progress.items + counts.items }))
      )
    },
    repeated: (count) =>
      Effect.zipRight(
        Metric.update(duplicates, count),
        Effect.logWarning(`${list}: the API repeated items, not emitted again: ${count}`)
      ),
    asking: (request) => progress === undefined ? request : Effect.zipRight(asked, request),
    counting: (policy) =>
      policy.pipe(
        RetryPolicy.monotonic,
        Schedule.whileInput((error: RequestError) => isTransient(error)),
        Schedule.tapInput((error: RequestError) => Effect.logDebug(`${list}: ${error.message}`)),
        Schedule.modifyDelayEffect((_, delay) => Effect.as(waiting(delay), delay))
      )
  }
}
