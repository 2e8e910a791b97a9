/**
 * What the commands say of themselves, in the width of a usual terminal.
 *
 * @since 0.1.0
 */
import * as AutoCorrect from "@effect/cli/AutoCorrect"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as HelpDoc from "@effect/cli/HelpDoc"
import { stripVTControlCharacters } from "node:util"
import * as Text from "../terminal/Text.ts"

/**
 * The help of one command.
 *
 * @since 0.1.0
 * @category models
 */
export interface Page {
  /** As in `contacts list`; empty for the program itself. */
  readonly path: string
  readonly summary: string
  /** What follows the path. */
  readonly usage: string
  readonly options: HelpDoc.HelpDoc
  readonly examples: ReadonlyArray<string>
}

/**
 * A command, and its help.
 *
 * @since 0.1.0
 * @category models
 */
export interface Documented<Name extends string, R, E, A> {
  readonly command: Command.Command<Name, R, E, A>
  readonly page: Page
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const document = <Name extends string, R, E, A>(
  command: Command.Command<Name, R, E, A>,
  page: Pick<Page, "path" | "summary" | "examples">
): Documented<Name, R, E, A> => ({
  command: Command.withDescription(command, page.summary),
  page: {
    ...page,
    usage: "[OPTIONS]",
    options: Command.getHelp(command, { ...CliConfig.defaultConfig, showBuiltIns: false })
  }
})

const common: ReadonlyArray<readonly [string, string]> = [
  ["--help, -h", "This text, for every command."],
  ["--version", "The version of the program."],
  [
    "--log-level LEVEL",
    "all, trace, debug, info, warning, error, fatal or none. With debug, failures show their cause."
  ],
  ["--completions SHELL", "A script for the completions of sh, bash, fish or zsh."]
]

const environment: ReadonlyArray<readonly [string, string]> = [
  ["MAILSTREAM_BASE_URL", "Where the service is, unless --base-url says it."],
  ["MAILSTREAM_API_KEY", "The key. Without it the key is asked for, on a terminal; it is never an argument."],
  ["NO_COLOR", "No colors, whatever it is set to."]
]

const exitCodes: ReadonlyArray<readonly [string, string]> = [
  ["0", "All is well. Ctrl+C is the regular end of follow and serve; | head has seen enough."],
  ["1", "It failed. One line on standard error begins with the tag of the error."],
  ["2", "It was called in a wrong way."],
  ["130, 143", "SIGINT or SIGTERM ended it before it was done."]
]

const indent = 2
const gap = 26
const width = 100

/**
 * The help of a command as text. `below` are the commands that it consists of.
 *
 * @since 0.1.0
 * @category conversions
 */
export const text = (page: Page, below: ReadonlyArray<Page>, hasColors: boolean): string => {
  const title = (text: string) => hasColors ? `\u001b[1m${text}\u001b[22m` : text
  const section = (name: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
    lines.length === 0 ? [] : ["", title(name), ...lines.map((line) => " ".repeat(indent) + line)]
  return [
    page.summary,
    ...section("USAGE", [line(page.path, page.usage)]),
    ...section("COMMANDS", below.flatMap(({ path, summary }) => entry(path, summary))),
    ...section("OPTIONS", [...optionsOf(page.options), ...common].flatMap(([name, text]) => entry(name, text))),
    ...section("ENVIRONMENT", environment.flatMap(([name, text]) => entry(name, text))),
    ...section("EXIT CODES", page.path === "" ? exitCodes.flatMap(([code, text]) => entry(code, text)) : []),
    ...section("EXAMPLES", page.examples),
    ""
  ].join("\n")
}

/**
 * Whether a word is an option of a command that is followed by its value.
 *
 * @since 0.1.0
 * @category predicates
 */
export const takesValue = (page: Page, word: string): boolean =>
  optionsOf(page.options).some(([name]) => name.startsWith(`${word} `))

/**
 * A command line.
 *
 * @since 0.1.0
 * @category conversions
 */
export const line = (...words: ReadonlyArray<string>): string =>
  ["mailstream", ...words.filter((word) => word !== "")].join(" ")

/**
 * Which option is meant by one that does not exist, where there is one that is spelled nearly so.
 *
 * @since 0.1.0
 * @category getters
 */
export const suggestion = (page: Page, message: string): string => {
  const [, word] = /unknown argument: '(--[^']+)'/.exec(message) ?? []
  const names = optionsOf(page.options).map(([name]) => name.split(" ")[0]!)
  const near = names.find((name) =>
    word !== undefined && AutoCorrect.levensteinDistance(word, name, CliConfig.defaultConfig) <= 2
  )
  return near === undefined ? "" : `. Did you mean '${near}'?`
}

const entry = (name: string, text: string): ReadonlyArray<string> => {
  const [first = "", ...others] = wrap(text, width - indent - gap)
  const column = " ".repeat(gap)
  return Text.width(name) < gap
    ? [`${Text.pad(name, gap)}${first}`, ...others.map((line) => column + line)]
    : [name, ...[first, ...others].map((line) => column + line)]
}

const wrap = (text: string, columns: number): ReadonlyArray<string> =>
  text.split(" ").reduce<ReadonlyArray<string>>((lines, word) => {
    const last = lines.at(-1)
    return last === undefined || last.length + 1 + word.length > columns
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`]
  }, [])

/** The options of a command. What `@effect/cli` says of every option, its type and that it is optional, is left out. */
const optionsOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<readonly [string, string]> => {
  switch (doc._tag) {
    case "Sequence":
      return [...optionsOf(doc.left), ...optionsOf(doc.right)]
    case "DescriptionList":
      return doc.definitions.map(([name, description]) => [
        plain(HelpDoc.p(name)).replaceAll(" | ", "|"),
        paragraphs(description).slice(1).filter((text) => !text.startsWith("This setting is optional")).join(" ")
      ])
    default:
      return []
  }
}

const paragraphs = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  doc._tag === "Sequence" ? [...paragraphs(doc.left), ...paragraphs(doc.right)] : [plain(doc)]

const plain = (doc: HelpDoc.HelpDoc): string => stripVTControlCharacters(HelpDoc.toAnsiText(doc)).trim()
