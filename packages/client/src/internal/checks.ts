/** Every check of what callers without types may pass. What the API has rules for is left to those. */
import { integer, InvalidOption, unless } from "@mailstream/core/InvalidOption"
import * as Position from "@mailstream/core/Position"
import * as RetryPolicy from "@mailstream/http/RetryPolicy"
import { EffectTypeId } from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Transports from "./transports.ts"

export type Result = Either.Either<unknown, InvalidOption>

type Check = (value: unknown, option: string) => Result

/** What each option must be. */
export interface Checks {
  readonly [option: string]: Check
}

export const invalid = (option: string, description: string): Either.Either<never, InvalidOption> =>
  Either.left(new InvalidOption({ option, description }))

/** Checks the options that are given, that none is missing, and that there are no others. */
export const all = (options: unknown, checks: Checks, required: ReadonlyArray<string> = [], path = ""): Result => {
  if (!Predicate.isRecord(options)) return invalid(path === "" ? "options" : path, "must be an object")
  const known = Object.keys(checks)
  for (const name of new Set([...known, ...Object.keys(options)])) {
    const value = options[name]
    if (value === undefined && !required.includes(name)) continue
    const check = known.includes(name) ? checks[name]! : unknown(known)
    const checked = check(value, path === "" ? name : `${path}.${name}`)
    if (Either.isLeft(checked)) return checked
  }
  return Either.void
}

const unknown = (known: ReadonlyArray<string>): Check => (_, option) =>
  invalid(option, `is not an option here: ${instead[option] ?? `the options are ${known.join(", ")}`}`)

/** What to pass for options of `list` and `items`. */
const instead: { readonly [option: string]: string } = {
  limit: "`items` and `pages` have `pageSize`, and `take` for the number of items",
  after: "`items` and `pages` have `from: after(id)`",
  before: "`items` and `pages` have `from: before(id)`",
  take: "for a `take`, use `items`"
}

const is = (isValid: Predicate.Predicate<unknown>, description: string): Check => (value, option) =>
  unless(isValid(value), option, description)

/** What the API, or the package below, has rules for. */
export const unchecked: Check = () => Either.void

export const count = (min: number): Check => (value, option) =>
  integer(option, Predicate.isNumber(value) ? value : NaN, { min })

const isPositive = (value: unknown): boolean => Predicate.isNumber(value) && value > 0

const millis = is(isPositive, "must be a number of milliseconds, greater than 0")

export const finiteMillis = is(
  (value) => isPositive(value) && value !== Infinity,
  "must be a finite number of milliseconds, greater than 0"
)

const hasMethods = (value: unknown, ...names: ReadonlyArray<string>): value is object =>
  Predicate.isObject(value) && names.every((name) => Predicate.isFunction(Reflect.get(value, name)))

/** An `AbortController` instead of its signal would never abort anything. */
const isSignal = (value: unknown): value is AbortSignal =>
  hasMethods(value, "addEventListener", "removeEventListener") && "aborted" in value

/** The signal of options that are checked elsewhere. */
export const signalOf = (options: unknown): AbortSignal | undefined =>
  Predicate.hasProperty(options, "signal") && isSignal(options.signal) ? options.signal : undefined

export const policies = { default: RetryPolicy.default, patient: RetryPolicy.patient, none: RetryPolicy.none }

const backoff = { times: count(0), base: finiteMillis, cap: finiteMillis }

const retry: Check = (value, option) =>
  Predicate.isRecord(value) ? all(value, backoff, Object.keys(backoff), option) : unless(
    Predicate.isString(value) && Object.hasOwn(policies, value),
    option,
    "must be \"default\", \"patient\", \"none\" or { times, base, cap }"
  )

/** The options of every call. */
export const call = {
  retry,
  signal: is(isSignal, "must be an AbortSignal, such as the `signal` of an AbortController")
}

export const position = is(
  Schema.is(Position.schema(Schema.String)),
  "must be a position: `after(id)`, `before(id)`, or the `next` of a page"
)

const aFunction = is(Predicate.isFunction, "must be a function")

const aString = is(Predicate.isString, "must be a string")

/** The arguments that are not options, all of them required. */
export const args = (given: { readonly key: unknown; readonly handle?: unknown; readonly use?: unknown }): Result =>
  all(given, { key: aString, handle: aFunction, use: aFunction }, Object.keys(given))

export const store = {
  store: is(
    (value) => hasMethods(value, "get", "set", "remove", "has"),
    "must have the methods get, set, remove and has: the position is kept in it. " +
      "For files, pass `fileStore(directory)` of @mailstream/client/file-store"
  )
}

/** The options of `clearCheckpoint`. */
export const clearing = (options: unknown): Result => all(options ?? {}, store, ["store"])

/** The options of `toArray`. */
export const collecting = (options: unknown): Result => all(options ?? {}, { limit: count(0) }, ["limit"])

const rateLimit = {
  requests: is(isPositive, "must be a number greater than 0"),
  per: finiteMillis,
  maxPause: millis
}

const environment: Checks = {
  timeout: millis,
  maxBodySize: is(isPositive, "must be a number of bytes, greater than 0"),
  rateLimit: (value, option) =>
    value === false ? Either.void : Predicate.isRecord(value) ? all(value, rateLimit, [], option) : invalid(
      option,
      "must be false or an object: { requests: 2, per: 1000 } is two a second"
    ),
  fetch: aFunction,
  transport: is(
    (value) => Transports.layerOf(value) !== undefined,
    "must be undici() of @mailstream/client/undici, imported in the same way as this module"
  )
}

/** The options of `fromEnv`. */
export const fromEnv = (options: unknown): Result => all(options, environment)

const apiKey = is(Predicate.isString, "must be a string: new Mailstream({ apiKey: \"…\" }), or Mailstream.fromEnv()")

/** The options of a client. */
export const client = (options: unknown): Result =>
  Either.flatMap(
    all(options ?? {}, { apiKey, baseUrl: unchecked, ...environment }, ["apiKey"]),
    () =>
      unless(
        !Predicate.hasProperty(options, "fetch") || options.fetch === undefined ||
          !Predicate.hasProperty(options, "transport") || options.transport === undefined,
        "fetch",
        "cannot be combined with a transport, which replaces it"
      )
  )

/** The options of `undici`. */
export const undici = (options: unknown): Result =>
  all(options, {
    dispatcher: is(
      (value) => hasMethods(value, "dispatch"),
      "must be a dispatcher of undici 8, such as new ProxyAgent(\"http://…\")"
    )
  })

/** The argument of `fileStore`. */
export const directory = (path: unknown): Result => aString(path, "directory")

/** What a handler returned. Nobody runs an iterator or an Effect, and everything would seem to be handled. */
export const handled = (result: unknown): Result =>
  unless(
    !["next", Symbol.asyncIterator, EffectTypeId, "~effect/Effect"].some((name) => Predicate.hasProperty(result, name)),
    "handle",
    "must do its work itself, or return a promise: nothing runs the iterator or the Effect that it returned"
  )

/** What a function of `processPages` returned. Nobody would wait for anything but a promise. */
export const used = <A>(result: Promise<A>): Either.Either<Promise<A>, InvalidOption> =>
  Predicate.isPromiseLike(result) ? Either.right(result) : invalid("use", "must return a promise")
