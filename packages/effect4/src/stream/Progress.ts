/**
 * The progress of a walk, for display.
 *
 * @since 1.0.0
 */
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as SubscriptionRef from "effect/SubscriptionRef"

/**
 * @since 1.0.0
 * @category models
 */
export interface Progress {
  /** Requests sent, including retries. */
  readonly requests: number
  /** Requests that were repeated after a failure. */
  readonly retries: number
  /** Pages received, in this run. */
  readonly pages: number
  /** Items received. With `process` and `processPages`, it begins with those that earlier runs have committed. */
  readonly items: number
  /** The total wait between attempts, including the current one. */
  readonly waited: Duration.Duration
  /** The wait before the next attempt, if one is pending. */
  readonly waiting: Duration.Duration | undefined
}

/**
 * Updated by the walk; read it, or subscribe to its `changes`. Several walks may share one.
 *
 * @since 1.0.0
 * @category models
 */
export interface Tracker extends SubscriptionRef.SubscriptionRef<Progress> {}

/**
 * @since 1.0.0
 * @category constructors
 */
export const initial: Progress = {
  requests: 0,
  retries: 0,
  pages: 0,
  items: 0,
  waited: Duration.zero,
  waiting: undefined
}

/**
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import { contacts, Progress } from "@mailstream/effect4"
 * import { Effect, Schedule, Stream, SubscriptionRef } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const progress = yield* Progress.make
 *   yield* SubscriptionRef.get(progress).pipe(
 *     Effect.flatMap(({ items, pages }) => Effect.log(`${items} contacts in ${pages} pages`)),
 *     Effect.repeat(Schedule.spaced("1 second")),
 *     Effect.forkChild
 *   )
 *   yield* Stream.runDrain(contacts.items({ progress }))
 * })
 * ```
 */
export const make: Effect.Effect<Tracker> = SubscriptionRef.make(initial)
