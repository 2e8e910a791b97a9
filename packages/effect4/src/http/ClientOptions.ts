/**
 * The options of a client.
 *
 * @since 1.0.0
 */
import type * as Config from "effect/Config"
import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import type * as RateLimit from "./RateLimit.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /**
   * The address of the API: http or https; its path is kept as a prefix. In a browser, it may be relative to the page's
   * origin, as in `/api`.
   */
  readonly baseUrl: string | URL
  readonly apiKey: Redacted.Redacted
  /** The time until the response is complete, not counting the wait for the rate limit; default: 30 seconds. */
  readonly timeout?: Duration.Input | undefined
  /**
   * The largest response that is read into memory, in bytes; default: 16 MiB. `whole` streams responses of
   * any size, item by item.
   */
  readonly maxBodySize?: number | undefined
  /**
   * Default: requests are not spaced, but `ratelimit-*` headers are respected and a 429 pauses all requests of this
   * client. `RateLimit.make` makes one that other clients share. `false` disables all of this.
   */
  readonly rateLimit?: RateLimit.Options | RateLimit.RateLimit | false | undefined
}

/**
 * Options that come from the configuration, each or all of them.
 *
 * @since 1.0.0
 * @category models
 */
export type ConfigOptions =
  | Config.Config<Partial<Options>>
  | { readonly [Name in keyof Options]?: Config.Config<Options[Name]> | undefined }
