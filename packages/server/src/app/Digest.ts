/** Hashes and their comparison, without importing modules of Node: the service also runs on other runtimes. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"

/** Elsewhere, there may be no `process`, or one without this function. */
const node = Either.getOrUndefined(Either.try(() => process.getBuiltinModule("node:crypto")))

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** The SHA-256 hash of a text, in hexadecimal digits. Every request needs one, and Node's own takes a fraction of the time. */
export const sha256: (text: string) => Effect.Effect<string> = typeof node?.createHash === "function"
  ? (text) => Effect.sync(() => node.createHash("sha256").update(text).digest("hex"))
  : (text) => Effect.map(Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))), hexOf)

/** Compares two hashes in constant time. */
export const isSame = (self: string, that: string): boolean => {
  let difference = self.length ^ that.length
  for (let at = 0; at < self.length; at++) difference |= self.charCodeAt(at) ^ that.charCodeAt(at)
  return difference === 0
}
