/**
 * Error responses: the error that each one represents, and how long it asks to wait.
 *
 * Translated from core by `npm run generate`.
 *
 * @since 1.0.0
 */
import * as Duration from "effect/Duration"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { type ApiError, isNamed, make } from "./ApiError.ts"
import { line, type Redact, shorten } from "./internal/text.ts"

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
  /** The request, for the message. The URL has no query. */
  readonly request?: { readonly method: string; readonly url: string } | undefined
  /** Why the body could not be read, if it could not. */
  readonly problem?: string | undefined
}

/** A text in a body, if there is one. */
const textIn = (body: unknown, name: string): string | undefined =>
  Predicate.hasProperty(body, name) && Predicate.isString(body[name]) ? body[name] : undefined

/**
 * The error of a response whose status is not a success, whatever its body is: the API's error shape, other JSON, HTML
 * or nothing. The message is one line that begins with the request, because a wrong base URL shows there. If the body is
 * not the API's error shape, something between the client and the API may have responded: then the message says what was
 * found. At most 2,000 characters of the API's message are kept. If the response asks to wait, the message says for how
 * long, and until when. `redact` takes secrets out of everything that the response says.
 *
 * @since 1.0.0
 * @category conversions
 * @example
 * ```ts
 * import { ErrorResponse } from "@mailstream/effect4"
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
  const { now, request, status } = response
  const json = Option.liftThrowable((): unknown => JSON.parse(body))()
  const content = Option.getOrUndefined(json)
  const name = textIn(content, "name")
  const message = textIn(content, "message") ?? textIn(content, "error")
  const wait = Option.getOrUndefined(retryAfter(response))
  return make(name === undefined || isNamed(name) ? name : line(name, redact, 200), {
    ...request,
    statusCode: status,
    message: (request === undefined ? "" : `${request.method} ${request.url}: `) +
      (name === undefined || message === undefined ? `status ${status}: ` : "") +
      (message === undefined ? found(response, body, Option.isSome(json), redact) : line(message, redact, 2000)) +
      (wait === undefined ? "" : asked(Duration.toMillis(wait), now)),
    retryAfter: wait
  })
}

/** How long a response asks to wait, in words. For a minute or more, with the end. */
const asked = (millis: number, now: number): string => {
  if (millis === 0) return ""
  const seconds = Math.ceil(millis / 1000)
  // Whoever comes back in that minute must not be early.
  const end = Math.ceil((now + millis) / 60_000) * 60_000
  const until = seconds < 60
    ? ""
    : `, until ${new Date(end).toISOString().slice(0, 16).replace("T", " ")} UTC`
  return ` (The service asks to wait ${Duration.format(Duration.fromInputUnsafe(seconds * 1000))}${until}.)`
}

/** What a body is that does not have the API's error shape. */
const found = (
  { headers, problem, status }: ErrorResponse,
  body: string,
  isJson: boolean,
  redact: Redact
): string => {
  if (problem !== undefined) return problem
  // Browsers show neither the status nor the address of a redirect.
  const { "content-encoding": encoding, "content-type": type, location = status === 0 ? "another URL" : "" } = headers
  if (status < 400 && location !== "") {
    // A password or a query may be a secret of someone else.
    return `a redirect to ${
      shorten(location.replace(/[?#].*/, "").replace(/\/\/[^/]*@/, "//"), redact)
    }: fix the base URL`
  }
  const text = shorten(body, redact)
  if (text === "") return "an empty body instead of JSON"
  if (isJson) return `JSON without the name and message of an error: ${text}`
  if (encoding !== undefined && text.includes("\ufffd")) {
    return `not JSON, content-encoding ${shorten(encoding, redact)}`
  }
  return `not JSON${type === undefined ? "" : `, ${shorten(type, redact)}`}: ${text}`
}

/**
 * How long a response asks to wait: `retry-after`, in seconds or as a date, or, on a 429, `ratelimit-reset`.
 *
 * Whatever a response says, that is a year at most: more is a mistake, and can be neither waited for nor written as a date.
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
    if (Number.isFinite(delay)) return Option.some(waitOf(delay))
  }
  const reset = status === 429 ? seconds(headers["ratelimit-reset"] ?? "") : undefined
  return Option.map(Option.fromNullishOr(reset), waitOf)
}

/** A year at most, and not negative. */
const waitOf = (seconds: number): Duration.Duration =>
  Duration.millis(Math.ceil(Math.max(0, Math.min(seconds, 31_622_400)) * 1000))

/** HTTP dates begin with the name of a day; `Date.parse` alone would read a plain number as a year. */
const date = (text: string): number => /^\s*[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN

const seconds = (text: string): number | undefined => /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
