/**
 * Checks of what callers without types may pass. What is checked is read once, and a copy of it is used from then on:
 * options may be proxies, or change.
 */
import type { ValidationError } from "@mailstream/core"
import { integer, InvalidOption, unless } from "@mailstream/core/InvalidOption"
import { EffectTypeId } from "effect/Effect"
import * as Either from "effect/Either"
import { constVoid, identity } from "effect/Function"
import * as Predicate from "effect/Predicate"
import { suggest } from "./suggest.ts"

/** What the API would refuse is a `ValidationError`, as it would be from the API. */
export type Checked<A> = Either.Either<A, InvalidOption | ValidationError>

export type Check<out A> = (value: unknown, option: string) => Checked<A>

/** What each option must be. */
export interface Checks {
  readonly [option: string]: Check<unknown>
}

type Type<C> = C extends Check<infer A> ? A : never

/** The options that were given, and those that are required. */
export type Given<C extends Checks, Required extends string = never> =
  & { readonly [Name in Exclude<keyof C, Required>]?: Type<C[Name]> | undefined }
  & { readonly [Name in keyof C & Required]: Type<C[Name]> }

export const invalid = (option: string, description: string): Either.Either<never, InvalidOption> =>
  Either.left(new InvalidOption({ option, description }))

/** Runs code that reads what callers passed: a proxy or a getter may throw anything. */
export const reading = <A>(option: string, read: () => Checked<A>): Checked<A> =>
  Either.flatMap(
    Either.try({
      try: read,
      catch: () => new InvalidOption({ option, description: "cannot be used: it throws an error when it is read" })
    }),
    identity
  )

/** What `{ … }` and `Object.create` make, in any realm: not an instance of a class. */
const isPlain = (value: object): boolean => {
  const prototype: object | null = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null ||
    (!Object.hasOwn(prototype, "constructor") && isPlain(prototype))
}

/** Whether something has options at all: a promise, a Map or a signal is taken for options without any. */
const hasOptions = (value: unknown, known: ReadonlyArray<string>): value is { readonly [name: string]: unknown } =>
  Predicate.isRecord(value) && (isPlain(value) || known.some((name) => name in value))

/** The names that were given, also those of a prototype, but for the names that every object has. */
export const namesOf = (options: object): ReadonlyArray<string> => {
  const names = new Set(Object.keys(options))
  for (const name in options) if (!(name in Object.prototype)) names.add(name)
  return [...names]
}

interface Setting<Required extends string> {
  readonly required?: ReadonlyArray<Required> | undefined
  /** The option that these options are. */
  readonly path?: string | undefined
  /** Options that exist within these, for advice. */
  readonly nested?: ReadonlyArray<string> | undefined
  /** What the options must be. */
  readonly description?: string | undefined
}

/** Checks the options that are given, that none is missing, and that there are no others; returns a copy. */
export const all = <const C extends Checks, const Required extends string = never>(
  options: unknown,
  checks: C,
  { description = "must be an object", nested = [], path = "", required = [] }: Setting<Required> = {}
): Checked<Given<C, Required>> =>
  reading(path === "" ? "options" : path, () => {
    const known = Object.keys(checks)
    if (!hasOptions(options, known)) return invalid(path === "" ? "options" : path, description)
    const given: { [name: string]: unknown } = {}
    // First those that do not exist: one of them may be meant for one that is missing.
    const names = [...namesOf(options).filter((name) => !Object.hasOwn(checks, name)), ...known]
    for (const name of names) {
      const option = path === "" ? name : `${path}.${name}`
      const checked = reading(option, () => {
        const value = options[name]
        if (value === undefined && !(required as ReadonlyArray<string>).includes(name)) return Either.right(value)
        return Object.hasOwn(checks, name)
          ? checks[name]!(value, option)
          : invalid(option, `is not an option here: ${suggest(name, [...known, ...nested])}`)
      })
      if (Either.isLeft(checked)) return Either.left(checked.left)
      given[name] = checked.right
    }
    // Each value is what the check of its name returned.
    return Either.right(given as Given<C, Required>)
  })

const is = <A>(isValid: (value: unknown) => value is A, description: string): Check<A> => (value, option) =>
  Either.map(unless(isValid(value), option, description), () => value as A)

export { is as make }

/** What the API, or the package below, has rules for. */
export const unchecked: Check<unknown> = Either.right

export const count = (min: number, max?: number): Check<number> => (value, option) =>
  integer(option, Predicate.isNumber(value) ? value : NaN, { min, max })

export const isPositive = (value: unknown): value is number => Predicate.isNumber(value) && value > 0

export const millis = is(isPositive, "must be a number of milliseconds, greater than 0")

export const finiteMillis = is(
  (value): value is number => isPositive(value) && value !== Infinity,
  "must be a finite number of milliseconds, greater than 0"
)

export const hasMethods = (value: unknown, ...names: ReadonlyArray<PropertyKey>): value is object =>
  Predicate.isObject(value) && names.every((name) => Predicate.isFunction(Reflect.get(value, name)))

/** An `AbortController` instead of its signal would never abort anything. */
const isSignal = (value: unknown): value is AbortSignal => {
  if (!hasMethods(value, "addEventListener", "removeEventListener") || !("aborted" in value)) return false
  const signal = value as AbortSignal
  signal.addEventListener("abort", constVoid)
  signal.removeEventListener("abort", constVoid)
  return Predicate.isBoolean(signal.aborted)
}

export const signal = is(isSignal, "must be an AbortSignal, such as the `signal` of an AbortController")

/** A function of the caller's. What it takes and returns is for the types to say. */
export const callback = <A, Rest extends ReadonlyArray<unknown> = []>(): Check<(value: A, ...rest: Rest) => unknown> =>
  is(
    (value): value is (value: A, ...rest: Rest) => unknown => isCallable(value),
    "must be a function"
  )

const toSource = Function.prototype.toString

/** A class can only be called with `new`. */
/** Whether a function can be called without `new`. */
export const isCallable = (value: unknown): boolean =>
  Predicate.isFunction(value) && !isClass.test(toSource.call(value))

const isClass = /^class\b/

/** One of these texts. */
export const among = <const Text extends string>(...texts: ReadonlyArray<Text>): Check<Text> =>
  is(
    (value): value is Text => texts.some((text) => text === value),
    `must be ${texts.map((text) => JSON.stringify(text)).join(" or ")}`
  )

export const isText = (value: unknown): value is string => Predicate.isString(value) && value !== ""

export const key = is(isText, "must be a string that is not empty")

/** What a function of the caller's returned. Nobody runs an iterator or an Effect, and all would seem to be done. */
export const handled = (result: unknown, name: string): Checked<void> =>
  reading(name, () =>
    unless(
      !["next", Symbol.asyncIterator, EffectTypeId, "~effect/Effect"].some((name) =>
        Predicate.hasProperty(result, name)
      ),
      name,
      "must do its work itself, or return a promise: nothing runs the iterator or the Effect that it returned"
    ))

/** What a function of `processPages` returned. Nobody would wait for anything but a promise. */
export const used = (result: unknown): Checked<void> =>
  reading("use", () => unless(Predicate.isPromiseLike(result), "use", "must return a promise"))
