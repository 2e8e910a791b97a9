/** One email with everything that belongs to it. */
import { Resource } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as Lists from "../../stores/Lists.ts"
import type { Fields, List, StoreError, StoreService } from "../../stores/Store.ts"
import * as Events from "../Events.ts"

/** How many events of an email are shown. */
const maxEvents = 200

/** How many attachments of an email are shown. */
const maxAttachments = 100

/** The attachments of an email. */
export const attachmentsOf = (id: unknown): List => ({ name: Resource.emailAttachments.name, within: String(id) })

/** What is shown of an attachment. Its content is downloaded from here, unless it is elsewhere. */
const described = (email: string, attachment: Fields): Fields => ({
  ...pick(attachment, ["id", "filename", "content_type", "content_id", "size"]),
  download_url: attachment["download_url"] ??
    `/inbox/api/emails/${encodeURIComponent(email)}/attachments/${encodeURIComponent(String(attachment["id"]))}`
})

const pick = (fields: Fields, names: ReadonlyArray<string>): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))

const shown = [
  "id",
  "message_id",
  "from",
  "to",
  "cc",
  "bcc",
  "reply_to",
  "subject",
  "created_at",
  "scheduled_at",
  "last_event",
  "topic_id",
  "html",
  "text"
]

/** What an email's events begin with. Others follow one that was recorded before them. */
const firstEvents: ReadonlySet<string> = new Set(["email.scheduled", "email.sent", "email.suppressed", "email.failed"])

/** Whether events of an email are no longer kept. One that did not come with a request may never have had any. */
const isPruned = ({ request }: Fields, [first]: ReadonlyArray<Events.Event>): boolean =>
  first === undefined ? typeof request === "object" && request !== null : !firstEvents.has(first.type)

export const of = (store: StoreService, email: Fields): Effect.Effect<Fields, StoreError> =>
  Effect.gen(function*() {
    const id = String(email["id"])
    const attachments = yield* store.page(attachmentsOf(id), { limit: maxAttachments }).pipe(
      // It was deleted meanwhile.
      Effect.catchTag("not_found", () => Effect.succeed({ items: [] }))
    )
    const events = yield* Events.list(store, { email: id, limit: maxEvents })
    return {
      ...pick(email, shown),
      tags: email["tags"] ?? [],
      campaign: Lists.campaignOf(Lists.emails, email),
      headers: email["headers"] ?? {},
      attachments: attachments.items.map((item) => described(id, JSON.parse(item))).reverse(),
      events: events.map(({ created_at, data, type }) => ({ type, created_at, data })),
      events_pruned: isPruned(email, events),
      request: email["request"] ?? null
    }
  })
