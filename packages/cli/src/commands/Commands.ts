/**
 * The commands of the program. To add one, write its module in this folder, and add it to `root` below; a command for
 * every list goes into `list`. Those for single objects follow from the table of operations.
 */
import { Resource } from "@mailstream/core"
import * as Schema from "effect/Schema"
import * as Explanations from "../explain/Explanations.ts"
import * as Fields from "../operations/Fields.ts"
import * as Words from "../operations/Words.ts"
import * as Command from "../usage/Command.ts"
import * as CampaignCommand from "./CampaignCommand.ts"
import * as CopyCommands from "./CopyCommands.ts"
import * as ImportCommand from "./ImportCommand.ts"
import * as ListenCommand from "./ListenCommand.ts"
import * as SendCommand from "./SendCommand.ts"

const enumerate = (words: ReadonlyArray<string>): string =>
  [words.slice(0, -1).join(", "), ...words.slice(-1)].filter((part) => part !== "").join(" and ")

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** What commands do that are not verbs with the objects after them. */
const clauses: ReadonlyMap<string, string> = new Map([
  ["join", "add them to segments"],
  ["leave", "remove them from segments"],
  ["update-topics", "change their topics"],
  ["create-many", "create many at once"],
  ["remove-many", "remove many at once"],
  ["rotate-secret", "rotate their secrets"],
  ["listen", "listen to their events"]
])

/** What a group of commands is for: `List, get and create webhooks; rotate their secrets and listen to their events.` */
const summaryOf = (names: ReadonlyArray<string>, title: string): string => {
  const verbs = names.filter((name) => !clauses.has(name))
  const rest = names.flatMap((name) => clauses.get(name) ?? [])
  return `${[`${capitalize(enumerate(verbs))} ${title}`, enumerate(rest)].filter((part) => part !== "").join("; ")}.`
}

/** What a list cannot be read without: `--broadcast ID --type sent`. */
const neededBy = ({ isFilter, query, scope }: typeof Resource.all[number]): ReadonlyArray<string> => [
  ...(scope?.required === true ? [`--${scope.noun} ID`] : []),
  ...(isFilter(undefined) ? [] : Fields.bodyOf(Schema.Struct(query)).fields.filter(({ isRequired }) => isRequired).map(
    Words.sampleOf
  ))
]

const list = (resource: typeof Resource.all[number]): Command.Command => {
  const { name, title } = resource
  const line = (verb: string, ...rest: ReadonlyArray<string>): string =>
    ["mailstream", name, verb, ...neededBy(resource), ...rest].join(" ")
  const commands = [
    Command.make({
      path: `${name} list`,
      summary: `Print all ${title}, newest first.`,
      examples: [
        line("list", "--take 5"),
        line("list", `--output ${name}.csv`),
        line("list", `--output ${name}.ndjson --resume export-2026-11`),
        line("list", "--format ndjson | head -n 1")
      ],
      action: Command.load(() => import("./List.ts"), ({ action }) => action(name))
    }),
    ...(resource.isUnordered === true ? [] : [
      Command.make({
        path: `${name} follow`,
        summary: `Print new ${title} as they are created, oldest first, until Ctrl+C.`,
        examples: [line("follow"), line("follow", "--since ID --every 1m --format ndjson")],
        action: Command.load(() => import("./Follow.ts"), ({ action }) => action(name))
      })
    ]),
    ...Words.operationsOf(name).map((operation) =>
      SendCommand.all.find(({ path }) => path === `${name} ${operation.name}`) ?? Command.make({
        path: `${name} ${Words.commandOf(operation)}`,
        summary: Words.summaryOf(operation),
        examples: Words.examplesOf(operation, resource),
        action: Command.load(() => import("../operations/Run.ts"), ({ action }) => action(name, operation.name))
      })
    ),
    ...[...ImportCommand.all, ...ListenCommand.all].filter(({ path }) => path.startsWith(`${name} `))
  ]
  return {
    path: name,
    summary: summaryOf(commands.map(Command.nameOf), title),
    examples: commands.flatMap(({ examples }) => examples.slice(0, 1)),
    commands
  }
}

const explain: Command.Command = {
  path: "explain",
  summary: "Explain what an error means, when it occurs, and what to do.",
  examples: ["mailstream explain validation_error", "mailstream explain TransportError"],
  argument: "tag",
  synonyms: Explanations.synonyms,
  commands: Explanations.tags.map((tag) =>
    Command.make({
      path: `explain ${tag}`,
      summary: Explanations.all[tag].meaning,
      examples: [`mailstream explain ${tag}`],
      action: Command.load(() => import("../explain/Explained.ts"), ({ action }) => action(tag))
    })
  )
}

const serve = Command.make({
  path: "serve",
  summary: "Serve the API on this machine, with sample data and optional faults.",
  examples: [
    "mailstream serve",
    "mailstream serve --port 0 --items contacts=10000,topics=20 --api-key re_local",
    "MAILSTREAM_INBOX_TOKEN=0123456789abcdef mailstream serve --api-key re_local",
    "mailstream serve --store sqlite:mailstream.db",
    "mailstream serve --accounts 200 --accounts-file accounts.json",
    "mailstream serve --cors http://localhost:5173 --api-key re_local",
    "mailstream serve --rate-limit 10/1s --latency 50ms --faults 0.1 --seed 7"
  ],
  action: Command.loadRun(
    () => import("../service/Flags.ts").then(({ flags }) => flags),
    () => import("../service/Service.ts").then(({ serve }) => serve),
    () => true
  )
})

const demo = Command.make({
  path: "demo",
  summary: "Stream all contacts from a temporary service, or from yours if MAILSTREAM_BASE_URL is set, and sum up.",
  examples: ["mailstream demo", "MAILSTREAM_BASE_URL=https://… MAILSTREAM_API_KEY=… mailstream demo"],
  action: Command.load(() => import("./Demo.ts"), ({ action }) => action)
})

/** The program, with all its commands. */
export const root: Command.Command = {
  path: "",
  summary: "The email service from a terminal: send, list, follow, get, create, change, remove, copy and serve.",
  examples: [
    "mailstream serve --api-key re_local &",
    "export MAILSTREAM_BASE_URL=http://127.0.0.1:8025 MAILSTREAM_API_KEY=re_local",
    "mailstream contacts list --take 5",
    "mailstream contacts list --output contacts.csv",
    "mailstream topics create --name \"Product news\"",
    "mailstream contacts update ada@example.com --unsubscribed",
    "mailstream campaign run news-2026-11 --template news --database sqlite:campaigns.db",
    "mailstream sync --to sqlite:mail.db"
  ],
  commands: [...Resource.all.map(list), CampaignCommand.campaign, ...CopyCommands.all, explain, serve, demo]
}
