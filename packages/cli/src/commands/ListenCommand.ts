/** The command that receives events. */
import * as Command from "../usage/Command.ts"

const webhooks = Command.make({
  path: "webhooks listen",
  summary: "Print the events of the service as they happen, through a webhook that exists until Ctrl+C.",
  examples: [
    "mailstream webhooks listen",
    "mailstream webhooks listen --events email.delivered,email.bounced --format ndjson",
    "mailstream webhooks listen --forward http://127.0.0.1:3000/webhook",
    "MAILSTREAM_WEBHOOK_SECRET=whsec_… mailstream webhooks listen --forward http://127.0.0.1:3000/webhook",
    "mailstream webhooks listen --port 8080 --url https://tunnel.example.com"
  ],
  action: Command.loadRun(
    () => import("../listen/Flags.ts").then(({ flags }) => flags),
    () => import("../listen/Listen.ts").then(({ run }) => run),
    () => true
  )
})

export const all: ReadonlyArray<Command.Command> = [webhooks]
