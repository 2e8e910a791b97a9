/** A service that takes its time, and tells what it is doing for whom. */
import { Effect, type Scope } from "effect"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import type { Dice } from "../../support/dice.ts"
import { numberOf, page, wireOf } from "../../support/sample.ts"

/** Where a request is: it has come, its answer has begun, half of it is sent, it is refused. */
export type Moment = "arrived" | "headers" | "body" | "refused"

/** Somebody who asks, by the name that stands in the path. */
export interface Guest {
  readonly dice: Dice
  readonly tell: (moment: Moment) => void
  /** Whether it may be told to wait, with everybody else. */
  readonly isLimited: boolean
}

export interface Service {
  readonly baseUrl: string
  readonly guests: Map<string, Guest>
  /** Requests whose answer is under way, and that were not hung up. */
  readonly open: () => number
  readonly served: () => number
}

/** Every list has as many contacts. */
export const size = 30

const pageOf = (query: URLSearchParams) => {
  const limit = Number(query.get("limit") ?? size)
  const [after, before] = [query.get("after"), query.get("before")]
  if (before !== null) {
    const from = numberOf(before) + 1
    const to = Math.min(size, from + limit - 1)
    return page(Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => to - n), to < size)
  }
  const from = after === null ? size : numberOf(after) - 1
  return page(Array.from({ length: Math.min(limit, from) }, (_, n) => from - n), from > limit)
}

const answerOf = (request: Http.IncomingMessage, path: string, query: string): string =>
  JSON.stringify(
    request.method === "POST"
      ? { object: "topic", id: wireOf(1).id }
      : path.includes("/contacts")
      ? pageOf(new URLSearchParams(query))
      : { object: "list", has_more: false, data: [] }
  )

const error = (name: string, statusCode: number): string => JSON.stringify({ name, statusCode, message: "Not now." })

/** Answers one request in its own time. */
const answer = (guest: Guest, body: string, response: Http.ServerResponse): void => {
  const { dice, isLimited, tell } = guest
  const wait = (then: () => void): void => {
    if (dice.chance(0.5)) return then()
    // Some wait for ever: only whoever hangs up gets out of it.
    if (dice.chance(0.1)) return
    const timer = setTimeout(then, dice.below(4))
    response.once("close", () => clearTimeout(timer))
  }
  tell("arrived")
  wait(() => {
    const chance = dice.below(100)
    if (chance < 10) {
      response.writeHead(503).end(error("service_unavailable", 503))
      return tell("refused")
    }
    if (chance < 14 && isLimited) {
      response.writeHead(429, { "retry-after": "1" }).end(error("rate_limit_exceeded", 429))
      return tell("refused")
    }
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders()
    tell("headers")
    wait(() => {
      const bytes = Buffer.from(body)
      response.write(bytes.subarray(0, bytes.length >> 1))
      tell("body")
      wait(() => void response.end(bytes.subarray(bytes.length >> 1)))
    })
  })
}

export const make: Effect.Effect<Service, never, Scope.Scope> = Effect.gen(function*() {
  const guests = new Map<string, Guest>()
  let open = 0
  let served = 0
  const server = yield* Effect.acquireRelease(
    Effect.async<Http.Server>((resume) => {
      const server = Http.createServer((request, response) => {
        open++
        served++
        response.once("close", () => void open--)
        response.on("error", () => {})
        request.resume()
        const [path = "", query = ""] = (request.url ?? "").split("?")
        const guest = guests.get(/^\/segments\/([^/]+)/.exec(path)?.[1] ?? "")
        const body = answerOf(request, path, query)
        if (guest !== undefined) return answer(guest, body, response)
        // Whoever is no guest any more is answered at once. Of all contacts only one more page is to be had.
        const room = { "ratelimit-limit": "100", "ratelimit-remaining": "1", "ratelimit-reset": "50" }
        response.writeHead(200, path === "/contacts" ? room : {}).end(body)
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    guests,
    open: () => open,
    served: () => served
  }
})
