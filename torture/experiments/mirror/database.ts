/** The database of a copy, at a URL or a path. */
import type { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Mirror } from "@mailstream/mirror"
import * as Sqlite from "@mailstream/sql/Sqlite"
import { Layer, Redacted } from "effect"

export const isPostgres = (target: string): boolean => target.startsWith("postgres")

export const layer = (target: string): Layer.Layer<SqlClient.SqlClient, unknown> =>
  isPostgres(target)
    ? PgClient.layer({ url: Redacted.make(target), connectTimeout: "1 minute" })
    : Sqlite.layer({ filename: target })

/** With the tables of the copy. */
export const copy = (target: string): Layer.Layer<Mirror.Mirror | SqlClient.SqlClient, unknown> =>
  Layer.provideMerge(Mirror.layer(), layer(target))

/** The lists that change, owners before what they own. */
export const lists: ReadonlyArray<Mirror.Name> = [
  "segments",
  "contacts",
  "received-emails",
  "topics",
  "received-email-attachments",
  "segment-contacts"
]

/** Where the consumer of the changes keeps them: a row for each change that it has processed. */
export const consumed = "torture_consumed"

export const consumer = "torture"
