/**
 * The one way to the network. `ApiClient` decides what is sent and what responses mean; a `Transport` moves the bytes.
 *
 * There are three: `UndiciTransport` for Node, `FetchTransport` for everywhere else, and `layerHttpClient` for any
 * `HttpClient`, with all its middleware. To write your own, provide the `Transport` service: two
 * functions from a `Request` to a response or a `Failure`.
 *
 * @since 1.0.0
 */
import * as Paused from "#paused"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { decode, decodeLeniently, isCutShort } from "@mailstream/kernel/Utf8"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { constTrue } from "effect/Function"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Tracer from "effect/Tracer"
import { readPieces } from "./internal/body.ts"
import { type Exchange, Exchanges } from "./internal/exchange.ts"
import * as Gunzip from "./internal/gunzip.ts"
import { describe, encodingOf, isSuccess } from "./internal/head.ts"
import * as Tls from "./internal/tls.ts"

/**
 * One request, and its limits.
 *
 * @since 1.0.0
 * @category models
 */
export interface Request {
  readonly method: "GET" | "POST"
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
 * - `Connect`: no connection was made; not a byte of the request was sent, so even a create can be retried.
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
 * import { Mailstream, Transport } from "@mailstream/http"
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
export class Transport extends Context.Tag("@mailstream/http/Transport")<Transport, {
  /** Sends a request and reads its response to the end. */
  readonly send: (request: Request) => Effect.Effect<Response, Failure>
  /** Sends a request, and leaves the body of its response to be read while the scope is open. */
  readonly open: (request: Request) => Effect.Effect<OpenResponse, Failure, Scope.Scope>
}>() {}

/**
 * A transport on an `HttpClient`. The client's own spans are disabled, because the calls have theirs; spans of its
 * middleware are children of the span of the call.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromHttpClient = (client: HttpClient.HttpClient): typeof Transport.Service => {
  Paused.mend()
  const untraced = HttpClient.withTracerDisabledWhen(client, constTrue)
  const scoped = HttpClient.withScope(untraced)
  const exchanges = new Exchanges()
  const accepted = Gunzip.accepted()

  const execute = <R>(
    client: HttpClient.HttpClient.With<HttpClientError.HttpClientError, R>,
    request: Request,
    { headers }: Exchange
  ) =>
    Effect.catchAll(client.execute(toHttp(request, { ...accepted, ...headers })), (error) =>
      // Middleware such as `filterStatusOk` fails with the response. What its status means is for the client to say.
      error._tag === "ResponseError" && error.reason === "StatusCode"
        ? Effect.succeed(error.response)
        : Effect.fail(fromClientError(error)))

  /** This only removes a span from the requirements, which cannot be expressed for an unknown `R`. */
  const bounded = <A, E, R>(effect: Effect.Effect<A, E, R>, { span, timeout }: Request, exchange: Exchange) =>
    Effect.withParentSpan(
      Effect.timeoutFail(effect, { duration: timeout, onTimeout: () => expire(exchange) }),
      span
    ) as Effect.Effect<A, E | Failure, R>

  return {
    send: (request) =>
      Effect.suspend(() => {
        const exchange = exchanges.begin(request)
        return bounded(
          Effect.flatMap(execute(untraced, request, exchange), (response) =>
            Effect.flatMap(Either.mapLeft(exchange.begin(headOf(response)), Failure.NotText), (head) =>
              Effect.flatMap(
                read(response, head, request, exchange),
                (pieces) =>
                  responseFromBytes(head, pieces)
              ))),
          request,
          exchange
        )
      }),
    open: (request) =>
      Effect.suspend(() => {
        const exchange = exchanges.begin(request)
        return Effect.flatMap(
          bounded(execute(scoped, request, exchange), request, exchange),
          (response) =>
            Effect.map(Either.mapLeft(exchange.begin(headOf(response)), Failure.NotText), (head) => ({
              ...head,
              bytes: bytesOf(response, head, exchange).pipe(Stream.timeoutFail(() => expire(exchange), request.timeout))
            }))
        )
      })
  }
}

/**
 * A transport on any `HttpClient`. All its middleware sees every request. On Node, Bun and Deno it asks for gzip, and
 * decompresses responses if the client has not done so.
 *
 * `FetchHttpClient` before Node 26 and `NodeHttpClient.layerUndici` are on an undici that ends the process if a server
 * closes its connection while the response is read more slowly than it arrives (nodejs/undici#5360). This transport mends
 * that for the process, as undici 8.6 does.
 *
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
 * import { Mailstream, Transport } from "@mailstream/http"
 * import { Effect, Layer } from "effect"
 *
 * const TeamHttpClient = Layer.effect(
 *   HttpClient.HttpClient,
 *   Effect.map(
 *     HttpClient.HttpClient,
 *     HttpClient.mapRequest(HttpClientRequest.setHeader("x-team", "growth"))
 *   )
 * ).pipe(Layer.provide(FetchHttpClient.layer))
 *
 * const MailstreamLive = Mailstream.layerConfig().pipe(
 *   Layer.provide(Transport.layerHttpClient),
 *   Layer.provide(TeamHttpClient)
 * )
 * ```
 */
export const layerHttpClient: Layer.Layer<Transport, never, HttpClient.HttpClient> = /* #__PURE__ */ Layer.fresh(
  /* #__PURE__ */ Layer.effect(Transport, /* #__PURE__ */ Effect.map(HttpClient.HttpClient, fromHttpClient))
)

const toHttp = (
  { body, method, origin, path }: Request,
  headers: Request["headers"]
): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.make(method)(`${origin}${path}`, {
    headers,
    body: body === undefined ? HttpBody.empty : HttpBody.text(body, "application/json")
  })

const expire = (exchange: Exchange): Failure => {
  exchange.expire()
  return Failure.Timeout({ head: exchange.head })
}

/** Clients rebuild them on every access. */
const headOf = ({ headers, status }: HttpClientResponse.HttpClientResponse): Head => ({ status, headers })

const read = (
  response: HttpClientResponse.HttpClientResponse,
  head: Head,
  { maxBodySize }: Request,
  exchange: Exchange
): Effect.Effect<ReadonlyArray<Uint8Array>, Failure> =>
  isBounded(head.headers, maxBodySize)
    ? Effect.mapBoth(response.arrayBuffer, {
      onFailure: fromClientError,
      onSuccess: (bytes) => [new Uint8Array(bytes)]
    })
    : readPieces(bytesOf(response, head, exchange), maxBodySize, () => Failure.TooLarge({ head }))

/** Whether the declared length is reliable and within the limit. A compressed body grows when it is decoded. */
const isBounded = (headers: Head["headers"], maxBodySize: number): boolean =>
  headers["content-encoding"] === undefined && Number(headers["content-length"] ?? Infinity) <= maxBodySize

const bytesOf = (
  response: HttpClientResponse.HttpClientResponse,
  head: Head,
  exchange: Exchange
): Stream.Stream<Uint8Array, Failure> =>
  Gunzip.gunzip(
    Stream.catchAll(
      Stream.mapChunks(response.stream, (chunk) => {
        exchange.isRead = true
        return chunk
      }),
      // This is how clients on `fetch` report a response without a body.
      (error) => error.reason === "EmptyBody" ? Stream.empty : Stream.fail(fromClientError(error))
    ),
    encodingOf(head),
    (error) => failureFromError(error, { head })
  )

const fromClientError = (error: HttpClientError.HttpClientError): Failure =>
  failureFromError(
    error.cause ?? new Error(error.description ?? `the HttpClient failed: ${error.reason}`),
    { head: error._tag === "ResponseError" ? headOf(error.response) : undefined }
  )

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
): Either.Either<Response, Failure> => {
  const { headers, status } = head
  const body = decode(pieces)
  return body !== undefined
    ? Either.right({ status, headers, body })
    : !isSuccess(head)
    ? Either.right({ status, headers, body: decodeLeniently(pieces) })
    : Either.left(
      isCutShort(pieces)
        ? Failure.Lost({ head, description: "the body ends within a character" })
        : Failure.NotText({ head, description: describe(head, "bytes that are not UTF-8") })
    )
}

/**
 * The failure for an error of a network library, by its code. Without a response, it is `Tls` or `Connect` if nothing
 * was sent; otherwise `Lost`. Pass the `head` of the response if there is one. Only messages and codes of the error are
 * kept.
 *
 * @since 1.0.0
 * @category constructors
 */
export const failureFromError = (error: unknown, options: { readonly head?: Head | undefined } = {}): Failure => {
  const causes = causesOf(error)
  const description = causes.map(({ code, message }) => message === "" ? code : message).join(": ") ||
    "the connection failed"
  if (options.head !== undefined) {
    return causes.some(({ code }) => isDecompression(code))
      ? Failure.NotText({
        description: describe(options.head, `a body that cannot be decompressed (${description})`),
        head: options.head
      })
      : Failure.Lost({ description, head: options.head })
  }
  const insecure = Tls.explain(causes)
  return insecure !== undefined
    ? Failure.Tls({ description: insecure })
    : causes.some(({ code, isSent }) => !isSent && unsentCodes.has(code))
    ? Failure.Connect({ description })
    : Failure.Lost({ description })
}

/** Whether a code says that a body is not compressed as declared. One that is merely truncated (`Z_BUF_ERROR`) is lost. */
const isDecompression = (code: string): boolean =>
  code !== "Z_BUF_ERROR" && /^(Z_|ERR__ERROR_|ERR_BROTLI_|ZSTD_|ZlibError|BrotliDecompressionError)/.test(code)

/** The codes of failures in which not a byte of the request was sent. */
const unsentCodes: ReadonlySet<string> = /* #__PURE__ */ new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused"
])

/** An error and its causes, outermost first. */
const causesOf = (error: unknown, depth = 0): ReadonlyArray<Tls.Cause & { readonly isSent: boolean }> => {
  if (!(error instanceof Error) || depth > 4) return []
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  // As undici and Node report what is not HTTP.
  const received = "data" in error ? error.data : "rawPacket" in error ? error.rawPacket : ""
  // A host can become unreachable on a connection that exists: then something may have been sent.
  const isSent = "syscall" in error && (error.syscall === "read" || error.syscall === "write")
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  return [{ message: error.message, code, received: String(received), isSent }, ...causesOf(inner, depth + 1)]
}
