/** Lines that were refused, as they are written: to be corrected, and imported again. */
import * as Csv from "../output/Csv.ts"
import * as Text from "../terminal/Text.ts"
import { own } from "./Columns.ts"

/** What was found in a line: the cells of CSV, the object of NDJSON, or a text that is neither. */
export type Original = ReadonlyArray<string> | { readonly [field: string]: unknown } | string

export interface Refusal {
  readonly line: number
  readonly reason: string
  readonly original: Original
}

export type Input = "csv" | "ndjson"

const isCells = (original: Original): original is ReadonlyArray<string> => Array.isArray(original)

/** The values in the order of the columns, without those that an earlier import has added. */
const without = (header: ReadonlyArray<string>, values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.filter((_, index) => header[index] !== own.line && header[index] !== own.reason)

/** What the file of refused lines begins with. */
export const begin = (input: Input, header: ReadonlyArray<string>): string =>
  input === "csv" ? Csv.line([own.line, own.reason, ...without(header, header)]) : ""

/** A refused line, with where it was and why it was refused in front. */
export const line = (
  input: Input,
  header: ReadonlyArray<string>,
  { line, original, reason }: Refusal
): string => {
  if (input === "csv") {
    return Csv.line([String(line), reason, ...without(header, isCells(original) ? original : [String(original)])])
  }
  const fields = typeof original === "string" || isCells(original) ? { original } : original
  const { [own.line]: _line, [own.reason]: _reason, ...rest } = fields
  return `${Text.json({ [own.line]: line, [own.reason]: reason, ...rest })}\n`
}

/** Whether a file may be replaced: it holds refused lines, or the beginning of their header, or nothing. */
export const isReplaceable = (input: Input, beginning: string): boolean => {
  const first = input === "csv" ? own.line : `{"${own.line}":`
  return beginning.startsWith(first) || first.startsWith(beginning)
}
