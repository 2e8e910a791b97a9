/** How often, how long and how many at a time: the rules by which events are delivered to webhooks. */
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"

/**
 * How events are delivered to webhooks.
 *
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /**
   * How long to wait after each failed attempt, with up to a tenth more at random; after one attempt more than there are waits, an
   * event is given up. Default: 5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours and 10 hours.
   */
  readonly retries?: ReadonlyArray<Duration.DurationInput> | undefined
  /** How long an endpoint may take to respond. Default: 15 seconds. */
  readonly timeout?: Duration.DurationInput | undefined
  /** How many requests may be sent to a webhook at the same time. Default: 4. */
  readonly concurrency?: number | undefined
}

/** Options that are complete, with times in milliseconds. */
export interface Rules {
  readonly retries: ReadonlyArray<number>
  readonly timeout: number
  readonly concurrency: number
}

export const check = (options: Options): Either.Either<Rules, InvalidOption.InvalidOption> =>
  Either.gen(function*() {
    const waits = options.retries ?? ["5 seconds", "5 minutes", "30 minutes", "2 hours", "5 hours", "10 hours"]
    const retries: Array<number> = []
    for (const [index, wait] of waits.entries()) {
      const duration = yield* InvalidOption.duration(`webhooks.retries[${index}]`, wait, { min: 0 })
      retries.push(Duration.toMillis(duration))
    }
    const timeout = yield* InvalidOption.duration("webhooks.timeout", options.timeout ?? "15 seconds", {
      min: "1 milli"
    })
    const concurrency = yield* InvalidOption.integer("webhooks.concurrency", options.concurrency ?? 4, {
      min: 1,
      max: 100
    })
    return { retries, timeout: Duration.toMillis(timeout), concurrency }
  })

/** When the next attempt is due after some have failed; undefined: there is none. */
export const nextAttempt = (
  { retries }: Pick<Rules, "retries">,
  failed: number,
  now: number,
  random: number
): number | undefined => {
  const wait = retries[failed - 1]
  return wait === undefined ? undefined : now + Math.ceil(wait * (1 + random / 10))
}
