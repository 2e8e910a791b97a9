/** The API, as one account sees it. */
import * as Mailstream from "@mailstream/http/Mailstream"
import type * as RateLimit from "@mailstream/http/RateLimit"
import type * as Transport from "@mailstream/http/Transport"
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { Accounts } from "../Accounts.ts"
import { AccountsError } from "../ClusterError.ts"
import * as Entries from "./entries.ts"

export interface Options {
  /** The address of accounts that do not have their own. */
  readonly baseUrl: string | undefined
  readonly rateLimit: RateLimit.Options | undefined
  readonly timeout: Duration.DurationInput | undefined
}

/**
 * The client of an account, for one turn. It has no connections of its own: between its turns, nothing is left of an account
 * but its row.
 */
export const make = (
  id: string,
  { baseUrl: ofWorker, rateLimit, timeout }: Options
): Effect.Effect<
  Context.Context<Mailstream.Mailstream>,
  AccountsError,
  Accounts | Transport.Transport | Scope.Scope
> =>
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
      Layer.build(Mailstream.layer({ baseUrl, apiKey, rateLimit, timeout })),
      (error) => fail(String(error))
    )
  })
