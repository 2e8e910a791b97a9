/** Serves the app on Node's HTTP server. */
import { ValidationError } from "@mailstream/core"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import type { App } from "../../app/App.ts"
import * as Response from "../../app/Response.ts"
import { Connections } from "./Connections.ts"
import * as NodeRequest from "./NodeRequest.ts"
import * as NodeResponse from "./NodeResponse.ts"
import * as Refusal from "./Refusal.ts"

export interface Options {
  readonly host: string
  readonly port: number
  /** In milliseconds. */
  readonly shutdownTimeout: number
}

/** Serves until the scope is closed. Each request runs in one fiber, with nothing around it. */
export const serve = (
  app: App,
  options: Options
): Effect.Effect<{ readonly host: string; readonly port: number }, unknown, Scope.Scope> =>
  Effect.gen(function*() {
    const runFork = Runtime.runFork(yield* Effect.runtime())
    const connections = new Connections()
    const refuse = Refusal.make(connections, runFork)

    const onRequest: Http.RequestListener = (request, target) => {
      connections.track(target)
      const respond = NodeRequest.lacksHost(request) ? Effect.succeed(hostMissing) : app(NodeRequest.toRequest(request))
      const isHead = request.method === "HEAD"
      const fiber = runFork(Effect.flatMap(respond, (response) => NodeResponse.send(response, target, isHead)))
      // A client that hung up no longer waits for the response.
      if (fiber.unsafePoll() === null) {
        target.on("close", () => {
          if (!target.writableFinished) fiber.unsafeInterruptAsFork(FiberId.none)
        })
      }
    }

    const server = yield* Effect.acquireRelease(
      Effect.async<Http.Server, unknown>((resume) => {
        const server = Http.createServer({ keepAliveTimeout: 60_000, requireHostHeader: false }, onRequest)
        server.on("connection", (socket) => connections.add(socket))
        server.on("checkExpectation", onRequest)
        server.on("clientError", (error: NodeJS.ErrnoException, socket) => refuse(socket, error.code))
        server.on("connect", (_, socket) => {
          Refusal.takeOver(connections, socket)
          refuse(socket, "CONNECT")
        })
        server.on("error", (error) => resume(Effect.fail(error)))
        server.listen({ host: options.host, port: options.port }, () => resume(Effect.succeed(server)))
      }),
      (server) => close(server, connections, options.shutdownTimeout)
    )
    const { address, port } = server.address() as AddressInfo
    return { host: address, port }
  })

const hostMissing = Response.fromError(
  new ValidationError({ statusCode: 400, message: "The `Host` header is missing." })
)

/** Lets responses in flight finish, and closes every connection as soon as it is idle. */
const close = (server: Http.Server, connections: Connections, timeout: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const closeIdle = () => {
      server.closeIdleConnections()
      // Node does not count a connection that has not sent anything yet as idle.
      for (const socket of connections.sockets) if (socket.bytesRead === 0) socket.destroy()
    }
    const closeAll = () => {
      for (const socket of connections.sockets) socket.destroy()
    }
    const idle = setInterval(closeIdle, 20)
    const late = setTimeout(closeAll, timeout)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(late)
      resume(Effect.void)
    })
  })
