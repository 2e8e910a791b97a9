/**
 * A transport on any `HttpClient`. All its middleware sees every request. On Node, Bun and Deno it asks for gzip, and
 * decompresses responses if the client has not done so.
 *
 * A request's `mayStart` is asked before the client is called, which may then still wait for a connection, or retry.
 *
 * `FetchHttpClient` before Node 26 and `NodeHttpClient.layerUndici` are on an undici that ends the process if a server
 * closes its connection while the response is read more slowly than it arrives (nodejs/undici#5360). This transport patches
 * that for the process, as undici 8.6 does.
 *
 * @since 1.0.0
 */
import { type Exchange, Exchanges } from "@mailstream/kernel/Exchange"
import { accepted as acceptedEncoding } from "@mailstream/kernel/Gunzip"
import { encodingOf } from "@mailstream/kernel/Head"
import { patch } from "@mailstream/kernel/Platform"
import * as Effect from "effect/Effect"
import { constTrue } from "effect/Function"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { inSpan } from "../internal/fibers.ts"
import { readPieces } from "./internal/body.ts"
import { gunzip } from "./internal/gunzip.ts"
import { withdrawal } from "./internal/withdrawal.ts"
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
 * A transport on an `HttpClient`. The client's own spans are disabled, because the calls have theirs; spans of its
 * middleware are children of the span of the call.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (client: HttpClient.HttpClient): typeof Transport.Service => {
  patch()
  const untraced = HttpClient.transformResponse(
    client,
    Effect.provideService(HttpClient.TracerDisabledWhen, constTrue)
  )
  const scoped = HttpClient.withScope(untraced)
  const exchanges = new Exchanges()
  const accepted = acceptedEncoding()

  const execute = <R>(
    client: HttpClient.HttpClient.With<HttpClientError.HttpClientError, R>,
    request: Request,
    { headers }: Exchange
  ) => {
    const executed = Effect.catch(client.execute(toHttp(request, { ...accepted, ...headers })), (error) =>
      // Middleware such as `filterStatusOk` fails with the response. What its status means is for the client to say.
      error.reason._tag === "StatusCodeError"
        ? Effect.succeed(error.reason.response)
        : Effect.fail(fromClientError(error)))
    return request.mayStart === undefined ? executed : Effect.suspend(() => withdrawal(request) ?? executed)
  }

  const bounded = <A, E, R>(effect: Effect.Effect<A, E, R>, { span, timeout }: Request, exchange: Exchange) =>
    inSpan(
      Effect.timeoutOrElse(effect, { duration: timeout, orElse: () => Effect.fail(exchange.expire()) }),
      span
    )

  return {
    send: (request) =>
      Effect.suspend(() => {
        const exchange = exchanges.begin(request)
        const complete = Effect.flatMap(
          execute(untraced, request, exchange),
          (response) => Effect.flatMap(begin(response, exchange), (head) => read(response, head, request, exchange))
        )
        return bounded(complete, request, exchange)
      }),
    open: (request) =>
      Effect.suspend(() => {
        const exchange = exchanges.begin(request)
        return Effect.flatMap(
          bounded(execute(scoped, request, exchange), request, exchange),
          (response) =>
            Effect.map(begin(response, exchange), (head) => ({
              ...head,
              bytes: bytesOf(response, head, exchange).pipe(
                Stream.timeoutOrElse({
                  duration: request.timeout,
                  orElse: () => Stream.suspend(() => Stream.fail(exchange.expire()))
                })
              )
            }))
        )
      })
  }
}

/**
 * @since 1.0.0
 * @category layers
 * @example
 * ```ts
 * import { Mailstream } from "@mailstream/effect4"
 * import * as HttpClientTransport from "@mailstream/effect4/HttpClientTransport"
 * import { Effect, Layer } from "effect"
 * import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
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
 *   Layer.provide(HttpClientTransport.layer),
 *   Layer.provide(TeamHttpClient)
 * )
 * ```
 */
export const layer: Layer.Layer<Transport, never, HttpClient.HttpClient> = /* #__PURE__ */ Layer.fresh(
  /* #__PURE__ */ Layer.effect(Transport, /* #__PURE__ */ Effect.map(HttpClient.HttpClient, make))
)

const toHttp = (
  { body, method, origin, path }: Request,
  headers: Request["headers"]
): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.make(method)(`${origin}${path}`, {
    headers,
    body: body === undefined ? HttpBody.empty : HttpBody.text(body, "application/json")
  })

/** Clients rebuild them on every access. */
const headOf = ({ headers, status }: HttpClientResponse.HttpClientResponse): Head => ({ status, headers })

/** The head of a response, unless it says that the body cannot be read. */
const begin = (
  response: HttpClientResponse.HttpClientResponse,
  exchange: Exchange
): Effect.Effect<Head, Failure> => {
  const head = headOf(response)
  const refused = exchange.begin(head)
  return refused === undefined ? Effect.succeed(head) : Effect.fail(refused)
}

const read = (
  response: HttpClientResponse.HttpClientResponse,
  head: Head,
  { maxBodySize }: Request,
  exchange: Exchange
): Effect.Effect<Response, Failure> => {
  const pieces = isBounded(head.headers, maxBodySize)
    ? Effect.mapBoth(response.arrayBuffer, {
      onFailure: fromClientError,
      onSuccess: (bytes) => [new Uint8Array(bytes)]
    })
    : readPieces(bytesOf(response, head, exchange), maxBodySize, () => Failure.TooLarge({ head }))
  return Effect.flatMap(pieces, (pieces) => Effect.fromResult(responseFromBytes(head, pieces)))
}

/** Whether the declared length is reliable and within the limit. A compressed body grows when it is decoded. */
const isBounded = (headers: Head["headers"], maxBodySize: number): boolean =>
  headers["content-encoding"] === undefined && Number(headers["content-length"] ?? Infinity) <= maxBodySize

const bytesOf = (
  response: HttpClientResponse.HttpClientResponse,
  head: Head,
  exchange: Exchange
): Stream.Stream<Uint8Array, Failure> =>
  gunzip(
    Stream.catch(
      Stream.mapArray(response.stream, (chunk) => {
        exchange.isRead = true
        return chunk
      }),
      // This is how clients on `fetch` report a response without a body.
      (error) => error.reason._tag === "EmptyBodyError" ? Stream.empty : Stream.fail(fromClientError(error))
    ).pipe(
      // Clients on Node's streams read nothing from one that broke before: the body would seem to be empty.
      Stream.concat(Stream.suspend(() =>
        exchange.isRead || !(Number(head.headers["content-length"]) > 0)
          ? Stream.empty
          : Stream.fail(Failure.Lost({ head, description: "the connection broke before the body" }))
      ))
    ),
    encodingOf(head),
    (error) => failureFromError(error, { head })
  )

const fromClientError = ({ reason }: HttpClientError.HttpClientError): Failure =>
  failureFromError(
    ("cause" in reason ? reason.cause : undefined) ??
      new Error(reason.description ?? `the HttpClient failed: ${reason._tag.replace(/Error$/, "")}`),
    { head: "response" in reason ? headOf(reason.response) : undefined }
  )
