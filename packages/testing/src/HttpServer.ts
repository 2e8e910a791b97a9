/** Bare HTTP servers on loopback, for tests that decide about every byte of a response. */
import { Effect, type Scope } from "effect"
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** Listens on a free port until the scope closes, and returns its base URL. */
export const serve = (listener: RequestListener): Effect.Effect<string, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<Server>((resume) => {
      const server = createServer((request, response) => {
        // A client that hangs up in the middle of a response is part of many tests.
        response.on("error", () => {})
        listener(request, response)
      }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))

/** Sends a JSON body; a string is sent as it is. */
export const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
): void => {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers })
  response.end(typeof body === "string" ? body : JSON.stringify(body))
}
