/**
 * How far a walk has come, for whoever wants to show it.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as SubscriptionRef from "effect/SubscriptionRef"

/**
 * @since 0.1.0
 * @category models
 */
export interface Progress {
  /** Requests that were sent, tries included. */
  readonly requests: number
  /** Requests that were sent again after a failure. */
  readonly retries: number
  /** Pages that have arrived. */
  readonly pages: number
  /** Items that have arrived. */
  readonly items: number
  /** How long was waited between tries, the present wait included. */
  readonly waited: Duration.Duration
  /** The wait before the next try, while there is one. */
  readonly waiting: Duration.Duration | undefined
}

/**
 * A walk writes to it what it does; anybody may read it, or follow its `changes`. Several walks may share one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Tracker extends SubscriptionRef.SubscriptionRef<Progress> {}

/**
 * @since 0.1.0
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
 * @since 0.1.0
 * @category constructors
 * @example
 * ```ts
 * import { contacts, Progress } from "@mailstream/stream"
 * import { Effect, Schedule, Stream } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   const progress = yield* Progress.make
 *   yield* progress.get.pipe(
 *     Effect.flatMap(({ items, pages }) => Effect.log(`${items} contacts in ${pages} pages`)),
 *     Effect.repeat(Schedule.spaced("1 second")),
 *     Effect.fork
 *   )
 *   yield* Stream.runDrain(contacts.items({ progress }))
 * })
 * ```
 */
export const make: Effect.Effect<Tracker> = SubscriptionRef.make(initial)
