import {
  type ApiError,
  ErrorResponse,
  OtherApiError,
  type RequestedFrom,
  TransportError,
  UnexpectedResponse
} from "@mailstream/core"
import * as Wire from "@mailstream/core/Wire"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type { Call, OpenResponse, Request } from "../ApiClient.ts"
import type * as Transport from "../Transport.ts"
import * as Scrub from "./scrub.ts"
import type { Settings } from "./settings.ts"

export const isSuccess = ({ status }: Transport.Head): boolean => status >= 200 && status < 300

/** Turns transport responses into values and typed errors, none of which contains the key. */
export const make = ({ key, maxBodySize, origin, prefix, timeout }: Settings) => {
  // Servers and proxies may echo the key.
  const scrub = Scrub.make(key)

  const from = ({ method, path }: Request, statusCode: number): RequestedFrom => ({
    method,
    url: `${origin}${prefix}${path}`,
    statusCode
  })

  const contentType = ({ headers: { "content-type": type } }: Transport.Head): string | undefined =>
    type === undefined ? undefined : scrub(type)

  /** The value of a successful response. */
  const decode = <A extends I, I>(
    call: Call<A, I>,
    response: Transport.Response
  ): Either.Either<A, UnexpectedResponse> => {
    const { body, status } = response
    const json = Either.try((): unknown => JSON.parse(body))
    return Either.isLeft(json)
      ? Either.left(UnexpectedResponse.notJson(from(call, status), scrub(body), contentType(response)))
      : Either.mapLeft(
        Wire.check(call.schema)(json.right),
        (error) => UnexpectedResponse.wrongShape(from(call, status), error)
      )
  }

  /** The error of an unsuccessful response. One without the name of an error may be a proxy's: it names the request. */
  const apiError = (request: Request, { body, headers, status }: Transport.Response, clock: Clock.Clock): ApiError => {
    const error = ErrorResponse.toError({ status, headers, now: clock.unsafeCurrentTimeMillis() }, body, scrub)
    if (error._tag !== "api_error" || error.name !== "api_error") return error
    const { method, url } = from(request, status)
    const { message, name, retryAfter } = error
    const text = `${method} ${url}: status ${status}: ${message}`
    return new OtherApiError({ name, statusCode: status, message: text, retryAfter })
  }

  /** The error of a request without a complete response. */
  const failure = (request: Request, failure: Transport.Failure): TransportError | UnexpectedResponse => {
    if (failure._tag === "TooLarge") return UnexpectedResponse.tooLarge(from(request, failure.status), maxBodySize)
    const { method, url } = from(request, 0)
    return new TransportError({
      method,
      url,
      reason: failure._tag,
      description: failure._tag === "Timeout"
        ? `no complete response within ${Duration.format(timeout)}`
        : scrub(failure.description)
    })
  }

  /** A successful response whose body has not been read yet. */
  const opened = (request: Request, response: Transport.OpenResponse): OpenResponse => ({
    from: from(request, response.status),
    contentType: contentType(response),
    timeout,
    bytes: Stream.mapError(response.bytes, (error) => failure(request, error))
  })

  return { decode, failure, opened, apiError }
}
