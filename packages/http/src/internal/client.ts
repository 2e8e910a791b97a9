import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import { constTrue, constVoid } from "effect/Function"
import * as Stream from "effect/Stream"
import { type Failure, fromError, type Head, type Limits, type Outgoing, timeout, type Transport } from "./transport.ts"
import { within } from "./within.ts"

/** A transport on any `HttpClient`. */
export const make = (client: HttpClient.HttpClient, { maxBytes, timeout: duration }: Limits): Transport => {
  // The calls have spans of their own; those of the platform would carry the request's headers.
  const untraced = HttpClient.withTracerDisabledWhen(client, constTrue)

  const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Failure, R> =>
    within(effect, duration, () => timeout)

  const scoped = HttpClient.withScope(untraced)

  const read = (
    response: HttpClientResponse.HttpClientResponse,
    headers: Head["headers"]
  ): Effect.Effect<string, Failure> =>
    isBounded(headers, maxBytes) ? Effect.mapError(response.text, fromClientError) : readBounded(response, maxBytes)

  return {
    exchange: (request) => ({
      result: inTime(
        Effect.flatMap(Effect.mapError(untraced.execute(toHttp(request)), fromClientError), (response) => {
          // They are made anew each time that they are asked for.
          const { headers } = response
          return Effect.map(read(response, headers), (body) => ({ status: response.status, headers, body }))
        })
      ),
      // Clients abandon what they have begun by themselves.
      abandon: constVoid
    }),
    open: (request) =>
      Effect.map(inTime(Effect.mapError(scoped.execute(toHttp(request)), fromClientError)), (response) => {
        const { headers, status } = response
        return {
          status,
          headers,
          body: inTime(read(response, headers)),
          bytes: bytesOf(response).pipe(Stream.timeoutFail(() => timeout, duration))
        }
      })
  }
}

const toHttp = ({ body, headers, method, origin, path, search }: Outgoing): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.make(method)(`${origin}${path}${search}`, {
    headers,
    body: body === undefined ? HttpBody.empty : HttpBody.text(body, "application/json")
  })

const fromClientError = (error: HttpClientError.HttpClientError): Failure =>
  fromError(error.cause, error._tag === "ResponseError")

/** Whether the body is as long as the answer says, and that is not too long. A compressed one becomes longer. */
const isBounded = (headers: Head["headers"], maxBytes: number): boolean =>
  headers["content-encoding"] === undefined && Number(headers["content-length"] ?? Infinity) <= maxBytes

const readBounded = (
  response: HttpClientResponse.HttpClientResponse,
  maxBytes: number
): Effect.Effect<string, Failure> =>
  Effect.suspend(() => {
    const decoder = new TextDecoder()
    let size = 0
    let text = ""
    return bytesOf(response).pipe(
      Stream.runForEachWhile((bytes) =>
        Effect.sync(() => {
          size += bytes.length
          if (size <= maxBytes) text += decoder.decode(bytes, { stream: true })
          return size <= maxBytes
        })
      ),
      Effect.flatMap(() =>
        size <= maxBytes
          ? Effect.sync(() => text + decoder.decode())
          : Effect.fail({ reason: "TooLarge", status: response.status } as const)
      )
    )
  })

const bytesOf = (response: HttpClientResponse.HttpClientResponse): Stream.Stream<Uint8Array, Failure> =>
  response.stream.pipe(
    // What `fetch` says of an answer without a body.
    Stream.catchAll((error) => error.reason === "EmptyBody" ? Stream.empty : Stream.fail(fromClientError(error)))
  )
