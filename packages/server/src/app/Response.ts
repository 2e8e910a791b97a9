import type { ApiError, ApiErrorEncoded, ValidationError } from "@mailstream/core"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

/** What the service answers, whatever carries it. */
export interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Stream.Stream<string, unknown>
  /** A fault of the connection: nothing of the answer arrives, or only its beginning. */
  readonly breaks?: "before" | "within" | undefined
}

/** A request, whatever carried it. */
export interface Request {
  readonly method: string
  /** The path and the query, as they were sent. */
  readonly url: string
  readonly authorization: string | undefined
  readonly contentType: string | undefined
  /** Fails where there is too much of it. */
  readonly body: () => Effect.Effect<Uint8Array, ValidationError>
}

const jsonHeaders = { "content-type": "application/json" }

/** An answer of JSON text. */
export const json = (status: number, body: Answer["body"]): Answer => ({ status, headers: jsonHeaders, body })

/** The same answer with more headers. */
export const withHeaders = (answer: Answer, headers: Answer["headers"]): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers }
})

/** An error in the API's shape. */
export const fromError = (error: ApiError): Answer => {
  const { message, name, statusCode } = error
  const answer = json(statusCode, JSON.stringify({ statusCode, name, message } satisfies ApiErrorEncoded))
  if (statusCode === 401) return withHeaders(answer, { "www-authenticate": "Bearer" })
  return error.retryAfter === undefined
    ? answer
    : withHeaders(answer, { "retry-after": String(Math.ceil(Duration.toSeconds(error.retryAfter))) })
}
