/** A service with a list of contacts that changes, and with faults, turn by turn, as a `fetch`. After its turns, it is honest. */
import type { Turn } from "./scenario.ts"
import type { Time } from "./time.ts"

export interface Sent {
  readonly at: number
  readonly method: string | undefined
  readonly url: string
  readonly headers: ReadonlyArray<readonly [string, string]>
  /** When it was aborted, before its response was complete. */
  abortedAt?: number
}

export const idOf = (n: number): string => `0b2a4c1e-7f8d-4f7a-9a58-${String(n).padStart(12, "0")}`

const contactOf = (n: number) => ({
  object: "contact",
  id: idOf(n),
  email: `contact-${n}@example.com`,
  first_name: n % 3 === 0 ? null : "Zoë",
  last_name: `Contact ${n}`,
  created_at: "2023-10-06 23:47:56.678+00",
  unsubscribed: n % 2 === 0
})

const headersOf = (init: RequestInit | undefined): Sent["headers"] => {
  const headers: Array<readonly [string, string]> = []
  new Headers(init?.headers).forEach((value, name) => headers.push([name, value]))
  return headers
}

const honest: Turn = {
  insert: 0,
  deletes: [],
  reply: { _tag: "Page" },
  takes: 5,
  pieces: 1,
  gap: 0,
  breaksAfter: undefined
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  text: JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers }
})

export class Service {
  readonly sent: Array<Sent> = []
  readonly #time: Time
  readonly #turns: ReadonlyArray<Turn>
  #contacts: Array<number>
  #next: number

  constructor(size: number, turns: ReadonlyArray<Turn>, time: Time) {
    this.#contacts = Array.from({ length: size }, (_, index) => size - index)
    this.#next = size + 1
    this.#turns = turns
    this.#time = time
  }

  readonly fetch: typeof fetch = (input, init) => {
    const turn = this.#turns[this.sent.length] ?? honest
    const url = new URL(String(input))
    const sent: Sent = {
      at: this.#time.now(),
      method: init?.method,
      url: url.href,
      headers: headersOf(init)
    }
    this.sent.push(sent)
    for (let count = turn.insert; count > 0; count--) this.#contacts.unshift(this.#next++)
    this.#contacts = this.#contacts.filter((n) => !turn.deletes.includes(n))
    const { signal } = init ?? {}
    return new Promise((resolve, reject) => {
      let isComplete = false
      let fail: (error: unknown) => void = reject
      signal?.addEventListener("abort", () => {
        if (isComplete) return
        isComplete = true
        sent.abortedAt = this.#time.now()
        fail(signal.reason)
      })
      const later = (millis: number, call: () => void) => setTimeout(() => void (isComplete || call()), millis)
      const broken = (code: string) => {
        isComplete = true
        fail(new TypeError("fetch failed", { cause: Object.assign(new Error(`it broke: ${code}`), { code }) }))
      }
      later(turn.takes, () => {
        const { reply } = turn
        if (reply._tag === "Silent") return
        if (reply._tag === "Refused") return broken(reply.code)
        const { headers = {}, status, text } = this.#answer(reply, url.searchParams)
        const bytes = new TextEncoder().encode(text)
        const step = Math.max(1, Math.ceil(bytes.length / turn.pieces))
        let piece = 0
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            fail = (error) => controller.error(error)
          },
          pull: (controller) =>
            new Promise<void>((pulled) => {
              later(turn.gap, () => {
                if (turn.breaksAfter === piece) broken("ECONNRESET")
                else if (piece * step >= bytes.length) {
                  isComplete = true
                  controller.close()
                } else controller.enqueue(bytes.slice(piece * step, ++piece * step))
                pulled()
              })
            })
        }, { highWaterMark: 0 })
        if (status === 204) isComplete = true
        resolve(new Response(status === 204 ? null : body, { status, headers }))
      })
    })
  }

  #answer(reply: Exclude<Turn["reply"], { readonly _tag: "Refused" | "Silent" }>, query: URLSearchParams): Answer {
    switch (reply._tag) {
      case "Odd":
        return json(200, {
          object: "list",
          has_more: reply.more,
          data: reply.ids.map((n) => reply.garbled ? { ...contactOf(n), email: n } : contactOf(n))
        })
      case "Error":
        return json(reply.status, { statusCode: reply.status, name: reply.name, message: "No." }, reply.headers)
      case "Text":
        return { status: reply.status, text: reply.text, headers: { "content-type": "text/html" } }
      case "Page":
        return this.#page(query)
    }
  }

  #page(query: URLSearchParams): Answer {
    const [after, before] = [query.get("after"), query.get("before")]
    const cursor = after ?? before
    const at = this.#contacts.findIndex((n) => idOf(n) === cursor)
    if (cursor !== null && at === -1) {
      return json(404, { statusCode: 404, name: "not_found", message: "No such cursor." })
    }
    const limit = query.has("limit") ? Number(query.get("limit")) : Infinity
    const start = before === null ? at + 1 : Math.max(0, at - limit)
    const end = before === null ? Math.min(at + 1 + limit, this.#contacts.length) : at
    return json(200, {
      object: "list",
      has_more: before === null ? end < this.#contacts.length : start > 0,
      data: this.#contacts.slice(start, end).map(contactOf)
    })
  }
}
