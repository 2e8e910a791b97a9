/**
 * Why a pooler cannot be used.
 *
 * @since 1.0.0
 */
import { shared } from "@mailstream/kernel/postgres/Limits"
import * as Data from "effect/Data"

/**
 * A pooler gives one session of PostgreSQL to several clients in turn, as PgBouncer does with `pool_mode = transaction` or
 * `statement`. Settings and locks of a session would be those of other programs, too.
 *
 * @since 1.0.0
 * @category errors
 */
export class SharedSessions extends Data.TaggedError("SharedSessions") {
  override get message(): string {
    return shared
  }
}
