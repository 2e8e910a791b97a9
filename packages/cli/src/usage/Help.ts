/**
 * Prints a page of the help, in the width of a common terminal.
 *
 * @since 0.1.0
 */
import * as Text from "../terminal/Text.ts"
import type { Flag } from "./Flag.ts"
import * as Page from "./Page.ts"

type Entry = readonly [name: string, description: string]

const common: ReadonlyArray<Entry> = [
  ["--help, -h", "Show help for any command."],
  ["--version", "Show the version."],
  ["--log-level LEVEL", "all, trace, debug, info, warning, error, fatal or none. At debug, failures show their cause."],
  ["--completions SHELL", "Print a completion script for sh, bash, fish or zsh."]
]

const environment: ReadonlyArray<Entry> = [
  ["MAILSTREAM_BASE_URL", "Base URL of the service, unless --base-url is given."],
  ["MAILSTREAM_API_KEY", "API key of the service. If it is not set, you are prompted for it on a terminal."],
  [
    "MAILSTREAM_DATABASE_URL",
    "Database of sync and changes, unless --to is given. It hides the password from other users."
  ],
  ["NO_COLOR", "Turns colors off, whatever its value."]
]

const exitCodes: ReadonlyArray<Entry> = [
  [
    "0",
    "Success. This includes Ctrl+C during follow, serve, sync --every and changes --follow, and a reader that stops early (| head)."
  ],
  ["1", "Failure. One line on standard error starts with the tag of the error."],
  ["2", "Usage error."],
  ["130, 143", "Ended by SIGINT or SIGTERM before it was done."]
]

/**
 * A page as text, with the options of its command.
 *
 * @since 0.1.0
 * @category conversions
 */
export const text = (page: Page.Page, flags: ReadonlyArray<Flag>, hasColors: boolean): string => {
  const isRoot = page.path === ""
  const usage = page.commands.length === 0
    ? "[OPTIONS]"
    : flags.length === 0
    ? "COMMAND [OPTIONS]"
    : "[COMMAND] [OPTIONS]"
  const commands = page.commands.map(({ path, summary }): Entry => [path, summary])
  const options = flags.map(({ description, names, value }): Entry => [
    `${names.join(", ")} ${value ?? ""}`.trimEnd(),
    description
  ])
  const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
    lines.length === 0
      ? []
      : ["", hasColors ? Text.bold(title) : title, ...lines.map((line) => " ".repeat(indent) + line)]
  return [
    page.summary,
    ...section("USAGE", [Page.line(page, usage)]),
    ...section("COMMANDS", commands.flatMap(columns)),
    ...section("OPTIONS", [...options, ...common].flatMap(columns)),
    ...section("ENVIRONMENT", environment.flatMap(columns)),
    ...section("EXIT CODES", isRoot ? exitCodes.flatMap(columns) : []),
    ...section("EXAMPLES", page.examples),
    ""
  ].join("\n")
}

const indent = 2
const firstColumn = 26
const secondColumn = 100 - indent - firstColumn

/** Two columns. A name that is too long for the first gets its own line. */
const columns = ([name, description]: Entry): ReadonlyArray<string> => {
  const lines = wrap(description).map((line) => " ".repeat(firstColumn) + line)
  return Text.width(name) < firstColumn
    ? lines.map((line, index) => index === 0 ? Text.pad(name, firstColumn) + line.slice(firstColumn) : line)
    : [name, ...lines]
}

const wrap = (text: string): ReadonlyArray<string> =>
  text.split(" ").reduce<ReadonlyArray<string>>((lines, word) => {
    const last = lines.at(-1)
    return last === undefined || last.length + 1 + word.length > secondColumn
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`]
  }, [])
