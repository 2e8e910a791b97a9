/** The command that sends emails: one from options, or those of a file. */
import { operations } from "@mailstream/core/EmailOperations"
import * as Words from "../operations/Words.ts"
import * as Command from "../usage/Command.ts"

const emails = Command.make({
  path: "emails send",
  summary: Words.summaryOf(operations.send).replace(/\..*/, ", or the emails of a file."),
  examples: [
    "mailstream emails send --to ada@example.com --from news@example.com --subject \"What is new\" --text Hello --yes",
    "mailstream emails send --to ada@example.com --template welcome --tag campaign=spring --yes",
    "mailstream emails send --to ada@example.com --from news@example.com --subject Invoice --html-file mail.html --attach invoice.pdf",
    "mailstream emails send --json email.json --scheduled-at 2026-12-24T08:00:00Z",
    "mailstream emails send --batch emails.csv --from news@example.com --resume spring",
    "mailstream emails send --batch - --input ndjson --yes < emails.ndjson"
  ],
  action: Command.load(() => import("../send/Send.ts"), ({ action }) => action)
})

export const all: ReadonlyArray<Command.Command> = [emails]
