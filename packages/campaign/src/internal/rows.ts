/** Changes, as this line commits them. */
import type * as Rows from "@mailstream/kernel/campaign/Rows"
import type * as Database from "@mailstream/sql/Database"

export type { Entry, Member, Row, StoredMember, Unit } from "@mailstream/kernel/campaign/Rows"

/** One change of a campaign. */
export interface Change extends Rows.Change {
  /** If it changes no unit: whether it was made already, by a commit whose response was lost. */
  readonly isDone?: Database.Query<boolean> | undefined
}
