import { isTransient, type RequestError } from "@mailstream/core"
import type { RetryPolicy } from "@mailstream/http/RetryPolicy"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type * as Progress from "../Progress.ts"
import * as Metrics from "./metrics.ts"

/** Tells metrics and progress what a walk does. */
export interface Observer {
  /** Counts what has arrived, and gives what it is. */
  readonly arrived: <A>(counts: { readonly pages: number; readonly items: number }, arrived: A) => Effect.Effect<A>
  /** Counts each try of a request. */
  readonly asking: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** The policy, for transient failures alone, counting what it decides. */
  readonly counting: (policy: RetryPolicy) => RetryPolicy
}

export const make = (list: string, progress: Progress.Tracker | undefined): Observer => {
  const { items, pages, retries, waitSeconds } = Metrics.ofList(list)

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
    arrived: (counts, arrived) =>
      Effect.withFiberRuntime((fiber) => {
        const labels = fiber.getFiberRef(FiberRef.currentMetricLabels)
        pages.unsafeUpdate(counts.pages, labels)
        items.unsafeUpdate(counts.items, labels)
        return progress === undefined ? Effect.succeed(arrived) : Effect.as(
          update((progress) => ({ pages: progress.pages + counts.pages, items: progress.items + counts.items })),
          arrived
        )
      }),
    asking: (request) => progress === undefined ? request : Effect.zipRight(asked, request),
    counting: (policy) =>
      policy.pipe(
        Schedule.whileInput((error: RequestError) => isTransient(error)),
        Schedule.modifyDelayEffect((_, delay) => Effect.as(waiting(delay), delay))
      )
  }
}
