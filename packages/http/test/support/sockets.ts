/** The sockets of clients in this process: what only they know, such as how much of a response has arrived. */
import * as Eventually from "@mailstream/testing/Eventually"
import type { Effect } from "effect"
import { subscribe } from "node:diagnostics_channel"
import type { Socket } from "node:net"

const clients = new Set<Socket>()

// Every client on Node says so, that of `fetch`, too.
subscribe("net.client.socket", (message) => {
  const { socket } = message as { readonly socket: Socket }
  clients.add(socket)
  socket.once("close", () => clients.delete(socket))
})

/** How many bytes the client of a server's socket has read; all there are once it has closed. */
const readFrom = (server: Socket): number => {
  for (const client of clients) if (client.localPort === server.remotePort) return client.bytesRead
  return Infinity
}

/** Waits until the client has read something. */
export const begun = (server: Socket): Effect.Effect<void> =>
  Eventually.eventually("the client reads the beginning of the response", () => readFrom(server) > 0)

/** Waits until the client reads no more, because it has everything or is paused. */
export const stalled = (server: Socket): Effect.Effect<void> =>
  Eventually.stalled("the client reads until it is paused", () => readFrom(server))
