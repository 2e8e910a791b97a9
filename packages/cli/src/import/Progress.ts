/** What work on an input shows while it runs. */
import * as Duration from "effect/Duration"
import * as Live from "../terminal/Live.ts"

export interface Counts {
  /** Those that were not refused. */
  readonly items: number
  readonly refusals: number
  /** The bytes of the input that are done. */
  readonly bytes: number
}

interface Options {
  /** What earlier runs have done. */
  readonly before: Counts
  /** The size of the input, if it is known. */
  readonly size: number | undefined
  /** Why the last request failed, if it is repeated; else empty. */
  readonly reason: string
}

/** The line, in at most `columns` columns. */
export const line = (
  things: string,
  { bytes, items, refusals }: Counts,
  { before, reason, size }: Options,
  elapsed: Duration.Duration,
  columns: number
): string => {
  const seconds = Math.max(0.001, Duration.toSeconds(elapsed))
  const parts = [
    Live.counted(items, things),
    ...(refusals === 0 ? [] : [`${Live.counted(refusals, "lines")} refused`]),
    ...(reason === "" ? [] : [`retrying · ${reason}`]),
    ...(size === undefined || size === 0 ? [] : [`${Math.floor(100 * bytes / size)} %`]),
    `${Live.count(Math.round((items - before.items) / seconds))}/s`,
    Live.time(elapsed)
  ]
  return Live.spinning(parts.join(" · "), elapsed, columns)
}
