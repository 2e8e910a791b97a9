/**
 * Error responses: the error that each one represents, and how long it asks to wait.
 *
 * @since 1.0.0
 */
import * as Duration from "effect/Duration"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type ApiError, isNamed, make } from "./ApiError.ts"
import { cut, shorten } from "./internal/text.ts"

/**
 * The parts of a response that its error depends on, besides the body.
 *
 * @since 1.0.0
 * @category models
 */
export interface ErrorResponse {
  readonly status: number
  /** Keyed by lower-case name. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** The current time of the wall clock, in milliseconds. */
  readonly now: number
  /** The request, for errors whose message does not come from the API. The URL has no query. */
  readonly request?: { readonly method: string; readonly url: string } | undefined
}

const Body = Schema.Struct({
  name: Schema.optional(Schema.String),
  message: Schema.optional(Schema.String),
  error: Schema.optional(Schema.String)
})

const parseJson = Schema.decodeOption(Schema.parseJson())

const decodeBody = Schema.decodeUnknownOption(Body)

/** The maximum lengths. Errors end up in logs and spans, and a service may send anything. */
const longest = { name: 200, message: 2000 }

/**
 * The error of a response whose status is not a success, whatever its body is: the API's error shape, other JSON, HTML
 * or nothing. If it is not the API's error shape, something between the client and the API may have responded: then
 * the message says what was requested, and what was found. At most 2,000 characters of a message are kept. If the
 * response asks to wait, the message says for how long. `redact` takes secrets out of its texts.
 *
 * @since 1.0.0
 * @category conversions
 * @example
 * ```ts
 * import { ErrorResponse } from "@mailstream/core"
 *
 * const error = ErrorResponse.toError(
 *   { status: 429, headers: { "retry-after": "2" }, now: 0 },
 *   `{"name":"rate_limit_exceeded","statusCode":429,"message":"Too many requests."}`
 * )
 *
 * error._tag // "rate_limit_exceeded"
 * ```
 */
export const toError = (
  response: ErrorResponse,
  body: string,
  redact: (text: string) => string = identity
): ApiError => {
  const json = parseJson(body)
  const { error, message = error, name }: typeof Body.Type = Option.getOrElse(
    Option.flatMap(json, decodeBody),
    () => ({})
  )
  const text = name !== undefined && message !== undefined
    ? message
    : `${placeOf(response)}: ${message ?? found(response, shorten(redact(body)), Option.isSome(json))}`
  const wait = retryAfter(response)
  return make(name === undefined || isNamed(name) ? name : cut(redact(name), longest.name), {
    statusCode: response.status,
    message: `${cut(redact(text), longest.message)}${
      Option.match(wait, {
        onNone: () => "",
        onSome: (wait) => asked(wait, response.now)
      })
    }`,
    retryAfter: Option.getOrUndefined(wait)
  })
}

/** The last millisecond that a date can hold. */
const lastDate = 8.64e15

/** How long a response asks to wait, in words. For waits over a minute, with the end time. */
const asked = (wait: Duration.Duration, now: number): string => {
  const millis = Duration.toMillis(wait)
  if (millis === 0) return ""
  const end = now + millis
  const until = millis < 60_000 || end > lastDate
    ? ""
    : `, until ${new Date(end).toISOString().slice(0, 16).replace("T", " ")} UTC`
  return ` (The service asks to wait ${Duration.format(wait)}${until}.)`
}

const placeOf = ({ request, status }: ErrorResponse): string =>
  request === undefined ? `status ${status}` : `${request.method} ${request.url}: status ${status}`

/** What a body is that does not have the API's error shape. */
const found = ({ headers, status }: ErrorResponse, text: string, isJson: boolean): string => {
  // Browsers show neither the status nor the address of a redirect.
  const { "content-encoding": encoding, "content-type": type, location = status === 0 ? "another URL" : "" } = headers
  if (status < 400 && location !== "") return `a redirect to ${location}: fix the base URL`
  if (text === "") return "an empty body instead of JSON"
  if (isJson) return `JSON without the name and message of an error: ${text}`
  if (encoding !== undefined && text.includes("\ufffd")) return `not JSON, content-encoding ${shorten(encoding)}`
  return `not JSON${type === undefined ? "" : `, ${shorten(type)}`}: ${text}`
}

/**
 * How long a response asks to wait: `retry-after`, in seconds or as a date, or, on a 429, `ratelimit-reset`.
 *
 * A date is compared with the response's own `date` if it has one, so that a wrong local clock does not matter.
 *
 * @since 1.0.0
 * @category getters
 */
export const retryAfter = ({ headers, now, status }: ErrorResponse): Option.Option<Duration.Duration> => {
  const after = headers["retry-after"]
  if (after !== undefined) {
    const delay = seconds(after) ?? (date(after) - (date(headers["date"] ?? "") || now)) / 1000
    if (Number.isFinite(delay)) return Option.some(Duration.millis(Math.ceil(Math.max(0, delay) * 1000)))
  }
  const reset = status === 429 ? seconds(headers["ratelimit-reset"] ?? "") : undefined
  return Option.map(Option.fromNullable(reset), Duration.seconds)
}

/** HTTP dates begin with the name of a day; `Date.parse` alone would read a plain number as a year. */
const date = (text: string): number => /^\s*[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN

const seconds = (text: string): number | undefined => /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
