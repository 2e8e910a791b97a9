/** Bare HTTP servers on loopback, for tests that decide about every byte of a response. */
import { Effect, type Scope } from "effect"
import { createServer, request, type RequestListener, type Server, type ServerResponse } from "node:http"
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

/** Passes every request on to another server, and reports it, as in `GET /contacts?limit=100`, unless it is `answered` there. */
export const forward = (
  to: string,
  onRequest: (request: string, response: ServerResponse) => unknown
): Effect.Effect<string, never, Scope.Scope> =>
  serve((incoming, outgoing) => {
    const { headers, method, url } = incoming
    if (onRequest(`${method} ${url}`, outgoing) === "answered") return
    const forwarded = request(`${to}${url}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers)
      response.pipe(outgoing)
    })
    // A server that resets the connection does so for the client, too.
    forwarded.on("error", () => outgoing.destroy())
    incoming.pipe(forwarded)
  })

/** A server that never responds: what it has received, and when the client hangs up. */
export const silence: Effect.Effect<
  { readonly baseUrl: string; readonly received: Promise<void>; readonly hungUp: Promise<void> },
  never,
  Scope.Scope
> = Effect.gen(function*() {
  let onReceived: () => void
  let onHungUp: () => void
  const received = new Promise<void>((resolve) => (onReceived = resolve))
  const hungUp = new Promise<void>((resolve) => (onHungUp = resolve))
  const baseUrl = yield* serve((incoming) => {
    incoming.socket.once("close", () => onHungUp())
    onReceived()
  })
  return { baseUrl, received, hungUp }
})

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
