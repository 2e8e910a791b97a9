/**
 * What is true for every command line: `--help`, `--version` and `--log-level` may stand anywhere in it.
 *
 * @since 0.1.0
 */
import * as LogLevel from "effect/LogLevel"

/**
 * @since 0.1.0
 * @category models
 */
export interface CommandLine {
  /** What asks for something else than a command to be run. */
  readonly asksFor: "help" | "version" | undefined
  readonly logLevel: LogLevel.LogLevel | undefined
  /** The words before the first option: `contacts`, `list`. */
  readonly words: ReadonlyArray<string>
  /** Everything but the log level. */
  readonly args: ReadonlyArray<string>
}

const levels: ReadonlyMap<string, LogLevel.LogLevel> = new Map(
  LogLevel.allLevels.map((level) => [level._tag.toLowerCase(), level])
)

/**
 * Reads a command line, without the name of the program.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (given: ReadonlyArray<string>): CommandLine => {
  const args: Array<string> = []
  let logLevel: LogLevel.LogLevel | undefined
  for (let index = 0; index < given.length; index++) {
    const [flag, inline] = given[index]!.split(/=(.*)/s)
    const level = levels.get((inline ?? given[index + 1] ?? "").toLowerCase())
    // A level that does not exist stays where it is, and is refused there.
    if (flag !== "--log-level" || level === undefined) args.push(given[index]!)
    else {
      logLevel = level
      if (inline === undefined) index++
    }
  }
  const firstOption = args.findIndex((arg) => arg.startsWith("-"))
  return {
    asksFor: args.some((arg) => arg === "--help" || arg === "-h")
      ? "help"
      : args.includes("--version")
      ? "version"
      : undefined,
    logLevel,
    words: firstOption === -1 ? args : args.slice(0, firstOption),
    args
  }
}
