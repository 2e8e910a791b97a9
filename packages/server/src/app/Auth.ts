/**
 * API keys and their verification. Only a SHA-256 hash of a key's secret is stored; it is looked up by its first digits
 * and compared in constant time.
 *
 * @since 1.0.0
 */
import {
  ApiKey,
  ApiKeyId,
  InvalidApiKey,
  type InvalidOption,
  MissingApiKey,
  RestrictedApiKey,
  Timestamp
} from "@mailstream/core"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Account from "../stores/Account.ts"
import * as Checks from "../stores/Checks.ts"
import { prefixOf, type Secret, Store, type StoreError, storeOf } from "../stores/Store.ts"
import * as Digest from "./Digest.ts"
import * as Monotonic from "./Monotonic.ts"

/**
 * The precision of `last_used_at`: it is updated at most this often, so that not every read causes a write.
 *
 * @since 1.0.0
 * @category constants
 */
export const resolution: Duration.Duration = Duration.seconds(1)

/**
 * Adds an API key to an account. Does nothing if the account already has it; fails with the reason `Duplicate` if it
 * belongs to another account.
 *
 * @since 1.0.0
 * @category combinators
 * @example
 * ```ts
 * import { Auth, Store } from "@mailstream/server"
 * import { Effect, Redacted } from "effect"
 *
 * const program = Effect.gen(function*() {
 *   yield* Auth.insertKey({ secret: Redacted.make("re_ours") })
 *   yield* Auth.insertKey({ secret: Redacted.make("re_theirs"), account: "account-1" })
 * }).pipe(Effect.provide(Store.layerMemory))
 * ```
 */
export const insertKey = (options: {
  readonly secret: Redacted.Redacted
  readonly name?: string | undefined
  /** Default: `Account.defaultId`. */
  readonly account?: string | undefined
}): Effect.Effect<void, StoreError | InvalidOption, Store> =>
  Effect.gen(function*() {
    const { account = Account.defaultId, name = "Default", secret } = options
    yield* Checks.accountId("account", account)
    yield* Checks.secret("secret", secret)
    const key = ApiKey.make({
      id: ApiKeyId.make(crypto.randomUUID()),
      name,
      created_at: Timestamp.fromDateTime(yield* DateTime.now),
      last_used_at: null
    })
    yield* storeOf(yield* Store, account).insertKey(key, yield* Digest.sha256(Redacted.value(secret)))
  })

/**
 * Checks an `Authorization` header, records the use of its key, and returns the account that the key belongs to. A key that may
 * only send is refused for anything else.
 *
 * @since 1.0.0
 * @category models
 */
export interface Auth {
  (
    authorization: string | undefined,
    /** Whether the request sends an email. Default: false. */
    isSend?: boolean
  ): Effect.Effect<string, MissingApiKey | InvalidApiKey | RestrictedApiKey | StoreError>
}

/**
 * The account that sent a request, and the key that it was sent with.
 *
 * @since 1.0.0
 * @category models
 */
export interface Caller {
  readonly account: string
  readonly key: ApiKeyId
}

/**
 * Does as `Auth` does, and also returns which key it was.
 *
 * @since 1.0.0
 * @category models
 */
export interface Identify {
  (...args: Parameters<Auth>): Effect.Effect<Caller, Effect.Effect.Error<ReturnType<Auth>>>
}

/**
 * @since 1.0.0
 * @category constructors
 */
export const make: Effect.Effect<Auth, never, Store> = Effect.suspend(() =>
  Effect.map(identify, (identify): Auth => (...args) => Effect.map(identify(...args), ({ account }) => account))
)

/**
 * @since 1.0.0
 * @category constructors
 */
export const identify: Effect.Effect<Identify, never, Store> = Effect.gen(function*() {
  const store = yield* Store
  const clock = yield* Effect.clock
  const precision = Duration.toMillis(resolution)
  /** By hash: two accounts may have keys with the same id. */
  const lastUsed = new Map<string, number>()

  const recordUse = ({ account, hash, id }: Secret): Effect.Effect<Caller> => {
    const caller = { account, key: id }
    const now = Monotonic.unsafeMillis(clock)
    const before = lastUsed.get(hash)
    if (before !== undefined && now - before < precision) return Effect.succeed(caller)
    lastUsed.set(hash, now)
    const at = Timestamp.fromDateTime(DateTime.unsafeMake(clock.unsafeCurrentTimeMillis()))
    return storeOf(store, account).touchKey(id, at).pipe(
      // Reads can be served even if nothing can be written.
      Effect.catchAll((error) => Effect.logDebug("Failed to record the use of an API key.", error)),
      Effect.as(caller)
    )
  }

  return (authorization, isSend = false) => {
    const secret = /^Bearer +(\S+)\s*$/i.exec(authorization ?? "")?.[1]
    if (secret === undefined) return missing
    return Effect.flatMap(Digest.sha256(secret), (hash) =>
      Effect.flatMap(
        store.findSecrets(prefixOf(hash)),
        (secrets): Effect.Effect<Caller, InvalidApiKey | RestrictedApiKey> => {
          const known = secrets.find((secret) => Digest.isSame(secret.hash, hash))
          if (known === undefined) return invalid
          return known.permission === "sending_access" && !isSend ? restricted : recordUse(known)
        }
      ))
  }
})

const missing = Effect.failSync(() =>
  new MissingApiKey({
    statusCode: 401,
    message: "Missing API key in the authorization header. Include `Authorization: Bearer <API key>`."
  })
)

const invalid = Effect.failSync(() => new InvalidApiKey({ statusCode: 403, message: "API key is invalid." }))

const restricted = Effect.failSync(() =>
  new RestrictedApiKey({ statusCode: 401, message: "This API key is restricted to only send emails." })
)
