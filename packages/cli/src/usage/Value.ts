/** The values of options: how they are parsed, what stands for them in the help, and what a shell offers for them. */
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"

/**
 * What a shell offers for a value.
 *
 * - `OneOf`: one of these words.
 * - `Several`: some of these words, separated by commas.
 * - `File`: the name of a file.
 * - `Location`: one of these words; `sqlite:` is followed by the name of a file.
 */
export type Values =
  | { readonly _tag: "Any" | "File" }
  | { readonly _tag: "OneOf" | "Several" | "Location"; readonly words: ReadonlyArray<string> }

/** A value of an option, parsed into an `A`. */
export interface Value<out A> {
  /** What stands for it in the help, as in `N` or `csv|json`. */
  readonly name: string
  /** Fails with what is expected, as in `must be an id`. */
  readonly parse: (text: string) => Either.Either<A, string>
  /** What a shell offers. Default: nothing. */
  readonly values?: Values | undefined
  /** Whether it may hold a password, so that errors must not repeat it. Default: no. */
  readonly isSecret?: boolean | undefined
  /** Whether it may be empty. Default: no. */
  readonly canBeEmpty?: boolean | undefined
}

/** Text that is taken as it is. */
export const text = (name: string, options?: Pick<Value<string>, "canBeEmpty">): Value<string> => ({
  name,
  parse: Either.right,
  ...options
})

/** The name of a file. */
export const file = (name: string): Value<string> => ({ ...text(name), values: { _tag: "File" } })

/** One of these words. */
export const choice = <const Choice extends string>(
  choices: ReadonlyArray<Choice>,
  name: string = choices.join("|")
): Value<Choice> => ({
  name,
  values: { _tag: "OneOf", words: choices },
  parse: (text) =>
    Either.fromNullable(choices.find((choice) => choice === text), () => `must be one of ${choices.join(", ")}`)
})

/** Some of these words, which are names of `things`, separated by commas, in the order in which they are typed. */
export const several = <const Word extends string>(
  things: string,
  words: ReadonlyArray<Word>
): Value<ReadonlyArray<Word>> => ({
  name: things.toUpperCase(),
  values: { _tag: "Several", words },
  parse: (text) =>
    Either.all(
      text.split(",").map((name) =>
        Either.fromNullable(
          words.find((word) => word === name.trim()),
          () => `must name ${things} among ${words.join(", ")}`
        )
      )
    )
})

/** A whole number from `min` to `max`. */
export const integer = (min: number, max = Number.MAX_SAFE_INTEGER): Value<number> => ({
  name: "N",
  parse: (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN
    if (number >= min && number <= max) return Either.right(number)
    return Either.left(
      max === Number.MAX_SAFE_INTEGER
        ? `must be a whole number, ${min} or more`
        : `must be a number between ${min} and ${max}`
    )
  }
})

/** A share, from 0 to 1. */
export const share: Value<number> = {
  name: "SHARE",
  parse: (text) =>
    /^(0(\.\d+)?|1(\.0+)?|\.\d+)$/.test(text)
      ? Either.right(Number(text))
      : Either.left("must be a number between 0 and 1, such as 0.1")
}

const units: { readonly [unit: string]: string } = { ms: "millis", s: "seconds", m: "minutes", h: "hours", d: "days" }

/** A time, as in `50ms`, `5s`, `1.5m`, `1h` or `30d`. */
export const duration: Value<Duration.Duration> = {
  name: "TIME",
  parse: (text) => {
    const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
    const time = Duration.decodeUnknown(`${amount} ${units[unit]}`)
    return Either.fromOption(time, () => "must be a time, such as 500ms, 5s or 1m")
  }
}

/** A time of at least `least`, which `words` spells out, as in `a second`. */
export const durationFrom = (least: Duration.DurationInput, words: string): Value<Duration.Duration> => ({
  name: duration.name,
  parse: (text) =>
    Either.filterOrLeft(
      duration.parse(text),
      Duration.greaterThanOrEqualTo(least),
      () => `must be a time of ${words} or more, such as 30s or 1h`
    )
})

/** Requests per time, as in `5/s`, `10/1s`, `5/sec` or `30/min`. */
export const rate: Value<{ readonly requests: number; readonly per: Duration.Duration }> = {
  name: "N/TIME",
  parse: (text) => {
    const [, requests, time = ""] = /^([1-9]\d*)\/(.+)$/.exec(text) ?? []
    const short = time.replace(/sec(?:ond)?s?$/, "s").replace(/min(?:ute)?s?$/, "m").replace(/hours?$/, "h")
    return duration.parse(/^\d/.test(short) ? short : `1${short}`).pipe(
      Either.filterOrLeft(Duration.greaterThan(Duration.zero), () => ""),
      Either.mapBoth({
        onLeft: () => "must be a number of requests per time, such as 5/s",
        onRight: (per) => ({ requests: Number(requests), per })
      })
    )
  }
}
