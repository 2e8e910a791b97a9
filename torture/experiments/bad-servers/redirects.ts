/** A server that leads to another host. */
import { idOf, page } from "../../support/sample.ts"
import type { Case } from "./cases.ts"
import { type Answer, json } from "./server.ts"

export const redirections = [301, 302, 303, 307, 308] as const

export const redirect = (status: number, to: string): Answer => (response, { path }) => {
  response.writeHead(status, { location: `${to}${path}` }).end()
}

/** The other host, which is friendly to everybody. */
export const friendly: Answer = (response, asked) =>
  json(asked.path === "/topics" ? { object: "topic", id: idOf(1) } : page([3, 2, 1], false))(response, asked)

/** Either the redirect is refused, or what the API points to is believed. */
export const redirected = (status: number): Case => ({
  name: String(status),
  answer: () => {},
  paged: ["3 items", "0 items, then api_error"],
  whole: ["3 items", "0 items, then api_error"],
  // The stranger does not know of cursors.
  follow: ["StalledWalk RepeatedCursor", "0 items, then api_error"],
  // The body of a create can be sent once, and `fetch` asks for a page in its place where the status says so.
  create: ["0 items", "0 items, then api_error", "TransportError Lost", "UnexpectedResponse WrongShape"]
})
