/** A TCP proxy on loopback that can fall silent, as a network does that loses everything. */
import { Effect, type Scope } from "effect"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"

export interface Tcp {
  readonly port: number
  /** From now on, nothing arrives on either side, and neither side learns of it. */
  readonly freeze: Effect.Effect<void>
  /** Everything arrives again, also what was sent in between. */
  readonly thaw: Effect.Effect<void>
}

export const make = (host: string, port: number): Effect.Effect<Tcp, never, Scope.Scope> =>
  Effect.gen(function*() {
    const sockets = new Set<Socket>()
    let isFrozen = false
    const join = (from: Socket, to: Socket): void => {
      sockets.add(from)
      from.on("data", (bytes) => void to.write(bytes))
      from.on("error", () => to.destroy())
      from.on("close", () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isFrozen) from.pause()
    }
    const server = yield* Effect.acquireRelease(
      Effect.async<Server>((resume) => {
        const server = createServer((client) => {
          const upstream = connect(port, host)
          join(client, upstream)
          join(upstream, client)
        }).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          for (const socket of sockets) socket.destroy()
        })
    )
    const all = (frozen: boolean) =>
      Effect.sync(() => {
        isFrozen = frozen
        for (const socket of sockets) socket[frozen ? "pause" : "resume"]()
      })
    return { port: (server.address() as AddressInfo).port, freeze: all(true), thaw: all(false) }
  })
