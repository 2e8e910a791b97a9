/** A server that misbehaves in as many ways as there are paths. */
import { sendJson, serve } from "@mailstream/testing/HttpServer"
import { Effect, type Scope } from "effect"
import type { ServerResponse } from "node:http"
import { look } from "../../support/memory.ts"

/** How a server responds to a URL, without the name of the case. */
export interface Behaviour {
  (response: ServerResponse, url: URL): void
}

export interface Server {
  /** The base URL for the behaviour with this name. */
  readonly at: (name: string) => string
  /** All headers of the requests that have arrived, as text. */
  readonly received: Array<string>
}

/** The first part of the path is the name of the behaviour. */
export const make = (
  behaviours: { readonly [name: string]: Behaviour }
): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.suspend(() => {
    const received: Array<string> = []
    return serve((request, response) => {
      received.push(JSON.stringify(request.rawHeaders))
      const [, name = "", ...rest] = (request.url ?? "").split("/")
      request.resume()
      behaviours[decodeURIComponent(name)]?.(response, new URL(`/${rest.join("/")}`, "http://localhost"))
    }).pipe(Effect.map((baseUrl) => ({ at: (name) => `${baseUrl}/${encodeURIComponent(name)}`, received })))
  })

export const json = (body: unknown, status = 200): Behaviour => (response) => sendJson(response, status, body)

/** Sends pieces as fast as they are accepted, and no faster. */
export const flood = (
  pieces: () => Iterable<Uint8Array | string>,
  { headers, status = 200 }: { readonly headers?: { readonly [name: string]: string }; readonly status?: number } = {}
): Behaviour =>
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
  response.writeHead(status, { "content-type": "application/json", ...headers })
  more()
}

/** Sends a text, and then the same byte repeatedly, after a pause each time, without ever ending. */
export const drip = (begin: string, byte: string, millis: number): Behaviour => (response) => {
  response.writeHead(200, { "content-type": "application/json" }).write(begin)
  const timer = setInterval(() => response.write(byte), millis)
  response.on("close", () => clearInterval(timer))
}

/** The same character repeatedly, in pieces. */
export function* repeated(character: string, megabytes: number): Iterable<Uint8Array> {
  const piece = Buffer.alloc(1 << 16, character)
  for (let sent = 0; sent < megabytes * 1e6; sent += piece.length) yield piece
}
