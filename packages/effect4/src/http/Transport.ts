/**
 * The one way to the network. `ApiClient` decides what is sent and what responses mean; a `Transport` moves the bytes.
 *
 * There are three: `UndiciTransport` for Node, `FetchTransport` for everywhere else, and `HttpClientTransport` for any
 * `HttpClient`, with all its middleware. To write your own, provide the `Transport` service: two
 * functions from a `Request` to a response or a `Failure`.
 *
 * @since 1.0.0
 */
import * as Kernel from "@mailstream/kernel/Failure"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"

/**
 * One request, and its limits.
 *
 * @since 1.0.0
 * @category models
 */
export interface Request {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  /** Scheme, host and port: `https://api.example.com`. */
  readonly origin: string
  /** Starting with the slash, percent-encoded, with the query: `/contacts?limit=100`. */
  readonly path: string
  /** The names are in lower case. `authorization` holds the API key: it must not be logged. */
  readonly headers: { readonly [name: string]: string }
  /** JSON. */
  readonly body: string | undefined
  /** The time from sending to the end of the response; for `open`, to its headers, then from chunk to chunk. */
  readonly timeout: Duration.Duration
  /** The largest body that `send` accepts, in bytes. */
  readonly maxBodySize: number
  /** The span of the call, for transports that trace what they do. */
  readonly span: Tracer.AnySpan
  /**
   * Asked immediately before the bytes leave, after all waiting for a connection: if it says no, nothing is sent, and the
   * failure is `Connect`. If it throws, nothing is sent, and that is a defect.
   */
  readonly mayStart?: (() => boolean) | undefined
}

/**
 * Status and headers of a response. Header names are in lower case; the values of a repeated header are joined with
 * `, `.
 *
 * @since 1.0.0
 * @category models
 */
export interface Head {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
}

/**
 * A complete response, with any status.
 *
 * @since 1.0.0
 * @category models
 */
export interface Response extends Head {
  /** Decoded from UTF-8: `responseFromBytes`. */
  readonly body: string
}

/**
 * A response, with any status, whose body has not been read yet.
 *
 * @since 1.0.0
 * @category models
 */
export interface OpenResponse extends Head {
  /** The body as it arrives, read once. Nothing is read ahead of the consumer. */
  readonly bytes: Stream.Stream<Uint8Array, Failure>
}

/**
 * Why there is no complete response.
 *
 * - `Connect`: no connection was made, or the request was withdrawn (`mayStart`); not a byte of it was sent, so even a create
 *   can be retried.
 * - `Tls`: no secure connection was made; not a byte of the request was sent.
 * - `Lost`: the connection broke, perhaps after the request was sent.
 * - `Timeout`: the request took longer than its `timeout`.
 * - `NotText`: the body is not text in UTF-8, or it is compressed in a way that the transport cannot undo.
 * - `TooLarge`: the body is larger than `maxBodySize`.
 *
 * `head` is what had arrived of the response: an error status and a `retry-after` count without the body.
 *
 * @since 1.0.0
 * @category errors
 */
export type Failure = Data.TaggedEnum<{
  readonly Connect: { readonly description: string }
  readonly Tls: { readonly description: string }
  readonly Lost: { readonly description: string; readonly head?: Head | undefined }
  readonly Timeout: { readonly head?: Head | undefined }
  readonly NotText: { readonly description: string; readonly head: Head }
  readonly TooLarge: { readonly head: Head }
}>

/**
 * The constructors of the failures, and `$match`.
 *
 * @since 1.0.0
 * @category constructors
 */
export const Failure: Data.TaggedEnum.Constructor<Failure> = /* #__PURE__ */ Data.taggedEnum<Failure>()

/**
 * Moves bytes. Both functions send one request, once, respect the request's limits, and clean up when interrupted. A
 * response with any status is a success.
 *
 * @since 1.0.0
 * @category services
 * @example
 * ```ts
 * import { Mailstream, Transport } from "@mailstream/effect4"
 * import { Effect, Layer, Stream } from "effect"
 *
 * // Responds to every request with an empty list.
 * const head = { status: 200, headers: { "content-type": "application/json" } }
 * const body = JSON.stringify({ object: "list", has_more: false, data: [] })
 *
 * const EmptyTransport = Layer.succeed(Transport.Transport, {
 *   send: () => Effect.succeed({ ...head, body }),
 *   open: () => Effect.succeed({ ...head, bytes: Stream.encodeText(Stream.make(body)) })
 * })
 *
 * const MailstreamLive = Mailstream.layerConfig().pipe(Layer.provide(EmptyTransport))
 * ```
 */
export class Transport extends Context.Service<Transport, {
  /** Sends a request and reads its response to the end. */
  readonly send: (request: Request) => Effect.Effect<Response, Failure>
  /** Sends a request, and leaves the body of its response to be read while the scope is open. */
  readonly open: (request: Request) => Effect.Effect<OpenResponse, Failure, Scope.Scope>
}>()("@mailstream/effect4/Transport") {}

/**
 * A complete response, from the pieces of its body. Fails if it is a success and not UTF-8, or cut short within a character: the
 * items in it would silently be changed. Of an error response, at least the status is of use, so what is not UTF-8 is replaced.
 *
 * @since 1.0.0
 * @category constructors
 */
export const responseFromBytes = (
  head: Head,
  pieces: ReadonlyArray<Uint8Array>
): Result.Result<Response, Failure> => {
  const response = Kernel.complete(head, pieces)
  return Kernel.isFailure(response) ? Result.fail(response) : Result.succeed(response)
}

/**
 * The failure for an error of a network library, by its code. Without a response, it is `Tls` or `Connect` if nothing
 * was sent; otherwise `Lost`. Pass the `head` of the response if there is one. Only messages and codes of the error are
 * kept.
 *
 * @since 1.0.0
 * @category constructors
 */
export const failureFromError = (error: unknown, options: { readonly head?: Head | undefined } = {}): Failure =>
  Kernel.fromError(error, options.head)
