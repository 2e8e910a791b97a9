/** The options of the calls, as the client takes them. */
import type * as Client from "@mailstream/client"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type * as List from "../List.ts"

/** In milliseconds. What is not a duration becomes NaN, which the client refuses with an error that says what is right. */
export const millis = (input: Duration.Input | undefined): number | undefined =>
  input === undefined ? undefined : Option.match(Duration.fromInput(input), {
    onNone: () => NaN,
    onSome: Duration.toMillis
  })

/** The retry policy of options. */
export const retryOf = ({ retry }: List.Retried): Client.Retry | undefined =>
  typeof retry === "object"
    ? { times: retry.times, base: millis(retry.base) ?? NaN, cap: millis(retry.cap) ?? NaN }
    : retry
