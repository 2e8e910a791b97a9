/**
 * The options of a command. One declaration of an option gives how it is parsed, its line in the help, and what a shell
 * completes.
 *
 * @since 1.0.0
 */
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as UsageError from "./UsageError.ts"
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
 * @since 1.0.0
 * @category models
 */
export interface Options {
  /** What stands for the value in the help. */
  readonly value: string
  readonly description: string
  /** What a shell offers as values. Default: nothing. */
  readonly values?: Values.Values | undefined
  /** Whether the value may be empty. Default: no. */
  readonly canBeEmpty?: boolean | undefined
}

const make = <A>(
  name: string,
  { canBeEmpty = false, description, value, values = Values.any }: Options,
  parse: (text: string) => Either.Either<A, UsageError.UsageError>
): Flag<A> => ({
  names: [`--${name}`],
  value,
  values,
  description,
  read: (typed) => {
    if (typed === undefined) return Either.left(UsageError.missing(`--${name} ${value}`))
    return typed === "" && !canBeEmpty ? Either.left(UsageError.needsValue(`--${name}`)) : parse(typed)
  }
})

/**
 * An option whose text is taken as it is.
 *
 * @since 1.0.0
 * @category constructors
 */
export const text = (name: string, options: Options): Flag<string> => make(name, options, Either.right)

/**
 * An option whose text is parsed. A parser that fails says what it expects, as in `must be an id`.
 *
 * @since 1.0.0
 * @category constructors
 */
export const parsed = <A>(
  name: string,
  options: Options & { readonly parse: (text: string) => Either.Either<A, string> }
): Flag<A> =>
  make(
    name,
    options,
    (text) => Either.mapLeft(options.parse(text), (expected) => UsageError.invalid(`--${name}`, expected, text))
  )

/**
 * An option that may hold a secret: its value is never repeated. A parser that fails returns the complete message.
 *
 * @since 1.0.0
 * @category constructors
 */
export const redacted = <A>(
  name: string,
  options: Options & { readonly parse: (text: Redacted.Redacted) => Either.Either<A, string> }
): Flag<A> => make(name, options, (text) => Either.mapLeft(options.parse(Redacted.make(text)), UsageError.make))

/**
 * An option with a choice of values.
 *
 * @since 1.0.0
 * @category constructors
 */
export const choice = <const Choice extends string>(
  name: string,
  { choices, value = choices.join("|"), ...options }: Omit<Options, "value" | "values"> & {
    readonly choices: ReadonlyArray<Choice>
    readonly value?: string | undefined
  }
): Flag<Choice> =>
  parsed(name, {
    ...options,
    value,
    values: Values.oneOf(choices),
    parse: (text) =>
      Either.fromNullable(choices.find((choice) => choice === text), () => `must be one of ${choices.join(", ")}`)
  })

/**
 * An option without a value: whether it is given.
 *
 * @since 1.0.0
 * @category constructors
 */
export const boolean = (
  name: string,
  { description, short = [] }: { readonly description: string; readonly short?: ReadonlyArray<string> | undefined }
): Flag<boolean> => ({
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
 * Has a value if the option is not given.
 *
 * @since 1.0.0
 * @category combinators
 */
export const withDefault = <A, B>(flag: Flag<A>, value: B): Flag<A | B> => ({
  ...flag,
  read: (typed): Either.Either<A | B, UsageError.UsageError> =>
    typed === undefined ? Either.right(value) : flag.read(typed)
})

/**
 * Undefined if the option is not given.
 *
 * @since 1.0.0
 * @category combinators
 */
export const optional = <A>(flag: Flag<A>): Flag<A | undefined> => withDefault(flag, undefined)

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
