/** The heap while something runs. */
export interface Watch {
  /** Looks at the heap as it is, garbage included. */
  readonly look: () => void
  /** The most that was seen, in megabytes more than at the beginning. */
  readonly peak: () => number
}

const used = (): number => process.memoryUsage().heapUsed

export const megabytes = (bytes: number): number => bytes / 1e6

export const watch = (): Watch => {
  globalThis.gc?.()
  const before = used()
  let highest = before
  return {
    look: () => {
      highest = Math.max(highest, used())
    },
    peak: () => megabytes(highest - before)
  }
}
