/**
 * Operations on single objects: what one is, what its arguments must be, and when it may be repeated. The operations of
 * each kind of object are in the module of their name, such as `ContactOperations`.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import { identity } from "effect/Function"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as ApiErrors from "./ApiError.ts"
import { type ApiError, ValidationError } from "./ApiError.ts"
import { type Validate, validate } from "./internal/exact.ts"
import { place, textOf } from "./internal/ref.ts"
import { descriptionOf } from "./internal/values.ts"
import { isTransient, isUnprocessed, type Outcome, outcome, type RequestError } from "./RequestError.ts"
import type { Path } from "./Resource.ts"

/**
 * What repeating an operation does.
 *
 * - `read`: it changes nothing.
 * - `natural`: once it has been done, doing it again changes nothing more.
 * - `guarded`: once it has been done, a second one is refused. If an attempt got no response and the next one is refused, nobody
 *   knows which of them the refusal is about: the outcome is `unknown`.
 * - `keyed`: it has an idempotency key; one with the same key and the same input is not done again.
 * - `once`: it is done again. So it is repeated only if it certainly was not done.
 *
 * @since 1.0.0
 * @category models
 */
export type Repetition = "read" | "natural" | "guarded" | "keyed" | "once"

/**
 * A part of a path: an id, or another name of the object.
 *
 * @since 1.0.0
 * @category models
 */
export interface Param<A> {
  /** The placeholder in the path. */
  readonly field: string
  readonly schema: Checked<A>
}

/**
 * A header of a request, which callers pass as an option.
 *
 * @since 1.0.0
 * @category models
 */
export interface Header<A> {
  /** As in `idempotency-key`. */
  readonly name: string
  /** What it is for, as a sentence. */
  readonly description: string
  readonly schema: Checked<A>
  /** The error for any other value. */
  readonly refusal: ApiError
  /** Makes the value of a call that has none. */
  readonly fresh?: (() => A) | undefined
}

/**
 * The options that an operation has beside those of every operation, by the headers that they are sent as.
 *
 * @since 1.0.0
 * @category models
 */
export type Given<Headers> = {
  readonly [Option in keyof Headers]?: Headers[Option] extends Header<infer A> ? A | undefined : never
}

/**
 * A schema that validates without transforming; what its values are without brands does not matter.
 *
 * @since 1.0.0
 * @category models
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Checked<A> = Schema.Codec<A, any>

/**
 * One operation. `Args` are the parts of its path, `Input` is the body of its request, or `void`; `Headers` are those that
 * callers can choose.
 *
 * @since 1.0.0
 * @category models
 */
export interface Operation<Args extends ReadonlyArray<unknown>, Input, Output, Encoded, Headers = {}> {
  /** What it is called in services and commands: `create`. */
  readonly name: string
  /** What it does, as a sentence. */
  readonly summary: string
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  /** With a placeholder for each of `params`: `/contacts/:contact`. */
  readonly path: Path
  readonly params: { readonly [Index in keyof Args]: Param<Args[Index]> }
  /** By the names of the options that they are passed as. */
  readonly headers: Headers
  readonly payload: Checked<Input> | undefined
  /** A faster check of the input: `true` means that `payload` accepts it, `false` that only `payload` can tell. */
  readonly accepts: ((input: unknown) => boolean) | undefined
  /** The input as it is sent, if that differs. */
  readonly encode: ((input: Input) => unknown) | undefined
  /** The body of a successful response, and its status; a client accepts any 2xx. */
  readonly success: Schema.Codec<Output, Encoded>
  readonly status: 200 | 201
  readonly repetition: Repetition
  /** For a removal: its result, if a repetition finds that the object is gone. */
  readonly gone: ((...args: Args) => Encoded) | undefined
  /** With these options, what is sent of an input and what is not, if the service would reject parts of it alone. */
  readonly divide: ((input: Input, options: Given<Headers>) => Division<Input, Output> | undefined) | undefined
  /** Whether a response can be the one to this input. */
  readonly fits: ((input: Input, output: Output) => boolean) | undefined
}

/**
 * An input that is sent in part.
 *
 * @since 1.0.0
 * @category models
 */
export interface Division<Input, Output> {
  /** What is sent; `undefined` if nothing is left of it. */
  readonly input: Input | undefined
  /** The result for the complete input, from the one for what was sent. */
  readonly complete: (output: Output | undefined) => Output
}

/**
 * Any operation.
 *
 * @since 1.0.0
 * @category models
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Any = Operation<ReadonlyArray<any>, any, any, any, { readonly [option: string]: Header<any> }>

/**
 * The operations of one kind of object, by their names.
 *
 * @since 1.0.0
 * @category models
 */
export interface Table {
  readonly [name: string]: Any
}

/**
 * What the fields of inputs are, by their names: sentences for people. Names of other fields are in backticks. They are apart
 * from the schemas because programs that only send requests do not need them.
 *
 * @since 1.0.0
 * @category models
 */
export interface Descriptions {
  readonly [field: string]: string
}

/**
 * The arguments of an operation: the parts of its path, its input if it has one, and options.
 *
 * @since 1.0.0
 * @category models
 */
export type Arguments<Args extends ReadonlyArray<unknown>, Input, Options> = [Input] extends [void]
  ? [...args: Args, options?: Options]
  : undefined extends Input ? [...args: Args, input?: Input, options?: Options]
  : [...args: Args, input: Input, options?: Options]

/**
 * @since 1.0.0
 * @category constructors
 */
export const param = <A>(field: string, schema: Checked<A>): Param<A> => ({ field, schema })

/**
 * @since 1.0.0
 * @category constructors
 */
export const make = <const Args extends ReadonlyArray<unknown>, Output, Encoded, Input = void, Headers = {}>(
  entry: Pick<Operation<Args, Input, Output, Encoded>, "summary" | "path" | "repetition" | "success"> & {
    readonly name: string
    readonly method: Operation<Args, Input, Output, Encoded>["method"]
    readonly params: { readonly [Index in keyof Args]: Param<Args[Index]> }
    readonly headers?: Headers
    readonly payload?: Checked<Input>
    readonly accepts?: (input: unknown) => boolean
    readonly encode?: (input: Input) => unknown
    readonly status?: 201
    readonly gone?: (...args: Args) => Encoded
    readonly divide?: (input: Input, options: Given<Headers>) => Division<Input, Output> | undefined
    readonly fits?: (input: Input, output: Output) => boolean
  }
): Operation<Args, Input, Output, Encoded, Headers> => ({
  // Without any, `Headers` is `{}`.
  headers: {} as Headers,
  payload: undefined,
  accepts: undefined,
  encode: undefined,
  status: 200,
  gone: undefined,
  divide: undefined,
  fits: undefined,
  ...entry
})

/**
 * The path of an operation. No argument can change its structure: an empty one, `.` and `..` are refused, the rest is
 * percent-encoded.
 *
 * @since 1.0.0
 * @category combinators
 */
export const path = (operation: Any, args: ReadonlyArray<unknown>): Result.Result<Path, ValidationError> => {
  let path: Path = operation.path
  for (const [index, { field, schema }] of operation.params.entries()) {
    const arg = args[index]
    const placed = place(path, field, Schema.is(schema)(arg) ? textOf(arg) : undefined)
    if (placed === undefined) {
      return Result.fail(
        ValidationError.because(
          `The \`${field}\` must be ${descriptionOf(schema) ?? "an id"}.`
        )
      )
    }
    path = placed
  }
  return Result.succeed(path)
}

/**
 * The input of an operation, as it is sent; input that the API would refuse is refused with the API's own error. Fields that
 * the API does not know are refused, too: it would ignore them.
 *
 * @since 1.0.0
 * @category combinators
 */
export const input = (
  { accepts, encode = identity, payload }: Any,
  input: unknown
): Result.Result<unknown, ValidationError> => {
  if (payload === undefined) return Result.succeed(input)
  const checked = accepts?.(input) === true ? Result.succeed(input) : validating(payload)(input)
  return Result.mapBoth(checked, {
    onFailure: ValidationError.fromSchemaError,
    // As it was given: the validated copy lacks a property that is called `__proto__`. What can be omitted is an empty object.
    onSuccess: () => encode(input ?? {})
  })
}

/**
 * The headers of a request, by their names on the wire, from the options of a call.
 *
 * @since 1.0.0
 * @category combinators
 */
export const headers = (
  operation: Any,
  options: object
): Result.Result<{ readonly [name: string]: string }, ApiError> => {
  const all: Record<string, string> = {}
  for (const [option, { name, refusal, schema }] of Object.entries(operation.headers)) {
    const value: unknown = Reflect.get(options, option)
    if (value === undefined) continue
    if (!checking(schema)(value)) return Result.fail(ApiErrors.make(refusal.name, refusal))
    all[name] = String(value)
  }
  return Result.succeed(all)
}

const checks = new WeakMap<object, (input: unknown) => boolean>()

/** Made once: `Schema.is` makes another check each time. */
const checking = (schema: Checked<unknown>): (input: unknown) => boolean => {
  const known = checks.get(schema)
  if (known !== undefined) return known
  const check = Schema.is(schema)
  checks.set(schema, check)
  return check
}

const validators = new WeakMap<object, Validate>()

/** Made once: `validate` makes another parser of the schema each time. */
const validating = (payload: Checked<unknown>): Validate => {
  const known = validators.get(payload)
  if (known !== undefined) return known
  const made = validate(payload)
  validators.set(payload, made)
  return made
}

/**
 * Whether an operation may be repeated after an error.
 *
 * @since 1.0.0
 * @category predicates
 */
export const isRepeatable = (repetition: Repetition, error: RequestError): boolean =>
  (isTransient(error) || isNamelessConflict(repetition, error)) && (repetition !== "once" || isUnprocessed(error))

/**
 * What became of an operation that failed with this error.
 *
 * @since 1.0.0
 * @category getters
 */
export const outcomeOf = (repetition: Repetition, error: RequestError): Outcome =>
  isNamelessConflict(repetition, error) ? "unknown" : outcome(error)

/** A conflict whose body was lost may say that an operation with the same key is in progress. */
const isNamelessConflict = (repetition: Repetition, error: RequestError): boolean =>
  repetition === "keyed" && error._tag === "api_error" && error.statusCode === 409

/**
 * Whether an operation with this input cannot be undone, because something is lost or sent: a program that talks to people
 * asks them first.
 *
 * @since 1.0.0
 * @category predicates
 */
export const isFinal = ({ name }: Pick<Any, "name">, input?: unknown): boolean =>
  /^(remove|rotate|send)/.test(name) ||
  typeof input === "object" && input !== null && "send" in input && input.send === true
