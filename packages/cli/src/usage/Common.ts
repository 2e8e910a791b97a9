/**
 * The options that every command has.
 *
 * @since 1.0.0
 */
import * as Either from "effect/Either"
import * as LogLevel from "effect/LogLevel"
import * as Flag from "./Flag.ts"
import * as Value from "./Value.ts"
import * as Values from "./Values.ts"

/**
 * The shells that completions can be printed for. `sh` stands for bash.
 *
 * @since 1.0.0
 * @category constants
 */
export const shells = ["sh", "bash", "fish", "zsh"] as const

const levels: ReadonlyMap<string, LogLevel.LogLevel> = new Map(
  LogLevel.allLevels.map((level) => [level._tag.toLowerCase(), level])
)

const levelNames = [...levels.keys()]

/**
 * @since 1.0.0
 * @category options
 */
export const flags = {
  help: Flag.boolean("help", "Show help for any command.", "-h"),
  version: Flag.boolean("version", "Show the version."),
  logLevel: Flag.optional(
    "log-level",
    {
      name: "LEVEL",
      values: Values.oneOf(levelNames),
      parse: (text) =>
        Either.fromNullable(levels.get(text.toLowerCase()), () => `must be one of ${levelNames.join(", ")}`)
    },
    "all, trace, debug, info, warning, error, fatal or none. At debug, failures show their cause."
  ),
  completions: Flag.optional(
    "completions",
    Value.choice(shells, "SHELL"),
    "Print a completion script for bash, zsh or fish. Its first lines say how to install it."
  )
}
