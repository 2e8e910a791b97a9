/** A server that makes a client wait, in every way there is. Only its own, monotonic time counts. */
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { contact, page, select } from "@mailstream/testing/Sample"
import { Effect, type Scope } from "effect"
import type { ServerResponse } from "node:http"

/** How a wait ended. */
export interface Outcome {
  readonly name: string
  readonly result: string
  readonly millis: number
}

/** Responds to the request with a number, from 0. */
interface Respond {
  (response: ServerResponse, query: URLSearchParams, index: number): void
}

const rejected = { name: "rate_limit_exceeded", statusCode: 429, message: "Slow down." }
const broken = { name: "service_unavailable", statusCode: 503, message: "Not now." }

const ofThree: Respond = (response, query) => sendJson(response, 200, select(3, query))

/** Responds with a status and headers first, then with a list. */
const first =
  (status: number, body: object, headers: () => Record<string, string>): Respond => (response, query, index) =>
    index === 0 ? sendJson(response, status, body, headers()) : ofThree(response, query, index)

/** Three requests per second. */
const limited = (): Respond => {
  let [start, used] = [-Infinity, 0]
  return (response, query) => {
    const now = performance.now()
    if (now >= start + 1000) [start, used] = [now, 0]
    used++
    const headers = {
      "ratelimit-limit": "3",
      "ratelimit-remaining": String(Math.max(0, 3 - used)),
      "ratelimit-reset": String(Math.ceil((start + 1000 - now) / 1000)),
      "ratelimit-policy": "3;w=1"
    }
    if (used > 3) sendJson(response, 429, rejected, headers)
    else sendJson(response, 200, select(8, query), headers)
  }
}

/** Sends pieces with a pause before each. */
const slowly = (pieces: Iterable<string>, millis: number): Respond => (response) => {
  const rest = pieces[Symbol.iterator]()
  response.writeHead(200, { "content-type": "application/json" })
  response.write(`{"object":"list","has_more":false,"data":[`)
  const timer = setInterval(() => {
    const { done, value } = rest.next()
    if (done !== true) return void response.write(value)
    clearInterval(timer)
    response.end("]}")
  }, millis)
  response.on("close", () => clearInterval(timer))
}

function* spaces(): Iterable<string> {
  while (true) yield " "
}

const items = [6, 5, 4, 3, 2, 1].map((n) => `${n === 6 ? "" : ","}${JSON.stringify(contact(n))}`)

/** By name, how the server responds, and how long a client that measures correctly waits for that, in milliseconds. */
const behaviours = {
  "the rate limit in headers": [limited, 2500],
  "the pause after a 429": [() => first(429, rejected, () => ({ "retry-after": "2" })), 2500],
  // The server's `date` goes with it, so it does not matter what the client takes the time to be.
  "a date to retry after": [
    () =>
      first(
        429,
        rejected,
        () => ({ "retry-after": new Date(performance.timeOrigin + performance.now() + 2000).toUTCString() })
      ),
    2500
  ],
  "a retry policy that ends": [() => (response) => sendJson(response, 503, broken), 2500],
  "a response that does not come": [
    () => (response, query, index) => index > 0 && ofThree(response, query, index),
    3500
  ],
  "following": [
    () => (response, query, index) =>
      query.has("before")
        ? sendJson(response, 200, select(Math.min(5, index), query))
        : sendJson(response, 200, page([1], false)),
    2500
  ],
  "a slow list": [() => slowly(items, 300), 2500],
  "a list without progress": [() => slowly(spaces(), 100), 3500]
} satisfies { readonly [name: string]: readonly [make: () => Respond, millis: number] }

export type Wait = keyof typeof behaviours

export const waits: ReadonlyArray<{ readonly name: string; readonly millis: number }> = Object.entries(behaviours)
  .map(([name, [, millis]]) => ({ name, millis }))

export interface Server {
  /** The base URL for the process with this name. */
  readonly at: (run: string) => string
}

/** The first two parts of the path are the process and the wait. */
export const make: Effect.Effect<Server, never, Scope.Scope> = Effect.suspend(() => {
  const states = new Map<string, { readonly respond: Respond; requests: number }>()
  return serve((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost")
    const [, run = "", name = ""] = url.pathname.split("/").map(decodeURIComponent)
    const known = Object.entries(behaviours).find(([wait]) => wait === name)
    if (known === undefined) return void response.destroy()
    const key = `${run}/${name}`
    const state = states.get(key) ?? { respond: known[1][0](), requests: 0 }
    states.set(key, state)
    request.resume()
    state.respond(response, url.searchParams, state.requests++)
  }).pipe(Effect.map((baseUrl) => ({ at: (run) => `${baseUrl}/${encodeURIComponent(run)}` })))
})
