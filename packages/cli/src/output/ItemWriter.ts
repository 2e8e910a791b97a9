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
 * @since 0.1.0
 * @category options
 */
export const format: Options.Options<Option.Option<Format.Format>> = Options.choice("format", Format.all).pipe(
  Options.withDescription("How items are written. Default: table on a terminal, ndjson elsewhere."),
  Options.optional
)

/**
 * Writes all items of a stream, chunk by chunk: the next ones are asked for when these have been taken. Before the
 * first of them has come, nothing is written at all. Answers how many there were.
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
