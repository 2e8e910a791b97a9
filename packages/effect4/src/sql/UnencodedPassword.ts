/**
 * Why the URL of a database is refused.
 *
 * @since 1.0.0
 */
import { unencoded } from "@mailstream/kernel/postgres/Url"
import * as Data from "effect/Data"

/**
 * The user name or the password in the URL of a database has an `@`, `#`, `/` or `?` that is not percent-encoded, so that a part of it would be
 * taken for the name of the host or of the database. Nothing was connected to, and nothing of the URL is in the error.
 *
 * @since 1.0.0
 * @category errors
 */
export class UnencodedPassword extends Data.TaggedError("UnencodedPassword") {
  override get message(): string {
    return `The URL of the database ${unencoded}`
  }
}
