/**
 * Points in time, as the API formats them.
 *
 * The API uses two forms, `2025-11-30 20:41:40.84216+00` (trailing zeros of the fraction dropped) and ISO
 * `2026-10-09T14:37:40.951Z`. A `Timestamp` is that text, validated and unchanged: microseconds, which a JavaScript
 * date would lose, survive a round trip.
 *
 * @since 1.0.0
 */
import type * as Brand from "effect/Brand"
import * as DateTime from "effect/DateTime"
import type * as Equivalence_ from "effect/Equivalence"
import * as Order_ from "effect/Order"
import * as Schema from "effect/Schema"
import * as Checks from "./internal/checks.ts"

/**
 * @since 1.0.0
 * @category models
 */
export type Timestamp = string & Brand.Brand<"Timestamp">

// Checks all but whether there is a February 29. Without groups, and with the year's digits written out, it is twice as fast.
const pattern =
  /^\d\d\d\d-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|[12]\d))[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** Every item has a timestamp, so this parses no more than it must. */
const isTimestamp = (text: string): boolean =>
  pattern.test(text) && (!text.startsWith("02-29", 5) || isLeap(+text.slice(0, 4)))

interface Instant {
  readonly seconds: number
  readonly micros: number
}

/** What follows the seconds: the fraction, and the offset with its sign. */
const tail = /(?:\.(\d+))?(?:Z|([+-])(\d\d):?(\d\d)?)$/

// Only a cast can get anything else here.
const instant = (self: Timestamp): Instant => {
  const [, fraction = "", sign, hours = 0, minutes = 0] = tail.exec(self) ?? []
  const offset = (sign === "-" ? -1 : 1) * (+hours * 3600 + +minutes * 60)
  return {
    seconds: Date.parse(`${self.slice(0, 10)}T${self.slice(11, 19)}Z`) / 1000 - offset,
    micros: +fraction.padEnd(6, "0")
  }
}

/**
 * Accepts both forms that the API uses and keeps the text as it is. Impossible dates are rejected.
 *
 * @since 1.0.0
 * @category schemas
 * @example
 * ```ts
 * import { Timestamp } from "@mailstream/effect4"
 *
 * const timestamp = Timestamp.Timestamp.make("2025-11-30 20:41:40.84216+00")
 *
 * Timestamp.toEpochMicros(timestamp) // 1764535300842160n
 * ```
 */
export const Timestamp: Schema.brand<Schema.String, "Timestamp"> = Schema.String.pipe(
  Checks.filter(isTimestamp, {
    description: "A point in time, as `2025-11-30 20:41:40.84216+00` or `2026-10-09T14:37:40.951Z`"
  }),
  Schema.annotate({ identifier: "Timestamp", title: "Timestamp" }),
  Schema.brand("Timestamp")
)

/**
 * The timestamp of a number of microseconds since 1970, in the form `2025-11-30 20:41:40.84216+00`. The year must have
 * four digits.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromEpochMicros = (micros: bigint): Timestamp => {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const second = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19).replace("T", " ")
  const digits = String(fraction).padStart(6, "0").replace(/0+$/, "")
  return Timestamp.make(`${second}${digits === "" ? "" : `.${digits}`}+00`)
}

/**
 * The timestamp of a `DateTime`, to the millisecond.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromDateTime = (dateTime: DateTime.DateTime): Timestamp =>
  fromEpochMicros(BigInt(DateTime.toEpochMillis(dateTime)) * 1000n)

/**
 * Microseconds since 1970, exactly.
 *
 * @since 1.0.0
 * @category conversions
 */
export const toEpochMicros = (self: Timestamp): bigint => {
  const { micros, seconds } = instant(self)
  return BigInt(seconds) * 1_000_000n + BigInt(micros)
}

/**
 * The `DateTime` of a timestamp. A `DateTime` has millisecond precision: microseconds are truncated.
 *
 * @since 1.0.0
 * @category conversions
 */
export const toDateTime = (self: Timestamp): DateTime.Utc => {
  const { micros, seconds } = instant(self)
  return DateTime.makeUnsafe(seconds * 1000 + Math.floor(micros / 1000))
}

/**
 * Orders by time, in either form.
 *
 * @since 1.0.0
 * @category instances
 */
export const Order: Order_.Order<Timestamp> = /* #__PURE__ */ Order_.mapInput(
  /* #__PURE__ */ Order_.combine<Instant>(
    /* #__PURE__ */ Order_.mapInput(Order_.Number, (instant) => instant.seconds),
    /* #__PURE__ */ Order_.mapInput(Order_.Number, (instant) => instant.micros)
  ),
  instant
)

/**
 * Equal if they are the same point in time, in either form.
 *
 * @since 1.0.0
 * @category instances
 */
export const Equivalence: Equivalence_.Equivalence<Timestamp> = (self, that) => Order(self, that) === 0
