/**
 * CSV by RFC 4180: lines end in CR LF, cells are quoted where they must be.
 *
 * - The columns are the fields that the schema of the list knows, in its order. A field that is absent or `null` is an
 *   empty cell; a nested value is its JSON text.
 * - Fields that the schema does not know are in the last column, `other_fields`, together as one JSON object: the
 *   header is written before it can be known which of them will come, and none of them is lost.
 * - A text that a spreadsheet would run as a formula begins with an apostrophe.
 *
 * @since 0.1.0
 */
import { json } from "../terminal/Text.ts"

/**
 * The last column.
 *
 * @since 0.1.0
 * @category constants
 */
export const otherFields = "other_fields"

/** What spreadsheets take for the beginning of a formula, also in its full-width form. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * One cell. Numbers and booleans cannot be formulas; texts are defused where they could be.
 *
 * @since 0.1.0
 * @category conversions
 * @example
 * ```ts
 * import { Csv } from "@mailstream/cli"
 *
 * Csv.cell("=HYPERLINK(\"https://example.com\")") // "'=HYPERLINK(""https://example.com"")", in quotes
 * ```
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
 * One line, with its end.
 *
 * @since 0.1.0
 * @category conversions
 */
export const line = (values: ReadonlyArray<unknown>): string => `${values.map(cell).join(",")}\r\n`

/**
 * The cells of an item, `other_fields` included.
 *
 * @since 0.1.0
 * @category conversions
 */
export const valuesOf = (fields: ReadonlyArray<string>): (item: object) => ReadonlyArray<unknown> => {
  const known = new Set(fields)
  return (item) => {
    const entries = Object.entries(item)
    const values = new Map(entries)
    const others = entries.filter(([field]) => !known.has(field))
    return [...fields.map((field) => values.get(field)), others.length === 0 ? undefined : Object.fromEntries(others)]
  }
}
