/**
 * The bare Node server that the clients are measured against, in a separate process: it generates contacts and emails, and caches
 * pages as bytes, so that it costs next to nothing.
 *
 * `/contacts` and `/emails` take `limit` and `after` as the API does, and have nothing `before` an item. The environment says how many of each there are (`SIZE`),
 * how many milliseconds a response takes (`DELAY`), and how many pages are cached (`KEEP`). With a `RATE` in bytes per
 * millisecond it compresses responses on request, and sends no more than that: a link that all connections share.
 * A POST to `/emails` accepts an email, one to `/emails/batch` a batch of 100, whatever they are.
 * `/sent` returns how many bytes of bodies were sent since it was asked last.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo } from "node:net"
import type { Writable } from "node:stream"
import * as Sample from "./sample.ts"
import * as Shaping from "./shaping.ts"

const size = Number(process.env["SIZE"])
const delay = Number(process.env["DELAY"])
const rate = Number(process.env["RATE"])
const kept = new Map<string, Buffer>()
const maxKept = Number(process.env["KEEP"])

const makers: Record<string, Sample.Make> = {
  "/contacts": rate > 0 ? Sample.distinct : Sample.contact,
  "/emails": Sample.email
}

/** Nothing is newer than the newest: only that is asked for, by a pass that finds out whether something is new. */
const nothing = Buffer.from("{\"object\":\"list\",\"has_more\":false,\"data\":[]}")

const page = (path: string, limit: number, after: string | null, encoding: Shaping.Encoding | undefined): Buffer => {
  const key = `${path}/${limit}/${after}/${encoding}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const plain = Buffer.from(Sample.page(limit, after === null ? size : Sample.numberOf(after) - 1, makers[path]))
  const made = encoding === undefined ? plain : Shaping.compress[encoding](plain)
  if (kept.size < maxKept) kept.set(key, made)
  return made
}

const sendAll = (out: Writable): void => {
  let n = size
  const more = (): void => {
    while (n > 0) {
      const part = Sample.items(Math.min(n, 200), n, makers["/contacts"]).join(",")
      n -= 200
      if (!out.write(n > 0 ? `${part},` : part)) return void out.once("drain", more)
    }
    out.end("],\"has_more\":false}")
  }
  out.write("{\"object\":\"list\",\"data\":[")
  more()
}

const accepted: Record<string, Buffer> = {
  "/emails": Buffer.from(Sample.sent(1)),
  "/emails/batch": Buffer.from(`{"data":[${Array.from({ length: 100 }, (_, n) => Sample.sent(n)).join(",")}]}`)
}

/** Reads the request to its end, and responds. */
const accept = (request: IncomingMessage, response: ServerResponse): void => {
  const body = accepted[request.url!]!
  const respond = () =>
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length }).end(body)
  request.resume().once("end", () => void (delay === 0 ? respond() : setTimeout(respond, delay)))
}

const link = new Shaping.Link(rate)

const respond = (request: IncomingMessage, response: ServerResponse): void => {
  const [path = "", search] = request.url!.split("?")
  const query = new URLSearchParams(search)
  const limit = query.get("limit")
  const headers = { "content-type": "application/json" }
  if (path === "/sent") return void response.writeHead(200, headers).end(String(link.sent()))
  const encoding = rate > 0 ? Shaping.choose(request) : undefined
  const encoded = encoding === undefined ? headers : { ...headers, "content-encoding": encoding }
  if (limit === null) {
    response.writeHead(200, encoded)
    sendAll(rate > 0 ? link.through(response, encoding) : response)
  } else {
    const body = query.has("before") ? nothing : page(path, Number(limit), query.get("after"), encoding)
    response.writeHead(200, { ...(body === nothing ? headers : encoded), "content-length": body.length })
    if (rate > 0) link.send(body, response)
    else response.end(body)
  }
}

const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  if (request.method === "POST") return accept(request, response)
  if (delay === 0 || request.url === "/sent" || (rate === 0 && !request.url!.includes("limit="))) {
    respond(request, response)
  } else setTimeout(() => respond(request, response), delay)
})

server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port))
process.on("disconnect", () => process.exit())
