import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Schedule from "effect/Schedule"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { isTransient, type RequestError } from "../../core/index.ts"
import * as RetryPolicy from "../../http/RetryPolicy.ts"
import type * as Progress from "../Progress.ts"
import * as Metrics from "./metrics.ts"

export type Observer = ReturnType<typeof make>

/** Reports to metrics and progress what a walk does. */
export const make = (list: string, progress: Progress.Tracker | undefined) => {
  const metrics = Metrics.ofList(list)

  const update = (change: (progress: Progress.Progress) => Partial<Progress.Progress>): Effect.Effect<void> =>
    progress === undefined
      ? Effect.void
      : SubscriptionRef.update(progress, (progress) => ({ ...progress, ...change(progress) }))

  const asked = update(({ requests }) => ({ requests: requests + 1, waiting: undefined }))

  const waiting = (delay: Duration.Duration): Effect.Effect<void> =>
    Effect.all([
      Metric.update(metrics.mailstream_retries, 1),
      Metric.update(metrics.mailstream_wait_seconds, Duration.toSeconds(delay)),
      update((progress) => ({
        retries: progress.retries + 1,
        waited: Duration.sum(progress.waited, delay),
        waiting: delay
      }))
    ], { discard: true })

  return {
    /** Counts a result, and returns it. */
    arrived: <A>(counts: { readonly pages: number; readonly items: number }, arrived: A): Effect.Effect<A> => {
      const counted = Effect.withFiber<A>((fiber) => {
        metrics.mailstream_pages.updateUnsafe(counts.pages, fiber.context)
        metrics.mailstream_items.updateUnsafe(counts.items, fiber.context)
        return Effect.succeed(arrived)
      })
      return progress === undefined ?
        counted :
        Effect.tap(
          counted,
          () => update((progress) => ({ pages: progress.pages + counts.pages, items: progress.items + counts.items }))
        )
    },
    /** Counts the items of a response that were left out because the API repeated them, and warns of them. */
    repeated: (count: number): Effect.Effect<void> =>
      Effect.andThen(
        Metric.update(metrics.mailstream_duplicates, count),
        Effect.logWarning(`${list}: skipped items that the API repeated: ${count}`)
      ),
    /** Counts each attempt of a request. */
    asking: <A, E, R>(request: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      progress === undefined ? request : Effect.andThen(asked, request),
    /** The policy, for transient failures only; logs and counts its retries and waits. */
    counting: (policy: RetryPolicy.RetryPolicy): RetryPolicy.RetryPolicy =>
      policy.pipe(
        RetryPolicy.monotonic,
        Schedule.while(({ input }: Schedule.Metadata<unknown, RequestError>) => isTransient(input)),
        Schedule.modifyDelay(({ duration, input: { message } }) =>
          Effect.logDebug(`${list}: retrying in ${Math.ceil(Duration.toMillis(duration))} ms: ${message}`).pipe(
            Effect.andThen(waiting(duration)),
            Effect.as(duration)
          )
        )
      )
  }
}
