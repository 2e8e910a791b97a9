import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Reads a body to its end as text, unless it is larger than allowed. */
export const readText = <E, E2>(
  bytes: Stream.Stream<Uint8Array, E>,
  maxBodySize: number,
  onTooLarge: () => E2
): Effect.Effect<string, E | E2> =>
  Effect.suspend(() => {
    const decoder = new TextDecoder()
    let size = 0
    let text = ""
    return bytes.pipe(
      Stream.runForEachWhile((piece) =>
        Effect.sync(() => {
          size += piece.length
          if (size <= maxBodySize) text += decoder.decode(piece, { stream: true })
          return size <= maxBodySize
        })
      ),
      Effect.flatMap(() =>
        size <= maxBodySize ? Effect.sync(() => text + decoder.decode()) : Effect.failSync(onTooLarge)
      )
    )
  })
