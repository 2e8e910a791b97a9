/** A service with contacts, which records what is done to them, and fails as a test wants. */
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { idOf } from "@mailstream/testing/Sample"
import { Effect, type Scope } from "effect"
import type { IncomingMessage } from "node:http"
import { apiKey } from "./service.ts"

export interface Contact {
  readonly id: string
  readonly fields: Record<string, unknown>
  readonly segments: Set<string>
}

export interface ContactService {
  readonly env: Record<string, string>
  /** By their addresses, in the order in which they were created. */
  readonly contacts: Map<string, Contact>
  /** Method, path and body of each request. */
  readonly requests: Array<string>
  /** How many contacts it was asked to create. */
  readonly creations: () => number
  /** The most requests at the same time. */
  readonly most: () => number
}

/** What happens to a request: it is lost after it was processed, or refused with a status and a name. */
export type Fault = "lost" | readonly [status: number, name: string] | undefined

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

export const contactService = (
  fault: (index: number, line: string) => Fault = () => undefined,
  delay: (index: number) => Promise<void> = () => Promise.resolve()
): Effect.Effect<ContactService, never, Scope.Scope> =>
  Effect.gen(function*() {
    const contacts = new Map<string, Contact>()
    const byId = new Map<string, Contact>()
    const requests: Array<string> = []
    let [now, most] = [0, 0]
    const respond = (method: string, path: string, body: string): readonly [status: number, body: unknown] => {
      const [, , name, , segment] = path.split("/").map(decodeURIComponent)
      if (method === "GET" && path.startsWith("/segments?")) {
        return [200, { object: "list", has_more: false, data: [] }]
      }
      if (path.startsWith("/segments/")) {
        return name === "unknown" || name === "missing"
          ? [404, { name: "not_found", statusCode: 404, message: "Audience not found" }]
          : [200, { object: "segment", id: name, name: "Segment" }]
      }
      if (method === "POST" && path === "/contacts") {
        const { email, segments = [], ...fields } = JSON.parse(body)
        if (email.startsWith("refused")) {
          return [422, { name: "validation_error", statusCode: 422, message: `The address ${email} is not accepted.` }]
        }
        if (email.startsWith("unwanted")) {
          return [422, { name: "validation_error", statusCode: 422, message: "The `email` field is not wanted." }]
        }
        const contact = contacts.get(email) ??
          { id: idOf(contacts.size + 1), fields, segments: new Set(segments.map(({ id }: { id: string }) => id)) }
        contacts.set(email, contact)
        byId.set(contact.id, contact)
        return [201, { object: "contact", id: contact.id }]
      }
      const contact = contacts.get(name ?? "") ?? byId.get(name ?? "")
      if (contact === undefined) return [404, { name: "not_found", statusCode: 404, message: "Contact not found" }]
      if (method === "GET") {
        const { fields, id } = contact
        const names = { first_name: null, last_name: null, unsubscribed: false }
        return [200, { object: "contact", id, email: name, created_at: "2026-01-01 00:00:00+00", ...names, ...fields }]
      }
      if (method === "PATCH") Object.assign(contact.fields, JSON.parse(body))
      if (segment === "missing") return [404, { name: "not_found", statusCode: 404, message: "Audience not found" }]
      if (segment !== undefined) contact.segments.add(segment)
      return [200, { object: "contact", id: contact.id }]
    }
    const baseUrl = yield* serve((request, response) => {
      void (async () => {
        most = Math.max(most, ++now)
        const body = await bodyOf(request)
        const line = `${request.method} ${request.url} ${body}`.trim()
        const index = requests.push(line) - 1
        const failure = fault(index, line)
        await delay(index)
        now--
        if (Array.isArray(failure)) {
          const [status, name] = failure
          return sendJson(response, status, { name, statusCode: status, message: `Fault ${name}.` }, {
            "retry-after": "0"
          })
        }
        const result = respond(request.method ?? "", request.url ?? "", body)
        if (failure === "lost") return response.destroy()
        return sendJson(response, ...result)
      })()
    })
    const creations = () => requests.filter((line) => line.startsWith("POST /contacts {")).length
    return {
      creations,
      env: { MAILSTREAM_BASE_URL: baseUrl, MAILSTREAM_API_KEY: apiKey },
      contacts,
      requests,
      most: () => most
    }
  })
