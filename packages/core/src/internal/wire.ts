import * as Duration from "effect/Duration"

const longest = 200

/**
 * The text of an answer that is not what was promised, as one line of at most 200 characters. Of a page of HTML only
 * the words are kept.
 */
export const shorten = (text: string): string => {
  const line = text
    .slice(0, 20 * longest)
    .replace(/<(script|style)\b[^]*?(<\/\1>|$)/gi, " ")
    .replace(/<[^<>]*>/g, " ")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
  const characters = [...line.slice(0, longest + 1)]
  return line.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : line
}

/** The headers of an answer, by lower-case name. */
export interface Headers {
  readonly [name: string]: string | undefined
}

const seconds = (text: string): number | undefined => /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined

/**
 * How long an answer asks to wait: `retry-after` in seconds or as a date, else, on a 429, `ratelimit-reset`.
 *
 * A date is compared with the answer's own `date` where it has one, so that a clock that is off does no harm.
 */
export const waitFromHeaders = (status: number, headers: Headers, now: number): Duration.Duration | undefined => {
  const after = headers["retry-after"]
  if (after !== undefined) {
    const delay = seconds(after) ?? (Date.parse(after) - (Date.parse(headers["date"] ?? "") || now)) / 1000
    if (Number.isFinite(delay)) return Duration.millis(Math.ceil(Math.max(0, delay) * 1000))
  }
  const reset = status === 429 ? seconds(headers["ratelimit-reset"] ?? "") : undefined
  return reset === undefined ? undefined : Duration.seconds(reset)
}
