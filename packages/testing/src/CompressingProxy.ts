/** A proxy on loopback that compresses responses, as those in front of a service do. */
import type { Effect, Scope } from "effect"
import { type IncomingMessage, request } from "node:http"
import { pipeline } from "node:stream"
import { constants, createBrotliCompress, createDeflate, createGzip } from "node:zlib"
import * as HttpServer from "./HttpServer.ts"

const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

const compressors = { gzip: createGzip, deflate: createDeflate, br: () => createBrotliCompress(fast) }

export type Encoding = keyof typeof compressors

/** The best encoding that a client accepts. */
const choose = ({ headers }: IncomingMessage): Encoding | undefined => {
  const accepted = String(headers["accept-encoding"] ?? "").split(/\s*,\s*/)
  return (["br", "gzip", "deflate"] as const).find((encoding) => accepted.includes(encoding))
}

/** Forwards requests to a base URL. With `encoding`, responses are compressed like this, whatever clients accept. */
export const serve = (upstream: string, encoding?: Encoding): Effect.Effect<string, never, Scope.Scope> =>
  HttpServer.serve((received, response) => {
    const { headers, method, url } = received
    const forwarded = request(new URL(url ?? "/", upstream), { method, headers }, (answer) => {
      const chosen = encoding ?? choose(received)
      const { "content-length": _, ...rest } = answer.headers
      const ended = () => {}
      if (chosen === undefined) {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        pipeline(answer, response, ended)
      } else {
        response.writeHead(answer.statusCode ?? 502, { ...rest, "content-encoding": chosen, vary: "accept-encoding" })
        pipeline(answer, compressors[chosen](), response, ended)
      }
    })
    forwarded.on("error", () => response.destroy())
    response.once("close", () => forwarded.destroy())
    pipeline(received, forwarded, () => {})
  })
