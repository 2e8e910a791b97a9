/**
 * Finds out that a sequence of cursors runs in a circle, in constant memory: Brent's algorithm. One cursor is marked;
 * when it comes again, there is a circle. The mark moves on after 1, 2, 4, 8, … steps, so that it gets into any circle
 * and stays there for long enough to see its length. A list that leads nowhere twice is never taken for a circle.
 */
export interface Cycle {
  readonly marked: string | undefined
  readonly steps: number
  readonly until: number
}

export const none: Cycle = { marked: undefined, steps: 0, until: 1 }

/** The next state; `undefined` where the cursor closes a circle. */
export const next = ({ marked, steps, until }: Cycle, cursor: string): Cycle | undefined =>
  cursor === marked
    ? undefined
    : steps + 1 === until
    ? { marked: cursor, steps: 0, until: until * 2 }
    : { marked, steps: steps + 1, until }
