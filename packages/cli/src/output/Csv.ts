/**
 * CSV as in RFC 4180, safe to open in a spreadsheet.
 *
 * A spreadsheet splits lines at the separator of its country, which may be a semicolon or a tab, and then quotes mean nothing
 * to it unless they begin what it takes for a cell: `1,"Bob;=1+1;"` has the cell `=1+1`. So no separator in a text, and no
 * line break, may be followed by the beginning of a formula, quoted or not.
 */
import * as Text from "../terminal/Text.ts"

/** Where a cell may begin: at the beginning of a text, and after what may separate cells or lines. */
const boundary = String.raw`(?:^|[;|\t\n\r\u2028\u2029])`

/** What spreadsheets may ignore at the beginning of a cell: spaces, quotes, marks, and what cannot be seen. */
const ignored = String.raw`[\s"\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*`

/** What starts a formula, in full width and small forms, too. */
const formula = String.raw`[=+\-@＝＋－＠﹦﹢﹣﹫−]`

/** An apostrophe that is already there gets a second one, so that it is known which were added. */
const starts = new RegExp(`(${boundary}${ignored})(?='*${formula})`, "gu")

/** One apostrophe in front of every formula that the text could start. */
const defused = (text: string): string => text.replace(starts, "$1'")

const added = new RegExp(`(${boundary}${ignored})'(?='*${formula})`, "gu")

/** The text of a cell that this program has written: without the apostrophes that were added. */
export const restored = (text: string): string => text.replace(added, "$1")

/** As `starts`, within the text of a JSON value, where the formula can be escaped. */
const inJson = new RegExp(`((?:^|[;|])${ignored})(${formula})`, "gu")

const quote = (text: string): string => /[",;|\t\n\r]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text

/** A text without control characters, except for line breaks and tabs: no program expects others in CSV. */
const visible = (text: string): string => text.replace(/[^\P{Cc}\t\n\r]/gu, Text.escaped)

/**
 * One cell, quoted only if necessary. A text gets an apostrophe in front of every formula that it could start: `=1+1` becomes
 * `'=1+1`. Numbers and booleans cannot start one, and JSON has an escape.
 */
export const cell = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      return quote(defused(visible(value)))
    case "number":
    case "boolean":
      return String(value)
    default:
      return value === undefined || value === null
        ? ""
        : quote(Text.json(value).replace(inJson, (_, before: string, start: string) => before + Text.escaped(start)))
  }
}

/** A line. Where commas do not separate cells, `-1,5` is the beginning of one cell, and may start a formula. */
export const line = (values: ReadonlyArray<unknown>): string =>
  `${
    values.map((value, index) => cell(index === 0 && typeof value === "number" ? String(value) : value)).join(",")
  }\r\n`
