/**
 * What holds for every command line: `--help`, `--version` and `--log-level` may be anywhere in it, and its options
 * must be those of the command.
 *
 * @since 0.1.0
 */
import * as AutoCorrect from "@effect/cli/AutoCorrect"
import * as CliConfig from "@effect/cli/CliConfig"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import type { Flag } from "./Page.ts"

/**
 * @since 0.1.0
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

const levels: ReadonlyMap<string, LogLevel.LogLevel> = new Map(
  LogLevel.allLevels.map((level) => [level._tag.toLowerCase(), level])
)

/** The name of an option and the value after `=`, if there is one. */
const split = (arg: string): readonly [name: string, inline: string | undefined] => {
  const [name = "", inline] = arg.split(/=(.*)/s)
  return [name, inline]
}

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
    const [name, inline] = split(given[index]!)
    const level = levels.get((inline ?? given[index + 1] ?? "").toLowerCase())
    // An unknown level stays in place, to be rejected by the parser.
    if (name !== "--log-level" || level === undefined) args.push(given[index]!)
    else {
      logLevel = level
      if (inline === undefined) index++
    }
  }
  const firstOption = args.findIndex((arg) => arg.startsWith("-"))
  return {
    request: args.some((arg) => arg === "--help" || arg === "-h")
      ? "help"
      : args.includes("--version")
      ? "version"
      : undefined,
    logLevel,
    words: firstOption === -1 ? args : args.slice(0, firstOption),
    args
  }
}

/** The options that `@effect/cli` adds to every command and handles itself. */
const builtIn: ReadonlyArray<Pick<Flag, "names" | "value" | "choices">> = [
  { names: ["--completions"], value: "SHELL", choices: ["sh", "bash", "fish", "zsh"] },
  { names: ["--log-level"], value: "LEVEL", choices: [...levels.keys()] },
  { names: ["--wizard"], value: undefined }
]

/**
 * The errors in the options of a command line: unknown, given twice, without a value, or with none of the values to
 * choose from. The value of an unknown option is never repeated, because it could be a key.
 *
 * @since 0.1.0
 * @category getters
 */
export const problemOf = (args: ReadonlyArray<string>, flags: ReadonlyArray<Flag>): Option.Option<string> => {
  const seen = new Set<string>()
  for (let index = 0; index < args.length; index++) {
    const [name, inline] = split(args[index]!)
    if (!/^--\w/.test(name)) continue
    const flag = [...flags, ...builtIn].find(({ names }) => names.includes(name))
    if (flag === undefined) return Option.some(`Unknown option '${name}'.${suggestion(name, flags)}`)
    if (seen.has(name)) return Option.some(`${name} can be given only once.`)
    seen.add(name)
    if (flag.value === undefined) continue
    if (inline === undefined) index++
    if (inline === "" || index === args.length) return Option.some(`${name} needs a value.`)
    const value = inline ?? args[index]!
    if (flag.choices?.includes(value) === false) {
      return Option.some(`${name} must be one of ${flag.choices.join(", ")}, not '${value}'.`)
    }
  }
  return Option.none()
}

/**
 * The arguments with each `--name=value` as two of them: `@effect/cli` takes no line break after `=`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const separate = (args: ReadonlyArray<string>, flags: ReadonlyArray<Flag>): ReadonlyArray<string> =>
  args.flatMap((arg) => {
    const [name, inline] = split(arg)
    const takesValue = flags.some(({ names, value }) => names.includes(name) && value !== undefined)
    return inline === undefined || !takesValue ? [arg] : [name, inline]
  })

const suggestion = (name: string, flags: ReadonlyArray<Flag>): string => {
  const near = flags.flatMap(({ names }) => names).find((known) =>
    AutoCorrect.levensteinDistance(name, known, CliConfig.defaultConfig) <= 2
  )
  return near === undefined ? "" : ` Did you mean '${near}'?`
}
