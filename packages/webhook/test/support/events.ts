/** What a service would send. */
import { Webhook } from "@mailstream/webhook"
import { Encoding, FastCheck as fc } from "effect"

export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
export const other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"

export const event = {
  type: "email.delivered",
  created_at: "2026-11-18T09:00:00.000Z",
  data: { email_id: "56761188-7520-42d8-8898-ff6fc54ce618", to: ["ada@example.com"], subject: "Grüße 👋" }
} as const

export const body = JSON.stringify(event)

/** A body with its headers. */
export const signed = (id: string, options: { readonly body?: string; readonly secret?: Webhook.Secrets } = {}) =>
  Webhook.sign(options.body ?? body, options.secret ?? secret, { id })

export const secrets: fc.Arbitrary<string> = fc.uint8Array({ minLength: 16, maxLength: 64 }).map((bytes) =>
  `whsec_${Encoding.encodeBase64(bytes)}`
)

/** Ids, as a header can have them. */
export const ids: fc.Arbitrary<string> = fc.stringMatching(/^[\w.-]{1,40}$/)
