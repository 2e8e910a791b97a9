/** Refuses what Node's HTTP server does not turn into a request: CONNECT, and what does not parse as HTTP. */
import { type ApiError, MethodNotAllowed, ValidationError } from "@mailstream/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as Http from "node:http"
import type { Duplex } from "node:stream"
import * as Response from "../../app/Response.ts"
import type { Connections } from "./Connections.ts"

/** How long a refused client may take to read the response. */
const lingerTime = Duration.seconds(5)

/** Sends an error in the API's format and closes the connection. */
export interface Refuse {
  (socket: Duplex, code: string | undefined): void
}

export const make = (
  connections: Connections,
  runFork: (effect: Effect.Effect<void>) => Fiber.RuntimeFiber<void>
): Refuse => {
  /** Node no longer watches a refused connection: a client that never closes it would keep it open until shutdown. */
  const linger = (socket: Duplex): void => {
    const fiber = runFork(Effect.delay(Effect.sync(() => void socket.destroy()), lingerTime))
    socket.once("close", () => fiber.unsafeInterruptAsFork(FiberId.none))
  }

  const refuse: Refuse = (socket, code) => {
    const sending = connections.sending(socket)
    // Earlier requests get their responses first: the refusal must not be mistaken for one of them.
    if (sending?.req.complete === true && socket.writable) {
      sending.once("close", () => refuse(socket, code))
      return
    }
    // A response that has ended may still go out, and nothing may be written into the middle of one.
    if (socket.writableEnded) return
    if (!socket.writable || sending?.headersSent === true) {
      socket.destroy()
      return
    }
    socket.end(textOf(Response.fromError(errorOf(code))))
    linger(socket)
  }
  return refuse
}

/**
 * Takes over a connection after a CONNECT. Node abandons it then, even if responses to earlier requests are still to be
 * sent: it neither tells them when there is room to write nor notices when the client is gone.
 */
export const takeOver = (connections: Connections, socket: Duplex): void => {
  socket.on("drain", () => connections.sending(socket)?.emit("drain"))
  socket.on("error", () => {})
  // Only a reader sees the end. Node may have paused reading until the responses are sent, and the stream resumes only
  // when something arrives, even if it is empty.
  socket.push("")
  socket.resume()
}

const textOf = ({ body, headers, status }: Response.Response): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const length = `content-length: ${Buffer.byteLength(String(body))}`
  const head = [`HTTP/1.1 ${status} ${Http.STATUS_CODES[status]}`, ...lines, length, "connection: close"]
  return `${head.join("\r\n")}\r\n\r\n${body}`
}

const errorOf = (code: string | undefined): ApiError => {
  switch (code) {
    case "CONNECT":
      return new MethodNotAllowed({ statusCode: 405, message: "This service is not a proxy." })
    case "HPE_HEADER_OVERFLOW":
      return new ValidationError({ statusCode: 431, message: "The URL or the headers are too long." })
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new ValidationError({ statusCode: 408, message: "The request was not completed in time." })
    default:
      return new ValidationError({ statusCode: 400, message: "The request is not valid HTTP." })
  }
}
