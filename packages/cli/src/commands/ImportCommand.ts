/** The command that imports contacts. */
import * as Command from "../usage/Command.ts"

const contacts = Command.make({
  path: "contacts import",
  summary: "Create the contacts of a CSV or NDJSON file, and write the lines that are refused to another one.",
  examples: [
    "mailstream contacts import contacts.csv",
    "mailstream contacts import contacts.csv --dry-run",
    "mailstream contacts import contacts.csv --resume spring --segment ID",
    "mailstream contacts import crm.csv --map \"E-Mail=email,Vorname=first_name\" --properties all",
    "mailstream contacts import contacts.csv --on-existing update",
    "mailstream contacts import - --input ndjson < contacts.ndjson"
  ],
  action: Command.loadRun(
    () => import("../import/Flags.ts").then(({ flags }) => flags),
    () => import("../import/Import.ts").then(({ run }) => run)
  )
})

export const all: ReadonlyArray<Command.Command> = [contacts]
