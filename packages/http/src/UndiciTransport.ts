/**
 * A transport for Node that calls the dispatcher of undici 8 directly: install `undici` beside this package. A page takes
 * a little more than half the time it takes over `NodeHttpClient.layerUndici`. It asks for compressed responses, and
 * decompresses them as they arrive.
 *
 * Configure proxies, certificates and connection pools on the dispatcher. For middleware, use `Transport.layerHttpClient`
 * on top of `NodeHttpClient.layerUndici`.
 *
 * @since 1.0.0
 */
import { mend } from "#node"
import { InvalidOption } from "@mailstream/core"
import * as Fibers from "@mailstream/kernel/Fibers"
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { constVoid } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Undici from "undici"
import * as Decompression from "./internal/decompression.ts"
import { describe, encodingOf, isSuccess } from "./internal/head.ts"
import {
  Failure,
  failureFromError,
  type Head,
  type Request,
  type Response,
  responseFromBytes,
  Transport
} from "./Transport.ts"

/**
 * The dispatcher of undici 8 that `layerWithoutDispatcher` sends requests with.
 *
 * @since 1.0.0
 * @category services
 */
export class Dispatcher extends Context.Tag("@mailstream/http/UndiciTransport/Dispatcher")<
  Dispatcher,
  Undici.Dispatcher
>() {}

/**
 * A transport on a dispatcher of undici 8.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (dispatcher: Undici.Dispatcher): typeof Transport.Service => {
  // That of undici 7, which `@effect/platform-node` exports, works just as well once its fault is mended.
  if (!(dispatcher instanceof Undici.Dispatcher)) mend()
  return {
    send: (request) => {
      let incoming: Incoming | undefined
      return Fibers.asyncWithin(
        { duration: request.timeout, onTimeout: () => expired(incoming) },
        (resume) => until(incoming = new Incoming(dispatcher, request, Infinity), ended, resume)
      )
    },
    open: (request) =>
      Effect.acquireRelease(
        Effect.sync(() => new Incoming(dispatcher, request, highWaterMark)),
        (incoming) => Effect.sync(() => incoming.abort())
      ).pipe(
        Effect.tap((incoming) => find(incoming, head)),
        Effect.map((incoming) => ({
          status: incoming.status,
          headers: incoming.headers,
          bytes: Stream.ensuring(Stream.fromChannel(bytesOf(incoming)), Effect.sync(() => incoming.abort()))
        }))
      )
  }
}

/** Whether this is a dispatcher that dispatches: Bun replaces undici with a module whose agents do not. */
const dispatches = (dispatcher: Partial<Undici.Dispatcher>): boolean => typeof dispatcher.dispatch === "function"

/**
 * Whether this runtime has undici. Where it has not, as on Bun, use `FetchTransport`.
 *
 * @since 1.0.0
 * @category predicates
 */
export const isSupported: boolean = dispatches(Undici.Agent.prototype)

const unsupported = /* #__PURE__ */ Effect.failSync(() =>
  new InvalidOption({
    option: "transport",
    description: "must be FetchTransport.layer of @mailstream/http/FetchTransport: this runtime has no undici"
  })
)

/**
 * A transport on a dispatcher that you provide, for example a proxy agent. Fails if the runtime has no undici.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/http"
 * import * as UndiciTransport from "@mailstream/http/UndiciTransport"
 * import { Effect, Layer } from "effect"
 * import { ProxyAgent } from "undici"
 *
 * const Proxy = Layer.scoped(
 *   UndiciTransport.Dispatcher,
 *   Effect.acquireRelease(
 *     Effect.sync(() => new ProxyAgent("http://proxy.internal:3128")),
 *     (agent) => Effect.promise(() => agent.destroy())
 *   )
 * )
 *
 * const MailstreamLive = Mailstream.layerConfig().pipe(
 *   Layer.provide(UndiciTransport.layerWithoutDispatcher),
 *   Layer.provide(Proxy)
 * )
 * ```
 */
export const layerWithoutDispatcher: Layer.Layer<Transport, InvalidOption, Dispatcher> = Layer.fresh(
  // Layers are shared by reference: without this, two clients would share the dispatcher of the first.
  Layer.effect(
    Transport,
    Effect.flatMap(
      Dispatcher,
      (dispatcher) => dispatches(dispatcher) ? Effect.succeed(make(dispatcher)) : unsupported
    )
  )
)

/**
 * A transport with its own connections, which are closed with the layer. Fails if the runtime has no undici.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/http"
 * import * as UndiciTransport from "@mailstream/http/UndiciTransport"
 * import { Layer } from "effect"
 *
 * const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(UndiciTransport.layer))
 * ```
 */
export const layer: Layer.Layer<Transport, InvalidOption> = Layer.provide(
  layerWithoutDispatcher,
  isSupported
    ? Layer.scoped(
      Dispatcher,
      Effect.acquireRelease(
        Effect.sync(() => new Undici.Agent()),
        // `close` would wait for responses that nobody reads.
        (agent) => Effect.promise(() => agent.destroy())
      )
    )
    : Layer.effect(Dispatcher, unsupported)
)

const expired = (incoming: Incoming | undefined): Failure => Failure.Timeout({ head: incoming?.head })

/** Looks for something in the data received so far; `undefined` means that more data is needed. */
type Look<A> = (incoming: Incoming) => Effect.Effect<A, Failure> | undefined

/** Sends the request if necessary, and resumes when a look finds something. Returns a function that cancels it. */
const until = <A>(
  incoming: Incoming,
  look: Look<A>,
  resume: (found: Effect.Effect<A, Failure>) => void
): () => void => {
  incoming.onChange = () => {
    const found = look(incoming)
    if (found === undefined) return
    incoming.onChange = constVoid
    resume(found)
  }
  incoming.send()
  return () => incoming.abort()
}

/** What a look finds, now or later. */
const find = <A>(incoming: Incoming, look: Look<A>): Effect.Effect<A, Failure> =>
  Effect.suspend(() =>
    look(incoming) ??
      Fibers.asyncWithin(
        { duration: incoming.request.timeout, onTimeout: () => expired(incoming) },
        (resume) => until(incoming, look, resume)
      )
  )

const head: Look<void> = (incoming) => incoming.status > 0 ? Effect.void : incoming.failed

/** The complete response. */
const ended: Look<Response> = (incoming) =>
  incoming.size > incoming.request.maxBodySize
    ? Effect.suspend(() => {
      incoming.abort()
      return Effect.fail(Failure.TooLarge({ head: { status: incoming.status, headers: incoming.headers } }))
    })
    : incoming.ended
    ? incoming.response()
    : incoming.failed

/** The data received since the last look; nothing at the end. */
const next: Look<Chunk.Chunk<Uint8Array>> = (incoming) =>
  incoming.chunks.length > 0
    ? Effect.sync(() => Chunk.unsafeFromArray(incoming.take()))
    : incoming.ended
    ? Effect.succeed(Chunk.empty())
    : incoming.failed

/** All data, as it arrives. */
const bytesOf = (incoming: Incoming): Channel.Channel<Chunk.Chunk<Uint8Array>, unknown, Failure, unknown, unknown> => {
  const data: ReturnType<typeof bytesOf> = Channel.flatMap(
    Channel.fromEffect(find(incoming, next)),
    (chunk) => Chunk.isEmpty(chunk) ? Channel.void : Channel.zipRight(Channel.write(chunk), data)
  )
  return data
}

/** How many bytes may wait for the consumer before the sender has to pause. */
const highWaterMark = 256 * 1024

const unknown = "a body that cannot be decompressed here"

/**
 * The part of a response that has been received so far.
 *
 * It releases everything as early as possible: in a long walk V8 starts to allocate such objects in the old generation,
 * where they would retain the bytes of their responses until the next full collection.
 */
class Incoming implements Undici.Dispatcher.DispatchHandler {
  status = 0
  headers: Head["headers"] = {}
  chunks: Array<Buffer> = []
  size = 0
  ended = false
  failed: Effect.Effect<never, Failure> | undefined
  onChange: () => void = constVoid
  readonly request: Request
  private sent = false
  private aborted = false
  private controller: Undici.Dispatcher.DispatchController | undefined
  private decompressor: Decompression.Decompressor | undefined
  private readonly dispatcher: Undici.Dispatcher
  private readonly highWaterMark: number

  constructor(dispatcher: Undici.Dispatcher, request: Request, highWaterMark: number) {
    this.dispatcher = dispatcher
    this.request = request
    this.highWaterMark = highWaterMark
  }

  /** Sends the request, once. */
  send(): void {
    if (this.sent) return
    this.sent = true
    const { body = null, method, origin, path } = this.request
    const headers = { "accept-encoding": Decompression.accepted, ...this.request.headers }
    const sent = Either.try(() =>
      // undici's own timeouts are disabled: the request's timeout is the only one.
      this.dispatcher.dispatch({ method, origin, path, headers, body, headersTimeout: 0, bodyTimeout: 0 }, this)
    )
    if (Either.isLeft(sent)) this.fail(failureFromError(sent.left))
  }

  onRequestStart(controller: Undici.Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.aborted) this.abort()
  }

  onResponseStart(
    _: Undici.Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | Array<string> | undefined>
  ): void {
    if (status < 200) return
    this.status = status
    this.headers = joined(headers)
    const encoding = encodingOf(this)
    if (encoding !== undefined) this.decompress(encoding)
    this.onChange()
  }

  onResponseData(controller: Undici.Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.decompressor !== undefined) {
      if (!this.decompressor.write(chunk)) controller.pause()
    } else if (this.receive(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    this.controller = undefined
    if (this.decompressor === undefined) this.end()
    else this.decompressor.end()
  }

  onResponseError(_: Undici.Dispatcher.DispatchController, error: Error): void {
    this.controller = undefined
    this.decompressor?.destroy()
    this.fail(failureFromError(error, { head: this.head }))
  }

  /** What has arrived before the body, if it has. */
  get head(): Head | undefined {
    return this.status > 0 ? { status: this.status, headers: this.headers } : undefined
  }

  /** Removes and returns the received data, which makes room for more. */
  take(): Array<Buffer> {
    const { chunks } = this
    this.chunks = []
    this.size = 0
    if (this.decompressor !== undefined) this.decompressor.resume()
    else this.resume()
    return chunks
  }

  /** The complete response. */
  response(): Either.Either<Response, Failure> {
    const response = responseFromBytes(this, this.chunks)
    this.chunks.length = 0
    return response
  }

  /** Cancels the request if it is still in flight. */
  abort(): void {
    this.aborted = true
    this.onChange = constVoid
    this.decompressor?.destroy()
    this.controller?.abort(new Error("the response is no longer needed"))
  }

  /** Undoes the encoding of the body. */
  private decompress(encoding: string): void {
    const steps = Decompression.stepsOf(encoding)
    if (steps === undefined) {
      // The status of an error response is of use without its body.
      if (isSuccess(this)) {
        this.reject(
          Failure.NotText({
            head: { status: this.status, headers: this.headers },
            description: describe(this, unknown)
          })
        )
      }
    } else if (steps.length > 0) {
      const decompressor = new Decompression.Decompressor(steps, {
        onBytes: (bytes) => {
          if (this.receive(bytes)) decompressor.pause()
        },
        onEnd: () => {
          this.end()
          // The compressed data is complete: whatever follows it is of no use.
          this.controller?.abort(new Error("the response is no longer needed"))
        },
        onError: (error) => this.reject(failureFromError(error, { head: this.head })),
        onDrain: () => this.resume()
      })
      this.decompressor = decompressor
    }
  }

  private resume(): void {
    this.controller?.resume()
  }

  /** Takes data. Returns whether its source has to pause. */
  private receive(bytes: Buffer): boolean {
    append(this.chunks, bytes)
    this.size += bytes.length
    this.onChange()
    return this.size > this.highWaterMark
  }

  private end(): void {
    this.ended = true
    this.onChange()
  }

  /** Only the first failure counts: cancelling the rest of the request causes another. */
  private fail(failure: Failure): void {
    if (this.failed !== undefined) return
    this.failed = Effect.fail(failure)
    this.onChange()
  }

  /** Fails, and cancels the rest of the response. */
  private reject(failure: Failure): void {
    this.fail(failure)
    this.abort()
  }
}

/** Pieces smaller than this are merged. */
const smallPiece = 4096

/** Adds a piece. A body that comes byte by byte would take a hundred times its size, if each were kept as it is. */
const append = (pieces: Array<Buffer>, piece: Buffer): void => {
  let merged = piece
  for (let last = pieces.at(-1); last !== undefined && last.length < smallPiece; last = pieces.at(-1)) {
    if (last.length > merged.length) break
    pieces.pop()
    merged = Buffer.concat([last, merged])
  }
  pieces.push(merged)
}

const joined = (headers: Record<string, string | Array<string> | undefined>): Head["headers"] => {
  const texts: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(headers)) texts[name] = Array.isArray(value) ? value.join(", ") : value
  return texts
}
