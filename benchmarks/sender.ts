/**
 * The bare Node server that the clients are measured against, in a separate process: it generates contacts and emails, and caches
 * pages as bytes, so that it costs next to nothing.
 *
 * `/contacts` and `/emails` take `limit` and `after` as the API does. The environment says how many of each there are (`SIZE`),
 * how many milliseconds a response takes (`DELAY`), and how many pages are cached (`KEEP`).
 */
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo } from "node:net"
import * as Sample from "./sample.ts"

const size = Number(process.env["SIZE"])
const delay = Number(process.env["DELAY"])
const kept = new Map<string, Buffer>()
const maxKept = Number(process.env["KEEP"])

const makers: Record<string, Sample.Make> = { "/contacts": Sample.contact, "/emails": Sample.email }

const page = (path: string, limit: number, after: string | null): Buffer => {
  const key = `${path}/${limit}/${after}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = Buffer.from(Sample.page(limit, after === null ? size : Sample.numberOf(after) - 1, makers[path]))
  if (kept.size < maxKept) kept.set(key, made)
  return made
}

const sendAll = (response: ServerResponse): void => {
  let n = size
  const more = (): void => {
    while (n > 0) {
      const part = Sample.items(Math.min(n, 200), n).join(",")
      n -= 200
      if (!response.write(n > 0 ? `${part},` : part)) return void response.once("drain", more)
    }
    response.end("],\"has_more\":false}")
  }
  response.writeHead(200, { "content-type": "application/json" }).write("{\"object\":\"list\",\"data\":[")
  more()
}

const sendPage = (response: ServerResponse, path: string, limit: number, after: string | null): void => {
  const body = page(path, limit, after)
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body)
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const [path = "", search] = request.url!.split("?")
  const query = new URLSearchParams(search)
  const limit = query.get("limit")
  if (limit === null) sendAll(response)
  else if (delay === 0) sendPage(response, path, Number(limit), query.get("after"))
  else setTimeout(() => sendPage(response, path, Number(limit), query.get("after")), delay)
})

server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.on("disconnect", () => process.exit())
