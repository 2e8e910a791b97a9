/** The open connections of a Node server, and the responses that each of them still has to send. */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"

export class Connections {
  private readonly open = new Set<Socket>()
  /** In the order of the requests. Responses that are done stay until the next request. */
  private readonly responses = new WeakMap<Duplex, Array<ServerResponse>>()

  get sockets(): Iterable<Socket> {
    return this.open
  }

  /** Tracks a connection until it is closed. */
  add(socket: Socket): void {
    const responses: Array<ServerResponse> = []
    this.open.add(socket)
    this.responses.set(socket, responses)
    socket.once("close", () => {
      this.open.delete(socket)
      // Node notifies only the response being sent; those behind it would wait for their turn forever.
      for (const response of responses) if (isQueued(response)) response.emit("close")
    })
  }

  /** Tracks the response to a request. */
  track(response: ServerResponse): void {
    const responses = this.responses.get(response.req.socket)
    while (responses?.[0] !== undefined && isDone(responses[0])) responses.shift()
    responses?.push(response)
  }

  /** The response being sent: Node gives the socket to the responses of a connection one at a time. */
  sending(socket: Duplex): ServerResponse | undefined {
    return this.responses.get(socket)?.find((response) => response.socket === socket)
  }
}

/** A response that has written its last byte keeps the socket until Node gives it to the next, which waits until then. */
const isDone = (response: ServerResponse): boolean => response.socket === null && response.writableFinished

const isQueued = (response: ServerResponse): boolean => response.socket === null && !response.writableFinished
