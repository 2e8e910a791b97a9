/** A progress line on standard error, shown while a walk runs. Without a terminal there is none. */
import type { Progress } from "@mailstream/stream"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { clear, Stdio } from "./Stdio.ts"
import * as Text from "./Text.ts"

interface Options {
  /** What is counted, as in `contacts`. */
  readonly name: string
  /** The number of items, if known: it adds a progress bar. */
  readonly total?: number | undefined
  readonly progress: Progress.Tracker
  /** Why the last request failed, if it is to be repeated. */
  readonly reason?: (() => string) | undefined
}

/** A number with thousands separators: `12,300`. */
export const count = (number: number): string => number.toLocaleString("en-US")

/** A duration to a tenth of a second, as in `12.3 s`, or in minutes, as in `2 min 5 s`. */
export const time = (duration: Duration.Duration): string => {
  const seconds = Duration.toSeconds(duration)
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
}

/** An interval as the user gave it, in the largest unit that makes it a short number: `500 ms`, `5 s`, `1.5 min`. */
export const interval = (duration: Duration.Duration): string => {
  const millis = Duration.toMillis(duration)
  const [unit, length] = intervals.find(([, length]) => millis >= length) ?? ["ms", 1]
  return `${count(Math.round(millis / length * 10) / 10)} ${unit}`
}

const intervals = [["h", 3_600_000], ["min", 60_000], ["s", 1000]] as const

/** How long ago something was, roughly: `90 s`, `5 min`, `36 h`, `3 d`. */
export const age = (seconds: number): string => {
  const [unit, length] = ages.find(([, length]) => seconds >= 2 * length) ?? ["s", 1]
  return `${Math.floor(Math.max(0, seconds) / length)} ${unit}`
}

const ages = [["d", 86_400], ["h", 3600], ["min", 60]] as const

/** A number of things, given in the plural: `12,300 contacts`, `1 contact`. */
export const counted = (number: number, things: string): string =>
  `${count(number)} ${number === 1 ? things.replace(/s$/, "") : things}`

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

/** The line, in at most `columns` columns. The most important parts come first; those that do not fit are left out. */
export const line = (
  { name, reason, total }: Pick<Options, "name" | "total" | "reason">,
  { items, pages, retries, waiting }: Progress.Progress,
  elapsed: Duration.Duration,
  columns: number
): string => {
  const seconds = Math.max(0.001, Duration.toSeconds(elapsed))
  const done = total === undefined ? counted(items, name) : `${count(items)} of ${count(total)} ${name}`
  if (waiting !== undefined && reason !== undefined) {
    return spinning(`${done} · waiting ${time(waiting)} · ${reason()}`, elapsed, columns)
  }
  const parts = [
    done,
    ...(waiting === undefined ? [] : [`waiting ${time(waiting)}`]),
    counted(pages, "pages"),
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
  return spinning(`${bar}${text}`, elapsed, columns)
}

/** A text after a spinner, in at most `columns` columns. */
export const spinning = (text: string, elapsed: Duration.Duration, columns: number): string =>
  Text.truncate(`${frames[Math.floor(Duration.toMillis(elapsed) / 100) % frames.length]!} ${text}`, columns)

const leastBar = 10

const barOf = (share: number, width: number): string => {
  const done = Math.round(Math.min(1, share) * width)
  return "█".repeat(done) + "░".repeat(width - done)
}

/** The width of the echo of Ctrl+C. After a full line it would wrap, and the first line could not be cleared. */
const echo = 2

/** A line that is drawn again and again. */
export interface Line {
  /** Clears the line while an effect writes to the terminal. */
  readonly aside: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/**
 * Draws a line until the scope closes, then clears it. Without a terminal, nothing is drawn. The text is made for a number
 * of columns, and the time since the line was first drawn; while it is empty, there is no line.
 */
export const draw = (
  text: (columns: number, elapsed: Duration.Duration) => Effect.Effect<string>
): Effect.Effect<Line, never, Stdio | Scope.Scope> =>
  Effect.gen(function*() {
    const { err, isLive } = yield* Stdio
    if (!err.isTerminal) return { aside: (effect) => effect }
    const start = yield* Clock.currentTimeNanos
    const alone = yield* Effect.makeSemaphore(1)
    const cleared = Effect.suspend(() => MutableRef.getAndSet(isLive, false) ? err.write(clear) : Effect.void)
    const frame = Effect.gen(function*() {
      const now = yield* Clock.currentTimeNanos
      const shown = yield* text(err.columns - 1 - echo, Duration.nanos(now - start))
      if (shown === "") return yield* cleared
      MutableRef.set(isLive, true)
      yield* err.write(`${clear}${shown}`)
    })
    // Added first, so that it runs last: after drawing has stopped.
    yield* Effect.addFinalizer(() => Effect.ignore(cleared))
    yield* alone.withPermits(1)(frame).pipe(
      Effect.repeat(Schedule.spaced("100 millis")),
      Effect.ignore,
      Effect.forkScoped
    )
    return { aside: (effect) => alone.withPermits(1)(Effect.zipRight(Effect.ignore(cleared), effect)) }
  })

/** How long a table may take to begin before its progress is shown. */
const patience = Duration.seconds(1)

/**
 * Shows the progress of a walk whose items are printed on the same terminal: while a request waits to be repeated, and, unless
 * they may take forever, until the first items. Items are written `aside`.
 */
export const showWaits = (
  { isEndless = false, ...options }: Options & { readonly isEndless?: boolean }
): Effect.Effect<Line, never, Stdio | Scope.Scope> =>
  Effect.gen(function*() {
    let hasItems = isEndless
    const { aside } = yield* draw((columns, elapsed) =>
      Effect.map(options.progress, (progress) =>
        progress.waiting === undefined && (hasItems || Duration.lessThan(elapsed, patience))
          ? ""
          : line(options, progress, elapsed, columns))
    )
    return {
      aside: (effect) =>
        Effect.suspend(() => {
          hasItems = true
          return aside(effect)
        })
    }
  })

/** Shows the progress of a walk until the scope closes. */
export const show = (options: Options): Effect.Effect<Line, never, Stdio | Scope.Scope> =>
  draw((columns, elapsed) => Effect.map(options.progress, (progress) => line(options, progress, elapsed, columns)))

/** Shows why a single request is repeated, once it is, until the scope closes. */
export const showRetries = (reason: () => string): Effect.Effect<Line, never, Stdio | Scope.Scope> =>
  draw((columns, elapsed) =>
    Effect.sync(() => reason() === "" ? "" : spinning(`retrying · ${reason()}`, elapsed, columns))
  )
