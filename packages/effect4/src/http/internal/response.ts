import { descriptionOf, expectation, headOf } from "@mailstream/kernel/Failure"
import { isSuccess } from "@mailstream/kernel/Head"
import { shown } from "@mailstream/kernel/Outgoing"
import * as Scrub from "@mailstream/kernel/Scrub"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import {
  type ApiError,
  ErrorResponse,
  type RequestedFrom,
  type RequestError,
  TransportError,
  UnexpectedResponse
} from "../../core/index.ts"
import * as Wire from "../../core/Wire.ts"
import type { Call, OpenResponse, Request } from "../ApiCall.ts"
import type * as Transport from "../Transport.ts"
import type { Settings } from "./settings.ts"

export { headOf }

/** Turns transport responses into values and typed errors, none of which contains the key. */
export const make = ({ key, maxBodySize, origin, prefix, timeout }: Settings) => {
  // Servers and proxies may echo the key.
  const scrub = Scrub.make(key)
  const limits = { timeout: () => Duration.format(timeout), maxBodySize }

  const from = (request: Request, statusCode: number): RequestedFrom => ({
    method: request.method,
    url: `${origin}${prefix}${shown(request)}`,
    statusCode
  })

  const header = ({ headers }: Transport.Head, name: string): string | undefined => {
    const value = headers[name]
    return value === undefined ? undefined : scrub(value)
  }

  const decode = <A, I>(
    call: Call<A, I>,
    response: Transport.Response
  ): Result.Result<A, UnexpectedResponse> => {
    const { body, status } = response
    const json = Result.try((): unknown => JSON.parse(body))
    return Result.isFailure(json)
      ? Result.fail(UnexpectedResponse.notJson(from(call, status), body, response.headers["content-type"], scrub))
      : Result.mapError(
        Wire.decode(call.schema)(json.success),
        (error) => UnexpectedResponse.wrongShape(from(call, status), error)
      )
  }

  const apiError = (
    request: Request,
    { headers, status }: Transport.Head,
    clock: Clock.Clock,
    body: string,
    problem?: string
  ): ApiError =>
    ErrorResponse.toError(
      { status, headers, now: clock.currentTimeMillisUnsafe(), request: from(request, status), problem },
      body,
      scrub
    )

  /** The error of a request without a complete response. An error status counts without its body. */
  const failure = (request: Request, failure: Transport.Failure, clock: Clock.Clock): RequestError => {
    const head = headOf(failure)
    const description = descriptionOf(failure, limits, scrub)
    if (head !== undefined && !isSuccess(head)) return apiError(request, head, clock, "", description)
    const requested = from(request, head?.status ?? 0)
    const { method, url } = requested
    return failure._tag === "TooLarge" || failure._tag === "NotText"
      ? new UnexpectedResponse({
        ...requested,
        reason: failure._tag,
        field: "",
        description: expectation(failure._tag, description)
      })
      : new TransportError({ method, url, reason: failure._tag, description })
  }

  /** A successful response whose body has not been read yet. */
  const opened = (request: Request, response: Transport.OpenResponse, clock: Clock.Clock): OpenResponse => ({
    from: from(request, response.status),
    contentType: header(response, "content-type"),
    contentEncoding: header(response, "content-encoding"),
    timeout,
    bytes: Stream.mapError(response.bytes, (error) => failure(request, error, clock))
  })

  return { decode, failure, opened, apiError }
}
