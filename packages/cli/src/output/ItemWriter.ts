/**
 * Writes items as they arrive.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { hint, type Stdio } from "../terminal/Stdio.ts"
import * as OptionParser from "../usage/OptionParser.ts"
import * as Fields from "./Fields.ts"
import * as Format from "./Format.ts"
import type { Write } from "./OutputFile.ts"

/**
 * `--format`.
 *
 * @since 1.0.0
 * @category options
 */
export const format: Options.Options<Option.Option<Format.Format>> = Options.choice("format", Format.all).pipe(
  Options.withDescription("Output format. Default: table on a terminal, otherwise ndjson."),
  Options.optional
)

/**
 * What `--columns` of items with these fields can name.
 *
 * @since 1.0.0
 * @category options
 */
export const columnsOf = (fields: ReadonlyArray<string>): ReadonlyArray<string> => [...fields, Fields.others]

/**
 * `--columns`, for items with these fields.
 *
 * @since 1.0.0
 * @category options
 */
export const columns = (fields: ReadonlyArray<string>): Options.Options<ReadonlyArray<string> | undefined> => {
  const available = columnsOf(fields)
  const parse = (text: string): Either.Either<ReadonlyArray<string>, string> => {
    const names = text.split(",").map((name) => name.trim())
    if (new Set(names).size < names.length) return Either.left("must name each field once")
    return names.every((name) => available.includes(name))
      ? Either.right(names)
      : Either.left(`must name fields among ${available.join(", ")}`)
  }
  return OptionParser.optional(
    OptionParser.option("columns", "FIELDS", parse),
    `Fields to print, separated by commas, in this order: ${fields.join(", ")}. ${Fields.others} is everything else ` +
      "that the service sent, as JSON; csv has it as its last column. Default: all, or those that fit into the window."
  )
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
