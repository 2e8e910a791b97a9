/** A TCP proxy on loopback that fails as networks do. */
import { Effect, type Scope } from "effect"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"

export interface Tcp {
  readonly port: number
  /** From now on, nothing arrives on either side, and neither side learns of it. */
  readonly freeze: Effect.Effect<void>
  /**
   * The same for the connections that there are, while new ones work: after a failover, or where a network has forgotten its
   * connections. They do not recover.
   */
  readonly freezeOld: Effect.Effect<void>
  /** The same until it thaws: what is sent meanwhile is late. */
  readonly delayOld: Effect.Effect<void>
  /** Everything arrives again, also what was sent in between, except on connections that do not recover. */
  readonly thaw: Effect.Effect<void>
  /** Ends all connections. */
  readonly cut: Effect.Effect<void>
  /** From now on, new connections are refused. Those that there are stay. */
  readonly refuse: Effect.Effect<void>
  /** New connections are accepted again. */
  readonly accept: Effect.Effect<void>
  /** How many connections there are that work. */
  readonly open: Effect.Effect<number>
}

const listen = (server: Server, port: number): Effect.Effect<void> =>
  Effect.async((resume) => void server.listen(port, "127.0.0.1", () => resume(Effect.void)))

export const make = (host: string, port: number): Effect.Effect<Tcp, never, Scope.Scope> =>
  Effect.gen(function*() {
    const sockets = new Set<Socket>()
    /** Those that do not recover. */
    const dead = new Set<Socket>()
    let isFrozen = false
    /** What arrives when it thaws: whatever was sent, unless the connection has been reset, as kernels do it. */
    const held = new Set<() => void>()
    const join = (from: Socket, to: Socket): void => {
      sockets.add(from)
      let isReset = false
      let kept: Array<Buffer> = []
      const later = (end: () => void): void => {
        held.add(() => {
          if (!isReset) { for (const bytes of kept) to.write(bytes) }
          kept = []
          end()
        })
      }
      from.on("data", (bytes) => {
        if (!isFrozen) return void to.write(bytes)
        if (kept.push(bytes) === 1) later(() => {})
      })
      from.on("error", () => {
        isReset = true
      })
      from.on("close", () => {
        sockets.delete(from)
        dead.delete(from)
        if (!isFrozen) to.destroy()
        else later(() => isReset ? to.destroy() : to.end())
      })
    }
    const server = createServer((client) => {
      const upstream = connect(port, host)
      join(client, upstream)
      join(upstream, client)
    })
    yield* Effect.acquireRelease(
      listen(server, 0),
      () =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          for (const socket of [...sockets, ...dead]) socket.destroy()
        })
    )
    const { port: own } = server.address() as AddressInfo
    return {
      port: own,
      freeze: Effect.sync(() => {
        isFrozen = true
      }),
      freezeOld: Effect.sync(() => {
        for (const socket of sockets) {
          socket.pause()
          sockets.delete(socket)
          dead.add(socket)
        }
      }),
      delayOld: Effect.sync(() => {
        for (const socket of sockets) {
          socket.pause()
          held.add(() => socket.resume())
        }
      }),
      thaw: Effect.sync(() => {
        isFrozen = false
        for (const release of held) release()
        held.clear()
      }),
      cut: Effect.sync(() => {
        for (const socket of [...sockets, ...dead]) socket.destroy()
      }),
      // The callback would wait for the connections that there are.
      refuse: Effect.sync(() => void server.close()),
      accept: listen(server, own),
      open: Effect.sync(() => sockets.size / 2)
    }
  })
