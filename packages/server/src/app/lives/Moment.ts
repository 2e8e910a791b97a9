/** Times in objects. */
import { Timestamp, ValidationError } from "@mailstream/core"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"

/** How long a broadcast is queued and a domain is pending, unless somebody looks at it earlier. */
export const patience: Duration.Duration = Duration.seconds(5)

/** The time after that, in milliseconds since the epoch. */
export const soon = (now: number): number => now + Duration.toMillis(patience)

/** How far ahead something can be scheduled. */
const horizon = Duration.toMillis(Duration.days(30))

const units: { readonly [unit: string]: Duration.Duration } = {
  s: Duration.seconds(1),
  m: Duration.minutes(1),
  h: Duration.hours(1),
  d: Duration.days(1)
}

const relative = /^in (\d{1,6}) ?(s|sec|second|m|min|minute|h|hour|d|day)s?$/i

const absolute = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/** The time that a `scheduled_at` means, in milliseconds since the epoch: `2026-11-30T09:00:00Z`, or `in 5 min`. */
export const parse = (text: unknown, now: number): Either.Either<number, ValidationError> => {
  const time = typeof text === "string" ? read(text.trim(), now) : NaN
  if (Number.isNaN(time)) {
    return Either.left(
      ValidationError.because("The `scheduled_at` field must be a time in ISO 8601 format, or such as `in 5 min`.")
    )
  }
  return time > now + horizon
    ? Either.left(ValidationError.because("The `scheduled_at` field must be at most 30 days ahead."))
    : Either.right(time)
}

const read = (text: string, now: number): number => {
  const [, count, unit] = relative.exec(text) ?? []
  if (unit !== undefined) return now + Number(count) * Duration.toMillis(units[unit.charAt(0).toLowerCase()]!)
  // JavaScript wants minutes in an offset, and reads a time without one as local.
  if (!absolute.test(text)) return NaN
  const complete = text.replace(" ", "T").replace(
    /([+-]\d{2})$/,
    (offset) => text.length > 10 ? `${offset}:00` : offset
  )
  return Date.parse(/T.*(?:Z|[+-]\d{2}:?\d{2})$/i.test(complete) || text.length === 10 ? complete : `${complete}Z`)
}

/** A time as objects have it. */
export const format = (millis: number): Timestamp.Timestamp => Timestamp.fromDateTime(DateTime.unsafeMake(millis))
