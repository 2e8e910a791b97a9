/** What is in the attachments of an email. */
import { NotFound } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { Fields, StoreError, StoreService } from "../../stores/Store.ts"
import * as Downloads from "../Downloads.ts"
import type { Response } from "../Response.ts"
import * as Complete from "./Complete.ts"
import type { Inline } from "./Frames.ts"

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
    const { content } = attachment
    if (typeof content !== "string") return yield* missing("The content of this attachment is not stored here.")
    return { status: 200, headers: Downloads.headersOf(attachment), body: Downloads.contentOf(content) }
  })

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
    return found.flatMap((attachment) =>
      typeof attachment?.["content"] !== "string" ? [] : [{
        content: attachment["content"],
        contentId: String(attachment["content_id"]),
        contentType: String(attachment["content_type"])
      }]
    )
  })
