import * as Kernel from "@mailstream/kernel/Gunzip"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** The bytes of a body, decompressed if they are compressed. */
export const gunzip = <E>(
  bytes: Stream.Stream<Uint8Array, E>,
  encoding: string | undefined,
  onError: (error: unknown) => E
): Stream.Stream<Uint8Array, E> => {
  const make = Kernel.makerOf(encoding)
  return make === undefined ? bytes : Stream.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new Kernel.Gunzip(make)),
        (gunzip) => Effect.sync(() => gunzip.destroy())
      ),
      (gunzip) =>
        bytes.pipe(
          Stream.flatMap((bytes) => Stream.fromIterable(Kernel.piecesOf(bytes))),
          Stream.concat(Stream.succeed(undefined)),
          Stream.mapEffect((piece) =>
            Effect.callback<ReadonlyArray<Uint8Array>, E>((resume) =>
              gunzip.push(piece, {
                onBytes: (bytes) => resume(Effect.succeed(bytes)),
                onError: (error) => resume(Effect.fail(onError(error)))
              })
            )
          ),
          Stream.flatMap(Stream.fromIterable)
        )
    )
  )
}
