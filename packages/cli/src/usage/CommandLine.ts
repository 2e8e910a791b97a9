/**
 * Command lines: `--name value` or `--name=value`, in any order, each option at most once unless it says otherwise. The options of every command, such as
 * `--help`, may be anywhere, and are known before the command is loaded.
 *
 * What begins with two dashes and a letter is always an option. To give such a value, it is written `--name=--value`.
 */
import * as Either from "effect/Either"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
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
    logLevel: Either.getOrUndefined(flags.logLevel.read(typed.get("logLevel")?.[0], "")),
    completions: Either.getOrUndefined(flags.completions.read(typed.get("completions")?.[0], "")),
    words: asksForHelp ? words.slice(1) : words,
    args
  }
}

/** Arguments, sorted into options and the rest. */
interface Collected {
  /** The texts of each option that is given, by its key. They are empty for an option without a value. */
  readonly typed: ReadonlyMap<string, ReadonlyArray<string>>
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
  const typed = new Map<string, Array<string>>()
  const rest: Array<string> = []
  let problem: UsageError.UsageError | undefined
  for (let index = 0; index < args.length; index++) {
    const [name, inline] = split(args[index]!)
    const flag = flags.find(({ names }) => names.includes(name))
    if (flag === undefined) {
      rest.push(args[index]!)
      continue
    }
    if (typed.has(flag.key) && flag.readAll === undefined) {
      problem ??= UsageError.make(`${name} can be given only once`)
    }
    const value = valueOf(flag, name, inline, args[index + 1])
    if (Either.isLeft(value)) {
      problem ??= value.left
      continue
    }
    typed.set(flag.key, [...(typed.get(flag.key) ?? []), value.right.text])
    if (value.right.isNext) index++
  }
  return { typed, rest, problem }
}

/** The text of an option: after `=`, or the next argument. */
const valueOf = (
  flag: Flag.Named,
  name: string,
  inline: string | undefined,
  next: string | undefined
): Either.Either<{ readonly text: string; readonly isNext: boolean }, UsageError.UsageError> => {
  const implied = flag.value === undefined ? "" : flag.implied?.[name]
  // The first name of an option that means something alone may have a value, the others mean its opposite.
  const takesValue = flag.value !== undefined && (implied === undefined || name === flag.names[0])
  if (!takesValue && inline !== undefined) return Either.left(UsageError.make(`${name} takes no value`))
  if (inline !== undefined) return Either.right({ text: inline, isNext: false })
  if (implied !== undefined) {
    const words = flag.values !== undefined && "words" in flag.values ? flag.values.words : []
    const isNext = takesValue && next !== undefined && words.includes(next)
    return Either.right({ text: isNext ? next : implied, isNext })
  }
  if (next === undefined) return Either.left(UsageError.make(`${name} needs a value`))
  return isOption(next)
    ? Either.left(UsageError.make(`${name} needs a value`, `If it begins with dashes, type ${name}=${flag.value}.`))
    : Either.right({ text: next, isNext: true })
}

/**
 * Parses the options of a command, whose name is the first `words` arguments that belong to none of them. Those after them are
 * its positional ones; any others are an error.
 */
export const parse = <Declared extends Flag.Flags>(
  flags: Declared,
  args: ReadonlyArray<string>,
  words = 0
): Either.Either<Flag.Given<Declared>, UsageError.UsageError> => {
  const known = Flag.named(flags)
  const { problem, rest, typed } = collect(known, args)
  const positional = known.filter(({ isPositional }) => isPositional === true)
  const after = rest.slice(words)
  const unknown = after.find((arg, index) => index >= positional.length || looksLikeOption(arg))
  if (problem !== undefined) return Either.left(problem)
  if (unknown !== undefined) {
    const meant = looksLikeOption(unknown) ? [] : after
    return Either.left(
      meant.map((arg) => misplaced(arg, known, args)).find((error) => error !== undefined) ??
        unexpected(unknown, known.filter(({ key }) => !typed.has(key)))
    )
  }
  const given: { [key: string]: unknown } = {}
  for (const flag of known) {
    const { key, names: [option = ""] } = flag
    const all = flag.isPositional === true ? after.slice(positional.indexOf(flag)).slice(0, 1) : typed.get(key) ?? []
    const value = flag.readAll !== undefined && all.length > 1 ? flag.readAll(all, option) : flag.read(all[0], option)
    if (Either.isLeft(value)) return Either.left(value.left)
    given[key] = value.right
  }
  // Every key has a value of its flag. The type of an entry does not tell which.
  return Either.right(given as Flag.Given<Declared>)
}

/** An address may begin with a dash, and a dash alone is standard input. */
const looksLikeOption = (arg: string): boolean => /^-[^@]+$/.test(arg) || isOption(arg)

/** One word too many is meant as the value of the option before it, if that is one that is true or false. */
const misplaced = (
  arg: string,
  flags: ReadonlyArray<Flag.Named>,
  args: ReadonlyArray<string>
): UsageError.UsageError | undefined => {
  const before = args[args.indexOf(arg) - 1] ?? ""
  const flag = flags.find(({ implied, names: [name] }) => implied !== undefined && name === before)
  return flag === undefined ? undefined : Option.getOrUndefined(Either.getLeft(flag.read(arg, before)))
}

/** `flags` are those that were not given. */
const unexpected = (arg: string, flags: ReadonlyArray<Flag.Named>): UsageError.UsageError => {
  const [name] = split(arg)
  if (!/^-./.test(name)) {
    const needed = flags.filter(({ isNeeded }) => isNeeded === true)
    const hint = needed.length === 1 ? `Did you mean '${needed[0]!.names[0]} ${arg}'?` : ""
    return UsageError.make(`Unknown argument '${arg}'`, hint)
  }
  return UsageError.make(
    `Unknown option '${name}'`,
    // Without its value, which could be a key.
    UsageError.suggestion(name, flags.flatMap(({ names }) => names))
  )
}
