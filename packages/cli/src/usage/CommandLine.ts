/**
 * What holds for every command line: `--help`, `--version` and `--log-level` may be anywhere in it.
 *
 * @since 1.0.0
 */
import * as LogLevel from "effect/LogLevel"

/**
 * @since 1.0.0
 * @category models
 */
export interface CommandLine {
  /** Set if no command is to be run. */
  readonly request: "help" | "version" | undefined
  readonly logLevel: LogLevel.LogLevel | undefined
  /** The words before the first option, as in `contacts`, `list`. */
  readonly words: ReadonlyArray<string>
  /** Everything but the log level. */
  readonly args: ReadonlyArray<string>
}

/**
 * The log levels, by name.
 *
 * @since 1.0.0
 * @category constants
 */
export const levels: ReadonlyMap<string, LogLevel.LogLevel> = new Map(
  LogLevel.allLevels.map((level) => [level._tag.toLowerCase(), level])
)

/**
 * The name of an option and the value after `=`, if there is one.
 *
 * @since 1.0.0
 * @category getters
 */
export const split = (arg: string): readonly [name: string, inline: string | undefined] => {
  const [name = "", inline] = arg.split(/=(.*)/s)
  return [name, inline]
}

/**
 * Reads a command line, without the name of the program.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (given: ReadonlyArray<string>): CommandLine => {
  const args: Array<string> = []
  let logLevel: LogLevel.LogLevel | undefined
  for (let index = 0; index < given.length; index++) {
    const [name, inline] = split(given[index]!)
    const level = levels.get((inline ?? given[index + 1] ?? "").toLowerCase())
    // An unknown level stays in place, to be rejected by the parser.
    if (name !== "--log-level" || level === undefined) args.push(given[index]!)
    else {
      logLevel = level
      if (inline === undefined) index++
    }
  }
  // `mailstream help contacts list` is what many type first.
  const asksForHelp = args[0] === "help"
  if (asksForHelp) args.shift()
  const firstOption = args.findIndex((arg) => arg.startsWith("-"))
  return {
    request: asksForHelp || args.some((arg) => arg === "--help" || arg === "-h")
      ? "help"
      : args.includes("--version")
      ? "version"
      : undefined,
    logLevel,
    words: firstOption === -1 ? args : args.slice(0, firstOption),
    args
  }
}
