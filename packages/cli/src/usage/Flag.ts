/**
 * The options of a command. One declaration of an option gives how it is parsed, its line in the help, and what a shell
 * completes.
 *
 * @since 1.0.0
 */
import * as Either from "effect/Either"
import * as UsageError from "./UsageError.ts"
import type { Value } from "./Value.ts"
import * as Values from "./Values.ts"

/**
 * An option whose value is an `A`.
 *
 * @since 1.0.0
 * @category models
 */
export interface Flag<out A> {
  /** As in `--take`; with the short form, if there is one. A constant has no name. */
  readonly names: ReadonlyArray<string>
  /** What stands for the value in the help, as in `N` or `csv|json`. Undefined for an option without a value. */
  readonly value: string | undefined
  /** What a shell offers as values. */
  readonly values: Values.Values
  readonly description: string
  /** Parses what was typed: undefined if the option was not given, and empty if it takes no value. */
  readonly read: (typed: string | undefined) => Either.Either<A, UsageError.UsageError>
}

/**
 * The options of a command, by the names that its code uses.
 *
 * @since 1.0.0
 * @category models
 */
export interface Flags {
  readonly [key: string]: Flag<unknown>
}

/**
 * The parsed values of options.
 *
 * @since 1.0.0
 * @category models
 */
export type Given<Declared extends Flags> = {
  readonly [key in keyof Declared]: Declared[key] extends Flag<infer A> ? A : never
}

/**
 * An option that must be given.
 *
 * @since 1.0.0
 * @category constructors
 */
export const required = <A>(name: string, value: Value<A>, description: string): Flag<A> => ({
  names: [`--${name}`],
  value: value.name,
  values: value.values ?? Values.any,
  description,
  read: (typed) => {
    const option = `--${name}`
    if (typed === undefined) return Either.left(UsageError.missing(`${option} ${value.name}`))
    if (typed === "" && value.canBeEmpty !== true) return Either.left(UsageError.needsValue(option))
    return Either.mapLeft(
      value.parse(typed),
      (expected) => UsageError.invalid(option, expected, value.isSecret === true ? undefined : typed)
    )
  }
})

/**
 * An option that has a value if it is not given.
 *
 * @since 1.0.0
 * @category constructors
 */
export const withDefault = <A, B>(name: string, value: Value<A>, fallback: B, description: string): Flag<A | B> => {
  const flag = required(name, value, description)
  return { ...flag, read: (typed) => typed === undefined ? Either.right<A | B>(fallback) : flag.read(typed) }
}

/**
 * An option that is undefined if it is not given.
 *
 * @since 1.0.0
 * @category constructors
 */
export const optional = <A>(name: string, value: Value<A>, description: string): Flag<A | undefined> =>
  withDefault(name, value, undefined, description)

/**
 * An option without a value: whether it is given.
 *
 * @since 1.0.0
 * @category constructors
 */
export const boolean = (name: string, description: string, ...short: ReadonlyArray<string>): Flag<boolean> => ({
  names: [`--${name}`, ...short],
  value: undefined,
  values: Values.any,
  description,
  read: (typed) => Either.right(typed !== undefined)
})

/**
 * Always the same value: stands for an option that the command does not have.
 *
 * @since 1.0.0
 * @category constructors
 */
export const constant = <A>(value: A): Flag<A> => ({
  names: [],
  value: undefined,
  values: Values.any,
  description: "",
  read: () => Either.right(value)
})

/**
 * Continues with the value of an option.
 *
 * @since 1.0.0
 * @category combinators
 */
export const flatMap = <A, B>(
  flag: Flag<A>,
  f: (value: A) => Either.Either<B, UsageError.UsageError>
): Flag<B> => ({ ...flag, read: (typed) => Either.flatMap(flag.read(typed), f) })

/**
 * Whether a command line without the option is wrong.
 *
 * @since 1.0.0
 * @category predicates
 */
export const isRequired = ({ read }: Flag<unknown>): boolean => Either.isLeft(read(undefined))
