/**
 * Detects a cycle in a sequence of cursors in constant memory, by Brent's algorithm. One cursor is marked; if it
 * appears again, there is a cycle. The mark advances after 1, 2, 4, 8, … steps, so that it eventually lies within any
 * cycle and stays there for a full round. A sequence without a repeated cursor is never mistaken for a cycle.
 */
export interface Cycle {
  readonly marked: string | undefined
  readonly steps: number
  readonly until: number
}

export const none: Cycle = { marked: undefined, steps: 0, until: 1 }

/** The next state; `undefined` if the cursor closes a cycle. */
export const next = ({ marked, steps, until }: Cycle, cursor: string): Cycle | undefined =>
  cursor === marked
    ? undefined
    : steps + 1 === until
    ? { marked: cursor, steps: 0, until: until * 2 }
    : { marked, steps: steps + 1, until }
