/** A slow service that reports the state of each request to its client. */
import type { Dice } from "@mailstream/testing/Dice"
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { select } from "@mailstream/testing/Sample"
import { Effect, type Scope } from "effect"
import type { ServerResponse } from "node:http"

/** Where a request is: it has arrived, its response has begun, half of it is sent, it is rejected. */
export type Moment = "arrived" | "headers" | "body" | "rejected"

/** A client, known by the name in its paths. */
export interface Guest {
  readonly dice: Dice
  readonly tell: (moment: Moment) => void
  /** Whether it may receive a 429, which pauses all others as well. */
  readonly isLimited: boolean
}

export interface Service {
  readonly baseUrl: string
  readonly guests: Map<string, Guest>
  /** Requests whose response is neither complete nor abandoned. */
  readonly open: () => number
  readonly served: () => number
}

/** How many contacts every list has. */
export const size = 30

const reject = (response: ServerResponse, statusCode: number, name: string, headers = {}): void =>
  sendJson(response, statusCode, { name, statusCode, message: "Not now." }, headers)

/** Responds to one request after a delay. */
const respond = ({ dice, isLimited, tell }: Guest, body: string, response: ServerResponse): void => {
  const wait = (then: () => void): void => {
    if (dice.chance(0.5)) return then()
    // Some never complete: only disconnecting helps.
    if (dice.chance(0.1)) return
    const timer = setTimeout(then, dice.below(4))
    response.once("close", () => clearTimeout(timer))
  }
  tell("arrived")
  wait(() => {
    const chance = dice.below(100)
    if (chance < 10 || chance < 14 && isLimited) {
      if (chance < 10) reject(response, 503, "service_unavailable")
      else reject(response, 429, "rate_limit_exceeded", { "retry-after": "1" })
      return tell("rejected")
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

export const make: Effect.Effect<Service, never, Scope.Scope> = Effect.suspend(() => {
  const guests = new Map<string, Guest>()
  let open = 0
  let served = 0
  return serve((request, response) => {
    open++
    served++
    response.once("close", () => void open--)
    request.resume()
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
    const guest = guests.get(/^\/segments\/([^/]+)/.exec(pathname)?.[1] ?? "")
    const body = JSON.stringify(select(size, searchParams))
    if (guest !== undefined) return respond(guest, body, response)
    // Clients that are no longer guests get a response immediately. The list of all contacts allows one more request.
    const room = { "ratelimit-limit": "100", "ratelimit-remaining": "1", "ratelimit-reset": "50" }
    response.writeHead(200, pathname === "/contacts" ? room : {}).end(body)
  }).pipe(Effect.map((baseUrl) => ({ baseUrl, guests, open: () => open, served: () => served })))
})
