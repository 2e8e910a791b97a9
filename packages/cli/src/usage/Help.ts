/** Prints a page of the help, in the width of the window. */
import type { Target } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Command from "./Command.ts"
import * as CommandLine from "./CommandLine.ts"
import * as Flag from "./Flag.ts"

type Entry = readonly [name: string, description: string]

const environment: ReadonlyArray<Entry> = [
  ["MAILSTREAM_BASE_URL", "Base URL of the service, unless --base-url is given."],
  ["MAILSTREAM_API_KEY", "API key of the service. If it is not set, you are prompted for it on a terminal."],
  [
    "MAILSTREAM_WEBHOOK_SECRET",
    "Secret that 'webhooks listen --forward' signs events with, unless --secret is given."
  ],
  ["MAILSTREAM_INBOX_TOKEN", "What opens the inbox of serve, unless --inbox-token is given."],
  [
    "MAILSTREAM_DATABASE_URL",
    "Database of sync, changes, campaign, worker and cluster, unless one is given. Unlike an option, it hides the password from other users."
  ],
  [
    "MAILSTREAM_ENCRYPTION_KEYS",
    "Keys that encrypt the accounts in the table of a cluster, such as 2:BASE64,1:BASE64; the first one encrypts."
  ],
  [
    "MAILSTREAM_LOG_FORMAT",
    "Format of logs and of the failure that ends a command: text, or json for programs that collect them. Default: text."
  ],
  [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OpenTelemetry collector that commands send spans, metrics and logs to which run until they are stopped. OTEL_EXPORTER_OTLP_HEADERS and others are known, too."
  ],
  [
    "HTTPS_PROXY, HTTP_PROXY, NO_PROXY",
    "URL of the proxy for requests to other machines, and the hosts that it is not used for."
  ],
  ["NO_COLOR, FORCE_COLOR", "Turn colors off, or on even if the output is not a terminal."]
]

const exitCodes: ReadonlyArray<Entry> = [
  [
    "0",
    "Success. This includes Ctrl+C during follow, listen, serve, worker, sync --every and changes --follow, and a reader that stops early (| head)."
  ],
  [
    "1",
    "Failure, or input that the API would refuse. One line on standard error starts with the tag of the error; 'mailstream explain TAG' explains it."
  ],
  ["2", "Usage error: the command line cannot be read. Nothing was sent."],
  ["3", "A change failed, and it is unknown whether it was made. The message says what to do."],
  ["129, 130, 143", "Ended by SIGHUP, SIGINT or SIGTERM before it finished."]
]

/** Longer lines are harder to read. */
const widest = 100

/** Without a window, as in `| less`, what most terminals have at least. */
const usual = 80

/** The help of a command as text, with the options of its command. */
export const text = (
  command: Command.Command,
  flags: Flag.Flags,
  target: Target
): string => {
  const width = target.isTerminal ? Math.min(target.columns, widest) : usual
  const isRoot = command.path === ""
  const positional = Flag.named(flags).filter(({ isPositional }) => isPositional === true)
  const usage = command.commands.length === 0
    ? [...positional.map(({ value }) => value), "[OPTIONS]"].join(" ")
    : command.action === undefined
    ? "COMMAND [OPTIONS]"
    : "[COMMAND] [OPTIONS]"
  const commands = command.commands.map(({ path, summary }): Entry => [path, summary])
  const options = Flag.named({ ...flags, ...CommandLine.flags }).filter(({ names }) => names.length > 0)
  const name = (text: string) => Text.styled(target, "cyan", text)
  const entries = (entries: ReadonlyArray<Entry>) =>
    entries.flatMap(([first, second]) => row(first, second, width, name))
  const section = (title: string, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
    lines.length === 0
      ? []
      : ["", Text.styled(target, "bold", title), ...lines.map((line) => " ".repeat(indent) + line)]
  return [
    ...Text.wrap(command.summary.split(" "), width),
    ...section("USAGE", [Command.line(command, usage)]),
    ...section("COMMANDS", entries(commands)),
    ...section("ARGUMENTS", entries(positional.map(({ description, value = "" }): Entry => [value, description]))),
    ...section("OPTIONS", entries(options.map(option))),
    ...section("ENVIRONMENT", entries(environment)),
    ...section("EXIT CODES", isRoot ? entries(exitCodes) : []),
    ...section("EXAMPLES", command.examples.flatMap((line) => commandLine(line, width - indent))),
    ""
  ].join("\n")
}

const option = (flag: Flag.Named): Entry => [
  `${flag.names.join(", ")} ${flag.value ?? ""}`.trimEnd(),
  `${Flag.isRequired(flag) ? "Required. " : ""}${flag.description}`
]

const indent = 2
const firstColumn = 26
const gap = 2

/** A window with less room than this for the second column gets it below the first one. */
const least = 40

/** Two columns. A name that is too long for the first gets its own line. */
const row = (
  first: string,
  second: string,
  width: number,
  style: (text: string) => string
): ReadonlyArray<string> => {
  const isNarrow = width - indent - firstColumn < least
  const margin = isNarrow ? 4 : firstColumn
  const lines = Text.wrap(second.split(" "), width - indent - margin).map((line) => " ".repeat(margin) + line)
  if (isNarrow || Text.width(first) > firstColumn - gap) return [style(first), ...lines]
  const [head = "", ...rest] = lines
  return [style(first) + head.slice(Text.width(first)), ...rest]
}

/** A command line that can be copied: where it is too long for a line, it continues after a backslash. */
const commandLine = (line: string, width: number): ReadonlyArray<string> => {
  if (Text.width(line) <= width) return [line]
  const words = line.match(/(?:[^\s"]|"[^"]*")+/g) ?? [line]
  // Room for the backslash, and for the indentation of what follows.
  const lines = Text.wrap(words, width - 4)
  return lines.map((line, index) => `${index === 0 ? "" : "  "}${line}${index < lines.length - 1 ? " \\" : ""}`)
}
