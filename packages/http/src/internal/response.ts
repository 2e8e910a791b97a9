import {
  type ApiError,
  ErrorResponse,
  type RequestedFrom,
  type RequestError,
  TransportError,
  UnexpectedResponse
} from "@mailstream/core"
import * as ApiErrors from "@mailstream/core/ApiError"
import * as Wire from "@mailstream/core/Wire"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Call, OpenResponse, Request } from "../ApiClient.ts"
import type * as Transport from "../Transport.ts"
import { isSuccess } from "./head.ts"
import * as Scrub from "./scrub.ts"
import type { Settings } from "./settings.ts"

/** Turns transport responses into values and typed errors, none of which contains the key. */
export const make = ({ key, maxBodySize, origin, prefix, timeout }: Settings) => {
  // Servers and proxies may echo the key.
  const scrub = Scrub.make(key)

  const from = ({ method, path }: Request, statusCode: number): RequestedFrom => ({
    method,
    url: `${origin}${prefix}${path}`,
    statusCode
  })

  const header = ({ headers }: Transport.Head, name: string): string | undefined => {
    const value = headers[name]
    return value === undefined ? undefined : scrub(value)
  }

  /** The value of a successful response. */
  const decode = <A extends I, I>(
    call: Call<A, I>,
    response: Transport.Response
  ): Either.Either<A, UnexpectedResponse> => {
    const { body, status } = response
    const json = Either.try((): unknown => JSON.parse(body))
    return Either.isLeft(json)
      ? Either.left(UnexpectedResponse.notJson(from(call, status), scrub(body), header(response, "content-type")))
      : Either.mapLeft(
        Wire.check(call.schema)(json.right),
        (error) => UnexpectedResponse.wrongShape(from(call, status), error)
      )
  }

  /** The error of an unsuccessful response. */
  const apiError = (request: Request, { body, headers, status }: Transport.Response, clock: Clock.Clock): ApiError =>
    ErrorResponse.toError(
      { status, headers, now: clock.unsafeCurrentTimeMillis(), request: from(request, status) },
      body,
      scrub
    )

  /** The error of a request without a complete response. */
  const failure = (request: Request, failure: Transport.Failure): RequestError => {
    if (failure._tag === "TooLarge") return UnexpectedResponse.tooLarge(from(request, failure.status), maxBodySize)
    const { method, url } = from(request, 0)
    const description = descriptionOf(failure)
    return failure._tag === "NotText"
      ? UnexpectedResponse.notText(from(request, failure.status), description)
      : new TransportError({ method, url, reason: failure._tag, description })
  }

  const descriptionOf = (failure: Exclude<Transport.Failure, { readonly _tag: "TooLarge" }>): string =>
    failure._tag === "Timeout"
      ? `no complete response within ${Duration.format(timeout)}`
      : scrub(failure.description)

  /** The error of an unsuccessful response without its body: the status and the headers count all the same. */
  const refusal = (request: Request, { failure, head }: Refusal, clock: Clock.Clock): ApiError => {
    const { _tag, retryAfter, statusCode } = apiError(request, { ...head, body: "" }, clock)
    const { method, url } = from(request, statusCode)
    const message = `${method} ${url}: status ${statusCode}: ${descriptionOf(failure)}`
    return ApiErrors.make(_tag, { statusCode, message, retryAfter })
  }

  /** A successful response whose body has not been read yet. */
  const opened = (request: Request, response: Transport.OpenResponse): OpenResponse => ({
    from: from(request, response.status),
    contentType: header(response, "content-type"),
    contentEncoding: header(response, "content-encoding"),
    timeout,
    bytes: Stream.mapError(response.bytes, (error) => failure(request, error))
  })

  return { decode, failure, opened, apiError, refusal }
}

/** An unsuccessful response whose body did not arrive. */
export interface Refusal {
  readonly head: Transport.Head
  readonly failure: Exclude<Transport.Failure, { readonly _tag: "TooLarge" }>
}

/** What a failure knows about an unsuccessful response, if there was one. */
export const refusalOf = (failure: Transport.Failure): Refusal | undefined => {
  if (failure._tag === "TooLarge") return undefined
  const known = "head" in failure ? failure.head : undefined
  const head = known ?? ("status" in failure ? { status: failure.status, headers: {} } : undefined)
  return head === undefined || isSuccess(head) ? undefined : { head, failure }
}
