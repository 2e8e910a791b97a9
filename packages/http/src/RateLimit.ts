/**
 * The rate limit of a client. `ApiClient` puts a limiter in front of its `Transport`, which all requests of the client
 * share: services and streams know nothing of it.
 *
 * Effect's own `RateLimiter` spaces calls by a fixed rule. This one also learns: the `ratelimit-*` headers of every
 * response say how many requests are left until when, and a 429 pauses all requests.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"

/**
 * @since 0.1.0
 * @category models
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/http"
 *
 * const MailstreamLive = Mailstream.layerConfig({ rateLimit: { requests: 2, per: "1 second" } })
 * ```
 */
export interface Options {
  /** Spaces requests evenly: this many in each `per`. Without it they are not spaced. */
  readonly requests?: number | undefined
  /** Default: one second. */
  readonly per?: Duration.DurationInput | undefined
  /**
   * The longest time for which a response can hold requests back, whatever it asks for; default: one minute. A caller
   * that is told to wait longer finds that in the error.
   */
  readonly maxPause?: Duration.DurationInput | undefined
}
