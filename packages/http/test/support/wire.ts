import { FetchHttpClient, type HttpClient } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import { type ApiClient, type ApiClientOptions, Mailstream, Transport } from "@mailstream/http"
import * as FetchTransport from "@mailstream/http/FetchTransport"
import * as UndiciTransport from "@mailstream/http/UndiciTransport"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export const key = "re_secret_4f2b9c7d"

export const apiKey = Redacted.make(key)

/** A request as it came over the wire. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export interface Wire {
  readonly baseUrl: string
  readonly received: Array<Received>
  /** How many requests were given up by the client before their answer was complete. */
  readonly aborted: () => number
}

export type Answer = (response: ServerResponse, request: Received) => void

/** A bare HTTP server on loopback that answers as it is told, byte for byte. */
export const serve = (answer: Answer): Effect.Effect<Wire, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<{ readonly wire: Wire; readonly close: () => void }>((resume) => {
      const received: Array<Received> = []
      let aborted = 0
      const server = createServer((request, response) => {
        response.on("close", () => {
          if (!response.writableFinished) aborted++
        })
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const body = Buffer.concat(chunks).toString()
          received.push({ method: request.method!, url: request.url!, headers: request.headers, body })
          answer(response, received.at(-1)!)
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const wire = { baseUrl: `http://127.0.0.1:${port}`, received, aborted: () => aborted }
        resume(Effect.succeed({
          wire,
          close: () => {
            server.close()
            server.closeAllConnections()
          }
        }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ wire }) => wire))

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => (response) => {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers }).end(
    JSON.stringify(body)
  )
}

export const text =
  (status: number, body: string, headers: Record<string, string> = { "content-type": "text/plain" }): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body)
  }

export const emptyList = { object: "list", has_more: false, data: [] }

const onHttpClient = (client: Layer.Layer<HttpClient.HttpClient>) => Layer.provide(Transport.layerHttpClient, client)

/** The transports that the library has, the last one on several clients of the platform. */
export const transports: ReadonlyArray<readonly [name: string, layer: Layer.Layer<Transport.Transport>]> = [
  ["undici", UndiciTransport.layer],
  ["HttpClient on undici", onHttpClient(NodeHttpClient.layerUndici)],
  ["fetch", FetchTransport.layer],
  ["HttpClient on fetch", onHttpClient(FetchHttpClient.layer)],
  ["HttpClient on node:http", onHttpClient(NodeHttpClient.layer)]
]

/** All services, on a server that answers as it is told. */
export const mailstream = (
  baseUrl: string,
  options: Partial<ApiClientOptions> = {},
  transport: Layer.Layer<Transport.Transport> = UndiciTransport.layer
): Layer.Layer<Mailstream.Mailstream | ApiClient> =>
  Mailstream.layer({ baseUrl, apiKey, ...options }).pipe(Layer.provide(transport), Layer.orDie)
