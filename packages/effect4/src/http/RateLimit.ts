/**
 * The rate limit of a client. `ApiClient` puts one limiter in front of its `Transport`, shared by all requests of the
 * client: services and streams know nothing about it.
 *
 * Effect's own `RateLimiter` spaces calls by a fixed rule. This one also adapts: the `ratelimit-*` headers of each
 * response say how many requests are left and until when, and a 429 pauses all requests.
 *
 * @since 1.0.0
 */
import type * as Duration from "effect/Duration"

/**
 * @since 1.0.0
 * @category models
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/effect4"
 * import { Redacted } from "effect"
 *
 * const MailstreamLive = Mailstream.layer({
 *   baseUrl: "https://api.example.com",
 *   apiKey: Redacted.make("…"),
 *   rateLimit: { requests: 2, per: "1 second" }
 * })
 * ```
 */
export interface Options {
  /** Spaces requests evenly: this many in each `per`. Without it they are not spaced. */
  readonly requests?: number | undefined
  /** Default: one second. */
  readonly per?: Duration.Input | undefined
  /**
   * The longest time for which a response can delay requests, whatever it says; default: one minute. If the API wants
   * callers to wait longer, the error says so.
   */
  readonly maxPause?: Duration.Input | undefined
}
