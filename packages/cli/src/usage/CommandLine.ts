/**
 * What is known about a command line before its command is loaded. The options of every command, such as `--help`, may
 * be anywhere in it.
 *
 * @since 1.0.0
 */
import * as Either from "effect/Either"
import type * as LogLevel from "effect/LogLevel"
import * as Arguments from "./Arguments.ts"
import * as Common from "./Common.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface CommandLine {
  /** Set if no command is to be run. */
  readonly request: "help" | "version" | undefined
  readonly logLevel: LogLevel.LogLevel | undefined
  /** The shell that asks for its completions. */
  readonly completions: typeof Common.shells[number] | undefined
  /** The words before the first option, as in `contacts`, `list`. */
  readonly words: ReadonlyArray<string>
  readonly args: ReadonlyArray<string>
}

const common = Object.values(Common.flags)

/**
 * Reads a command line, without the name of the program. Errors are left to the parser of the command.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (args: ReadonlyArray<string>): CommandLine => {
  const { rest, typed } = Arguments.collect(common, args)
  const firstOption = rest.findIndex((arg) => arg.startsWith("-"))
  const words = firstOption === -1 ? rest : rest.slice(0, firstOption)
  // `mailstream help contacts list` is what many type first.
  const asksForHelp = words[0] === "help"
  const { completions, help, logLevel, version } = Common.flags
  return {
    request: asksForHelp || typed.has(help) ? "help" : typed.has(version) ? "version" : undefined,
    logLevel: Either.getOrUndefined(logLevel.read(typed.get(logLevel))),
    completions: Either.getOrUndefined(completions.read(typed.get(completions))),
    words: asksForHelp ? words.slice(1) : words,
    args
  }
}
