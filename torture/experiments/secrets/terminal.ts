/** The command-line program, in every way that produces output. */
import * as Mark from "../../support/mark.ts"

/** Its arguments; `directory` is where it may write. */
export const commands = (directory: string, email: string): ReadonlyArray<ReadonlyArray<string>> =>
  [
    ["contacts", "list", "--output", `${directory}/contacts.csv`],
    ["contacts", "list", "--output", `${directory}/contacts.ndjson`, "--resume", "secrets"],
    ["received-email-attachments", "list", "--email", email],
    ["topics", "create", "--name", "News"],
    ["contacts", "list", "--api-key", Mark.key]
  ].map((args) => [...args, "--log-level", "all"])
