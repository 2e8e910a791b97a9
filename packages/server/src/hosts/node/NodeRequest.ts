/** Requests of Node's HTTP server as the app takes them. */
import type { ValidationError } from "@mailstream/core"
import * as Effect from "effect/Effect"
import type { IncomingMessage } from "node:http"
import * as Body from "../../app/Body.ts"
import type { Request } from "../../app/Request.ts"

export const toRequest = (message: IncomingMessage): Request => ({
  method: message.method ?? "GET",
  url: message.url ?? "/",
  header: (name) => headerOf(message, name),
  peer: () => peerOf(message),
  body: (maxBytes) => readBody(message, maxBytes)
})

/** Node joins other headers that are repeated. */
const headerOf = ({ headers }: IncomingMessage, name: Parameters<Request["header"]>[0]): string | undefined => {
  const value = headers[name]
  return typeof value === "string" ? value : value?.[0]
}

const peerOf = ({ socket: { remoteAddress, remotePort } }: IncomingMessage): string | undefined => {
  if (remoteAddress === undefined) return undefined
  return `${remoteAddress.includes(":") ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`
}

/** HTTP/1.1 requires a host. Node would refuse such requests with an empty response, so they are checked here. */
export const lacksHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host === undefined && httpVersion === "1.1"

/** Bodies that are larger than allowed are read up to this many bytes more. */
const patience = 31 * Body.maxBytes

/** Reads even a body that is too large to its end, so that the client stops sending and reads the response. */
const readBody = (message: IncomingMessage, max = Body.maxBytes): Effect.Effect<Uint8Array, ValidationError> =>
  Effect.async((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    message.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= max) chunks.push(chunk)
      else if (size > max + patience) {
        message.pause()
        resume(Effect.fail(Body.tooLarge(max)))
      }
    })
    message.on(
      "end",
      () => resume(size > max ? Effect.fail(Body.tooLarge(max)) : Effect.succeed(Buffer.concat(chunks)))
    )
  })
