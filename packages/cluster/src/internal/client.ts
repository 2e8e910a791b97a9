/** The API, as one account sees it. */
import * as Mailstream from "@mailstream/http/Mailstream"
import * as RateLimit from "@mailstream/http/RateLimit"
import type * as Transport from "@mailstream/http/Transport"
import { monotonicMillis } from "@mailstream/kernel/Fibers"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { Accounts } from "../Accounts.ts"
import { AccountsError } from "../ClusterError.ts"
import * as Entries from "./entries.ts"

export interface Options {
  /** The address of accounts that do not have their own. */
  readonly baseUrl: string | undefined
  readonly rateLimit: RateLimit.Options | undefined
  readonly timeout: Duration.DurationInput | undefined
}

/** The client of an account, for one turn. */
export type Clients = (
  id: string
) => Effect.Effect<Context.Context<Mailstream.Mailstream>, AccountsError, Accounts | Transport.Transport>

/** The rate limits of accounts that had a turn lately: what a service says about one must hold for the next turn, too. */
const recentLimits = (options: RateLimit.Options | undefined) => {
  const kept = Math.max(60_000, Duration.toMillis(options?.maxPause ?? 0), Duration.toMillis(options?.per ?? 0))
  const limits = new Map<string, { readonly limit: RateLimit.RateLimit; readonly until: number }>()
  return (name: string) =>
    Effect.gen(function*() {
      const now = monotonicMillis(yield* Effect.clock)
      // Those that were used longest ago come first.
      for (const [name, { until }] of limits) {
        if (until > now) break
        limits.delete(name)
      }
      const limit = limits.get(name)?.limit ?? (yield* RateLimit.make(options))
      limits.delete(name)
      limits.set(name, { limit, until: now + kept })
      return limit
    })
}

/**
 * Makes the clients of accounts, which have no connections of their own: a minute after its turn, nothing is left of an account but its
 * row.
 */
export const make = ({ baseUrl: ofWorker, rateLimit, timeout }: Options): Clients => {
  const limitOf = recentLimits(rateLimit)
  return (id) =>
    Effect.gen(function*() {
      const fail = (description: string) => new AccountsError({ source: `account "${id}"`, description })
      const account = Option.getOrUndefined(yield* Effect.flatMap(Accounts, ({ find }) => find(id)))
      if (account === undefined) {
        return yield* fail("is unknown to this worker; give all workers the same accounts")
      }
      yield* Either.mapLeft(Entries.check(account), ({ message }) => fail(message))
      const { apiKey, baseUrl = ofWorker } = account
      if (baseUrl === undefined) return yield* fail("has no base URL; give it one, or set baseUrl of the worker")
      return yield* Effect.mapError(
        Effect.flatMap(
          limitOf(`${id} ${baseUrl}`),
          (rateLimit) => Mailstream.make({ baseUrl, apiKey, rateLimit, timeout })
        ),
        (error) => fail(String(error))
      )
    })
}
