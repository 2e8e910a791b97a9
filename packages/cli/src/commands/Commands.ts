/**
 * The commands of the program. To add one, write its module in this folder and add it to `commands` below; a command
 * for every list goes into `listCommands`.
 *
 * @since 0.1.0
 */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import type { ValidationError } from "@effect/cli/ValidationError"
import { Resource } from "@mailstream/core"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as AnyList from "../api/AnyList.ts"
import { version } from "../terminal/Version.ts"
import * as Page from "../usage/Page.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Demo from "./Demo.ts"
import type { Requirements } from "./Documented.ts"
import type { Failure } from "./Failure.ts"
import * as Follow from "./Follow.ts"
import * as List from "./List.ts"
import * as Serve from "./Serve.ts"
import * as Topics from "./Topics.ts"

/** The commands of one list, as in `contacts list`. */
const listCommands = (list: AnyList.AnyList) => {
  const commands = [
    List.command(list),
    Follow.command(list),
    ...(list.name === Resource.topics.name ? [Topics.create] : [])
  ] as const
  const pages = commands.map(({ page }) => page)
  const names = pages.map(Page.nameOf)
  return {
    command: Command.make(
      list.name,
      {},
      () => UsageError.fail(`${list.name} needs a subcommand: ${names.join(", ")}.`)
    ).pipe(Command.withSubcommands(Array.map(commands, ({ command }) => command))),
    page: Page.group({
      path: list.name,
      summary: `${capitalize(enumerate(names))} ${list.title}.`,
      examples: pages.flatMap(({ examples }) => examples.slice(0, 1)),
      commands: pages
    })
  }
}

const enumerate = (words: ReadonlyArray<string>): string =>
  [words.slice(0, -1).join(", "), ...words.slice(-1)].join(" and ")

const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const commands = [...Array.map(AnyList.all, listCommands), Serve.command, Demo.command] as const

/**
 * The help of the program, with that of all its commands.
 *
 * @since 0.1.0
 * @category help
 */
export const page: Page.Page = Page.group({
  path: "",
  summary: "The email service from a terminal: list, follow, create and serve.",
  examples: [
    "mailstream serve --api-key re_local &",
    "export MAILSTREAM_BASE_URL=http://127.0.0.1:8025 MAILSTREAM_API_KEY=re_local",
    "mailstream contacts list --take 5",
    "mailstream contacts list --output contacts.csv",
    "mailstream topics create --name \"Product news\""
  ],
  commands: commands.map(({ page }) => page)
})

const mailstream = Command.make("mailstream").pipe(
  Command.withDescription(page.summary),
  Command.withSubcommands(Array.map(commands, ({ command }) => command))
)

const execute = Command.run(mailstream, { name: "mailstream", version, executable: "mailstream" })

const config = CliConfig.layer({ isCaseSensitive: true, finalCheckBuiltIn: true })

/**
 * Runs the command that the arguments name.
 *
 * @since 0.1.0
 * @category constructors
 */
export const run = (args: ReadonlyArray<string>): Effect.Effect<void, Failure | ValidationError, Requirements> =>
  // `@effect/cli` expects the arguments of a Node process: the executable and the script come first.
  Effect.provide(execute(["", "", ...args]), config)
