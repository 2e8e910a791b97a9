import { type Contact, ContactId, Page, Timestamp } from "@mailstream/core"
import { down, idOf } from "@mailstream/testing/Sample"
import type { IncomingMessage } from "node:http"

const contact = (n: number): Contact => ({
  id: ContactId.make(idOf(n)),
  email: `${n}@exämple.com`,
  first_name: "🙈",
  last_name: null,
  created_at: Timestamp.Timestamp.make("2025-11-30 20:41:40.84216+00"),
  unsubscribed: false
})

/** The items of the list, newest first. */
export const all = down(500, 1).map(contact)

/** The requested page; the complete list if there is no limit. */
export const responseTo = (request: Pick<IncomingMessage, "url">): string => {
  const query = new URL(request.url!, "http://localhost").searchParams
  const start = all.findIndex(({ id }) => id === query.get("after")) + 1
  const end = start + Number(query.get("limit") ?? all.length)
  return JSON.stringify(Page.make(all.slice(start, end), end < all.length))
}
