/** A row of the table: a runtime, what ran on it, and its report. */
import type { CommandExecutor } from "@effect/platform/CommandExecutor"
import { Cause, Effect } from "effect"
import type { Setting } from "./app.ts"
import * as Installed from "./installed.ts"
import type { Report, Settings } from "./program/Check.ts"

export interface Row {
  /** Rows of the same kind make a table. */
  readonly kind: string
  readonly runtime: string
  readonly what: string
  readonly report: Report
}

export type Rows = Effect.Effect<ReadonlyArray<Row>, Installed.Unavailable, CommandExecutor>

export interface Runtime {
  /** As in `npm run runtimes -- bun`. */
  readonly name: string
  /** As in the compatibility table. */
  readonly title: string
  readonly rows: (setting: Setting) => Rows
}

/** What the program needs to know. */
export const settingsFor = ({ origin, rawOrigin }: Setting, ...run: ReadonlyArray<string>): Settings => ({
  run: run.join(".").replace(/[^a-z0-9.-]+/gi, "-"),
  origin,
  rawOrigin,
  apiKey: "re_runtimes"
})

/** The report that a process has written to its last line. */
export const reportOf = (finished: Installed.Finished): Report => {
  const line = finished.stdout.trim().split("\n").at(-1) ?? ""
  return line.startsWith("{") ? JSON.parse(line) : { import: Installed.complaint(finished) }
}

/** The error as the only cell, if there is no report. */
export const orError = <E, R>(effect: Effect.Effect<Report, E, R>): Effect.Effect<Report, never, R> =>
  Effect.catchAllCause(effect, (cause) => Effect.succeed({ import: Cause.pretty(cause) }))
