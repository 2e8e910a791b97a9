/**
 * A proxy on which every connection breaks, each after another number of response bytes: in the middle of a header, an
 * item or a character.
 */
import { Dice } from "@mailstream/testing/Dice"
import { Effect, type Scope } from "effect"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"

export interface Cutter {
  readonly baseUrl: string
  /** How many connections were broken so far. */
  readonly cuts: () => number
}

export const make = (
  target: string,
  options: { readonly seed: number; readonly maxBytes: number }
): Effect.Effect<Cutter, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { hostname, port } = new URL(target)
    const dice = new Dice(options.seed, 0)
    const sockets = new Set<Socket>()
    let cuts = 0

    const forward = (client: Socket): void => {
      const server = connect(Number(port), hostname)
      let left = 1 + dice.below(options.maxBytes)
      const isReset = dice.chance(0.5)
      const both = [client, server]
      for (const socket of both) {
        sockets.add(socket)
        socket.on("error", () => {})
        socket.on("close", () => {
          sockets.delete(socket)
          both.forEach((other) => other.destroy())
        })
      }
      client.pipe(server)
      server.on("data", (bytes) => {
        if (client.destroyed) return
        if (bytes.length >= left) {
          cuts++
          client.unpipe(server)
          server.removeAllListeners("data").removeAllListeners("close").destroy()
          // The bytes before the cut do arrive. Whether they are read depends on how the connection breaks.
          client.write(bytes.subarray(0, left), () => isReset ? client.resetAndDestroy() : client.destroySoon())
          return
        }
        left -= bytes.length
        if (client.write(bytes)) return
        server.pause()
        client.once("drain", () => server.resume())
      })
    }

    const proxy = yield* Effect.acquireRelease(
      Effect.async<Server>((resume) => {
        const proxy = createServer(forward).listen(0, "127.0.0.1", () => resume(Effect.succeed(proxy)))
      }),
      (proxy) =>
        Effect.async<void>((resume) => {
          proxy.close(() => resume(Effect.void))
          sockets.forEach((socket) => socket.destroy())
        })
    )
    return { baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, cuts: () => cuts }
  })
