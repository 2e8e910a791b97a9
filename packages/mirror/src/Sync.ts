/**
 * What a pass copies, and what comes of it.
 *
 * @since 1.0.0
 */
import type { SqlError } from "@effect/sql/SqlError"
import { reasonOf } from "@mailstream/core"
import type { ListError, Progress, RetryPolicy } from "@mailstream/stream"
import * as Array from "effect/Array"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Name } from "./Lists.ts"
import type { OtherService, TooManyDeletions, UnreadableOwners, UnstorableItem } from "./MirrorError.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface SyncOptions {
  /**
   * The lists to copy, at least one; default: `Mirror.defaults`, which are all but those that take a request for each of many
   * owners, such as `contact-topics`. To copy everything: `Mirror.names`.
   */
  readonly lists?: ReadonlyArray<Name> | undefined
  /** How many parts of a list are walked at once, if it comes in pages and has been copied before; default: 1. */
  readonly lanes?: number | undefined
  /** The share of the items in the copy that one pass may mark as deleted, from 0 to 1; default: 0.5. */
  readonly maxDeleted?: number | undefined
  /** The maximum number of items in a page, from 1 to 100; default: 100. */
  readonly pageSize?: number | undefined
  /**
   * How long another process that makes the same pass may be silent before this one takes over; default: a minute. It should
   * exceed what a request takes with its retries: if both continue the pass, the slower one has wasted a request.
   */
  readonly patience?: Duration.DurationInput | undefined
  /**
   * Also compares the rows of items that have not changed since the last pass, and so repairs those that other programs have
   * edited; default: false.
   */
  readonly full?: boolean | undefined
  /** Only counts what a pass would change; default: false. */
  readonly dryRun?: boolean | undefined
  /** When to retry a request; default: `RetryPolicy.default`. */
  readonly retry?: RetryPolicy.RetryPolicy | undefined
  /** Receives the progress of a list. */
  readonly progress?: ((list: Name) => Progress.Tracker | undefined) | undefined
}

/**
 * @since 1.0.0
 * @category models
 */
export interface RunOptions extends Omit<SyncOptions, "dryRun"> {
  /** The time from pass to pass; default: an hour. */
  readonly every?: Duration.DurationInput | undefined
  /** How often to look for new items between passes; default: every five seconds. */
  readonly poll?: Duration.DurationInput | undefined
  /** Receives the report of each list after each pass, and of failures in between; default: failures are logged. */
  readonly onReport?: ((report: Report) => Effect.Effect<void>) | undefined
}

/**
 * How many items of a list were created, updated, deleted or unchanged.
 *
 * @since 1.0.0
 * @category models
 */
export interface Counts {
  readonly created: number
  readonly updated: number
  readonly deleted: number
  readonly unchanged: number
}

/**
 * What a pass over one list has done.
 *
 * @since 1.0.0
 * @category models
 */
export interface Synced extends Counts {
  readonly list: Name
}

/**
 * Why a list could not be copied.
 *
 * @since 1.0.0
 * @category errors
 */
export type SyncError = ListError | SqlError | TooManyDeletions | OtherService | UnstorableItem | UnreadableOwners

/**
 * What a pass over one list did, or why it failed.
 *
 * @since 1.0.0
 * @category models
 */
export interface Report {
  readonly list: Name
  readonly result: Either.Either<Counts, SyncError>
}

/**
 * Some lists could not be copied. All others were.
 *
 * @since 1.0.0
 * @category errors
 */
export class SyncFailed extends Data.TaggedError("SyncFailed")<{
  readonly account: string
  /** One for each list, in order. */
  readonly reports: ReadonlyArray<Report>
}> {
  /** The errors, by list. */
  get failures(): ReadonlyArray<{ readonly list: Name; readonly error: SyncError }> {
    return this.reports.flatMap(({ list, result }) => Either.isLeft(result) ? [{ list, error: result.left }] : [])
  }

  override get message(): string {
    // A wrong key fails every list in the same way, which is said once.
    const reasons = Object.values(Array.groupBy(this.failures, ({ error }) => reasonOf(error))).map((failed) =>
      `${failed.map(({ list }) => list).join(", ")}: ${failed[0].error.message}`
    )
    return `${this.failures.length} of ${this.reports.length} lists of account "${this.account}" could not be copied. \
${reasons.join(" ")}`
  }
}
