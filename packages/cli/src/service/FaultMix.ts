/**
 * Faults for a share of the requests.
 *
 * @since 1.0.0
 */
import type { Faults } from "@mailstream/server"
import * as Duration from "effect/Duration"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** The share of requests that meet a fault, from 0 to 1. */
  readonly faults: number
  /** The longest delay of a response. */
  readonly latency: Duration.Duration
  readonly seed: number
}

/**
 * All kinds of faults, equally likely. Together they make up the share.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = ({ faults, latency, seed }: Options): Faults.Options => {
  const kinds = 6
  const rate = 1 - (1 - faults) ** (1 / kinds)
  return {
    seed,
    latency: Duration.greaterThan(latency, Duration.zero) ? { rate: 1, delay: latency } : undefined,
    rateLimit: { rate },
    serverError: { rate },
    html: { rate },
    reset: { rate },
    truncate: { rate },
    malform: { rate }
  }
}
