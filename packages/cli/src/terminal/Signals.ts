/**
 * Signals that arrive while the program is loading. Without a listener, they would end the process at once, with the exit
 * code of a command that was stopped before it finished, even if it is one that runs until it is stopped. This module
 * imports nothing, so that it is loaded first.
 */

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** The signals that shut the program down cleanly. */
export type Signal = typeof signals[number]

let pending: Signal | undefined

const listeners = signals.map((signal) =>
  [signal, () => {
    pending ??= signal
  }] as const
)

/** Keeps signals for later. A second one of the same kind ends the process, should loading take too long. */
export const keep = (): void => {
  for (const [signal, listener] of listeners) process.once(signal, listener)
}

/** Leaves signals to other listeners, which are also called for the one that has arrived meanwhile. */
export const handOver = (): void => {
  for (const [signal, listener] of listeners) process.off(signal, listener)
  if (pending !== undefined) process.emit(pending, pending)
}
