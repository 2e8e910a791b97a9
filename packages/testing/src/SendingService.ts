/** A service that does what a test tells it with each send, and remembers what it accepted. */
import { Effect, type Scope } from "effect"
import { get, type IncomingMessage, type ServerResponse } from "node:http"
import { sendJson, serve } from "./HttpServer.ts"

/** What is used of an email. */
export interface Email {
  readonly to: string | ReadonlyArray<string>
  readonly subject?: string | undefined
  readonly tags?: ReadonlyArray<{ readonly name: string; readonly value: string }> | undefined
}

/** One request that sends. */
export interface Request {
  readonly path: string
  readonly key: string
  readonly body: string
  readonly emails: ReadonlyArray<Email>
  /** How many there were before. */
  readonly index: number
}

/**
 * - `accept`: as the service does.
 * - `lose`: accepts, and loses the response.
 * - `drop`: loses the request.
 * - `hang`: never responds.
 * - an error: refuses.
 */
export type Behaviour = "accept" | "lose" | "drop" | "hang" | Refusal

export interface Refusal {
  readonly statusCode: number
  /** undefined: as from a gateway. */
  readonly name: string | undefined
  readonly retryAfter?: number | string
}

export interface Accepted {
  readonly id: string
  readonly email: Email
  readonly created_at: string
}

export interface Service {
  readonly baseUrl: string
  /** The requests that send, in order. */
  readonly requests: Array<Request>
  /** The accepted emails, oldest first. */
  readonly accepted: Array<Accepted>
  /** What to do with a request that sends. */
  behave: (request: Request) => Behaviour
  /** Emails that are rejected within a batch. */
  rejects: (email: Email) => boolean
  mayList: boolean
  /** How many milliseconds it takes for a request that sends. */
  delay: number
  /** How many requests that read fail from now on. */
  failingReads: number
  /** Whether an email is in the list. */
  listed: (email: Accepted) => boolean
  /** How emails are shown in the list, and by themselves. */
  show: (email: object) => object
  /** Waits until whatever was sent before has arrived, also on connections that were reset since. */
  readonly arrived: Effect.Effect<void>
  /** As after 24 hours, when nothing is on its way any more: see `arrived`. */
  readonly forgetKeys: () => void
  /** The addresses that were written to, in order. */
  readonly addresses: () => ReadonlyArray<string>
}

const bodyOf = (request: IncomingMessage, use: (body: string) => void): void => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => use(Buffer.concat(chunks).toString()))
}

export const make: Effect.Effect<Service, never, Scope.Scope> = Effect.gen(function*() {
  const keys = new Map<string, { readonly body: string; readonly response: unknown }>()
  const requests: Array<Request> = []
  const accepted: Array<Accepted> = []

  const accept = ({ body, emails, key, path }: Request): unknown => {
    const known = keys.get(key)
    if (known !== undefined) return known.body === body ? known.response : undefined
    const data: Array<{ readonly id: string }> = []
    const errors: Array<{ readonly index: number; readonly message: string }> = []
    for (const [index, email] of emails.entries()) {
      if (service.rejects(email)) {
        errors.push({ index, message: "The address is not allowed." })
        continue
      }
      const id = `email-${accepted.length}`
      accepted.push({ id, email, created_at: new Date(1_800_000_000_000 + accepted.length * 1000).toISOString() })
      data.push({ id })
    }
    const response = path === "/emails" ? data[0] : { data, ...(errors.length === 0 ? {} : { errors }) }
    keys.set(key, { body, response })
    return response
  }

  const send = (request: Request, response: ServerResponse): void => {
    const behaviour = service.behave(request)
    if (behaviour === "hang") return
    if (behaviour === "drop") return void response.destroy()
    if (typeof behaviour === "object") {
      const { name, retryAfter, statusCode } = behaviour
      if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter))
      return sendJson(response, statusCode, { statusCode, name, message: `No: ${name}.` })
    }
    const result = accept(request)
    if (behaviour === "lose") return void response.destroy()
    return result === undefined
      ? sendJson(response, 409, { statusCode: 409, name: "invalid_idempotent_request", message: "Another payload." })
      : sendJson(response, 200, result)
  }

  const read = (url: URL, response: ServerResponse): void => {
    if (!service.mayList) {
      return sendJson(response, 401, {
        statusCode: 401,
        name: "restricted_api_key",
        message: "Only sends are allowed."
      })
    }
    if (service.failingReads > 0) {
      service.failingReads--
      return sendJson(response, 503, { statusCode: 503, name: "service_unavailable", message: "Later." })
    }
    const view = ({ created_at, email, id }: Accepted) => ({
      id,
      to: [email.to].flat(),
      subject: email.subject,
      created_at
    })
    const id = url.pathname.slice("/emails/".length)
    if (id !== "") {
      const found = accepted.find((email) => email.id === id)
      return found === undefined
        ? sendJson(response, 404, { statusCode: 404, name: "not_found", message: "No such email." })
        : sendJson(response, 200, service.show({ ...view(found), tags: found.email.tags }))
    }
    const all = accepted.filter((email) => service.listed(email)).reverse()
    const after = url.searchParams.get("after")
    const rest = after === null ? all : all.slice(all.findIndex((email) => email.id === after) + 1)
    const limit = Number(url.searchParams.get("limit") ?? 20)
    sendJson(response, 200, {
      object: "list",
      has_more: rest.length > limit,
      data: rest.slice(0, limit).map((email) => service.show(view(email)))
    })
  }

  const baseUrl = yield* serve((incoming, response) => {
    const url = new URL(incoming.url ?? "", "http://localhost")
    if (url.pathname === "/arrived") return sendJson(response, 200, {})
    if (incoming.method === "GET") return read(url, response)
    bodyOf(incoming, (body) => {
      const emails = [JSON.parse(body)].flat() as ReadonlyArray<Email>
      const key = `${incoming.headers["idempotency-key"]}`
      const request = { path: url.pathname, key, body, emails, index: requests.length }
      requests.push(request)
      if (service.delay === 0) send(request, response)
      else setTimeout(() => send(request, response), service.delay)
    })
  })
  const service: Service = {
    baseUrl,
    requests,
    accepted,
    behave: () => "accept",
    rejects: () => false,
    mayList: true,
    delay: 0,
    failingReads: 0,
    listed: () => true,
    show: (email) => email,
    // Connections are accepted in order, and what has arrived on them is read in order.
    arrived: Effect.async((resume) => {
      get(`${baseUrl}/arrived`, { agent: false }, (response) => response.resume().on("end", () => resume(Effect.void)))
    }),
    forgetKeys: () => keys.clear(),
    addresses: () => accepted.flatMap(({ email }) => email.to)
  }
  return service
})
