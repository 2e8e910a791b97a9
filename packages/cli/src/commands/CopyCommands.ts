/** The commands for copies in a database: of one account, and of many. */
import * as Lists from "../mirror/Lists.ts"
import * as Command from "../usage/Command.ts"

const copyFlags = () => import("../mirror/Flags.ts")

const copies = () => import("../mirror/Status.ts")

const clusterFlags = () => import("../cluster/Flags.ts")

const control = () => import("../cluster/Control.ts")

const table = () => import("../cluster/Accounts.ts")

const sync = Command.make({
  path: "sync",
  summary: "Copy lists into a SQLite or PostgreSQL database, and keep the copy current.",
  examples: [
    "mailstream sync --to sqlite:mail.db",
    "mailstream sync --to sqlite:mail.db --dry-run",
    "MAILSTREAM_DATABASE_URL=postgres://… mailstream sync --lists contacts,topics --every 1h",
    "mailstream sync status --to sqlite:mail.db"
  ],
  action: Command.loadRun(
    () => copyFlags().then(({ sync }) => sync),
    () => import("../mirror/Sync.ts").then(({ run }) => run),
    ({ every }) => every !== undefined
  ),
  commands: [
    Command.make({
      path: "sync status",
      summary: "Print what the copy holds, how old it is, and what is under way. Needs no service.",
      examples: ["mailstream sync status --to sqlite:mail.db"],
      action: Command.loadRun(
        () => copyFlags().then(({ status }) => status),
        () => copies().then(({ status }) => status)
      )
    }),
    Command.make({
      path: "sync purge",
      summary: "Drop items from the copy that were deleted long ago.",
      examples: ["mailstream sync purge --to sqlite:mail.db --older-than 30d"],
      action: Command.loadRun(() => copyFlags().then(({ drop }) => drop), () => copies().then(({ purge }) => purge))
    }),
    Command.make({
      path: "sync prune",
      summary: "Drop changes that were observed long ago, unless a consumer has yet to read them.",
      examples: ["mailstream sync prune --to sqlite:mail.db --older-than 30d"],
      action: Command.loadRun(() => copyFlags().then(({ drop }) => drop), () => copies().then(({ prune }) => prune))
    })
  ]
})

const changes: Command.Command = {
  path: "changes",
  summary: "Print what changed in a copy made by sync.",
  examples: [
    "mailstream changes contacts --to sqlite:mail.db",
    "mailstream changes contacts --to sqlite:mail.db --consumer crm --follow"
  ],
  commands: Lists.all.map(({ name, title }) =>
    Command.make({
      path: `changes ${name}`,
      summary: `Print what changed in the copy of the ${title}, oldest first. Needs no service.`,
      examples: [
        `mailstream changes ${name} --to sqlite:mail.db`,
        `mailstream changes ${name} --to sqlite:mail.db --consumer crm --follow`
      ],
      action: Command.loadRun(
        () => copyFlags().then(({ changes }) => changes),
        () => import("../mirror/Changes.ts").then(({ run }) => run(name)),
        ({ follow }) => follow
      )
    })
  )
}

const worker = Command.make({
  path: "worker",
  summary: "Copy many accounts into a PostgreSQL database, together with other workers on the same database.",
  examples: [
    "mailstream worker --database postgres://… --accounts accounts.json",
    "MAILSTREAM_DATABASE_URL=postgres://… mailstream worker --accounts accounts.json --every 1h",
    "mailstream worker --accounts table --health-port 8080 --health-host 0.0.0.0"
  ],
  action: Command.loadRun(
    () => clusterFlags().then(({ worker }) => worker),
    () => import("../cluster/Worker.ts").then(({ run }) => run),
    () => true
  )
})

const accounts: Command.Command = {
  path: "cluster accounts",
  summary: "Copy, pause, resume and erase accounts; add, import, remove and list those in the encrypted table.",
  examples: ["mailstream cluster accounts add --id acme < key.txt", "mailstream cluster accounts list"],
  commands: [
    Command.make({
      path: "cluster accounts list",
      summary: "Print the accounts in the encrypted table, without their keys.",
      examples: ["MAILSTREAM_ENCRYPTION_KEYS=1:… mailstream cluster accounts list --database postgres://…"],
      action: Command.loadRun(() => clusterFlags().then(({ table }) => table), () => table().then(({ list }) => list))
    }),
    Command.make({
      path: "cluster accounts add",
      summary:
        "Add an account to the encrypted table, or replace its key. Its base URL stays what it is unless one is given: remove the account first to go back to that of the worker.",
      examples: [
        "mailstream cluster accounts add --id acme < key.txt",
        "mailstream cluster accounts add --id acme --base-url https://api.example.com --key-variable ACME_KEY"
      ],
      action: Command.loadRun(() => clusterFlags().then(({ add }) => add), () => table().then(({ add }) => add))
    }),
    Command.make({
      path: "cluster accounts import",
      summary:
        "Add all accounts of a JSON file to the encrypted table, or none if one of them is wrong. An account without a baseUrl keeps the one that is stored.",
      examples: [
        "mailstream cluster accounts import accounts.json",
        "mailstream cluster accounts import - < accounts.json"
      ],
      action: Command.loadRun(
        () => clusterFlags().then(({ importing }) => importing),
        () => table().then(({ importFrom }) => importFrom)
      )
    }),
    Command.make({
      path: "cluster accounts remove",
      summary: "Remove an account from the encrypted table. Its copy is kept.",
      examples: ["mailstream cluster accounts remove --id acme"],
      action: Command.loadRun(
        () => clusterFlags().then(({ remove }) => remove),
        () => table().then(({ remove }) => remove)
      )
    }),
    Command.make({
      path: "cluster accounts get",
      summary: "Print what workers know about an account: whether it is due, how old its copy is, and its last passes.",
      examples: ["mailstream cluster accounts get --id acme"],
      action: Command.loadRun(
        () => clusterFlags().then(({ accountStatus }) => accountStatus),
        () => control().then(({ get }) => get)
      )
    }),
    Command.make({
      path: "cluster accounts sync",
      summary:
        "Copy accounts now, whether they were copied recently or wait after a failure: all, or none if one is unknown.",
      examples: [
        "mailstream cluster accounts sync --id acme --id globex",
        "mailstream cluster accounts sync --id acme --max-deleted 1"
      ],
      action: Command.loadRun(
        () => clusterFlags().then(({ sync }) => sync),
        () => control().then(({ sync }) => sync)
      )
    }),
    Command.make({
      path: "cluster accounts pause",
      summary:
        "Stop copying accounts until they are resumed: all, or none if one is unknown. Passes in progress are interrupted.",
      examples: ["mailstream cluster accounts pause --id acme --id globex"],
      action: Command.loadRun(
        () => clusterFlags().then(({ changing }) => changing),
        () => control().then(({ pause }) => pause)
      )
    }),
    Command.make({
      path: "cluster accounts resume",
      summary: "Copy accounts again that were paused, from where they were: all, or none if one is unknown.",
      examples: ["mailstream cluster accounts resume --id acme --id globex"],
      action: Command.loadRun(
        () => clusterFlags().then(({ changing }) => changing),
        () => control().then(({ resume }) => resume)
      )
    }),
    Command.make({
      path: "cluster accounts erase",
      summary:
        "Delete everything that the database holds about an account, also its copy. Remove it from a file of accounts first.",
      examples: ["mailstream cluster accounts erase --id acme --yes"],
      action: Command.loadRun(
        () => clusterFlags().then(({ erase }) => erase),
        () => control().then(({ erase }) => erase)
      )
    }),
    Command.make({
      path: "cluster accounts rotate",
      summary: "Encrypt all API keys in the table with the first of the encryption keys.",
      examples: ["MAILSTREAM_ENCRYPTION_KEYS=2:NEW,1:OLD mailstream cluster accounts rotate"],
      action: Command.loadRun(
        () => clusterFlags().then(({ table }) => table),
        () => table().then(({ rotate }) => rotate)
      )
    })
  ]
}

const cluster: Command.Command = {
  path: "cluster",
  summary: "Print what workers are doing, and change the accounts that they copy.",
  examples: ["mailstream cluster status --database postgres://…", "mailstream cluster accounts list"],
  commands: [
    Command.make({
      path: "cluster status",
      summary: "Print what the workers on a database are doing. Needs no worker.",
      examples: [
        "mailstream cluster status --database postgres://…",
        "mailstream cluster status --database postgres://… --format json"
      ],
      action: Command.loadRun(
        () => clusterFlags().then(({ status }) => status),
        () => import("../cluster/Status.ts").then(({ print }) => print)
      )
    }),
    accounts
  ]
}

export const all: ReadonlyArray<Command.Command> = [sync, changes, worker, cluster]
