/** API keys at rest: AES-256-GCM, bound to the account and the address that they are for. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Redacted from "effect/Redacted"

/** An encryption key, by the version that is stored with what it encrypts. */
export interface Key {
  readonly version: number
  /** 32 bytes in Base64. */
  readonly key: Redacted.Redacted
}

/** What is stored. */
export interface Sealed {
  readonly version: number
  /** In Base64: the nonce, then the encrypted key with its tag. */
  readonly sealed: string
}

/** What a key belongs to. A row that is copied to another account, or gets another address, cannot be decrypted. */
export interface Owner {
  readonly id: string
  readonly baseUrl: string | undefined
}

/** Encrypts and decrypts with the key of a version. */
export interface Cipher {
  readonly version: number
  readonly seal: (owner: Owner, apiKey: Redacted.Redacted) => Effect.Effect<Sealed>
  /** Fails with what is wrong. */
  readonly open: (owner: Owner, sealed: Sealed) => Effect.Effect<Redacted.Redacted, string>
}

/** GCM's own. Random ones are safe for four billion encryptions with one key. */
const nonceLength = 12

const keyLength = 32

const contextOf = ({ baseUrl = "", id }: Owner): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(["mailstream/cluster", id, baseUrl]))

const importKey = ({ key, version }: Key): Effect.Effect<CryptoKey, string> =>
  Effect.flatMap(
    Either.filterOrLeft(
      Encoding.decodeBase64(Redacted.value(key)),
      (bytes) => bytes.length === keyLength,
      () => undefined
    ).pipe(Either.mapLeft(() => `the key with version ${version} must be ${keyLength} bytes in Base64`)),
    (bytes) => Effect.promise(() => crypto.subtle.importKey("raw", Uint8Array.from(bytes), "AES-GCM", false, usages))
  )

const usages: Array<KeyUsage> = ["encrypt", "decrypt"]

/** Encrypts with the first key, and decrypts with any. Fails with what is wrong with the keys. */
export const make = (keys: ReadonlyArray<Key>): Effect.Effect<Cipher, string> =>
  Effect.gen(function*() {
    const imported = new Map<number, CryptoKey>()
    for (const key of keys) {
      if (!Number.isSafeInteger(key.version) || key.version < 1) {
        return yield* Effect.fail("the version of a key must be an integer, 1 or greater")
      }
      if (imported.has(key.version)) return yield* Effect.fail(`two keys have the version ${key.version}`)
      imported.set(key.version, yield* importKey(key))
    }
    const [current] = imported
    if (current === undefined) return yield* Effect.fail("at least one key is needed")
    const [version, key] = current
    return {
      version,
      seal: (owner, apiKey) =>
        Effect.suspend(() => {
          const iv = crypto.getRandomValues(new Uint8Array(nonceLength))
          const text = new TextEncoder().encode(Redacted.value(apiKey))
          const algorithm = { name: "AES-GCM", iv, additionalData: contextOf(owner) }
          return Effect.map(Effect.promise(() => crypto.subtle.encrypt(algorithm, key, text)), (encrypted) => ({
            version,
            sealed: Encoding.encodeBase64(Uint8Array.from([...iv, ...new Uint8Array(encrypted)]))
          }))
        }),
      open: (owner, { sealed, version }) =>
        Effect.gen(function*() {
          const key = imported.get(version)
          if (key === undefined) {
            return yield* Effect.fail(`was encrypted with the key with version ${version}, which is not configured`)
          }
          const altered = "cannot be decrypted: its row was altered, or the encryption key is another one. Add it again"
          const bytes = Uint8Array.from(yield* Either.mapLeft(Encoding.decodeBase64(sealed), () => altered))
          const algorithm = {
            name: "AES-GCM",
            iv: bytes.subarray(0, nonceLength),
            additionalData: contextOf(owner)
          }
          const text = yield* Effect.tryPromise({
            try: () => crypto.subtle.decrypt(algorithm, key, bytes.subarray(nonceLength)),
            catch: () => altered
          })
          return Redacted.make(new TextDecoder().decode(text))
        })
    }
  })
