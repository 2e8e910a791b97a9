/**
 * Faults on demand, for testing clients. The seed alone determines which request gets which fault: each kind of fault
 * draws once per request from its own sequence, so changing one rate does not move the other faults.
 *
 * @since 1.0.0
 */
import type * as Duration from "effect/Duration"

/**
 * Each rate is a share of the requests, from 0 to 1; a fault that is left out never happens. If several faults would hit
 * the same request, the first in this order does; `latency` is added to any of them.
 *
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** Default: 0. */
  readonly seed?: number | undefined
  /** Delays the response by up to `delay`, evenly distributed. */
  readonly latency?: { readonly rate: number; readonly delay: Duration.DurationInput } | undefined
  /** 429 `rate_limit_exceeded`. `retryAfter` defaults to one second. */
  readonly rateLimit?: { readonly rate: number; readonly retryAfter?: Duration.DurationInput | undefined } | undefined
  /** 409 `concurrent_idempotent_requests`, without carrying out the request. Only requests with an idempotency key. */
  readonly inProgress?: { readonly rate: number } | undefined
  /** 500 `internal_server_error` or 503 `service_unavailable`, at random. */
  readonly serverError?: { readonly rate: number } | undefined
  /** 502 with an HTML page, as a proxy sends it. */
  readonly html?: { readonly rate: number } | undefined
  /** Carries out the request, then resets the connection instead of responding. */
  readonly reset?: Fault | undefined
  /** Carries out the request, then closes the connection in the middle of the response. */
  readonly truncate?: Fault | undefined
  /** Carries out the request and sends a complete response that is not valid JSON. */
  readonly malform?: Fault | undefined
  /**
   * Carries out a request that changes something, and responds up to `delay` later, evenly distributed. Until then, its
   * idempotency key is in progress.
   */
  readonly late?: { readonly rate: number; readonly delay: Duration.DurationInput } | undefined
}

/**
 * A fault after a request was carried out.
 *
 * @since 1.0.0
 * @category models
 */
export interface Fault {
  readonly rate: number
  /** `changes`: only requests that change something, such as sends. Default: all. */
  readonly only?: "changes" | undefined
}
