/** Signatures of messages to webhooks, by the Standard Webhooks scheme. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Digest from "../Digest.ts"

const prefix = "whsec_"

/** The bytes of a secret: what follows `whsec_`, in base64. */
const keyOf = (secret: string): Uint8Array =>
  Either.getOrElse(
    Encoding.decodeBase64(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret),
    () => new TextEncoder().encode(secret)
  )

/** The headers of a message, signed with each of the secrets. */
export const headers = (
  secrets: ReadonlyArray<string>,
  { id, now, payload }: { readonly id: string; readonly now: number; readonly payload: string }
): Effect.Effect<{ readonly [name: string]: string }> => {
  const timestamp = Math.floor(now / 1000)
  return Effect.map(
    Effect.forEach(secrets, (secret) => Digest.hmac(keyOf(secret), `${id}.${timestamp}.${payload}`)),
    (signatures) => ({
      "svix-id": id,
      "svix-timestamp": String(timestamp),
      "svix-signature": signatures.map((signature) => `v1,${Encoding.encodeBase64(signature)}`).join(" ")
    })
  )
}
