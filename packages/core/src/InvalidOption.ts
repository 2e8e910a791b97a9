/**
 * Options that callers got wrong. What the API itself would refuse, such as a `limit` of 101, is a `validation_error`
 * instead, as it would be from the API.
 *
 * @since 1.0.0
 */
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/**
 * An invalid option. Nothing was requested, read or written.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidOption extends Schema.TaggedError<InvalidOption>("@mailstream/core/InvalidOption")(
  "InvalidOption",
  {
    /** The option, as in `rateLimit.requests`. */
    option: Schema.String,
    /** What it must be, as in `must be an integer from 1 to 100`. Never the value: it may be a secret. */
    description: Schema.String
  }
) {
  override get message(): string {
    return `${this.option} ${this.description}`
  }
}

/**
 * Refuses an option unless a condition holds.
 *
 * @since 1.0.0
 * @category constructors
 */
export const unless = (
  isValid: boolean,
  option: string,
  description: string
): Either.Either<void, InvalidOption> => isValid ? Either.void : Either.left(new InvalidOption({ option, description }))

/**
 * @since 1.0.0
 * @category constructors
 */
export const integer = (
  option: string,
  value: number,
  { max = Infinity, min }: { readonly min: number; readonly max?: number | undefined }
): Either.Either<number, InvalidOption> =>
  Either.map(
    unless(
      Number.isSafeInteger(value) && value >= min && value <= max,
      option,
      max === Infinity ? `must be an integer, ${min} or greater` : `must be an integer from ${min} to ${max}`
    ),
    () => value
  )

/**
 * @since 1.0.0
 * @category constructors
 */
export const positive = (option: string, value: number): Either.Either<number, InvalidOption> =>
  Either.map(unless(value > 0, option, "must be a number greater than 0"), () => value)

const longest = /* #__PURE__ */ Duration.days(365_000)

/**
 * A duration: greater than 0, or at least `min`; at most a thousand years, so that dates can be computed with
 * it, unless it may be infinite.
 *
 * @since 1.0.0
 * @category constructors
 * @example
 * ```ts
 * import * as InvalidOption from "@mailstream/core/InvalidOption"
 *
 * InvalidOption.duration("every", "0 seconds") // left(InvalidOption: every must be a finite duration greater than 0, …)
 * ```
 */
export const duration = (
  option: string,
  input: Duration.DurationInput,
  { infinite = false, min }: {
    readonly min?: Duration.DurationInput | undefined
    readonly infinite?: boolean | undefined
  } = {}
): Either.Either<Duration.Duration, InvalidOption> => {
  const bound = min === undefined ? "greater than 0" : `of at least ${Duration.format(min)}`
  const invalid = () =>
    new InvalidOption({
      option,
      description: `must be a ${infinite ? "" : "finite "}duration ${bound}, as in "1 hour"`
    })
  return Either.filterOrLeft(
    // NaN and negative numbers would be decoded as zero.
    Either.fromOption(
      typeof input === "number" && !(input >= 0) ? Option.none() : Duration.decodeUnknown(input),
      invalid
    ),
    (decoded) =>
      (Duration.lessThanOrEqualTo(decoded, longest) || (infinite && !Duration.isFinite(decoded))) &&
      (min === undefined ? Duration.greaterThan(decoded, 0) : Duration.greaterThanOrEqualTo(decoded, min)),
    invalid
  )
}
