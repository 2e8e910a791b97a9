import { type Contact, ContactId, Page, Timestamp } from "@mailstream/core"
import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

const contact = (n: number): Contact => ({
  id: ContactId.make(`00000000-0000-4000-8000-${String(n).padStart(12, "0")}`),
  email: `${n}@exämple.com`,
  first_name: "🙈",
  last_name: null,
  created_at: Timestamp.Timestamp.make("2025-11-30 20:41:40.84216+00"),
  unsubscribed: false
})

/** What the list has, the newest first. */
export const all = Array.from({ length: 500 }, (_, index) => contact(500 - index))

/** A bare HTTP server on loopback. */
export const serve = (
  answer: (request: IncomingMessage, response: ServerResponse) => void
): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer(answer)
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ url }) => url))

/** The page that is asked for; the whole list where no limit is given. */
export const answerOf = (request: IncomingMessage): string => {
  const query = new URL(request.url!, "http://localhost").searchParams
  const start = all.findIndex(({ id }) => id === query.get("after")) + 1
  const end = start + Number(query.get("limit") ?? all.length)
  return JSON.stringify(Page.make(all.slice(start, end), end < all.length))
}
