/** What is in the attachments of an email. */
import { NotFound } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Encoding from "effect/Encoding"
import type { Fields, StoreError, StoreService } from "../../stores/Store.ts"
import type { Response } from "../Response.ts"
import * as Complete from "./Complete.ts"
import { type Inline, wellFormed } from "./Frames.ts"

const missing = (message: string) => new NotFound({ statusCode: 404, message })

/** An attachment as a file to keep: no browser shows it in place. */
export const download = (
  store: StoreService,
  email: string,
  id: string
): Effect.Effect<Response, NotFound | StoreError> =>
  Effect.gen(function*() {
    const attachment = yield* store.get(Complete.attachmentsOf(email), id)
    if (attachment === undefined) return yield* missing("Attachment not found")
    const bytes = Encoding.decodeBase64(contentOf(attachment) ?? "")
    if (contentOf(attachment) === undefined || bytes._tag === "Left") {
      return yield* missing("The content of this attachment is not stored.")
    }
    return { status: 200, headers: headersOf(attachment["filename"]), body: bytes.right }
  })

const contentOf = ({ content }: Fields): string | undefined => typeof content === "string" ? content : undefined

const headersOf = (filename: unknown) => {
  const name = wellFormed(String(filename ?? "attachment")).replace(/[\p{Cc}\p{Cf}/\\]/gu, "_").slice(0, 200)
  const plain = name.replace(/[^\w.-]/g, "_")
  const encoded = encodeURIComponent(wellFormed(name)).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`
  )
  return {
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`,
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store"
  }
}

/** The attachments that the HTML of an email refers to. */
export const inline = (store: StoreService, email: Fields): Effect.Effect<ReadonlyArray<Inline>, StoreError> =>
  Effect.gen(function*() {
    const { html, id } = email
    if (typeof html !== "string" || !html.includes("cid:")) return []
    const { attachments } = yield* Complete.of(store, email)
    const wanted = (Array.isArray(attachments) ? attachments : []).filter(({ content_id }: Fields) =>
      typeof content_id === "string" && html.includes(`cid:${content_id}`)
    )
    const found = yield* Effect.forEach(
      wanted,
      (one: Fields) => store.get(Complete.attachmentsOf(id), String(one["id"]))
    )
    return found.flatMap((attachment) => {
      const content = attachment === undefined ? undefined : contentOf(attachment)
      return content === undefined ? [] : [{
        content,
        contentId: String(attachment?.["content_id"]),
        contentType: String(attachment?.["content_type"])
      }]
    })
  })
