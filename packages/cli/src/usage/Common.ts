/**
 * The options that every command has.
 *
 * @since 1.0.0
 */
import * as Either from "effect/Either"
import * as LogLevel from "effect/LogLevel"
import * as Flag from "./Flag.ts"
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
  help: Flag.boolean("help", { description: "Show help for any command.", short: ["-h"] }),
  version: Flag.boolean("version", { description: "Show the version." }),
  logLevel: Flag.optional(Flag.parsed("log-level", {
    value: "LEVEL",
    values: Values.oneOf(levelNames),
    description: "all, trace, debug, info, warning, error, fatal or none. At debug, failures show their cause.",
    parse: (text) =>
      Either.fromNullable(levels.get(text.toLowerCase()), () => `must be one of ${levelNames.join(", ")}`)
  })),
  completions: Flag.optional(Flag.choice("completions", {
    value: "SHELL",
    choices: shells,
    description: "Print a completion script for bash, zsh or fish. Its first lines say how to install it."
  }))
}
