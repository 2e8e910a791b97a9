/**
 * API keys and the check of them. Only a SHA-256 hash of a key's secret is stored; it is looked up by its first digits
 * and compared in constant time.
 *
 * @since 0.1.0
 */
import { ApiKey, ApiKeyId, InvalidApiKey, isSecret, MissingApiKey, Timestamp } from "@mailstream/core"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { prefixOf, Store, StoreError } from "../stores/Store.ts"
import * as Digest from "./Digest.ts"

/**
 * The precision of `last_used_at`: it is updated at most this often, so that not every read causes a write.
 *
 * @since 0.1.0
 * @category constants
 */
export const resolution: Duration.Duration = Duration.seconds(1)

/**
 * Adds an API key. Does nothing if its secret is already known; fails with the reason `Invalid` if no request could carry
 * it.
 *
 * @since 0.1.0
 * @category combinators
 */
export const insertKey = (options: {
  readonly secret: Redacted.Redacted
  readonly name?: string | undefined
}): Effect.Effect<void, StoreError, Store> =>
  Effect.gen(function*() {
    const store = yield* Store
    const secret = Redacted.value(options.secret)
    if (!isSecret(secret)) {
      return yield* new StoreError({
        reason: "Invalid",
        description: "The secret of an API key must be visible ASCII characters, at least one."
      })
    }
    const key = ApiKey.make({
      id: ApiKeyId.make(crypto.randomUUID()),
      name: options.name ?? "Default",
      created_at: Timestamp.fromDateTime(yield* DateTime.now),
      last_used_at: null
    })
    yield* store.insertKey(key, yield* Digest.sha256(secret))
  })

/**
 * Checks an `Authorization` header and records the use of its key.
 *
 * @since 0.1.0
 * @category models
 */
export interface Auth {
  (authorization: string | undefined): Effect.Effect<void, MissingApiKey | InvalidApiKey | StoreError>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<Auth, never, Store> = Effect.gen(function*() {
  const store = yield* Store
  const clock = yield* Effect.clock
  const precision = Duration.toMillis(resolution)
  const lastUsed = new Map<ApiKeyId, number>()

  const recordUse = (id: ApiKeyId): Effect.Effect<void> => {
    const now = clock.unsafeCurrentTimeMillis()
    const before = lastUsed.get(id)
    if (before !== undefined && now - before < precision) return Effect.void
    lastUsed.set(id, now)
    return store.touchKey(id, Timestamp.fromDateTime(DateTime.unsafeMake(now))).pipe(
      // A request that only reads can be served even if nothing can be written.
      Effect.catchAll((error) => Effect.logDebug("Failed to record the use of an API key.", error))
    )
  }

  return (authorization) => {
    const secret = /^Bearer +(\S+)\s*$/i.exec(authorization ?? "")?.[1]
    if (secret === undefined) return missing
    return Effect.flatMap(Digest.sha256(secret), (hash) =>
      Effect.flatMap(
        store.findSecrets(prefixOf(hash)),
        (secrets): Effect.Effect<void, InvalidApiKey> => {
          const known = secrets.find((secret) => Digest.isSame(secret.hash, hash))
          return known === undefined ? invalid : recordUse(known.id)
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
