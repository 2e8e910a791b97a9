/** A server that redirects to another host. */
import { idOf, page } from "@mailstream/testing/Sample"
import type { Case } from "./cases.ts"
import { type Behaviour, json } from "./server.ts"

const statuses = [301, 302, 303, 307, 308]

/** The other host, which accepts every request. */
export const friendly: Behaviour = (response, url) =>
  json(url.pathname === "/topics" ? { object: "topic", id: idOf(1) } : page([3, 2, 1], false))(response, url)

/** A redirect is either rejected or followed. */
export const redirects = (to: string): ReadonlyArray<Case> =>
  statuses.map((status) => ({
    name: String(status),
    behave: (response, { pathname }) => void response.writeHead(status, { location: `${to}${pathname}` }).end(),
    paged: ["3 items", "0 items, then api_error"],
    whole: ["3 items", "0 items, then api_error"],
    // The other host ignores cursors.
    follow: ["StalledWalk RepeatedCursor", "0 items, then api_error"],
    // The body of a create can be sent once, and `fetch` turns it into a GET if the status says so.
    create: ["0 items", "0 items, then api_error", "TransportError Lost", "UnexpectedResponse WrongShape"]
  }))
