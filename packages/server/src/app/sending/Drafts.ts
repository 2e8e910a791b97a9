/** Emails before they are sent: everything that can be refused is refused here, and nothing is changed. */
import { MissingRequiredField, NotFound, Resource } from "@mailstream/core"
import type { SendEmail } from "@mailstream/core/SendEmail"
import * as Effect from "effect/Effect"
import type { Fields, Lookup } from "../../stores/Store.ts"
import { type Result, texts } from "../lives/Life.ts"
import * as Moment from "../lives/Moment.ts"
import * as MediaTypes from "./MediaTypes.ts"
import * as Rendering from "./Rendering.ts"

/** An email as it will be stored, with its attachments. */
export interface Draft {
  readonly email: Fields
  readonly attachments: ReadonlyArray<Fields>
}

/** Where an email came from; never the secret of its key. */
export interface Origin {
  readonly method: string
  readonly path: string
  readonly user_agent: string | null
  readonly api_key_id: string
  readonly idempotency_key: string | null
}

const missing = (field: string) => new MissingRequiredField({ statusCode: 422, message: `Missing \`${field}\` field.` })

export const make = (objects: Lookup, input: SendEmail, origin: Origin, now: number): Result<Draft> =>
  Effect.gen(function*() {
    const content = input.template === undefined ? undefined : yield* Rendering.contentOf(objects, input.template)
    const from = input.from ?? content?.from ?? (yield* missing("from"))
    const subject = input.subject ?? content?.subject ?? (yield* missing("subject"))
    const { topic_id = null } = input
    if (topic_id !== null && (yield* objects.get({ name: Resource.topics.name }, topic_id)) === undefined) {
      return yield* new NotFound({ statusCode: 404, message: "Topic not found" })
    }
    const due = input.scheduled_at === undefined ? undefined : yield* Moment.parse(input.scheduled_at, now)
    const id = crypto.randomUUID()
    const attachments = (input.attachments ?? []).map(attachmentOf)
    return {
      attachments,
      email: {
        id,
        message_id: `<${id}@mailstream.example>`,
        to: texts(input.to),
        from,
        created_at: Moment.format(now),
        subject,
        bcc: texts(input.bcc ?? null),
        cc: texts(input.cc ?? null),
        reply_to: texts(input.reply_to ?? content?.reply_to ?? null),
        last_event: due === undefined || due <= now ? "queued" : "scheduled",
        scheduled_at: due === undefined ? null : Moment.format(due),
        topic_id,
        html: content === undefined ? input.html ?? null : content.html,
        text: content === undefined ? input.text ?? null : content.text,
        tags: input.tags ?? [],
        headers: input.headers ?? {},
        template_id: content?.id ?? null,
        request: origin,
        due: due === undefined || due <= now ? undefined : due
      }
    }
  })

const attachmentOf = (attachment: NonNullable<SendEmail["attachments"]>[number]): Fields => {
  const { content, content_id = null, content_type, path } = attachment
  const filename = attachment.filename ?? path?.split(/[?#]/)[0]?.split("/").at(-1) ?? null
  const item = {
    id: crypto.randomUUID(),
    filename,
    content_type: content_type ?? MediaTypes.ofFilename(filename),
    content_disposition: content_id === null ? "attachment" : "inline",
    content_id
  }
  // What is elsewhere is not loaded: it is downloaded from there.
  return content === undefined
    ? { ...item, size: null, download_url: path, expires_at: null }
    : { ...item, size: sizeOf(content), content }
}

/** How many bytes a text in base64 stands for. */
const sizeOf = (base64: string): number => {
  const digits = base64.trimEnd().replace(/=+$/, "").length
  return Math.floor(digits * 3 / 4)
}

/** Everybody whom an email is for. */
export const recipientsOf = ({ bcc, cc, to }: Fields): ReadonlyArray<string> =>
  [to, cc, bcc].flatMap((some) => Array.isArray(some) ? some.map(String) : [])
