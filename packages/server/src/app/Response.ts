/** A response, independent of the host that sends it. */
import type { ApiError, ApiErrorEncoded } from "@mailstream/core"
import * as Duration from "effect/Duration"
import type * as Stream from "effect/Stream"

export interface Response {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array | Stream.Stream<string, unknown>
  /** What the host must do to the connection instead of sending all of the response: see `Faults.Options`. */
  readonly connectionFault?: "reset" | "truncate" | undefined
}

const jsonHeaders = { "content-type": "application/json" }

/** A response whose body is JSON text already. */
export const json = (status: number, body: Response["body"]): Response => ({ status, headers: jsonHeaders, body })

/** Adds headers. */
export const withHeaders = (response: Response, headers: Response["headers"]): Response => ({
  ...response,
  headers: { ...response.headers, ...headers }
})

/** An error in the API's format. */
export const fromError = (error: ApiError): Response => {
  const { message, name, statusCode } = error
  const response = json(statusCode, JSON.stringify({ statusCode, name, message } satisfies ApiErrorEncoded))
  if (statusCode === 401) return withHeaders(response, { "www-authenticate": "Bearer" })
  return error.retryAfter === undefined
    ? response
    : withHeaders(response, { "retry-after": String(Math.ceil(Duration.toSeconds(error.retryAfter))) })
}
