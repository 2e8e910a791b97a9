/** Responses of every framing and many sizes, from a service that closes its connections, and readers of every speed. */
import type { InvalidOption } from "@mailstream/core"
import { Transport } from "@mailstream/http"
import { Context, Duration, Effect, Layer, Stream } from "effect"
import { byteAt, type Framing, framings } from "./bodies.ts"
import { type Door, equal } from "./Check.ts"

type Live = Layer.Layer<Transport.Transport, InvalidOption>

/** Below, at and above what transports keep for a reader that waits. */
const sizes = [1_000, 30_000, 65_536, 100_000, 130_000, 200_000, 300_000, 1_000_000, 4_000_000]

const request = (origin: string, path: string) =>
  Effect.map(Effect.makeSpan("sweep"), (span): Transport.Request => ({
    method: "GET",
    origin,
    path,
    headers: {},
    body: undefined,
    timeout: Duration.seconds(10),
    maxBodySize: 16 * 1024 * 1024,
    span
  }))

interface Counted {
  bytes: number
}

/** Counts bytes, which must be those that were sent. */
const count = (counted: Counted, piece: Uint8Array): void => {
  for (const byte of piece) {
    if (byte !== byteAt(counted.bytes++)) throw new Error(`another byte at ${counted.bytes - 1}`)
  }
}

type Reader = (
  service: typeof Transport.Transport.Service,
  request: Transport.Request
) => Effect.Effect<number, Transport.Failure>

/** Reads to the end, with a pause before the first piece, and one after each of the first ones. */
const pausing = (before: number, after: number): Reader => (service, request) =>
  Effect.scoped(Effect.gen(function*() {
    const counted = { bytes: 0 }
    let pieces = 0
    const { bytes } = yield* service.open(request)
    yield* Effect.sleep(before)
    yield* Stream.runForEach(bytes, (piece) => {
      count(counted, piece)
      return after > 0 && pieces++ < 20 ? Effect.sleep(after) : Effect.void
    })
    return counted.bytes
  }))

const atOnce: Reader = (service, request) =>
  Effect.map(service.send(request), ({ body }) => {
    const counted = { bytes: 0 }
    count(counted, new TextEncoder().encode(body))
    return counted.bytes
  })

const readers: ReadonlyArray<readonly [name: string, Reader]> = [
  ["at once", atOnce],
  ["late", pausing(300, 0)],
  ["slowly", pausing(0, 10)],
  ["late and slowly", pausing(100, 10)]
]

/** Reads one piece, and leaves the rest. */
const leave: Reader = (service, request) =>
  Effect.scoped(Effect.gen(function*() {
    const { bytes } = yield* service.open(request)
    yield* Stream.runForEach(Stream.take(bytes, 1), () => Effect.sleep(100))
    yield* Effect.sleep(100)
    return 0
  }))

const sweep = (live: Live, origin: string, framing: Framing): Effect.Effect<void, unknown> =>
  Effect.gen(function*() {
    const service = yield* Effect.map(Layer.build(live), Context.get(Transport.Transport))
    for (const encoding of ["plain", "gzip"]) {
      yield* Effect.forEach(sizes, (size) =>
        Effect.gen(function*() {
          const asked = yield* request(origin, `/${encodeURIComponent(framing)}/${size}/${encoding}`)
          yield* Effect.ignore(leave(service, asked))
          for (const [name, read] of readers) {
            const found = yield* Effect.match(read(service, asked), {
              onFailure: ({ _tag }) => _tag,
              onSuccess: String
            })
            equal(`${encoding}, ${size} bytes, read ${name}`, found, framing === "cut short" ? "Lost" : String(size))
          }
        }), { concurrency: "unbounded", discard: true })
    }
  }).pipe(Effect.scoped)

/** Rejects with the error itself. */
const promised = <E>(effect: Effect.Effect<void, E>): Promise<void> =>
  Effect.runPromise(Effect.either(effect)).then((either) => {
    if (either._tag === "Left") throw either.left
  })

export default (live: Live): Door => ({ rawOrigin }) =>
  Object.fromEntries(framings.map((framing) => [framing, () => promised(sweep(live, rawOrigin, framing))]))
