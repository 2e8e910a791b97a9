/** A server that misbehaves in as many ways as there are paths. */
import { Effect, type Scope } from "effect"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { look } from "../../support/memory.ts"

/** What is asked for: the part of the path behind the name of the case, and the query. */
export interface Asked {
  readonly path: string
  readonly after: string | null
  readonly before: string | null
  readonly limit: string | null
}

export interface Answer {
  (response: Http.ServerResponse, asked: Asked): void
}

export interface Server {
  readonly baseUrl: string
  /** All headers of the requests that have come, as text. */
  readonly received: Array<string>
}

const askedOf = (url: string): Asked => {
  const { pathname, searchParams } = new URL(url, "http://localhost")
  return {
    path: pathname,
    after: searchParams.get("after"),
    before: searchParams.get("before"),
    limit: searchParams.get("limit")
  }
}

/** The first part of the path is the name of the way in which it answers. */
export const make = (
  answers: { readonly [name: string]: Answer }
): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<{ readonly server: Http.Server; readonly received: Array<string> }>((resume) => {
      const received: Array<string> = []
      const server = Http.createServer((request, response) => {
        received.push(JSON.stringify(request.rawHeaders))
        const [, name = "", ...rest] = (request.url ?? "").split("/")
        request.resume()
        // Whoever hangs up in the middle does what is expected here.
        response.on("error", () => {})
        answers[decodeURIComponent(name)]?.(response, askedOf(`/${rest.join("/")}`))
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, received })))
    }),
    ({ server }) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(
    Effect.map(({ received, server }) => ({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      received
    }))
  )

const jsonHeaders = { "content-type": "application/json" }

export const json = (body: unknown, status = 200): Answer => (response) => {
  response.writeHead(status, jsonHeaders).end(typeof body === "string" ? body : JSON.stringify(body))
}

/** Sends pieces as fast as they are taken, and no faster. */
export const flood = (
  pieces: () => Iterable<Uint8Array | string>,
  { headers, status = 200 }: { readonly headers?: { readonly [name: string]: string }; readonly status?: number } = {}
): Answer =>
(response) => {
  const all = pieces()[Symbol.iterator]()
  let sent = 0
  const more = (): void => {
    while (!response.destroyed) {
      const piece = all.next()
      if (sent++ % 100 === 99 || piece.done === true) look()
      if (piece.done === true) return void response.end()
      if (!response.write(piece.value)) return void response.once("drain", more)
    }
  }
  response.writeHead(status, { ...jsonHeaders, ...headers })
  more()
}

/** Sends a text, and then the same byte again and again, with a pause before each: it never comes to an end. */
export const drip = (begin: string, byte: string, millis: number): Answer => (response) => {
  response.writeHead(200, jsonHeaders).write(begin)
  const timer = setInterval(() => response.write(byte), millis)
  response.on("close", () => clearInterval(timer))
}

/** So many megabytes of the same character, in pieces. */
export function* repeated(character: string, megabytes: number): Iterable<Uint8Array> {
  const piece = Buffer.alloc(1 << 16, character)
  for (let sent = 0; sent < megabytes * 1e6; sent += piece.length) yield piece
}
