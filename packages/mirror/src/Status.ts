/**
 * What a copy holds, and what is under way.
 *
 * @since 1.0.0
 */
import type { Name } from "./Lists.ts"
import type { Counts } from "./Sync.ts"

/**
 * What the copy of one list holds, and what is under way.
 *
 * @since 1.0.0
 * @category models
 */
export interface Status {
  readonly list: Name
  /** Whether a pass copies the list only if `lists` names it, because it takes a request for each of many owners. */
  readonly isCostly: boolean
  /** How many items the copy holds. */
  readonly items: number
  /** How many rows are marked as deleted. */
  readonly deleted: number
  /** When the last pass ended. */
  readonly completedAt: string | undefined
  /** What the last pass did. */
  readonly lastPass: Counts | undefined
  /** The pass that is under way, or was interrupted. */
  readonly pass: PassStatus | undefined
  /** Why the list could not be copied. */
  readonly error: string | undefined
  /** The number of the last change. */
  readonly changes: number
  /** How far each consumer has come. */
  readonly consumers: Readonly<Record<string, number>>
}

/**
 * A pass that has not ended.
 *
 * @since 1.0.0
 * @category models
 */
export interface PassStatus {
  readonly beganAt: string
  /** When it was last heard of. */
  readonly activeAt: string
  /** Whether it failed, was stopped, or has been silent for more than a minute. The next pass continues it. */
  readonly isInterrupted: boolean
  /** How often it was begun or continued. */
  readonly attempts: number
  readonly counts: Counts
}
