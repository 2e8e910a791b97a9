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
import type { Claim } from "./ledger.ts"

export interface Options {
  /** The address of accounts that do not have their own. */
  readonly baseUrl: string | undefined
  readonly rateLimit: RateLimit.Options | undefined
  readonly timeout: Duration.DurationInput | undefined
}

/** The client of an account, for one turn. */
export type Clients = (
  claim: Pick<Claim, "id" | "turn" | "idle">
) => Effect.Effect<Context.Context<Mailstream.Mailstream>, AccountsError, Accounts | Transport.Transport>

/**
 * The rate limits of accounts that had a turn lately: what a service says about one must hold for the next turn, too. If another worker
 * had the last turn, its last request may have been sent when that ended.
 */
const recentLimits = (options: RateLimit.Options | undefined) => {
  const kept = Math.max(60_000, Duration.toMillis(options?.maxPause ?? 0), Duration.toMillis(options?.per ?? 0))
  const limits = new Map<
    string,
    { readonly limit: RateLimit.RateLimit; readonly turn: number; readonly until: number }
  >()
  /** How many milliseconds there are between two requests. */
  const spacing = options?.requests === undefined ? 0 : Duration.toMillis(options.per ?? "1 second") / options.requests
  return (name: string, { idle, turn }: Pick<Claim, "turn" | "idle">) =>
    Effect.gen(function*() {
      const now = monotonicMillis(yield* Effect.clock)
      // Those that were used longest ago come first.
      for (const [name, { until }] of limits) {
        if (until > now) break
        limits.delete(name)
      }
      const last = limits.get(name)
      const wait = last?.turn === turn - 1 ? 0 : Math.max(0, spacing - 1000 * (idle ?? 0))
      const limit = last?.limit ?? (yield* RateLimit.make(options))
      limits.delete(name)
      limits.set(name, { limit, turn, until: now + wait + kept })
      if (wait > 0) yield* Effect.sleep(wait)
      return limit
    })
}

/**
 * Makes the clients of accounts, which have no connections of their own: a minute after its turn, nothing is left of an account but its
 * row.
 */
export const make = ({ baseUrl: ofWorker, rateLimit, timeout }: Options): Clients => {
  const limitOf = recentLimits(rateLimit)
  return ({ id, ...turn }) =>
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
          limitOf(`${id} ${baseUrl}`, turn),
          (rateLimit) => Mailstream.make({ baseUrl, apiKey, rateLimit, timeout })
        ),
        (error) => fail(String(error))
      )
    })
}
