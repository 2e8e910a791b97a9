/**
 * Parses the arguments of a command: `--name value` or `--name=value`, in any order, each option at most once.
 *
 * What begins with two dashes and a letter is always an option. To give such a value, it is written `--name=--value`.
 *
 * @since 1.0.0
 */
import * as Either from "effect/Either"
import type { Flag, Flags, Given } from "./Flag.ts"
import * as Suggestion from "./Suggestion.ts"
import * as UsageError from "./UsageError.ts"

/**
 * Arguments, sorted into options and the rest.
 *
 * @since 1.0.0
 * @category models
 */
export interface Collected {
  /** The text of each option that is given. It is empty for an option without a value. */
  readonly typed: ReadonlyMap<Flag<unknown>, string>
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

/**
 * Looks for options among arguments.
 *
 * @since 1.0.0
 * @category constructors
 */
export const collect = (flags: ReadonlyArray<Flag<unknown>>, args: ReadonlyArray<string>): Collected => {
  const typed = new Map<Flag<unknown>, string>()
  const rest: Array<string> = []
  let problem: UsageError.UsageError | undefined
  for (let index = 0; index < args.length; index++) {
    const [name, inline] = split(args[index]!)
    const flag = flags.find(({ names }) => names.includes(name))
    if (flag === undefined) {
      rest.push(args[index]!)
      continue
    }
    if (typed.has(flag)) problem ??= UsageError.make(`${name} can be given only once.`)
    if (flag.value === undefined) {
      if (inline !== undefined) problem ??= UsageError.make(`${name} takes no value.`)
      typed.set(flag, "")
      continue
    }
    const next = args[index + 1]
    if (inline !== undefined) typed.set(flag, inline)
    else if (next === undefined) problem ??= UsageError.needsValue(name)
    else if (isOption(next)) {
      problem ??= UsageError.needsValue(name, ` If it begins with dashes, type ${name}=${flag.value}.`)
    } else {
      typed.set(flag, next)
      index++
    }
  }
  return { typed, rest, problem }
}

/**
 * Parses the options of a command, whose name is the first `words` arguments that belong to none of them. Any others are an
 * error.
 *
 * @since 1.0.0
 * @category parsers
 */
export const parse = <Declared extends Flags>(
  flags: Declared,
  args: ReadonlyArray<string>,
  words = 0
): Either.Either<Given<Declared>, UsageError.UsageError> => {
  const known = Object.values(flags)
  const { problem, rest, typed } = collect(known, args)
  const unknown = rest[words]
  if (problem !== undefined) return Either.left(problem)
  if (unknown !== undefined) return Either.left(unexpected(unknown, known))
  const given: { [key: string]: unknown } = {}
  for (const [key, flag] of Object.entries(flags)) {
    const value = flag.read(typed.get(flag))
    if (Either.isLeft(value)) return Either.left(value.left)
    given[key] = value.right
  }
  // Every key has a value of its flag. The type of an entry does not tell which.
  return Either.right(given as Given<Declared>)
}

const unexpected = (arg: string, flags: ReadonlyArray<Flag<unknown>>): UsageError.UsageError => {
  const [name] = split(arg)
  if (!/^-./.test(name)) return UsageError.make(`Unknown argument '${arg}'.`)
  return UsageError.unknownOption(name, Suggestion.forOption(name, flags.flatMap(({ names }) => names)))
}
