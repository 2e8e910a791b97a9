/** The API, as one account sees it. */
import type { ShardId } from "@effect/cluster/ShardId"
import * as Mailstream from "@mailstream/http/Mailstream"
import type * as RateLimit from "@mailstream/http/RateLimit"
import * as Transport from "@mailstream/http/Transport"
import type * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { type Account, Accounts } from "../Accounts.ts"
import { AccountsError } from "../ClusterError.ts"
import * as Entries from "./entries.ts"
import * as Lease from "./lease.ts"

export interface Options {
  /** The address of accounts that do not have their own. */
  readonly baseUrl: string | undefined
  readonly rateLimit: RateLimit.Options | undefined
  readonly timeout: Duration.DurationInput | undefined
}

/**
 * The client of an account; another one if the account has a new key or address. It is kept from pass to pass, because its rate
 * limit remembers what the service said.
 */
export type Client = Effect.Effect<Context.Context<Mailstream.Mailstream>, AccountsError>

const isSame = (one: Account, other: Account): boolean =>
  one.baseUrl === other.baseUrl && Redacted.value(one.apiKey) === Redacted.value(other.apiKey)

export const make = (
  id: string,
  shard: ShardId,
  options: Options
): Effect.Effect<Client, never, Accounts | Transport.Transport | Lease.Lease | Scope.Scope> =>
  Effect.gen(function*() {
    const accounts = yield* Accounts
    const transport = Lease.guard(yield* Transport.Transport, yield* Lease.Lease, shard)
    const scope = yield* Effect.scope
    let last: { readonly account: Account; readonly services: Context.Context<Mailstream.Mailstream> } | undefined
    const fail = (description: string) => new AccountsError({ source: `account "${id}"`, description })

    const build = (account: Account) =>
      Effect.gen(function*() {
        yield* Either.mapLeft(Entries.check(account), ({ message }) => fail(message))
        const { rateLimit, timeout } = options
        const { apiKey, baseUrl = options.baseUrl } = account
        if (baseUrl === undefined) {
          return yield* fail("has no base URL; give it one, or set baseUrl of the worker")
        }
        return yield* Layer.build(Mailstream.layer({ baseUrl, apiKey, rateLimit, timeout })).pipe(
          Scope.extend(scope),
          Effect.provideService(Transport.Transport, transport),
          Effect.mapError((error) => fail(String(error)))
        )
      })

    return Effect.gen(function*() {
      const account = Option.getOrUndefined(yield* accounts.find(id))
      if (account === undefined) {
        return yield* fail("is unknown to this worker; give all workers the same accounts")
      }
      if (last === undefined || !isSame(last.account, account)) last = { account, services: yield* build(account) }
      return last.services
    })
  })
