/**
 * The program: all commands under one name, and what becomes of their failures.
 *
 * @since 0.1.0
 */
import type * as CliApp from "@effect/cli/CliApp"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import { Resource } from "@mailstream/core"
import * as Array from "effect/Array"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Logger from "effect/Logger"
import { stripVTControlCharacters } from "node:util"
import type { Source } from "./api/AnyList.ts"
import * as Lists from "./api/Lists.ts"
import * as Demo from "./commands/Demo.ts"
import * as Failure from "./commands/Failure.ts"
import * as Follow from "./commands/Follow.ts"
import * as List from "./commands/List.ts"
import * as Serve from "./commands/Serve.ts"
import * as Topics from "./commands/Topics.ts"
import * as ExitCode from "./terminal/ExitCode.ts"
import * as Log from "./terminal/Log.ts"
import { Stdio } from "./terminal/Stdio.ts"
import { version } from "./terminal/Version.ts"
import * as CommandLine from "./usage/CommandLine.ts"
import * as Help from "./usage/Help.ts"
import * as Usage from "./usage/OptionParser.ts"

/** A list, with what can be done with it. */
const listed = (source: Source) => {
  const list = List.command(source)
  const follow = Follow.command(source)
  const isTopics = source.name === Resource.topics.name
  const pages = [list.page, follow.page, ...(isTopics ? [Topics.create.page] : [])]
  const verbs = pages.map(({ path }) => path.slice(source.name.length + 1))
  const group = Command.make(
    source.name,
    {},
    () => Usage.fail(`What about ${source.title}? Say ${verbs.join(" or ")}.`)
  )
  return {
    command: isTopics
      ? Command.withSubcommands(group, [list.command, follow.command, Topics.create.command])
      : Command.withSubcommands(group, [list.command, follow.command]),
    page: {
      ...groupPage(
        source.name,
        `${verbs.join(", ").replace(/^./, (letter) => letter.toUpperCase())}: ${source.title}.`
      ),
      examples: pages.flatMap(({ examples }) => examples.slice(0, 1))
    },
    pages
  }
}

const groupPage = (path: string, summary: string): Help.Page => ({
  path,
  summary,
  usage: "COMMAND [OPTIONS]",
  options: HelpDoc.empty,
  examples: []
})

const lists = Array.map(Lists.all, listed)
const others = [Serve.command.page, Demo.command.page]

const root: Help.Page = {
  ...groupPage("", "Every list of the email service, from a terminal."),
  examples: [
    "mailstream serve --api-key re_local &",
    "export MAILSTREAM_BASE_URL=http://127.0.0.1:8025 MAILSTREAM_API_KEY=re_local",
    "mailstream contacts list --take 5",
    "mailstream contacts list --output contacts.csv",
    "mailstream topics create --name \"Product news\""
  ]
}

/** Every page of the help, with those below it. */
const pages: ReadonlyMap<string, readonly [Help.Page, ReadonlyArray<Help.Page>]> = new Map(
  [
    [root, [...lists.map(({ page }) => page), ...others]] as const,
    ...lists.map(({ page, pages }) => [page, pages] as const),
    ...[...lists.flatMap(({ pages }) => pages), ...others].map((page) => [page, []] as const)
  ].map((entry) => [entry[0].path, entry])
)

const mailstream = Command.make("mailstream").pipe(
  Command.withDescription(root.summary),
  Command.withSubcommands([...Array.map(lists, ({ command }) => command), Serve.command.command, Demo.command.command])
)

const execute = Command.run(mailstream, { name: "mailstream", version, executable: "mailstream" })

const config = CliConfig.layer({ isCaseSensitive: true, finalCheckBuiltIn: true })

/**
 * Runs the program with the arguments that stand behind its name, and gives the code that it ends with.
 *
 * @since 0.1.0
 * @category constructors
 */
export const run = (given: ReadonlyArray<string>): Effect.Effect<number, never, Stdio | CliApp.CliApp.Environment> => {
  const { args, asksFor, logLevel, words } = CommandLine.make(given)
  const path = pathOf(words)
  const [page, below] = pages.get(path)!
  return Effect.gen(function*() {
    if (asksFor === "version") return yield* print(() => `${version}\n`)
    if (asksFor === "help" || args.length === 0) return yield* print((hasColors) => Help.text(page, below, hasColors))
    const unknown = words[path.split(" ").filter((word) => word !== "").length]
    if (below.length > 0 && unknown !== undefined) {
      const known = below.map(({ path }) => path.split(" ").at(-1)).join(", ")
      return yield* Usage.fail(`There is no command '${Help.line(path, unknown)}'. Known: ${known}.`)
    }
    const last = args.at(-1) ?? ""
    if (Help.takesValue(page, last)) return yield* Usage.fail(`${last} needs a value.`)
    return yield* execute(["", "", ...args]).pipe(withOutput, Effect.provide(config))
  }).pipe(
    Effect.as(ExitCode.ok),
    Effect.catchAllCause((cause) => Failure.report(cause, page)),
    Effect.provide(Log.layer),
    logLevel === undefined ? identity : Logger.withMinimumLogLevel(logLevel)
  )
}

/** The longest beginning of the words that is a command. */
const pathOf = (words: ReadonlyArray<string>): string => {
  const paths = words.map((_, index) => words.slice(0, words.length - index).join(" "))
  return paths.find((path) => pages.has(path)) ?? ""
}

const print = (text: (hasColors: boolean) => string) =>
  Effect.flatMap(Stdio, ({ out }) => out.write(text(out.hasColors)))

/** What `@effect/cli` prints by itself. Of wrong usage it says less than `Failure.report`. */
const withOutput = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Stdio> =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const console = yield* Console.consoleWith(Effect.succeed)
    return yield* Effect.withConsole(effect, {
      ...console,
      log: (...parts) => {
        const text = `${parts.map(String).join(" ")}\n`
        return Effect.ignore(out.write(out.hasColors ? text : stripVTControlCharacters(text)))
      },
      error: () => Effect.void
    })
  })
