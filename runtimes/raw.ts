/**
 * A service on raw sockets, which closes every connection right after the last byte: `/FRAMING/SIZE/plain|gzip`. A body that is
 * cut short lacks a fifth.
 */
import { Effect, type Scope } from "effect"
import { type AddressInfo, createServer, type Server } from "node:net"
import { gzipSync } from "node:zlib"
import { byteAt, type Framing } from "./program/bodies.ts"

const response = (framing: Framing, size: number, isCompressed: boolean): Buffer => {
  const plain = Buffer.from(Uint8Array.from({ length: size }, (_, index) => byteAt(index)))
  const body = isCompressed ? gzipSync(plain) : plain
  const headers = [
    "HTTP/1.1 200 OK",
    "content-type: text/plain",
    "connection: close",
    ...(isCompressed ? ["content-encoding: gzip"] : []),
    ...(framing === "chunked" ? ["transfer-encoding: chunked"] : []),
    ...(framing === "content-length" || framing === "cut short" ? [`content-length: ${body.length}`] : [])
  ]
  return Buffer.concat([Buffer.from(`${headers.join("\r\n")}\r\n\r\n`), ...pieces(framing, body)])
}

const chunkSize = 16_000

const pieces = (framing: Framing, body: Buffer): ReadonlyArray<Buffer> => {
  if (framing === "cut short") return [body.subarray(0, Math.floor(body.length * 0.8))]
  if (framing !== "chunked") return [body]
  const chunks = Array.from({ length: Math.ceil(body.length / chunkSize) }, (_, index) => {
    const chunk = body.subarray(index * chunkSize, (index + 1) * chunkSize)
    return Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")])
  })
  return [...chunks, Buffer.from("0\r\n\r\n")]
}

/** Listens on a free port until the scope closes, and returns its origin. */
export const serve: Effect.Effect<string, never, Scope.Scope> = Effect.suspend(() => {
  const responses = new Map<string, Buffer>()
  const responseTo = (path: string): Buffer => {
    const [, framing, size, encoding] = decodeURIComponent(path).split("/")
    const found = responses.get(path) ?? response(framing as Framing, Number(size), encoding === "gzip")
    responses.set(path, found)
    return found
  }
  return Effect.acquireRelease(
    Effect.async<Server>((resume) => {
      const server = createServer((socket) => {
        socket.on("error", () => {})
        socket.once("data", (request) => socket.end(responseTo(request.toString().split(" ")[1] ?? "")))
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close())
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))
})
