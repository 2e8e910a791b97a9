/**
 * Who may ask. Of the secret of an API key only a SHA-256 hash is kept; it is looked up by its first digits, and the
 * rest is compared in constant time.
 *
 * @since 0.1.0
 */
import { ApiKey, ApiKeyId, InvalidApiKey, MissingApiKey, Timestamp } from "@mailstream/core"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Crypto from "node:crypto"
import { Store, type StoreError } from "../stores/Store.ts"

const hashOf = (secret: string): string => Crypto.createHash("sha256").update(secret).digest("hex")

const isSame = (self: string, that: string): boolean => Crypto.timingSafeEqual(Buffer.from(self), Buffer.from(that))

/**
 * How exactly `last_used_at` follows the use of a key: it is moved at most this often, so that reading does not mean
 * writing.
 *
 * @since 0.1.0
 * @category constants
 */
export const resolution: Duration.Duration = Duration.seconds(1)

/**
 * Adds an API key. Nothing happens where its secret is known already.
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
    const key = ApiKey.make({
      id: ApiKeyId.make(Crypto.randomUUID()),
      name: options.name ?? "Default",
      created_at: Timestamp.fromDateTime(yield* DateTime.now),
      last_used_at: null
    })
    yield* store.insertKey(key, hashOf(Redacted.value(options.secret)))
  })

/**
 * Checks an `Authorization` header, and notes the use of its key.
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
  const noted = new Map<ApiKeyId, number>()

  const note = (id: ApiKeyId): Effect.Effect<void, StoreError> => {
    const now = clock.unsafeCurrentTimeMillis()
    const before = noted.get(id)
    if (before !== undefined && now - before < precision) return Effect.void
    noted.set(id, now)
    return store.touchKey(id, Timestamp.fromDateTime(DateTime.unsafeMake(now)))
  }

  return (authorization) => {
    const secret = /^Bearer +(\S+)\s*$/i.exec(authorization ?? "")?.[1]
    if (secret === undefined) return missing
    const hash = hashOf(secret)
    return Effect.flatMap(
      store.findSecrets(hash.slice(0, 16)),
      (secrets): Effect.Effect<void, InvalidApiKey | StoreError> => {
        const known = secrets.find((secret) => isSame(secret.hash, hash))
        return known === undefined ? invalid : note(known.id)
      }
    )
  }
})

const missing = Effect.failSync(() =>
  new MissingApiKey({
    statusCode: 401,
    message: "Missing API key in the authorization header. Include `Authorization: Bearer <API key>`."
  })
)

const invalid = Effect.failSync(() => new InvalidApiKey({ statusCode: 403, message: "API key is invalid." }))
