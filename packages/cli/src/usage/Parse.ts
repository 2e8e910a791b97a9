/**
 * Parsers for the values of options. A parser that fails says what it expects.
 *
 * @since 1.0.0
 */
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Option from "effect/Option"

/**
 * A whole number from `min` to `max`.
 *
 * @since 1.0.0
 * @category parsers
 */
export const integer =
  (min: number, max = Number.MAX_SAFE_INTEGER) => (text: string): Either.Either<number, string> => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN
    if (number >= min && number <= max) return Either.right(number)
    return Either.left(
      max === Number.MAX_SAFE_INTEGER
        ? `must be a whole number, ${min} or more`
        : `must be a number between ${min} and ${max}`
    )
  }

/**
 * A share, from 0 to 1.
 *
 * @since 1.0.0
 * @category parsers
 */
export const share = (text: string): Either.Either<number, string> =>
  /^(0(\.\d+)?|1(\.0+)?|\.\d+)$/.test(text)
    ? Either.right(Number(text))
    : Either.left("must be a number between 0 and 1, such as 0.1")

const units: { readonly [unit: string]: (amount: number) => Duration.Duration } = {
  ms: Duration.millis,
  s: Duration.seconds,
  m: Duration.minutes,
  h: Duration.hours,
  d: Duration.days
}

/**
 * A time, as in `50ms`, `5s`, `1.5m`, `1h` or `30d`.
 *
 * @since 1.0.0
 * @category parsers
 */
export const duration = (text: string): Either.Either<Duration.Duration, string> => {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  const make = units[unit ?? ""]
  return amount === undefined || make === undefined
    ? Either.left("must be a time, such as 500ms, 5s or 1m")
    : Either.right(make(Number(amount)))
}

/**
 * A time of at least `least`, which `words` spells out, as in `a second`.
 *
 * @since 1.0.0
 * @category parsers
 */
export const durationFrom =
  (least: Duration.DurationInput, words: string) => (text: string): Either.Either<Duration.Duration, string> =>
    Either.filterOrLeft(
      duration(text),
      Duration.greaterThanOrEqualTo(least),
      () => `must be a time of ${words} or more, such as 30s or 1h`
    )

/**
 * Requests per time, as in `10/1s` or `100/m`.
 *
 * @since 1.0.0
 * @category parsers
 */
export const rate = (
  text: string
): Either.Either<{ readonly requests: number; readonly per: Duration.Duration }, string> => {
  const [, requests, per] = /^([1-9]\d*)\/(.+)$/.exec(text) ?? []
  return Option.fromNullable(per).pipe(
    Option.map((per) => /^\d/.test(per) ? per : `1${per}`),
    Option.flatMap((per) => Either.getRight(duration(per))),
    Option.filter(Duration.greaterThan(Duration.zero)),
    Option.match({
      onNone: () => Either.left("must be a number of requests per time, such as 10/1s"),
      onSome: (per) => Either.right({ requests: Number(requests), per })
    })
  )
}
