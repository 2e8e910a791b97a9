/** Settings of the service that do not depend on its host. */
import type * as Redacted from "effect/Redacted"
import type * as Cors from "./Cors.ts"
import type * as Faults from "./Faults.ts"
import type * as RateLimit from "./RateLimit.ts"

/**
 * Settings of the service that do not depend on its host.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServiceOptions {
  /** Secrets of API keys to accept from the start. Keys that the store already knows are left unchanged. */
  readonly apiKeys?: ReadonlyArray<Redacted.Redacted> | undefined
  /** Default: no limit. The limit applies per process, even if several processes share a database. */
  readonly rateLimit?: RateLimit.Options | undefined
  /** Default: none. */
  readonly faults?: Faults.Options | undefined
  /**
   * The origins of pages that may use the service from a browser, such as `["https://app.example.com"]`; `*` stands for
   * all. A page needs an API key all the same. Default: none.
   */
  readonly cors?: Cors.Origins | undefined
}
