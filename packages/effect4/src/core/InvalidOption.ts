/**
 * Options that callers got wrong. What the API itself would refuse, such as a `limit` of 101, is a `validation_error`
 * instead, as it would be from the API.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

/**
 * An invalid option. Nothing was requested, read or written.
 *
 * @since 1.0.0
 * @category errors
 */
export class InvalidOption extends Schema.TaggedError<InvalidOption>()("InvalidOption", {
  /** The option, as in `rateLimit.requests`. */
  option: Schema.String,
  /** What it must be, as in `must be an integer from 1 to 100`. Never the value: it may be a secret. */
  description: Schema.String
}) {
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
): Result.Result<void, InvalidOption> => isValid ? Result.void : Result.fail(new InvalidOption({ option, description }))

/**
 * @since 1.0.0
 * @category constructors
 */
export const integer = (
  option: string,
  value: number,
  { max = Infinity, min }: { readonly min: number; readonly max?: number | undefined }
): Result.Result<number, InvalidOption> =>
  Result.map(
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
export const positive = (option: string, value: number): Result.Result<number, InvalidOption> =>
  Result.map(unless(value > 0, option, "must be a number greater than 0"), () => value)

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
 * InvalidOption.duration("every", "0 seconds") // failure(InvalidOption: every must be a finite duration greater than 0, …)
 * ```
 */
export const duration = (
  option: string,
  input: Duration.Input,
  { infinite = false, min }: {
    readonly min?: Duration.Input | undefined
    readonly infinite?: boolean | undefined
  } = {}
): Result.Result<Duration.Duration, InvalidOption> => {
  const bound = min === undefined ? "greater than 0" : `of at least ${Duration.format(Duration.fromInputUnsafe(min))}`
  const invalid = () =>
    new InvalidOption({
      option,
      description: `must be a ${infinite ? "" : "finite "}duration ${bound}, as in "1 hour"`
    })
  return Result.filterOrFail(
    // NaN and negative numbers would be decoded as zero.
    Result.fromOption(
      typeof input === "number" && !(input >= 0) ? Option.none() : Duration.fromInput(input),
      invalid
    ),
    (decoded) =>
      (Duration.isLessThanOrEqualTo(decoded, longest) || (infinite && !Duration.isFinite(decoded))) &&
      (min === undefined
        ? Duration.isGreaterThan(decoded, Duration.fromInputUnsafe(0))
        : Duration.isGreaterThanOrEqualTo(decoded, Duration.fromInputUnsafe(min))),
    invalid
  )
}
