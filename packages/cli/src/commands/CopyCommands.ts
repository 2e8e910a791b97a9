/**
 * The commands for copies in a database: of one account, and of many.
 *
 * @since 1.0.0
 */
import * as Lists from "../mirror/Lists.ts"
import { command, type Entry, load } from "./Entry.ts"

const sync = command({
  path: "sync",
  summary: "Copy lists into a SQLite or PostgreSQL database, and keep the copy current.",
  examples: [
    "mailstream sync --to sqlite:mail.db",
    "mailstream sync --to sqlite:mail.db --dry-run",
    "MAILSTREAM_DATABASE_URL=postgres://… mailstream sync --lists contacts,topics --every 1h",
    "mailstream sync status --to sqlite:mail.db"
  ],
  action: load(() => import("./Sync.ts"), ({ action }) => action),
  commands: [
    command({
      path: "sync status",
      summary: "Print what the copy holds, how old it is, and what is under way. Needs no service.",
      examples: ["mailstream sync status --to sqlite:mail.db"],
      action: load(() => import("./Sync.ts"), ({ status }) => status)
    }),
    command({
      path: "sync purge",
      summary: "Drop items from the copy that were deleted long ago.",
      examples: ["mailstream sync purge --to sqlite:mail.db --older-than 30d"],
      action: load(() => import("./Sync.ts"), ({ drop }) => drop("purge"))
    }),
    command({
      path: "sync prune",
      summary: "Drop changes that were observed long ago, unless a consumer has yet to read them.",
      examples: ["mailstream sync prune --to sqlite:mail.db --older-than 30d"],
      action: load(() => import("./Sync.ts"), ({ drop }) => drop("prune"))
    })
  ]
})

const changes: Entry = {
  path: "changes",
  summary: "Print what changed in a copy made by sync.",
  examples: [
    "mailstream changes contacts --to sqlite:mail.db",
    "mailstream changes contacts --to sqlite:mail.db --consumer crm --follow"
  ],
  commands: Lists.all.map(({ name, title }) =>
    command({
      path: `changes ${name}`,
      summary: `Print what changed in the copy of the ${title}, oldest first. Needs no service.`,
      examples: [
        `mailstream changes ${name} --to sqlite:mail.db`,
        `mailstream changes ${name} --to sqlite:mail.db --consumer crm --follow`
      ],
      action: load(() => import("./Changes.ts"), ({ action }) => action(name))
    })
  )
}

const worker = command({
  path: "worker",
  summary: "Copy many accounts into a PostgreSQL database, together with other workers on the same database.",
  examples: [
    "mailstream worker --database postgres://… --accounts accounts.json",
    "MAILSTREAM_DATABASE_URL=postgres://… mailstream worker --accounts accounts.json --every 1h --port 34432",
    "mailstream worker --accounts table --host 10.0.0.7 --health-port 8080 --health-host 0.0.0.0"
  ],
  action: load(() => import("./Worker.ts"), ({ action }) => action)
})

const accounts: Entry = {
  path: "cluster accounts",
  summary: "Add, remove and list accounts in the encrypted table.",
  examples: ["mailstream cluster accounts add --id acme < key.txt", "mailstream cluster accounts list"],
  commands: [
    command({
      path: "cluster accounts list",
      summary: "Print the accounts in the encrypted table, without their keys.",
      examples: ["MAILSTREAM_ENCRYPTION_KEYS=1:… mailstream cluster accounts list --database postgres://…"],
      action: load(() => import("./Cluster.ts"), ({ table }) => table("list"))
    }),
    command({
      path: "cluster accounts add",
      summary: "Add an account to the encrypted table, or replace its key and address.",
      examples: [
        "mailstream cluster accounts add --id acme < key.txt",
        "mailstream cluster accounts add --id acme --base-url https://api.example.com --key-variable ACME_KEY"
      ],
      action: load(() => import("./Cluster.ts"), ({ add }) => add)
    }),
    command({
      path: "cluster accounts remove",
      summary: "Remove an account from the encrypted table. Its copy is kept.",
      examples: ["mailstream cluster accounts remove --id acme"],
      action: load(() => import("./Cluster.ts"), ({ remove }) => remove)
    }),
    command({
      path: "cluster accounts rotate",
      summary: "Encrypt all API keys in the table with the first of the encryption keys.",
      examples: ["MAILSTREAM_ENCRYPTION_KEYS=2:NEW,1:OLD mailstream cluster accounts rotate"],
      action: load(() => import("./Cluster.ts"), ({ table }) => table("rotate"))
    })
  ]
}

const cluster: Entry = {
  path: "cluster",
  summary: "Print what workers are doing, and change the accounts that they copy.",
  examples: ["mailstream cluster status --database postgres://…", "mailstream cluster accounts list"],
  commands: [
    command({
      path: "cluster status",
      summary: "Print what the workers on a database are doing. Needs no worker.",
      examples: [
        "mailstream cluster status --database postgres://…",
        "mailstream cluster status --database postgres://… --format json"
      ],
      action: load(() => import("./Cluster.ts"), ({ status }) => status)
    }),
    accounts
  ]
}

/**
 * @since 1.0.0
 * @category commands
 */
export const all: ReadonlyArray<Entry> = [sync, changes, worker, cluster]
