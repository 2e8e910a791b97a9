/** The options of the calls, as the client takes them. */
import type * as Client from "@mailstream/client"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { RequestError } from "../Errors.ts"
import type * as List from "../List.ts"
import { required } from "./required.ts"

/** In milliseconds. What is not a duration becomes NaN, which the client refuses with an error that says what is right. */
export const millis = (input: Duration.Input | undefined): number | undefined =>
  input === undefined ? undefined : Option.match(Duration.fromInput(input), {
    onNone: () => NaN,
    onSome: Duration.toMillis
  })

type Surroundings = Context.Context<never>

/** A function that returns an effect, as one that returns a promise: it runs in the surroundings of the call. */
const promising =
  <A>(surroundings: Surroundings, name: string, run: (value: A) => Effect.Effect<unknown>) =>
  (value: A): Promise<unknown> => Effect.runPromiseWith(surroundings)(required(name, () => run(value)))

interface Retried {
  readonly retry: Client.Retry | undefined
  readonly onRetry: Client.Retried["onRetry"]
}

/** How calls are retried. */
export const retried = ({ onRetry, retry }: List.Retried, surroundings: Surroundings): Retried => ({
  retry: typeof retry === "object" && retry !== null
    ? { ...retry, base: millis(retry.base) ?? NaN, cap: millis(retry.cap) ?? NaN }
    : retry,
  onRetry: onRetry === undefined ? onRetry : promising(
    surroundings,
    "onRetry",
    // Only requests are retried.
    ({ error, ...rest }: Client.RetryNotice) =>
      onRetry({ ...rest, error: error as RequestError, wait: Duration.millis(rest.wait) })
  )
})

const observed = ({ progress }: List.Observed, surroundings: Surroundings): Client.Observed =>
  progress === undefined ? {} : {
    progress: promising(surroundings, "progress", ({ waited, waiting, ...counts }: Client.Progress) =>
      progress({
        ...counts,
        waited: Duration.millis(waited),
        waiting: waiting === undefined ? waiting : Duration.millis(waiting)
      }))
  }

/** Options with everything that the client takes in another form. */
export const adapted = <Options extends List.Retried & List.Observed>(
  options: Options,
  surroundings: Surroundings
): Omit<Options, "retry" | "onRetry" | "progress"> & Client.Retried & Client.Observed => ({
  ...options,
  ...retried(options, surroundings),
  ...observed(options, surroundings)
})
