/** The options of `mailstream emails send`. */
import * as Run from "../operations/Run.ts"
import type * as Flag from "../usage/Flag.ts"
import * as Flags from "./Flags.ts"

export const subject = Run.subjectOf("emails", "send")

export const flags = { ...Run.flags(subject), ...Flags.flags }

/** The options of one email, and of a file of them. */
export type Given = Flag.Given<typeof flags> & Run.Given
