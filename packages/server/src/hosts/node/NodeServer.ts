import { type ApiError, MethodNotAllowed, ValidationError } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { transcode } from "node:buffer"
import * as Http from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { Duplex } from "node:stream"
import type { App } from "../../app/App.ts"
import * as Body from "../../app/Body.ts"
import * as Answer from "../../app/Response.ts"

export interface Options {
  readonly host: string
  readonly port: number
  readonly shutdownTimeout: number
}

/** Serves on Node's HTTP server, straight away: one fiber for each request, and nothing around it. */
export const serve = (
  app: App,
  options: Options
): Effect.Effect<{ readonly host: string; readonly port: number }, unknown, Scope.Scope> =>
  Effect.gen(function*() {
    const runFork = Runtime.runFork(yield* Effect.runtime())
    const listener: Http.RequestListener = (request, response) => {
      const answer = lacksHost(request) ? Effect.succeed(withoutHost) : app(requestFrom(request))
      const fiber = runFork(Effect.flatMap(answer, (answer) => send(answer, request.method === "HEAD", response)))
      // Whoever hangs up no longer waits for the answer.
      if (fiber.unsafePoll() === null) {
        response.on("close", () => {
          if (!response.writableFinished) fiber.unsafeInterruptAsFork(FiberId.none)
        })
      }
    }
    const sockets = new Set<Socket>()
    const server = yield* Effect.acquireRelease(
      Effect.async<Http.Server, unknown>((resume) => {
        // Node itself would refuse a request without a host with an empty answer.
        const server = Http.createServer({ keepAliveTimeout: 60_000, requireHostHeader: false }, listener)
        server.on("connection", (socket: Socket) => {
          sockets.add(socket)
          socket.once("close", () => sockets.delete(socket))
        })
        server.on("checkExpectation", listener)
        server.on("clientError", refuse)
        server.on("connect", (_, socket: Connection) => {
          tend(socket)
          refuse({ code: "CONNECT" }, socket)
        })
        server.on("error", (error) => resume(Effect.fail(error)))
        server.listen({ host: options.host, port: options.port }, () => resume(Effect.succeed(server)))
      }),
      (server) => close(server, sockets, options.shutdownTimeout)
    )
    const { address, port } = server.address() as AddressInfo
    return { host: address, port }
  })

/** Lets answers in flight finish, and closes every connection as soon as it has nothing more to do. */
const close = (server: Http.Server, sockets: ReadonlySet<Socket>, timeout: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const sweep = () => {
      server.closeIdleConnections()
      // Node does not take a connection for idle that was opened ahead of need and never used.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }
    const idle = setInterval(sweep, 20)
    const late = setTimeout(() => sockets.forEach((socket) => socket.destroy()), timeout)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(late)
      resume(Effect.void)
    })
  })

const lacksHost = ({ headers, httpVersion }: Http.IncomingMessage): boolean =>
  headers.host === undefined && httpVersion === "1.1"

const withoutHost = Answer.fromError(new ValidationError({ statusCode: 400, message: "The `Host` header is missing." }))

const requestFrom = (request: Http.IncomingMessage): Answer.Request => ({
  method: request.method ?? "GET",
  url: request.url ?? "/",
  authorization: request.headers.authorization,
  contentType: request.headers["content-type"],
  body: () => read(request)
})

/**
 * Reads a body to its end, so that the client is done with sending and listens to the answer. Far too much of it is
 * not even read.
 */
const read = (request: Http.IncomingMessage): Effect.Effect<Uint8Array, ValidationError> =>
  Effect.async((resume) => {
    const chunks: Array<Buffer> = []
    let size = 0
    request.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= Body.maxBytes) chunks.push(chunk)
      else if (size > 32 * Body.maxBytes) {
        request.pause()
        resume(Effect.fail(Body.tooLarge))
      }
    })
    request.on("end", () =>
      resume(size > Body.maxBytes ? Effect.fail(Body.tooLarge) : Effect.succeed(Buffer.concat(chunks))))
  })

const send = (answer: Answer.Answer, head: boolean, response: Http.ServerResponse): Effect.Effect<void> => {
  const { body, breaks, headers, status } = answer
  if (breaks === "before") return Effect.sync(() => response.socket?.resetAndDestroy())
  if (typeof body === "string") {
    return Effect.sync(() => {
      const bytes = bytesOf(body)
      // Head and body go out together.
      if (breaks === undefined) response.cork()
      begin(response, status, { ...headers, "content-length": bytes.length })
      if (breaks === undefined) response.end(head ? undefined : bytes)
      else breakWithin(response, bytes.subarray(0, bytes.length >> 1))
    })
  }
  return Effect.suspend(() => {
    begin(response, status, headers)
    if (head) {
      response.end()
      return Effect.void
    }
    return Stream.runForEach(breaks === undefined ? body : Stream.take(body, 1), (text) => write(response, text)).pipe(
      Effect.matchCauseEffect({
        onSuccess: () => Effect.sync(() => breaks === undefined ? response.end() : breakWithin(response, "")),
        // The status is sent already: only a broken connection still says that this is not all.
        onFailure: (cause) =>
          Effect.zipRight(
            Effect.logError("An answer could not be finished.", cause),
            Effect.sync(() => response.destroy())
          )
      }),
      Effect.onInterrupt(() => Effect.sync(() => response.destroy()))
    )
  })
}

/**
 * Sends the head of an answer, in its turn. Where a body of bytes follows, Node by itself would put the head in front of
 * everything that waits to be sent, also of a "100 Continue".
 */
const begin = (response: Http.ServerResponse, status: number, headers: Http.OutgoingHttpHeaders): void => {
  response.writeHead(status, headers).flushHeaders()
}

/**
 * What `Buffer.from(text)` is, for text without half a surrogate pair, which JSON never has. V8 encodes letter by letter;
 * Node also knows a way of many letters at a time.
 */
const bytesOf = (text: string): Buffer => transcode(Buffer.from(text, "utf16le"), "utf16le", "utf8")

const write = (response: Http.ServerResponse, text: string): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (response.write(bytesOf(text))) resume(Effect.void)
    else response.once("drain", () => resume(Effect.void))
  })

/** Ends the connection behind the given bytes, which do arrive. */
const breakWithin = (response: Http.ServerResponse, bytes: Uint8Array | string): void => {
  response.write(bytes, () => response.socket?.destroySoon())
}

/** A connection, with what Node notes on it: the answer that is being sent. */
type Connection = Duplex & { readonly _httpMessage?: Http.ServerResponse | null }

/**
 * Node lets go of a connection when it sees a CONNECT, also where answers to earlier requests are still on their way:
 * it no longer says that there is room to go on, nor minds when the client is gone.
 */
const tend = (socket: Connection): void => {
  socket.on("drain", () => socket._httpMessage?.emit("drain"))
  socket.on("error", () => {})
  // Only who reads sees the end. Node may have stopped reading for the sake of the answers, and the stream believes that
  // it goes on until something comes, were it nothing.
  socket.push("")
  socket.resume()
}

/** What does not even parse as HTTP is refused in the same shape as everything else. */
const refuse = (error: { readonly code?: string | undefined }, socket: Connection): void => {
  const answering = socket._httpMessage
  // Requests that came before are answered first: nobody may take this for the answer to one of them.
  if (answering?.req.complete === true && socket.writable) {
    answering.once("close", () => refuse(error, socket))
    return
  }
  // An answer that is sent already is let go out, and nothing may get into the middle of one.
  if (socket.writableEnded) return
  if (!socket.writable || answering?.headersSent === true) {
    socket.destroy()
    return
  }
  const { body, headers, status } = Answer.fromError(refusalOf(error.code))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const length = `content-length: ${Buffer.byteLength(String(body))}`
  const head = [`HTTP/1.1 ${status} ${Http.STATUS_CODES[status]}`, ...lines, length, "connection: close"]
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
  // Node no longer minds connections that are refused: whoever does not go would stay as long as the server.
  const patience = setTimeout(() => socket.destroy(), lingering)
  socket.once("close", () => clearTimeout(patience))
}

/** How long somebody who was refused may take to read that, in milliseconds. */
const lingering = 5000

const refusalOf = (code: string | undefined): ApiError => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new ValidationError({ statusCode: 431, message: "The headers or the address are too long." })
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new ValidationError({ statusCode: 408, message: "The request was not complete in time." })
    case "CONNECT":
      return new MethodNotAllowed({ statusCode: 405, message: "The service is no proxy." })
    default:
      return new ValidationError({ statusCode: 400, message: "The request is not valid HTTP." })
  }
}
