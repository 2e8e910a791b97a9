/** What each record of the input is: a contact, a line that is refused, or nothing that counts. */
import type { SegmentId } from "@mailstream/core/Segment"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Predicate from "effect/Predicate"
import * as Csv from "../output/Csv.ts"
import type { Used } from "./Account.ts"
import * as Cells from "./Cells.ts"
import * as Columns from "./Columns.ts"
import * as Records from "./Records.ts"
import type { Input, Original, Refusal } from "./Refusal.ts"
import * as Row from "./Row.ts"

export interface Options extends Columns.Options {
  readonly input: Input
  /** Undefined if the header decides. */
  readonly separator: Cells.Separator | undefined
  /** The segments that every contact joins. */
  readonly segment: ReadonlyArray<SegmentId>
}

/** What a record is. `Nothing` is a header, or a blank line. `Unreadable` ends the import. */
export type Read =
  | {
    readonly _tag: "Contact"
    readonly contact: Row.Contact
    readonly cells: ReadonlyArray<Row.Cell>
    readonly original: Original
  }
  | { readonly _tag: "Refused"; readonly refusal: Refusal }
  | { readonly _tag: "Nothing" }
  | { readonly _tag: "Unreadable"; readonly problem: string }

/** What a record is that holds nothing to use. */
export type Unusable = Exclude<Read, { readonly _tag: "Contact" }>

/** What is known of the columns once the first record has been read. */
export interface Layout {
  readonly header: ReadonlyArray<string>
  readonly separator: Cells.Separator
  readonly targets: ReadonlyArray<Columns.Target>
}

export interface Reader {
  readonly splitter: Records.Splitter
  /** The columns of CSV, as soon as they are known. */
  readonly header: () => ReadonlyArray<string>
  /** Whether a record of NDJSON, or the header of CSV, has been read. */
  readonly hasBegun: () => boolean
  /** The properties that the columns stand for, as far as they are known. */
  readonly properties: () => ReadonlyArray<Used>
  readonly read: (record: Records.Record) => Read
}

export const nothing: Unusable = { _tag: "Nothing" }

export const unreadable = (problem: string): Unusable => ({ _tag: "Unreadable", problem })

export const notText = "not UTF-8; save the file as UTF-8"

const lenient = new TextDecoder()

/** As much of a record as helps to find it. */
const beginning = ({ raw }: Records.Record): string => lenient.decode(raw.subarray(0, 200))

export const refused = ({ line }: Pick<Records.Record, "line">, reason: string, original: Original): Unusable => ({
  _tag: "Refused",
  refusal: { line, reason, original }
})

export const tooLong = (record: Records.Record): Unusable =>
  refused(record, `the line has ${record.size} bytes; at most ${Records.limit} are read`, beginning(record))

const decided = (
  record: Records.Record,
  cells: ReadonlyArray<Row.Cell>,
  { segment }: Options,
  original: Original
): Read =>
  Either.match(Row.make(cells, segment), {
    onLeft: (reason) => refused(record, reason, original),
    onRight: (contact) => ({ _tag: "Contact", contact, cells, original })
  })

/** The columns that the header of a CSV file names. */
export const layoutOf = (text: string, options: Options): Either.Either<Layout, string> => {
  const separator = options.separator ?? Cells.separatorOf(text)
  const { cells, problem } = Cells.parse(text, separator)
  if (problem !== undefined) return Either.left(`the header cannot be read: ${problem}`)
  const header = cells.map((name) => name.trim())
  return Either.map(Columns.assign(header, options), (targets) => ({ header, separator, targets }))
}

/** The cells of a record of CSV after the header, as many as it has columns. */
export const cellsOf = (
  record: Records.Record,
  { header, separator }: Pick<Layout, "header" | "separator">
): Either.Either<ReadonlyArray<string>, Unusable> => {
  const text = Records.textOf(record)
  if (record.size > Records.limit) return Either.left(tooLong(record))
  const { cells: given, problem } = Cells.parse(text ?? lenient.decode(record.raw).trimEnd(), separator)
  // A separator at the end of a line adds an empty cell.
  const excess = given.slice(header.length)
  const isLonger = excess.some((cell) => cell.trim() !== "")
  const shown = isLonger ? given : given.slice(0, header.length)
  const cells = Columns.isOwn(header) ? shown.map(Csv.restored) : shown
  if (text === undefined) return Either.left(refused(record, notText, cells))
  if (problem !== undefined) return Either.left(refused(record, problem, cells))
  if (cells.every((cell) => cell.trim() === "")) return Either.left(nothing)
  return cells.length === header.length
    ? Either.right(cells)
    : Either.left(refused(record, `the line has ${cells.length} cells, the header ${header.length}`, cells))
}

/** A record of CSV after the header. */
export const csvRow = (record: Records.Record, layout: Layout, options: Options): Read => {
  const { header, targets } = layout
  return Either.match(cellsOf(record, layout), {
    onLeft: identity<Read>,
    onRight: (cells) =>
      decided(record, cells.map((cell, index) => [targets[index]!, cell, header[index]!]), options, cells)
  })
}

/** A quoted cell that ends nowhere. */
export const unclosed = ({ line }: Records.Record): Unusable =>
  unreadable(`a quoted cell of the record that begins in line ${line} is not closed within ${Records.limit} bytes`)

const csv = (options: Options): Reader => {
  let layout: Layout | undefined
  const readHeader = (record: Records.Record): Read => {
    const text = Records.textOf(record)
    if (text === undefined) return unreadable(`line ${record.line} is ${notText}`)
    if (text.trim() === "") return nothing
    const found = layoutOf(text, options)
    if (Either.isLeft(found)) return unreadable(found.left)
    layout = found.right
    return nothing
  }
  return {
    splitter: Records.csv(options.separator),
    header: () => layout?.header ?? [],
    hasBegun: () => layout !== undefined,
    properties: () =>
      (layout?.targets ?? []).flatMap((target, index) =>
        target._tag === "Property" ? [{ key: target.key, type: target.type, column: layout?.header[index] }] : []
      ),
    read: (record) =>
      record.isUnclosed
        ? unclosed(record)
        : layout === undefined
        ? readHeader(record)
        : csvRow(record, layout, options)
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The object of a record of NDJSON. */
export const objectOf = (
  record: Records.Record
): Either.Either<{ readonly [field: string]: unknown }, Unusable> => {
  if (record.size > Records.limit) return Either.left(tooLong(record))
  const text = Records.textOf(record)
  if (text === undefined) return Either.left(refused(record, notText, lenient.decode(record.raw).trimEnd()))
  return text.trim() === "" ? Either.left(nothing) : objectIn(record, text)
}

/** The object that a text is as JSON. */
export const objectIn = (
  record: Pick<Records.Record, "line">,
  text: string,
  problem = "the line is not a JSON object"
): Either.Either<{ readonly [field: string]: unknown }, Unusable> => {
  const value = parsed(text)
  return Predicate.isRecord(value) ? Either.right(value) : Either.left(refused(record, problem, text))
}

const ndjson = (options: Options): Reader => {
  let hasBegun = false
  const known = new Map<string, Either.Either<Columns.Target, string>>()
  const targetFor = (name: string) => {
    const found = known.get(name) ?? Columns.targetFor(name, options)
    // As many names as a file can have that was not made to fill the memory.
    if (known.size < 1000) known.set(name, found)
    return found
  }
  const row = (record: Records.Record, object: { readonly [field: string]: unknown }): Read => {
    const targets = Object.keys(object).map(targetFor)
    const unknown = targets.flatMap((target) => Either.isLeft(target) ? [target.left] : [])
    if (unknown.length > 0) {
      const problem = Columns.unknown(unknown, options)
      return hasBegun ? refused(record, problem, object) : unreadable(problem)
    }
    const cells = Object.entries(object).flatMap(([name, value], index): ReadonlyArray<Row.Cell> => {
      const target = targets[index]
      return target !== undefined && Either.isRight(target) ? [[target.right, value, name]] : []
    })
    return decided(record, cells, options, object)
  }
  const read = (record: Records.Record): Read =>
    Either.match(objectOf(record), {
      onLeft: identity<Read>,
      onRight: (object) => {
        const found = row(record, object)
        hasBegun = true
        return found
      }
    })
  return {
    splitter: Records.lines(),
    header: () => [],
    hasBegun: () => hasBegun,
    properties: () => Columns.declared(options),
    read
  }
}

/** Reads the records of an input, which are given in their order. */
export const make = (options: Options): Reader => options.input === "csv" ? csv(options) : ndjson(options)
