/**
 * What a call reports while it runs.
 *
 * @since 1.0.0
 */
import type { MailstreamError } from "./MailstreamError.ts"

/**
 * The progress of a walk, so far.
 *
 * @since 1.0.0
 * @category models
 */
export interface Progress {
  /** Requests sent, including retries. */
  readonly requests: number
  /** Requests that were repeated after a failure. */
  readonly retries: number
  /** Pages received. */
  readonly pages: number
  /** Items received. */
  readonly items: number
  /** The total wait between attempts, including the current one, in milliseconds. */
  readonly waited: number
  /** The wait before the next attempt, in milliseconds, if one is pending. */
  readonly waiting: number | undefined
}

/**
 * A request that is about to be repeated.
 *
 * @since 1.0.0
 * @category models
 */
export interface RetryNotice {
  /** How many attempts of this request have failed: 1 for the first. */
  readonly attempt: number
  /** Why the last one failed. */
  readonly error: MailstreamError
  /** The wait before the next attempt, in milliseconds. */
  readonly wait: number
}

/**
 * @since 1.0.0
 * @category options
 */
export interface Observed {
  /**
   * Called whenever the progress of the walk changes: for every request and every page, not for every item. If it returns
   * a promise, the walk waits for it; what it throws ends the walk, which throws it again.
   *
   * @example
   * ```ts
   * import { Mailstream } from "@mailstream/client"
   *
   * const mailstream = Mailstream.fromEnv()
   *
   * const contacts = mailstream.contacts.items({
   *   progress: ({ items, pages }) => console.log(`${items} contacts in ${pages} pages`)
   * })
   * ```
   */
  readonly progress?: ((progress: Progress) => unknown) | undefined
}
