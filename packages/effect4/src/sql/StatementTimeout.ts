/**
 * Why a statement was given up.
 *
 * @since 1.0.0
 */
import { codeOf } from "@mailstream/kernel/postgres/Limits"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"

/**
 * The innermost cause of the `SqlError` of a statement that took too long.
 *
 * - `Lock`: another session holds a lock that it needs.
 * - `Silent`: PostgreSQL does not respond.
 * - `Statement`: PostgreSQL was still working on it when its time was over.
 *
 * It is unknown whether a statement to a silent database has had an effect; otherwise, it has had none.
 *
 * @since 1.0.0
 * @category errors
 */
export class StatementTimeout extends Data.TaggedError("StatementTimeout")<{
  readonly reason: "Lock" | "Silent" | "Statement"
  readonly waited: Duration.Duration
  readonly message: string
}> {
  /** PostgreSQL's own code for it. */
  get code(): string {
    return codeOf(this.reason)
  }
}
