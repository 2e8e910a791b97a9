import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Reads a body to its end, unless it is larger than allowed. */
export const readPieces = <E, E2>(
  bytes: Stream.Stream<Uint8Array, E>,
  maxBodySize: number,
  onTooLarge: () => E2
): Effect.Effect<ReadonlyArray<Uint8Array>, E | E2> =>
  Effect.suspend(() => {
    const pieces: Array<Uint8Array> = []
    let size = 0
    return bytes.pipe(
      Stream.runForEachWhile((piece) =>
        Effect.sync(() => {
          pieces.push(piece)
          size += piece.length
          return size <= maxBodySize
        })
      ),
      Effect.flatMap(() => size <= maxBodySize ? Effect.succeed(pieces) : Effect.failSync(onTooLarge))
    )
  })
