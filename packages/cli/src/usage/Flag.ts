/**
 * The options of a command. One declaration of an option gives how it is parsed, its line in the help, and what a shell
 * completes.
 */
import * as Either from "effect/Either"
import * as UsageError from "./UsageError.ts"
import type { Value, Values } from "./Value.ts"

/** An option whose value is an `A`. */
export interface Flag<out A> {
  /** As in `--take` and `-t`. A constant has none. Default: after its key, as in `--page-size` for `pageSize`. */
  readonly names?: ReadonlyArray<string> | undefined
  /** What stands for the value in the help, as in `N` or `csv|json`. Undefined for an option without a value. */
  readonly value?: string | undefined
  /** What a shell offers as values. */
  readonly values?: Values | undefined
  readonly description: string
  /** Whether it is a word after the name of the command, in the order of the declarations, as in `contacts get ID`. Default: no. */
  readonly isPositional?: boolean | undefined
  /** Whether the command needs it, unless it is in a file. Default: no. */
  readonly isNeeded?: boolean | undefined
  /** What a name means if no value follows, as `true` for `--unsubscribed`. Without it, a value is needed. */
  readonly implied?: { readonly [name: string]: string } | undefined
  /** Parses what was typed: undefined if the option was not given, and empty if it takes no value. */
  readonly read: (typed: string | undefined, option: string) => Either.Either<A, UsageError.UsageError>
  /** For an option that can be given several times: parses all that was typed. */
  readonly readAll?:
    | ((typed: ReadonlyArray<string>, option: string) => Either.Either<A, UsageError.UsageError>)
    | undefined
}

/** The options of a command, by the names that its code uses. */
export interface Flags {
  readonly [key: string]: Flag<unknown>
}

/** The parsed values of options. */
export type Given<Declared extends Flags> = {
  readonly [key in keyof Declared]: Declared[key] extends Flag<infer A> ? A : never
}

/** An option with its key, and the names that it is typed by. */
export interface Named extends Flag<unknown> {
  readonly key: string
  readonly names: ReadonlyArray<string>
}

export const named = (flags: Flags): ReadonlyArray<Named> =>
  Object.entries(flags).map(([key, flag]) => ({ ...flag, key, names: flag.names ?? [UsageError.optionOf(key)] }))

/** An option that must be given. */
export const required = <A>(value: Value<A>, description: string): Flag<A> => ({
  value: value.name,
  values: value.values,
  description,
  read: (typed, option) => {
    if (typed === undefined) return Either.left(UsageError.make(`${option} ${value.name} is required`))
    if (typed === "" && value.canBeEmpty !== true) return Either.left(UsageError.make(`${option} needs a value`))
    return Either.mapLeft(value.parse(typed), (expected) => {
      const shown = value.isSecret === true ? "" : `, not '${typed}'`
      return UsageError.make(`${option} ${expected}${shown}`, nearest(typed, value))
    })
  }
})

/** The known word that the first unknown one resembles. */
const nearest = (typed: string, { values }: Value<unknown>): string => {
  if (values === undefined || !("words" in values)) return ""
  const unknown = typed.split(",").find((word) => !values.words.includes(word)) ?? typed
  return UsageError.suggestion(unknown, values.words)
}

/** An option that has a value if it is not given. */
export const withDefault = <A, B>(value: Value<A>, fallback: B, description: string): Flag<A | B> => {
  const flag = required(value, description)
  return {
    ...flag,
    read: (typed, option) => typed === undefined ? Either.right<A | B>(fallback) : flag.read(typed, option)
  }
}

/** An option that is undefined if it is not given. */
export const optional = <A>(value: Value<A>, description: string): Flag<A | undefined> =>
  withDefault(value, undefined, description)

/** A word after the name of the command, which must be given. */
export const positional = <A>(value: Value<A>, description: string): Flag<A> => ({
  ...required(value, description),
  names: [],
  isPositional: true,
  read: (typed) =>
    typed === undefined || typed === ""
      ? Either.left(UsageError.make(`${value.name} is required`))
      : Either.mapLeft(value.parse(typed), (expected) => UsageError.make(`${value.name} ${expected}, not '${typed}'`))
})

/** An option that is true or false: `--name`, `--no-name` or `--name false`. Undefined if it is not given. */
export const toggle = (name: string, description: string): Flag<boolean | undefined> => ({
  ...optional(truth, description),
  names: [`--${name}`, `--no-${name}`],
  implied: { [`--${name}`]: "true", [`--no-${name}`]: "false" }
})

const truth: Value<boolean> = {
  name: "[true|false]",
  values: { _tag: "OneOf", words: ["true", "false"] },
  parse: (text) =>
    text === "true" || text === "false" ? Either.right(text === "true") : Either.left("must be true or false")
}

/** An option that must be given, and can be given several times. */
export const several = <A>(value: Value<A>, description: string): Flag<ReadonlyArray<A>> => {
  const one = required(value, description)
  return {
    ...one,
    readAll: (typed, option) => Either.all(typed.map((text) => one.read(text, option))),
    read: (typed, option) => Either.map(one.read(typed, option), (value) => [value])
  }
}

/** An option that can be given several times. Undefined if it is not given. */
export const repeated = <A, B>(
  value: Value<A>,
  join: (all: ReadonlyArray<A>) => B,
  description: string
): Flag<B | undefined> => {
  const one = required(value, description)
  const readAll = (typed: ReadonlyArray<string>, option: string) =>
    Either.map(Either.all(typed.map((text) => one.read(text, option))), join)
  return {
    ...one,
    readAll,
    read: (typed, option) => typed === undefined ? Either.right(undefined) : readAll([typed], option)
  }
}

/** An option without a value: whether it is given. */
export const boolean = (description: string, names?: ReadonlyArray<string>): Flag<boolean> => ({
  names,
  description,
  read: (typed) => Either.right(typed !== undefined)
})

/** Always the same value: stands for an option that the command does not have. */
export const constant = <A>(value: A): Flag<A> => ({
  names: [],
  description: "",
  read: () => Either.right(value)
})

/** Whether a command line without the option is wrong. */
export const isRequired = ({ read }: Flag<unknown>): boolean => Either.isLeft(read(undefined, ""))
