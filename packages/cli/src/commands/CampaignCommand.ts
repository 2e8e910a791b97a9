/** The commands for campaigns: writing to every contact, each at most once. */
import * as Command from "../usage/Command.ts"

const flags = () => import("../campaign/Flags.ts")

const states = () => import("../campaign/Status.ts")

export const campaign: Command.Command = {
  path: "campaign",
  summary: "Write to every contact, each at most once, even if it is killed and run again.",
  examples: [
    "mailstream campaign run news-2026-11 --template news --database sqlite:campaigns.db",
    "mailstream campaign status news-2026-11 --database sqlite:campaigns.db"
  ],
  commands: [
    Command.make({
      path: "campaign run",
      summary: "Send an email to every contact, each at most once. Run it again after a crash: it continues.",
      examples: [
        "mailstream campaign run news-2026-11 --template news --database sqlite:campaigns.db --dry-run",
        "mailstream campaign run news-2026-11 --template news --database sqlite:campaigns.db",
        "mailstream campaign run spring --segment ID --from \"Ada <ada@example.com>\" --subject \"Hello {{{first_name|there}}}\" --html-file spring.html --database sqlite:campaigns.db",
        "MAILSTREAM_DATABASE_URL=postgres://… mailstream campaign run news-2026-11 --template news --wait --yes"
      ],
      action: Command.loadRun(
        () => flags().then(({ run }) => run),
        () => import("../campaign/Run.ts").then(({ run }) => run)
      )
    }),
    Command.make({
      path: "campaign status",
      summary: "Print how far a campaign is. Needs no service.",
      examples: ["mailstream campaign status news-2026-11 --database sqlite:campaigns.db"],
      action: Command.loadRun(() => flags().then(({ status }) => status), () => states().then(({ status }) => status))
    }),
    Command.make({
      path: "campaign list",
      summary: "Print all campaigns of a database, newest first. Needs no service.",
      examples: ["mailstream campaign list --database sqlite:campaigns.db"],
      action: Command.loadRun(() => flags().then(({ list }) => list), () => states().then(({ list }) => list))
    }),
    Command.make({
      path: "campaign recipients",
      summary: "Print what became of each contact of a campaign. Needs no service.",
      examples: [
        "mailstream campaign recipients news-2026-11 --state rejected --database sqlite:campaigns.db",
        "mailstream campaign recipients news-2026-11 --format csv --database sqlite:campaigns.db"
      ],
      action: Command.loadRun(
        () => flags().then(({ recipients }) => recipients),
        () => states().then(({ recipients }) => recipients)
      )
    }),
    Command.make({
      path: "campaign deliveries",
      summary: "Ask the service what became of the accepted emails, store it with each contact, and count.",
      examples: ["mailstream campaign deliveries news-2026-11 --database sqlite:campaigns.db"],
      action: Command.loadRun(
        () => flags().then(({ deliveries }) => deliveries),
        () => import("../campaign/Deliveries.ts").then(({ deliveries }) => deliveries)
      )
    }),
    Command.make({
      path: "campaign resolve",
      summary: "Decide about contacts when it is unknown whether they were written to.",
      examples: [
        "mailstream campaign resolve news-2026-11 --assume-sent --database sqlite:campaigns.db",
        "mailstream campaign resolve news-2026-11 --resend --id ID --database sqlite:campaigns.db --yes"
      ],
      action: Command.loadRun(
        () => flags().then(({ resolve }) => resolve),
        () => states().then(({ resolve }) => resolve)
      )
    }),
    Command.make({
      path: "campaign forget",
      summary: "Let the next run consider contacts again who were not written to.",
      examples: [
        "mailstream campaign forget news-2026-11 --state rejected --database sqlite:campaigns.db",
        "mailstream campaign forget news-2026-11 --state planned --database sqlite:campaigns.db"
      ],
      action: Command.loadRun(() => flags().then(({ forget }) => forget), () => states().then(({ forget }) => forget))
    })
  ]
}
