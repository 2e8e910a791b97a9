/** Values as SQLite stores them, and as they are read. */
import type { SQLInputValue } from "node:sqlite"

/**
 * A value that can be bound. The driver would store 1 as 1.0, and some objects as null; and where it ends text at U+0000 when it
 * reads it, text that contains one is refused.
 */
export const bindable = (value: unknown, keepsNul: boolean): SQLInputValue => {
  switch (typeof value) {
    case "number":
      return Number.isSafeInteger(value) ? BigInt(value) : value
    case "string":
      if (!keepsNul && value.includes("\0")) {
        throw new TypeError("A text must not contain U+0000: this runtime would read it back only up to there")
      }
      return value
    case "bigint":
      if (BigInt.asIntN(64, value) !== value) throw new RangeError(`The integer ${value} has more than 64 bits`)
      return value
    case "boolean":
      return BigInt(value)
    default:
      if (value === null || value instanceof Uint8Array) return value
      if (value instanceof ArrayBuffer) return new Uint8Array(value)
      if (value instanceof Date) {
        if (Number.isNaN(value.getTime())) throw new RangeError("An invalid date cannot be bound")
        return bindable(value.getTime(), keepsNul)
      }
      throw new TypeError(
        `A parameter must be null, a number, a bigint, a string, a boolean, a Date or bytes, not ${typeof value}`
      )
  }
}

/** Whether a result could not be read as numbers, because an integer in it is beyond 2^53. */
export const isUnsafeInteger = (error: unknown): boolean =>
  error instanceof RangeError && "code" in error && error.code === "ERR_OUT_OF_RANGE"

/** Converts the safe integers of a row that was read as bigints to numbers. Those beyond 2^53 stay bigints. */
export const narrow = (row: object): void => {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) Object.assign(row, { [name]: Number(value) })
  }
}
