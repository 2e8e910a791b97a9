/**
 * The commands of the program, and their pages of the help. To add one, write its module in this folder and add it to
 * `commands` below; a command for every list goes into `listCommands`.
 *
 * What runs them is imported when it is needed.
 *
 * @since 1.0.0
 */
import { Resource } from "@mailstream/core"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Explanations from "../explain/Explanations.ts"
import * as Lists from "../mirror/Lists.ts"
import type { Tree } from "../usage/completion/Tree.ts"
import type { Flag } from "../usage/Flag.ts"
import * as Page from "../usage/Page.ts"
import type * as Implementation from "./Implementation.ts"

/**
 * A command that can be run, or a group of them.
 *
 * @since 1.0.0
 * @category models
 */
export type Entry = Single | Group

/**
 * A command, and how to load it.
 *
 * @since 1.0.0
 * @category models
 */
export interface Single<out Command extends Loaded = Loaded> {
  readonly page: Page.Page
  readonly load: Effect.Effect<Command>
}

/**
 * Commands with a word in common, as in `contacts list`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Group {
  readonly page: Page.Page
  /** What the word alone does, as `sync` does; without it, a subcommand is needed. */
  readonly own?: Single<ReturnType<typeof Implementation.Sync.command>> | undefined
  readonly commands: Array.NonEmptyReadonlyArray<Single | Subgroup>
}

/**
 * A group within a group, as in `cluster accounts list`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Subgroup {
  readonly page: Page.Page
  readonly commands: Array.NonEmptyReadonlyArray<Single>
}

/**
 * A command that has been loaded.
 *
 * @since 1.0.0
 * @category models
 */
export type Loaded =
  | ReturnType<typeof Implementation.List.command>
  | ReturnType<typeof Implementation.Follow.command>
  | ReturnType<typeof Implementation.Topics.create>
  | ReturnType<typeof Implementation.Sync.command>
  | ReturnType<typeof Implementation.Sync.status>
  | ReturnType<typeof Implementation.Sync.drop>
  | ReturnType<typeof Implementation.Changes.command>
  | ReturnType<typeof Implementation.Worker.command>
  | ReturnType<typeof Implementation.Cluster.status>
  | ReturnType<typeof Implementation.Cluster.add>
  | ReturnType<typeof Implementation.Cluster.remove>
  | ReturnType<typeof Implementation.Cluster.table>
  | ReturnType<typeof Implementation.Explain.command>
  | ReturnType<typeof Implementation.Serve.command>
  | ReturnType<typeof Implementation.Demo.command>

/**
 * What runs the commands.
 *
 * @since 1.0.0
 * @category getters
 */
export const implementation: Effect.Effect<typeof Implementation> = Effect.promise(() => import("./Implementation.ts"))

const single = <Command extends Loaded>(
  given: Omit<Page.Page, "commands">,
  make: (implementation: typeof Implementation, page: Page.Page) => Command
): Single<Command> => {
  const page = { ...given, commands: [] }
  let loaded: Command | undefined
  return { page, load: Effect.map(implementation, (implementation) => loaded ??= make(implementation, page)) }
}

/** A group whose page names its commands. */
const group = <Command extends { readonly page: Page.Page }>(
  page: Omit<Page.Page, "commands">,
  commands: Array.NonEmptyReadonlyArray<Command>
): { readonly page: Page.Page; readonly commands: Array.NonEmptyReadonlyArray<Command> } => ({
  commands,
  page: { ...page, commands: commands.map(({ page }) => page) }
})

const enumerate = (words: ReadonlyArray<string>): string =>
  [words.slice(0, -1).join(", "), ...words.slice(-1)].join(" and ")

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const createTopic = single(
  {
    path: "topics create",
    summary: "Create a topic and print its id.",
    examples: [
      "mailstream topics create --name \"Product news\"",
      "mailstream topics create --name News --description \"What is new\" --default-subscription opt_in"
    ]
  },
  ({ Topics }, page) => Topics.create(page)
)

const listCommands = ({ name, scope, title }: typeof Resource.all[number]): Group => {
  const example = scope?.required === true ? ` --${scope.noun} ID` : ""
  const list = single(
    {
      path: `${name} list`,
      summary: `Print all ${title}, newest first.`,
      examples: [
        `mailstream ${name} list${example} --take 5`,
        `mailstream ${name} list${example} --output ${name}.csv`,
        `mailstream ${name} list${example} --output ${name}.ndjson --resume export-2026-11`,
        `mailstream ${name} list${example} --format ndjson | head -n 1`
      ]
    },
    ({ List }, page) => List.command(page, name)
  )
  const follow = single(
    {
      path: `${name} follow`,
      summary: `Print new ${title} as they are created, oldest first, until Ctrl+C.`,
      examples: [
        `mailstream ${name} follow${example}`,
        `mailstream ${name} follow${example} --since ID --every 1m --format ndjson`
      ]
    },
    ({ Follow }, page) => Follow.command(page, name)
  )
  const commands: Group["commands"] = [list, follow, ...(name === Resource.topics.name ? [createTopic] : [])]
  const pages = commands.map(({ page }) => page)
  return group({
    path: name,
    summary: `${capitalize(enumerate(pages.map(Page.nameOf)))} ${title}.`,
    examples: pages.flatMap(({ examples }) => examples.slice(0, 1))
  }, commands)
}

const syncCommands = (): Group => {
  const status = single(
    {
      path: "sync status",
      summary: "Print what the copy holds, how old it is, and what is under way. Needs no service.",
      examples: ["mailstream sync status --to sqlite:mail.db"]
    },
    ({ Sync }, page) => Sync.status(page)
  )
  const purge = single(
    {
      path: "sync purge",
      summary: "Drop items from the copy that were deleted long ago.",
      examples: ["mailstream sync purge --to sqlite:mail.db --older-than 30d"]
    },
    ({ Sync }, page) => Sync.drop(page, "purge")
  )
  const prune = single(
    {
      path: "sync prune",
      summary: "Drop changes that were observed long ago, unless a consumer has yet to read them.",
      examples: ["mailstream sync prune --to sqlite:mail.db --older-than 30d"]
    },
    ({ Sync }, page) => Sync.drop(page, "prune")
  )
  const own = single(
    {
      path: "sync",
      summary: "Copy lists into a SQLite or PostgreSQL database, and keep the copy current.",
      examples: [
        "mailstream sync --to sqlite:mail.db",
        "mailstream sync --to sqlite:mail.db --dry-run",
        "MAILSTREAM_DATABASE_URL=postgres://… mailstream sync --lists contacts,topics --every 1h",
        "mailstream sync status --to sqlite:mail.db"
      ]
    },
    ({ Sync }, page) => Sync.command(page)
  )
  return { own, ...group<Single>(own.page, [status, purge, prune]) }
}

const changesCommands = (): Group => {
  const commands = Array.map(Lists.all, ({ name, title }) =>
    single(
      {
        path: `changes ${name}`,
        summary: `Print what changed in the copy of the ${title}, oldest first. Needs no service.`,
        examples: [
          `mailstream changes ${name} --to sqlite:mail.db`,
          `mailstream changes ${name} --to sqlite:mail.db --consumer crm --follow`
        ]
      },
      ({ Changes }, page) => Changes.command(page, name)
    ))
  return group({
    path: "changes",
    summary: "Print what changed in a copy that sync has made.",
    examples: [
      "mailstream changes contacts --to sqlite:mail.db",
      "mailstream changes contacts --to sqlite:mail.db --consumer crm --follow"
    ]
  }, commands)
}

const worker = single(
  {
    path: "worker",
    summary: "Copy many accounts into a PostgreSQL database, together with other workers on the same database.",
    examples: [
      "mailstream worker --database postgres://… --accounts accounts.json",
      "MAILSTREAM_DATABASE_URL=postgres://… mailstream worker --accounts accounts.json --every 1h --port 34432",
      "mailstream worker --accounts table --host 10.0.0.7 --health-port 8080 --health-host 0.0.0.0"
    ]
  },
  ({ Worker }, page) => Worker.command(page)
)

const clusterCommands = (): Group => {
  const status = single(
    {
      path: "cluster status",
      summary: "Print what the workers on a database are doing. Needs no worker.",
      examples: [
        "mailstream cluster status --database postgres://…",
        "mailstream cluster status --database postgres://… --format json"
      ]
    },
    ({ Cluster }, page) => Cluster.status(page)
  )
  const list = single(
    {
      path: "cluster accounts list",
      summary: "Print the accounts in the encrypted table, without their keys.",
      examples: ["MAILSTREAM_ENCRYPTION_KEYS=1:… mailstream cluster accounts list --database postgres://…"]
    },
    ({ Cluster }, page) => Cluster.table(page, "list")
  )
  const add = single(
    {
      path: "cluster accounts add",
      summary: "Add an account to the encrypted table, or replace its key and address.",
      examples: [
        "mailstream cluster accounts add --id acme < key.txt",
        "mailstream cluster accounts add --id acme --base-url https://api.example.com --key-variable ACME_KEY"
      ]
    },
    ({ Cluster }, page) => Cluster.add(page)
  )
  const remove = single(
    {
      path: "cluster accounts remove",
      summary: "Remove an account from the encrypted table. Its copy is kept.",
      examples: ["mailstream cluster accounts remove --id acme"]
    },
    ({ Cluster }, page) => Cluster.remove(page)
  )
  const rotate = single(
    {
      path: "cluster accounts rotate",
      summary: "Encrypt all API keys in the table with the first of the encryption keys.",
      examples: ["MAILSTREAM_ENCRYPTION_KEYS=2:NEW,1:OLD mailstream cluster accounts rotate"]
    },
    ({ Cluster }, page) => Cluster.table(page, "rotate")
  )
  const accounts: Subgroup = group({
    path: "cluster accounts",
    summary: "Add, remove and list accounts in the encrypted table.",
    examples: ["mailstream cluster accounts add --id acme < key.txt", "mailstream cluster accounts list"]
  }, [list, add, remove, rotate])
  const commands: Group["commands"] = [status, accounts]
  return group({
    path: "cluster",
    summary: "Print what workers are doing, and change the accounts that they copy.",
    examples: ["mailstream cluster status --database postgres://…", "mailstream cluster accounts list"]
  }, commands)
}

const explainCommands = (): Group => {
  const { tags, unexpected } = Explanations
  const known: Array.NonEmptyReadonlyArray<Explanations.Tag> = Array.append(
    tags.filter((tag) => tag !== unexpected),
    unexpected
  )
  const commands = Array.map(known, (tag) =>
    single(
      {
        path: `explain ${tag}`,
        summary: Explanations.all[tag].meaning,
        examples: [`mailstream explain ${tag}`]
      },
      ({ Explain }, page) => Explain.command(page, tag)
    ))
  return group({
    path: "explain",
    summary: "Say what an error means, when it occurs, and what to do.",
    examples: ["mailstream explain validation_error", "mailstream explain TransportError"]
  }, commands)
}

const serve = single(
  {
    path: "serve",
    summary: "Serve the API on this machine, with sample data and optional faults.",
    examples: [
      "mailstream serve",
      "mailstream serve --port 0 --items contacts=10000,topics=20 --api-key re_local",
      "mailstream serve --store sqlite:mailstream.db",
      "mailstream serve --accounts 200 --accounts-file accounts.json",
      "mailstream serve --cors http://localhost:5173 --api-key re_local",
      "mailstream serve --rate-limit 10/1s --latency 50ms --faults 0.1 --seed 7"
    ]
  },
  ({ Serve }, page) => Serve.command(page)
)

const demo = single(
  {
    path: "demo",
    summary: "Stream all contacts from a temporary service, or from yours if MAILSTREAM_BASE_URL is set, and sum up.",
    examples: ["mailstream demo", "MAILSTREAM_BASE_URL=https://… MAILSTREAM_API_KEY=… mailstream demo"]
  },
  ({ Demo }, page) => Demo.command(page)
)

const commands: Array.NonEmptyReadonlyArray<Entry> = [
  ...Array.map(Resource.all, listCommands),
  syncCommands(),
  changesCommands(),
  worker,
  clusterCommands(),
  explainCommands(),
  serve,
  demo
]

/**
 * The help of the program, with that of all its commands.
 *
 * @since 1.0.0
 * @category help
 */
export const page: Page.Page = {
  path: "",
  summary: "The email service from a terminal: list, follow, create, copy and serve.",
  examples: [
    "mailstream serve --api-key re_local &",
    "export MAILSTREAM_BASE_URL=http://127.0.0.1:8025 MAILSTREAM_API_KEY=re_local",
    "mailstream contacts list --take 5",
    "mailstream contacts list --output contacts.csv",
    "mailstream topics create --name \"Product news\"",
    "mailstream sync --to sqlite:mail.db"
  ],
  commands: commands.map(({ page }) => page)
}

const singles = (entry: Entry | Subgroup): ReadonlyArray<Single> =>
  "commands" in entry ? [...ownOf(entry), ...entry.commands.flatMap(singles)] : [entry]

const ownOf = (entry: Group | Subgroup): ReadonlyArray<Single> =>
  "own" in entry && entry.own !== undefined ? [entry.own] : []

/**
 * The options of a command. A group has none.
 *
 * @since 1.0.0
 * @category getters
 */
export const flagsOf = ({ path }: Page.Page): Effect.Effect<ReadonlyArray<Flag>> => {
  const found = commands.flatMap(singles).find(({ page }) => page.path === path)
  return found === undefined ? Effect.succeed([]) : Effect.map(found.load, ({ flags }) => flags)
}

/**
 * Every command, with its options.
 *
 * @since 1.0.0
 * @category getters
 */
export const tree: Effect.Effect<Tree> = Effect.suspend(() => {
  const pages = (page: Page.Page): ReadonlyArray<Page.Page> => [page, ...page.commands.flatMap(pages)]
  return Effect.forEach(pages(page), (page) => Effect.map(flagsOf(page), (flags) => ({ page, flags })))
})

/**
 * What is needed to run a command line: the command or the group that it names; everything if it names none, or is about
 * all commands.
 *
 * @since 1.0.0
 * @category getters
 */
export const needed = (
  { path }: Page.Page,
  args: ReadonlyArray<string>
): Array.NonEmptyReadonlyArray<Entry> => {
  if (args.some((arg) => /^--wizard(=|$)/.test(arg))) return commands
  for (const entry of commands) {
    // Without its subcommands, whose names may be values of its options.
    if (entry.page.path === path) return ["own" in entry && entry.own !== undefined ? entry.own : entry]
    if (!("commands" in entry)) continue
    for (const command of entry.commands) {
      const { page } = entry
      if (command.page.path === path) return [{ page, commands: [command] }]
      const inner = "commands" in command ? command.commands.find(({ page }) => page.path === path) : undefined
      if (inner !== undefined) return [{ page, commands: [{ page: command.page, commands: [inner] }] }]
    }
  }
  return commands
}
