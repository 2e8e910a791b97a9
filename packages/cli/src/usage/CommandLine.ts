/**
 * Command lines: `--name value` or `--name=value`, in any order, each option at most once. The options of every command, such as
 * `--help`, may be anywhere, and are known before the command is loaded.
 *
 * What begins with two dashes and a letter is always an option. To give such a value, it is written `--name=--value`.
 */
import * as Either from "effect/Either"
import * as LogLevel from "effect/LogLevel"
import * as Flag from "./Flag.ts"
import * as UsageError from "./UsageError.ts"
import * as Value from "./Value.ts"

/** The shells that completions can be printed for. */
const shells = ["bash", "fish", "zsh"] as const

const levels = LogLevel.allLevels.map(({ _tag }) => _tag.toLowerCase())

/** The options that every command has. */
export const flags = {
  help: Flag.boolean("Show help for any command.", ["--help", "-h"]),
  version: Flag.boolean("Show the version."),
  logLevel: Flag.optional(
    {
      name: "LEVEL",
      values: { _tag: "OneOf", words: levels },
      parse: (text) =>
        Either.fromNullable(
          LogLevel.allLevels[levels.indexOf(text.toLowerCase())],
          () => `must be one of ${levels.join(", ")}`
        )
    },
    "all, trace, debug, info, warning, error, fatal or none. At debug, failures show their cause."
  ),
  completions: Flag.optional(
    Value.choice(shells, "SHELL"),
    "Print a completion script for bash, zsh or fish. Its first lines say how to install it."
  )
}

export interface CommandLine {
  /** Set if no command is to be run. */
  readonly request: "help" | "version" | undefined
  readonly logLevel: LogLevel.LogLevel | undefined
  /** The shell that asks for its completions. */
  readonly completions: typeof shells[number] | undefined
  /** The words before the first option, as in `contacts`, `list`. */
  readonly words: ReadonlyArray<string>
  readonly args: ReadonlyArray<string>
}

/** Reads a command line, without the name of the program. Errors are left to the parser of the command. */
export const make = (args: ReadonlyArray<string>): CommandLine => {
  const { rest, typed } = collect(Flag.named(flags), args)
  const firstOption = rest.findIndex((arg) => arg.startsWith("-"))
  const words = firstOption === -1 ? rest : rest.slice(0, firstOption)
  // `mailstream help contacts list` is what many type first.
  const asksForHelp = words[0] === "help"
  return {
    request: asksForHelp || typed.has("help") ? "help" : typed.has("version") ? "version" : undefined,
    logLevel: Either.getOrUndefined(flags.logLevel.read(typed.get("logLevel"), "")),
    completions: Either.getOrUndefined(flags.completions.read(typed.get("completions"), "")),
    words: asksForHelp ? words.slice(1) : words,
    args
  }
}

/** Arguments, sorted into options and the rest. */
interface Collected {
  /** The text of each option that is given, by its key. It is empty for an option without a value. */
  readonly typed: ReadonlyMap<string, string>
  /** What belongs to none of the options. */
  readonly rest: ReadonlyArray<string>
  /** The first error in what was collected. */
  readonly problem: UsageError.UsageError | undefined
}

const isOption = (arg: string): boolean => /^--\w/.test(arg)

/** The name of an option, and the value after `=` if there is one. */
const split = (arg: string): readonly [name: string, inline: string | undefined] => {
  const [name = "", inline] = isOption(arg) ? arg.split(/=(.*)/s) : [arg]
  return [name, inline]
}

/** Looks for options among arguments. */
const collect = (flags: ReadonlyArray<Flag.Named>, args: ReadonlyArray<string>): Collected => {
  const typed = new Map<string, string>()
  const rest: Array<string> = []
  let problem: UsageError.UsageError | undefined
  for (let index = 0; index < args.length; index++) {
    const [name, inline] = split(args[index]!)
    const flag = flags.find(({ names }) => names.includes(name))
    if (flag === undefined) {
      rest.push(args[index]!)
      continue
    }
    if (typed.has(flag.key)) problem ??= UsageError.make(`${name} can be given only once`)
    if (flag.value === undefined) {
      if (inline !== undefined) problem ??= UsageError.make(`${name} takes no value`)
      typed.set(flag.key, "")
      continue
    }
    const next = args[index + 1]
    if (inline !== undefined) typed.set(flag.key, inline)
    else if (next === undefined) problem ??= UsageError.make(`${name} needs a value`)
    else if (isOption(next)) {
      problem ??= UsageError.make(`${name} needs a value`, `If it begins with dashes, type ${name}=${flag.value}.`)
    } else {
      typed.set(flag.key, next)
      index++
    }
  }
  return { typed, rest, problem }
}

/**
 * Parses the options of a command, whose name is the first `words` arguments that belong to none of them. Any others are an
 * error.
 */
export const parse = <Declared extends Flag.Flags>(
  flags: Declared,
  args: ReadonlyArray<string>,
  words = 0
): Either.Either<Flag.Given<Declared>, UsageError.UsageError> => {
  const known = Flag.named(flags)
  const { problem, rest, typed } = collect(known, args)
  const unknown = rest[words]
  if (problem !== undefined) return Either.left(problem)
  if (unknown !== undefined) return Either.left(unexpected(unknown, known))
  const given: { [key: string]: unknown } = {}
  for (const { key, names: [option = ""], read } of known) {
    const value = read(typed.get(key), option)
    if (Either.isLeft(value)) return Either.left(value.left)
    given[key] = value.right
  }
  // Every key has a value of its flag. The type of an entry does not tell which.
  return Either.right(given as Flag.Given<Declared>)
}

const unexpected = (arg: string, flags: ReadonlyArray<Flag.Named>): UsageError.UsageError => {
  const [name] = split(arg)
  if (!/^-./.test(name)) return UsageError.make(`Unknown argument '${arg}'`)
  return UsageError.make(
    `Unknown option '${name}'`,
    // Without its value, which could be a key.
    UsageError.suggestion(name, flags.flatMap(({ names }) => names))
  )
}
