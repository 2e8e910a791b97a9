/**
 * Writes items as they arrive.
 *
 * @since 0.1.0
 */
import * as Options from "@effect/cli/Options"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Format from "./Format.ts"
import type { Write } from "./OutputFile.ts"

/**
 * `--format`.
 *
 * @since 0.1.0
 * @category options
 */
export const format: Options.Options<Option.Option<Format.Format>> = Options.choice("format", Format.all).pipe(
  Options.withDescription("Output format. Default: table on a terminal, otherwise ndjson."),
  Options.optional
)

/**
 * Writes all items of a stream chunk by chunk, pulling the next chunk when the last one has been written. Nothing is
 * written before the first item has arrived. Returns the number of items.
 *
 * @since 0.1.0
 * @category combinators
 */
export const run = <E, R, E2>(
  items: Stream.Stream<object, E, R>,
  formatter: Format.Formatter,
  write: Write<E2>
): Effect.Effect<number, E | E2, R> =>
  Effect.suspend(() => {
    let count = 0
    return Stream.runForEachChunk(items, (chunk) => {
      if (Chunk.isEmpty(chunk)) return Effect.void
      const text = formatter.items(Chunk.toReadonlyArray(chunk), count === 0)
      const begin = count === 0 ? formatter.begin : ""
      count += chunk.length
      return write(begin + text)
    }).pipe(
      Effect.zipRight(Effect.suspend(() => write(count === 0 ? formatter.begin + formatter.end : formatter.end))),
      Effect.map(() => count)
    )
  })
