/**
 * Pauses responses whose consumers are slower than the network.
 *
 * undici 7 ends the process with an assertion if a server closes its connection while a response is paused
 * (nodejs/undici#5360; fixed in undici 8, which needs a newer Node). At the end of a connection, everything before it has been
 * read. So what is paused is resumed just before undici learns of the end: that brings the end of the response, and of
 * other responses no more than has already arrived.
 */
import { subscribe } from "node:diagnostics_channel"
import type { Socket } from "node:net"

/** What undici's controllers can do. */
interface Controller {
  readonly pause: () => void
  readonly resume: () => void
}

const paused = new Set<Controller>()

/** Whether a connection has just ended. Nothing may be paused until undici knows. */
let isEnding = false

export const pause = (controller: Controller): void => {
  if (isEnding) return
  paused.add(controller)
  controller.pause()
}

export const resume = (controller: Controller): void => {
  paused.delete(controller)
  controller.resume()
}

/** Call it at the end of every response that may have been paused. */
export const forget = (controller: Controller): void => {
  paused.delete(controller)
}

const resumeAll = (): void => {
  isEnding = true
  try {
    paused.forEach(resume)
  } finally {
    isEnding = false
  }
}

let isWatching = false

/** Watches the ends of all connections from now on. */
export const watch = (): void => {
  if (isWatching) return
  isWatching = true
  subscribe("undici:client:connected", (message) => {
    const { socket } = message as { readonly socket: Socket }
    socket.prependListener("end", resumeAll)
  })
}
