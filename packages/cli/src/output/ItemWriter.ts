/**
 * Writes items as they arrive.
 *
 * @since 1.0.0
 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { OutputError } from "../terminal/OutputError.ts"
import { hint, type PipeClosed, Stdio } from "../terminal/Stdio.ts"
import * as Flag from "../usage/Flag.ts"
import * as Value from "../usage/Value.ts"
import * as Values from "../usage/Values.ts"
import * as Fields from "./Fields.ts"
import * as Format from "./Format.ts"
import type { Write } from "./OutputFile.ts"

/**
 * `--format`.
 *
 * @since 1.0.0
 * @category options
 */
export const format: Flag.Flag<Format.Format | undefined> = Flag.optional(
  "format",
  Value.choice(Format.all),
  "Output format. Default: table on a terminal, otherwise ndjson."
)

/**
 * `--format` and `--columns`, for items with these fields.
 *
 * @since 1.0.0
 * @category options
 */
export const flags = (fields: ReadonlyArray<string>): {
  readonly format: Flag.Flag<Format.Format | undefined>
  readonly columns: Flag.Flag<ReadonlyArray<string> | undefined>
} => {
  const available = [...fields, Fields.others]
  const parse = (text: string): Either.Either<ReadonlyArray<string>, string> => {
    const names = text.split(",").map((name) => name.trim())
    if (new Set(names).size < names.length) return Either.left("must name each field once")
    return names.every((name) => available.includes(name))
      ? Either.right(names)
      : Either.left(`must name fields among ${available.join(", ")}`)
  }
  return {
    format,
    columns: Flag.optional(
      "columns",
      { name: "FIELDS", values: Values.several(available), parse },
      `Fields to print, separated by commas, in this order: ${
        fields.join(", ")
      }. ${Fields.others} is everything else ` +
        "that the service sent, as JSON; csv has it as its last column. Default: all, or those that fit into the window."
    )
  }
}

/**
 * Writes all items of a stream chunk by chunk, pulling the next chunk when the last one has been written. Nothing is
 * written before the first item has arrived. Returns the number of items.
 *
 * @since 1.0.0
 * @category combinators
 */
export const run = <E, R, E2>(
  items: Stream.Stream<object, E, R>,
  formatter: Format.Formatter,
  write: Write<E2>,
  /** Runs after the first items have been written. */
  onFirst: Effect.Effect<void> = Effect.void
): Effect.Effect<number, E | E2, R> =>
  Effect.suspend(() => {
    let count = 0
    return Stream.runForEachChunk(items, (chunk) => {
      if (Chunk.isEmpty(chunk)) return Effect.void
      const isFirst = count === 0
      const text = formatter.items(Chunk.toReadonlyArray(chunk), isFirst)
      count += chunk.length
      return isFirst ? Effect.zipRight(write(formatter.begin + text), onFirst) : write(text)
    }).pipe(
      Effect.zipRight(Effect.suspend(() => write(count === 0 ? formatter.begin + formatter.end : formatter.end))),
      Effect.map(() => count)
    )
  })

/**
 * Writes rows that are complete. Their fields are those of the first one.
 *
 * @since 1.0.0
 * @category combinators
 */
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

/**
 * Tells which fields a table has no room for, and how to see them.
 *
 * @since 1.0.0
 * @category combinators
 */
export const tellHidden = (formatter: Format.Formatter, option = "--columns"): Effect.Effect<void, never, Stdio> =>
  Effect.suspend(() => {
    const hidden = formatter.hidden()
    return hidden.length === 0
      ? Effect.void
      : hint(`Hidden: ${hidden.join(", ")} (use ${option} or a wider window)`)
  })
