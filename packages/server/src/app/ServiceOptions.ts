/** Settings of the service that do not depend on its host. */
import type * as Duration from "effect/Duration"
import type * as Redacted from "effect/Redacted"
import type { Account } from "../stores/Account.ts"
import type * as Cors from "./Cors.ts"
import type * as Faults from "./Faults.ts"
import type { InboxOptions } from "./inbox/Token.ts"
import type { Observer } from "./Observation.ts"
import type * as RateLimit from "./RateLimit.ts"
import type * as Rules from "./webhooks/Rules.ts"

/**
 * How many emails an account may send; each recipient counts as one.
 *
 * @since 1.0.0
 * @category models
 */
export interface Quota {
  /** In a day, in UTC. Default: any number. */
  readonly daily?: number | undefined
  /** In a month, in UTC. Default: any number. */
  readonly monthly?: number | undefined
}

/**
 * How long an account keeps its events.
 *
 * @since 1.0.0
 * @category models
 */
export interface EventOptions {
  /** Default: 30 days. */
  readonly maxAge?: Duration.DurationInput | undefined
  /** Default: 10,000. */
  readonly maxCount?: number | undefined
}

/**
 * Settings of the service that do not depend on its host.
 *
 * @since 1.0.0
 * @category models
 */
export interface ServiceOptions {
  /**
   * Secrets of API keys to accept from the start, for the default account. Keys that the store already knows are left
   * unchanged.
   */
  readonly apiKeys?: ReadonlyArray<Redacted.Redacted> | undefined
  /**
   * More accounts, each with a key to accept from the start. A key sees only what belongs to its account. An account may
   * be named again with another key; a key that belongs to another account is refused. Default: none.
   */
  readonly accounts?: ReadonlyArray<Account> | undefined
  /**
   * Default: no limit. Each account has a limit of its own. Each process counts on its own, even if several share a
   * database.
   */
  readonly rateLimit?: RateLimit.Options | undefined
  /** Default: none. */
  readonly faults?: Faults.Options | undefined
  /**
   * The origins of pages that may use the service from a browser, such as `["https://app.example.com"]`; `*` stands for
   * all. A page still needs an API key. Default: none.
   */
  readonly cors?: Cors.Origins | undefined
  /**
   * The page at `/inbox`, which shows what was sent, and its JSON API. It opens with its token, or with an API key that has full
   * access; `false` turns it off. Default: on, with a random token.
   */
  readonly inbox?: InboxOptions | false | undefined
  /**
   * Runs after every request, before its response is sent: to count what each account requests, and when. A defect in it is
   * logged, and does not change the response. Default: nothing. Requests are also logged, at level `Debug`.
   */
  readonly onRequest?: Observer | undefined
  /** How long idempotency keys of sends are kept. Default: 24 hours. */
  readonly idempotencyWindow?: Duration.DurationInput | undefined
  /** How many emails an account may send. Default: any number. */
  readonly quota?: Quota | undefined
  /** How long events are kept. */
  readonly events?: EventOptions | undefined
  /**
   * How events are delivered to the webhooks of all accounts; `false`: not at all. Default: as the service does it in `Server`,
   * not at all in `WebHandler`.
   */
  readonly webhooks?: Rules.Options | false | undefined
}
