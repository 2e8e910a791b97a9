/** API keys at rest: AES-256-GCM, bound to the account and the address that they are for. */
import { integer, InvalidOption, unless } from "@mailstream/core/InvalidOption"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Redacted from "effect/Redacted"
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"
import type { Entry } from "./entries.ts"

/** An encryption key: 32 bytes in Base64, by the version that is stored with what it encrypts. */
export interface Key {
  readonly version: number
  readonly key: Redacted.Redacted
}

export interface Sealed {
  readonly version: number
  /** In Base64: the nonce, then the encrypted key with its tag. */
  readonly sealed: string
}

/** What a key belongs to. A row that is copied to another account, or gets another address, cannot be decrypted. */
export type Owner = Pick<Entry, "id" | "baseUrl">

const algorithm = "aes-256-gcm"

/** GCM's own. Random ones are safe for four billion encryptions with one key. */
const nonceLength = 12

const tagLength = 16

const keyLength = 32

const contextOf = ({ baseUrl = "", id }: Owner): Buffer =>
  Buffer.from(JSON.stringify(["mailstream/cluster", id, baseUrl]))

const altered =
  "cannot be decrypted: its row was altered, or the encryption key is another one: compare it with the one on \
the other workers and the one that the account was added with, or add the account again"

/** What is wrong with a key that was encrypted with this version. */
export const unknown = (version: number): string =>
  `was encrypted with the key with version ${version}, which is not configured`

export type Cipher = Either.Either.Right<ReturnType<typeof make>>

/** Encrypts with the first key, and decrypts with any. */
export const make = (keys: ReadonlyArray<Key>) =>
  Either.gen(function*() {
    const known = new Map<number, Uint8Array>()
    for (const [at, { key, version }] of keys.entries()) {
      yield* integer(`keys[${at}].version`, version, { min: 1 })
      yield* unless(!known.has(version), `keys[${at}].version`, `must be unique, but ${version} appears twice`)
      const bytes = Either.getOrElse(Encoding.decodeBase64(Redacted.value(key)), () => new Uint8Array())
      yield* unless(bytes.length === keyLength, `keys[${at}].key`, `must be ${keyLength} bytes in Base64`)
      known.set(version, bytes)
    }
    const [current] = known
    if (current === undefined) {
      return yield* Either.left(new InvalidOption({ option: "keys", description: "must have at least one key" }))
    }
    const [version, key] = current
    return {
      /** Of the key that encrypts. */
      version,
      /** Whether there is a key with this version. */
      has: (version: number): boolean => known.has(version),
      seal: (owner: Owner, apiKey: Redacted.Redacted): Sealed => {
        const nonce = randomBytes(nonceLength)
        const cipher = createCipheriv(algorithm, key, nonce).setAAD(contextOf(owner))
        const encrypted = [cipher.update(Redacted.value(apiKey), "utf8"), cipher.final(), cipher.getAuthTag()]
        return { version, sealed: Buffer.concat([nonce, ...encrypted]).toString("base64") }
      },
      /** Fails with what is wrong. */
      open: (owner: Owner, { sealed, version }: Sealed): Either.Either<Redacted.Redacted, string> => {
        const key = known.get(version)
        if (key === undefined) {
          return Either.left(unknown(version))
        }
        const bytes = Buffer.from(sealed, "base64")
        return Either.try({
          try: () => {
            const cipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), {
              authTagLength: tagLength
            })
              .setAAD(contextOf(owner)).setAuthTag(bytes.subarray(-tagLength))
            const text = cipher.update(bytes.subarray(nonceLength, -tagLength), undefined, "utf8")
            return Redacted.make(text + cipher.final("utf8"))
          },
          catch: () => altered
        })
      }
    }
  })
