/** The options of `mailstream emails send` for the emails of a file. */
import * as Connection from "../api/Connection.ts"
import * as ImportFlags from "../import/Flags.ts"
import * as Flag from "../usage/Flag.ts"
import * as Value from "../usage/Value.ts"

export const flags = {
  batch: Flag.optional(
    Value.file("FILE"),
    "Send the emails of a file, of any number, in batches: .csv, .ndjson, or .json with an array; - is standard input. CSV has a " +
      "column for each field, and variables.NAME for variables of the template. Other options are for emails without these fields."
  ),
  input: Flag.optional(
    Value.choice(["csv", "ndjson", "json"]),
    "Format of the file of --batch. Default: by its extension."
  ),
  separator: Flag.optional(
    ImportFlags.separator,
    "What separates the cells of CSV. Default: what the header has most of."
  ),
  ignoreOtherColumns: Flag.boolean("Ignore columns of CSV that are no fields."),
  refused: Flag.optional(
    Value.file("FILE"),
    "Where emails of --batch that are rejected are written, with the reasons. It must not exist. Default: beside the file, as " +
      "FILE.refused.csv or .ndjson; if that exists, FILE.refused-2.csv and so on."
  ),
  resume: Flag.optional(
    ImportFlags.name,
    "Make --batch resumable: run it again with the same name, and it continues where it stopped, even after a crash, and sends " +
      "nothing twice. The position is stored beside the file, in NAME.mailstream-send."
  ),
  expired: Flag.optional(
    Value.choice(["send", "skip"]),
    "What to do with emails that an earlier run may have sent, if their idempotency keys are too old to repeat them safely: " +
      "send them, perhaps twice, or skip them, perhaps never sent. Default: stop."
  ),
  concurrency: Flag.withDefault(Value.integer(1, 20), 5, "Batches in flight at the same time. Default: 5."),
  rateLimit: Connection.rateLimit
}

export interface Given extends Flag.Given<typeof flags> {}
