/**
 * A progress line on standard error, shown while a walk runs. Without a terminal there is none.
 *
 * @since 0.1.0
 */
import type { Progress } from "@mailstream/stream"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Stdio } from "./Stdio.ts"
import * as Text from "./Text.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** What is counted, as in `contacts`. */
  readonly name: string
  /** The number of items, if known: it adds a progress bar. */
  readonly total?: number | undefined
  readonly progress: Progress.Tracker
}

/**
 * A number with thousands separators: `12,300`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const count = (number: number): string => number.toLocaleString("en-US")

/**
 * A duration to a tenth of a second, as in `12.3 s`, or in minutes, as in `2 min 5 s`.
 *
 * @since 0.1.0
 * @category conversions
 */
export const time = (duration: Duration.Duration): string => {
  const seconds = Duration.toSeconds(duration)
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
}

const plural = (number: number, noun: string): string => `${count(number)} ${noun}${number === 1 ? "" : "s"}`

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

/**
 * The line, in at most `columns` columns. The most important parts come first; those that do not fit are left out.
 *
 * @since 0.1.0
 * @category conversions
 */
export const line = (
  { name, total }: Pick<Options, "name" | "total">,
  { items, pages, retries, waiting }: Progress.Progress,
  elapsed: Duration.Duration,
  columns: number
): string => {
  const frame = frames[Math.floor(Duration.toMillis(elapsed) / 100) % frames.length]!
  const seconds = Math.max(0.001, Duration.toSeconds(elapsed))
  const parts = [
    total === undefined ? `${count(items)} ${name}` : `${count(items)} of ${count(total)} ${name}`,
    ...(waiting === undefined ? [] : [`waiting ${time(waiting)}`]),
    plural(pages, "page"),
    ...(retries === 0 ? [] : [`${count(retries)} ${retries === 1 ? "retry" : "retries"}`]),
    `${count(Math.round(items / seconds))}/s`,
    time(elapsed)
  ]
  const hasBar = total !== undefined && total > 0 && columns >= 50
  const room = columns - 2 - (hasBar ? leastBar + 2 : 0)
  const text = parts.slice(1).reduce(
    (text, part) => Text.width(text) + 3 + Text.width(part) <= room ? `${text} · ${part}` : text,
    parts[0]!
  )
  const bar = hasBar ? `${barOf(items / total, Math.min(30, leastBar + room - Text.width(text)))}  ` : ""
  return Text.truncate(`${frame} ${bar}${text}`, columns)
}

const leastBar = 10

const barOf = (share: number, width: number): string => {
  const done = Math.round(Math.min(1, share) * width)
  return "█".repeat(done) + "░".repeat(width - done)
}

const clear = "\r\u001b[K"

/**
 * Shows the line while an effect runs, and clears it at the end. Without a terminal, nothing is shown.
 *
 * @since 0.1.0
 * @category combinators
 */
export const show = (options: Options) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Stdio> =>
  Effect.gen(function*() {
    const { err } = yield* Stdio
    if (!err.isTerminal) return yield* effect
    const start = yield* Clock.currentTimeMillis
    const draw = Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const text = line(options, yield* options.progress, Duration.millis(now - start), err.columns - 1)
      yield* err.write(`${clear}${text}`)
    })
    // Added first, so that it runs last: after drawing has stopped.
    yield* Effect.addFinalizer(() => Effect.ignore(err.write(clear)))
    yield* draw.pipe(Effect.repeat(Schedule.spaced("100 millis")), Effect.ignore, Effect.forkScoped)
    return yield* effect
  }).pipe(Effect.scoped)
