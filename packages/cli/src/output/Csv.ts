/**
 * CSV as in RFC 4180: lines end in CR LF, and cells are quoted only if necessary.
 *
 * - The columns are the fields of the list's schema, in order, unless others are chosen. A field that is absent or
 *   `null` is an empty cell; a nested value is JSON.
 * - Unknown fields are kept in the last column, `other_fields`, as one JSON object: the header is written before any of
 *   them has been seen.
 * - Text that a spreadsheet would run as a formula gets an apostrophe in front.
 *
 * @since 1.0.0
 */
import { json } from "../terminal/Text.ts"

/** What starts a formula in a spreadsheet, full-width forms included. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * One cell. Text that could be a formula is defused: `=1+1` becomes `'=1+1`. Numbers and booleans cannot be one.
 *
 * @since 1.0.0
 * @category conversions
 */
export const cell = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      return quote(formula.test(value) ? `'${value}` : value)
    case "number":
    case "boolean":
      return String(value)
    default:
      return value === undefined || value === null ? "" : quote(json(value))
  }
}

const quote = (text: string): string => /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text

/**
 * One line, with its line break.
 *
 * @since 1.0.0
 * @category conversions
 */
export const line = (values: ReadonlyArray<unknown>): string => `${values.map(cell).join(",")}\r\n`
