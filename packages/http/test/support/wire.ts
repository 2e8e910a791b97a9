import type { InvalidOption } from "@mailstream/core"
import type { Transport } from "@mailstream/http"
import { type ApiClient, type ApiClientOptions, Mailstream } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as HttpClientTransport from "@mailstream/http/HttpClientTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { platform } from "@mailstream/testing/HttpClients"
import * as HttpServer from "@mailstream/testing/HttpServer"
import { Effect, Layer, Redacted, type Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"

export const key = "re_secret_4f2b9c7d"

export const apiKey = Redacted.make(key)

/** A request as received over the wire. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export interface Wire {
  readonly baseUrl: string
  readonly received: Array<Received>
  /** How many requests the client aborted before their response was complete. */
  readonly aborted: () => number
}

export type Respond = (response: ServerResponse, request: Received) => void

/** A bare HTTP server on loopback with scripted responses. */
export const serve = (respond: Respond): Effect.Effect<Wire, never, Scope.Scope> =>
  Effect.suspend(() => {
    const received: Array<Received> = []
    let aborted = 0
    return HttpServer.serve((request, response) => {
      response.on("close", () => {
        if (!response.writableFinished) aborted++
      })
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString()
        const { headers, method = "", url = "" } = request
        const next = { method, url, headers, body }
        received.push(next)
        respond(response, next)
      })
    }).pipe(Effect.map((baseUrl) => ({ baseUrl, received, aborted: () => aborted })))
  })

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Respond => (response) =>
  HttpServer.sendJson(response, status, body, headers)

export const text =
  (status: number, body: string, headers: Record<string, string> = { "content-type": "text/plain" }): Respond =>
  (response) => {
    response.writeHead(status, headers).end(body)
  }

export const emptyList = { object: "list", has_more: false, data: [] }

/** The transports of the library; the one for any `HttpClient`, on several clients. */
export const transports: ReadonlyArray<
  readonly [name: string, layer: Layer.Layer<Transport.Transport, InvalidOption>]
> = [
  ["undici", UndiciTransport.layer],
  ["fetch", FetchTransport.layer],
  ...platform.map(([name, client]) =>
    [`HttpClient on ${name}`, Layer.provide(HttpClientTransport.layer, client)] as const
  )
]

/** All services, on a server of `serve`. */
export const mailstream = (
  baseUrl: string,
  options: Partial<ApiClientOptions> = {},
  transport: Layer.Layer<Transport.Transport, InvalidOption> = UndiciTransport.layer
): Layer.Layer<Mailstream.Mailstream | ApiClient> =>
  Mailstream.layer({ baseUrl, apiKey, ...options }).pipe(Layer.provide(transport), Layer.orDie)
