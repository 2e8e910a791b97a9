/**
 * Undoes gzip for an `HttpClient` that does not do so itself. Whether it does cannot be asked, but seen: what is
 * compressed begins with a byte that no text begins with. Other encodings cannot be told from text.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

/** The part of a stream of `node:zlib` that is used here. */
interface Transform {
  readonly on:
    & ((event: "data", listener: (bytes: Uint8Array) => void) => Transform)
    & ((event: "end", listener: () => void) => Transform)
    & ((event: "error", listener: (error: unknown) => void) => Transform)
  readonly write: (bytes: Uint8Array, onDone: () => void) => void
  readonly end: () => void
  readonly destroy: () => void
}

interface NodeGlobal {
  readonly process: {
    readonly getBuiltinModule: (name: "node:zlib") => { readonly createGunzip: () => Transform }
  }
}

/** Not every platform has the module. It is loaded when it is needed. */
const load = (): (() => Transform) | undefined =>
  Either.getOrUndefined(
    Either.try(() => (globalThis as Partial<NodeGlobal>).process!.getBuiltinModule("node:zlib").createGunzip)
  )

/** What to ask for, where it can be undone. */
export const accepted = (): { readonly "accept-encoding"?: string } =>
  load() === undefined ? {} : { "accept-encoding": "gzip" }

/** Whether an encoding is gzip alone, by any of its names. */
const isGzip = (encoding: string): boolean => /^(x-)?gzip$/i.test(encoding)

/** The first byte of what is compressed. In JSON, it is not even white space. */
const magic = 0x1F

/** A few bytes become at most a thousand times as many: that many are decompressed before the consumer can stop. */
const maxInput = 4096

/** The bytes of a body, decompressed if they are compressed. */
export const gunzip = <E>(
  bytes: Stream.Stream<Uint8Array, E>,
  encoding: string | undefined,
  onError: (error: unknown) => E
): Stream.Stream<Uint8Array, E> => {
  const make = encoding !== undefined && isGzip(encoding) ? load() : undefined
  return make === undefined ? bytes : Stream.unwrapScoped(
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new Gunzip(make, onError)),
        (gunzip) => Effect.sync(() => gunzip.destroy())
      ),
      (gunzip) =>
        bytes.pipe(
          Stream.mapConcat(piecesOf),
          Stream.map(Option.some),
          Stream.concat(Stream.succeed(Option.none())),
          Stream.mapConcatEffect((piece) => gunzip.push(piece))
        )
    )
  )
}

const piecesOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from(
    { length: Math.ceil(bytes.length / maxInput) },
    (_, index) => bytes.subarray(index * maxInput, (index + 1) * maxInput)
  )

class Gunzip<E> {
  /** `None` if the first byte was not that of compressed data. */
  private stream: Option.Option<Transform> | undefined
  private output: Array<Uint8Array> = []
  /** Padding may follow the end. */
  private isEnded = false
  private settle: (result: Effect.Effect<ReadonlyArray<Uint8Array>, E>) => void = () => {}
  private readonly make: () => Transform
  private readonly onError: (error: unknown) => E

  constructor(make: () => Transform, onError: (error: unknown) => E) {
    this.make = make
    this.onError = onError
  }

  /** What bytes become; at the end, the rest. */
  push(piece: Option.Option<Uint8Array>): Effect.Effect<ReadonlyArray<Uint8Array>, E> {
    this.stream ??= Option.map(Option.filter(piece, ([first]) => first === magic), () => this.start())
    if (Option.isNone(this.stream)) return Effect.succeed(Option.toArray(piece))
    if (this.isEnded) return Effect.succeed([])
    const { value: stream } = this.stream
    return Effect.async((resume) => {
      this.settle = resume
      this.output = []
      if (Option.isSome(piece)) stream.write(piece.value, () => this.succeed())
      else stream.end()
    })
  }

  destroy(): void {
    if (this.stream !== undefined && Option.isSome(this.stream)) this.stream.value.destroy()
  }

  private succeed(): void {
    this.settle(Effect.succeed(this.output))
  }

  private start(): Transform {
    return this.make()
      .on("data", (bytes) => void this.output.push(bytes))
      .on("end", () => {
        this.isEnded = true
        this.succeed()
      })
      .on("error", (error) => this.settle(Effect.fail(this.onError(error))))
  }
}
