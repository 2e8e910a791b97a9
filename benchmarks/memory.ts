/** Watches the heap while an effect runs. */
export interface Watch {
  /** Samples the heap, including garbage. */
  readonly look: () => void
  /** The peak, in megabytes above the start. */
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
