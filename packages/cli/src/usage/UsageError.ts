/**
 * Usage errors: the command line is wrong, and the message says what to type instead. Nothing has been requested yet.
 *
 * @since 1.0.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/**
 * @since 1.0.0
 * @category errors
 */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

/**
 * @since 1.0.0
 * @category constructors
 */
export const make = (message: string): UsageError => new UsageError({ message })

/**
 * @since 1.0.0
 * @category constructors
 */
export const fail = (message: string): Effect.Effect<never, UsageError> => Effect.fail(make(message))

/**
 * A required option is missing. `usage` is how it is typed, as in `--email ID`.
 *
 * @since 1.0.0
 * @category constructors
 */
export const missing = (usage: string): UsageError => make(`${usage} is required.`)

/**
 * An option without its value.
 *
 * @since 1.0.0
 * @category constructors
 */
export const needsValue = (option: string, hint = ""): UsageError => make(`${option} needs a value.${hint}`)

/**
 * An option with a value that it does not accept. `expected` begins with a verb, as in `must be an id`. Without the value,
 * it is not repeated.
 *
 * @since 1.0.0
 * @category constructors
 */
export const invalid = (option: string, expected: string, value?: string): UsageError =>
  make(`${option} ${expected}${value === undefined ? "" : `, not '${value}'`}.`)

/**
 * An option that the command does not have. Its value is not repeated: it could be a key.
 *
 * @since 1.0.0
 * @category constructors
 */
export const unknownOption = (option: string, hint: string): UsageError => make(`Unknown option '${option}'.${hint}`)
