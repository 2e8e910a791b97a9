/** Hashes and their comparison, without importing modules of Node: the service also runs on other runtimes. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"

/** Elsewhere, there may be no `process`, or one without this function. */
const node = Either.getOrUndefined(Either.try(() => process.getBuiltinModule("node:crypto")))

/** The SHA-256 hash of a text or of bytes, in hexadecimal digits. Every request needs one, and Node's own takes a fraction of the time. */
export const sha256: (content: string | Uint8Array) => Effect.Effect<string> = typeof node?.createHash === "function"
  ? (content) => Effect.sync(() => node.createHash("sha256").update(content).digest("hex"))
  : (content) =>
    Effect.map(
      Effect.promise(() => crypto.subtle.digest("SHA-256", bytesOf(content))),
      (hash) => toHex(new Uint8Array(hash))
    )

const bytesOf = (content: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)

/** An HMAC with SHA-256. */
export const hmac = (key: Uint8Array, text: string): Effect.Effect<Uint8Array> =>
  Effect.promise(() =>
    crypto.subtle.importKey("raw", new Uint8Array(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
      .then((key) => crypto.subtle.sign("HMAC", key, bytesOf(text)))
      .then((signature) => new Uint8Array(signature))
  )

/** Bytes in hexadecimal digits. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Compares two hashes in constant time. */
export const isSame = (self: string, that: string): boolean => {
  let difference = self.length ^ that.length
  for (let at = 0; at < self.length; at++) difference |= self.charCodeAt(at) ^ that.charCodeAt(at)
  return difference === 0
}
