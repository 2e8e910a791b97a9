/** Signatures of Standard Webhooks: HMAC-SHA256, through Web Crypto, which every runtime has. */
import * as InvalidOption from "@mailstream/core/InvalidOption"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"

export type Secret = string | Redacted.Redacted<string>

/** One, or several while they are rotated. */
export type Secrets = Secret | ReadonlyArray<Secret>

/** What signs with one secret. */
export interface Key {
  /** The signature of bytes, in Base64. */
  readonly sign: (bytes: Uint8Array<ArrayBuffer>) => Effect.Effect<string>
}

/** Shorter ones could be guessed; the service's have 24 bytes or more. An empty variable is not a secret. */
const minBytes = 16

const hmac = { name: "HMAC", hash: "SHA-256" }

const invalid = new InvalidOption.InvalidOption({
  option: "secret",
  description: `must be the secret of the webhook: whsec_ and at least ${minBytes} bytes in Base64`
})

/** The bytes of a secret; they may lack the prefix and the padding. */
const bytesOf = (secret: unknown): Either.Either<Uint8Array<ArrayBuffer>, InvalidOption.InvalidOption> => {
  const value = Redacted.isRedacted(secret) ? Redacted.value(secret) : secret
  if (!Predicate.isString(value)) return Either.left(invalid)
  const text = value.trim().replace(/^whsec_/, "").replace(/=+$/, "")
  return Encoding.decodeBase64(text.padEnd(Math.ceil(text.length / 4) * 4, "=")).pipe(
    Either.filterOrLeft(({ length }) => length >= minBytes, () => invalid),
    Either.mapBoth({ onLeft: () => invalid, onRight: (bytes) => new Uint8Array(bytes) })
  )
}

/** Imported when it is first used, so that a secret can be checked without waiting. */
const keyOf = (secret: unknown): Either.Either<Key, InvalidOption.InvalidOption> =>
  Either.map(bytesOf(secret), (bytes) => {
    let imported: Promise<CryptoKey> | undefined
    const key = () => imported ??= crypto.subtle.importKey("raw", bytes, hmac, false, ["sign"])
    return {
      sign: (content) =>
        Effect.map(
          Effect.promise(() => key().then((key) => crypto.subtle.sign("HMAC", key, content))),
          (signature) => Encoding.encodeBase64(new Uint8Array(signature))
        )
    }
  })

/** The keys of one secret or several: at least one. */
export const make = (secrets: Secrets): Either.Either<ReadonlyArray<Key>, InvalidOption.InvalidOption> => {
  const all: ReadonlyArray<unknown> = Array.isArray(secrets) ? secrets : [secrets]
  return all.length === 0 ? Either.left(invalid) : Either.all(all.map(keyOf))
}

const encoder = new TextEncoder()

/** What is signed. */
export const contentOf = (id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const head = encoder.encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

/** The bytes of a body. */
export const encode = (body: string | Uint8Array): Uint8Array => Predicate.isString(body) ? encoder.encode(body) : body

/** Compares two signatures in a time that does not depend on where they differ. */
export const isEqual = (self: string, that: string): boolean => {
  if (self.length !== that.length) return false
  let difference = 0
  for (let index = 0; index < self.length; index++) difference |= self.charCodeAt(index) ^ that.charCodeAt(index)
  return difference === 0
}
