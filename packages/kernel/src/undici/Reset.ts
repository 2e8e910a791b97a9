/**
 * Resets the connections of requests that are given up.
 *
 * If a connection is closed while the network fails, the system keeps what has not arrived, and sends it again for minutes: a
 * request would be processed when nobody expects it any more, and another process may have taken over. The system
 * forgets what belongs to a connection that is reset.
 */
import type * as Undici from "undici"

type Socket = NonNullable<Parameters<Undici.buildConnector.Callback>[1]>

/** Aborts a request to an origin. Nothing of its response has arrived if it is unanswered. */
export type GiveUp = (origin: string, isUnanswered: boolean, abort: () => void) => void

/** For a dispatcher whose connections are unknown. */
export const politely: GiveUp = (_origin, _isUnanswered, abort) => abort()

/** The connections of one agent. */
export interface Connections {
  readonly connect: Undici.buildConnector.connector
  readonly giveUp: (agent: Undici.Agent) => GiveUp
}

/** `build` makes connections: undici's own connector. */
export const make = (build: Undici.buildConnector.connector): Connections => {
  /** How to reset the connections of HTTP/2, by origin. */
  const sessions = new Map<string, Set<() => void>>()
  let isReset = false

  /** HTTP/1 has one request at a time on a connection, which undici destroys if that is aborted. */
  const watch = (socket: Socket, tcp: Socket): void => {
    const destroy = socket.destroy.bind(socket)
    socket.destroy = (error) => {
      // This is what `resetAndDestroy` calls.
      socket.destroy = () => destroy(error)
      if (isReset) tcp.resetAndDestroy()
      return socket.destroy()
    }
  }

  const remember = (origin: string, socket: Socket, tcp: Socket): void => {
    const known = sessions.get(origin) ?? new Set()
    sessions.set(origin, known)
    const reset = (): void => {
      tcp.resetAndDestroy()
      socket.destroy()
    }
    known.add(reset)
    socket.once("close", () => {
      known.delete(reset)
      if (known.size === 0) sessions.delete(origin)
    })
  }

  return {
    connect: (options, callback) => {
      const isSecure = options.protocol === "https:"
      // Only a connection of TCP can be reset, so that one is made first.
      const plain = isSecure ? { ...options, protocol: "http:", port: options.port || "443" } : options
      build(plain, (error, tcp) => {
        if (error !== null) return callback(error, null)
        if (!isSecure) {
          watch(tcp, tcp)
          return callback(null, tcp)
        }
        build({ ...options, httpSocket: tcp }, (error, socket) => {
          if (error !== null) return callback(error, null)
          const isMultiplexed = "alpnProtocol" in socket && socket.alpnProtocol === "h2"
          if (isMultiplexed) remember(`${options.protocol}//${options.host}`, socket, tcp)
          else watch(socket, tcp)
          callback(null, socket)
        })
      })
    },
    giveUp: (agent) => (origin, isUnanswered, abort) => {
      isReset = true
      abort()
      isReset = false
      if (!isUnanswered) return
      // HTTP/2 resets only the stream: there may be other requests on the connection. When the last of them is given up, so is
      // the connection.
      const known = sessions.get(origin)
      if (known !== undefined && agent.stats[origin]?.running === 0) { for (const reset of known) reset() }
    }
  }
}
