/** Writes items as they arrive. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { OutputError, PipeClosed } from "../terminal/Errors.ts"
import { hint, Stdio } from "../terminal/Stdio.ts"
import * as Flag from "../usage/Flag.ts"
import * as Value from "../usage/Value.ts"
import * as Format from "./Format.ts"
import type { Write } from "./OutputFile.ts"

/** `--format`. */
export const format: Flag.Flag<Format.Format | undefined> = Flag.optional(
  Value.choice(Format.all),
  "Output format. Default: table on a terminal, otherwise ndjson."
)

/** `--format` and `--columns`, for items with these fields. */
export const flags = (fields: ReadonlyArray<string>): {
  readonly format: Flag.Flag<Format.Format | undefined>
  readonly columns: Flag.Flag<ReadonlyArray<string> | undefined>
} => {
  const names = Value.several("fields", [...fields, Format.otherFields])
  const parse = (text: string) =>
    Either.filterOrLeft(
      names.parse(text),
      (names) => new Set(names).size === names.length,
      () => "must name each field once"
    )
  return {
    format,
    columns: Flag.optional(
      { ...names, parse },
      `Fields to print, separated by commas, in this order: ${
        fields.join(", ")
      }. ${Format.otherFields} is everything else ` +
        "that the service sent, as JSON; csv has it as its last column. Default: all, or those that fit into the window."
    )
  }
}

/** Items to write together, and what to do once they have been written. */
interface Page<out E = never, out R = never> {
  readonly items: ReadonlyArray<object>
  readonly commit: Effect.Effect<void, E, R>
  /** Whether the end of the output comes with it. */
  readonly isLast: boolean
}

/** The page after the last items. */
export const end: Page = { items: [], commit: Effect.void, isLast: true }

/**
 * Writes pages as they arrive, pulling the next one when the last one has been written. Nothing is written before the first
 * item has arrived. Returns the number of items; none if there are no pages.
 */
export const pages = <E, R, E2, R2, E3>(
  pages: Stream.Stream<Page<E2, R2>, E, R>,
  formatter: Format.Formatter,
  write: Write<E3>,
  /** What an earlier run has written. */
  { hasBegun = false, hasItems = false }: { readonly hasBegun?: boolean; readonly hasItems?: boolean } = {}
): Effect.Effect<Option.Option<number>, E | E2 | E3, R | R2> =>
  Effect.suspend(() => {
    let [isEmpty, begin] = [!hasItems, hasBegun ? "" : formatter.begin]
    return Stream.runFoldEffect(pages, Option.none<number>(), (count, { commit, isLast, items }) => {
      const total = Option.some(Option.getOrElse(count, () => 0) + items.length)
      if (items.length === 0 && !isLast) return Effect.as(commit, total)
      const text = begin + formatter.items(items, isEmpty) + (isLast ? formatter.end : "")
      begin = ""
      isEmpty = isEmpty && items.length === 0
      // What has been written is not written again, even if the program is stopped now.
      return Effect.uninterruptibleMask((restore) =>
        Effect.as(Effect.zipRight(restore(write(text)), ending(commit, restore)), total)
      )
    })
  })

/** How long work that has begun may take to end when the program is stopped: a database may not respond. */
const grace = "2 seconds"

/** Work that an interruption gives some time to end. */
const ending = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  restore: <B, E2, R2>(effect: Effect.Effect<B, E2, R2>) => Effect.Effect<B, E2, R2>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(
    Effect.forkDaemon(Effect.interruptible(work)),
    (fiber) =>
      Effect.onInterrupt(restore(Fiber.join(fiber)), () =>
        Effect.zipRight(
          Effect.timeoutOption(Effect.interruptible(Fiber.await(fiber)), grace),
          Fiber.interruptFork(fiber)
        ))
  )

/** Writes all items of a stream chunk by chunk, and returns their number. */
export const run = <E, R, E2, R2 = never>(
  items: Stream.Stream<object, E, R>,
  formatter: Format.Formatter,
  write: Write<E2>,
  /** Runs after each chunk. */
  commit: Effect.Effect<void, never, R2> = Effect.void
): Effect.Effect<number, E | E2, R | R2> => {
  const chunks = Stream.chunks(items).pipe(
    Stream.filter(Chunk.isNonEmpty),
    Stream.map((chunk): Page<never, R2> => ({ items: Chunk.toReadonlyArray(chunk), commit, isLast: false }))
  )
  return Effect.map(pages(Stream.concat(chunks, Stream.make(end)), formatter, write), Option.getOrElse(() => 0))
}

/** Writes rows that are complete. Their fields are those of the first one. */
export const rows = (
  rows: ReadonlyArray<object>,
  format: Format.Format | undefined
): Effect.Effect<void, PipeClosed | OutputError, Stdio> =>
  Effect.gen(function*() {
    const { out } = yield* Stdio
    const formatter = Format.make(format, { known: Object.keys(rows[0] ?? {}) }, out)
    yield* run(Stream.fromIterable(rows), formatter, out.write)
    yield* tellHidden(formatter, "--format json")
  })

/** Tells which fields a table has no room for, and how to see them. */
export const tellHidden = (formatter: Format.Formatter, option = "--columns"): Effect.Effect<void, never, Stdio> =>
  Effect.suspend(() => {
    const hidden = formatter.hidden?.() ?? []
    return hidden.length === 0
      ? Effect.void
      : hint(`Hidden: ${hidden.join(", ")} (use ${option} or a wider window)`)
  })
