/** What each record of the input is: an email, a line that is refused, or nothing that counts. */
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Cells from "../import/Cells.ts"
import * as Reading from "../import/Reading.ts"
import * as Records from "../import/Records.ts"
import type { Original } from "../import/Refusal.ts"
import * as Columns from "./Columns.ts"
import * as Elements from "./Elements.ts"
import * as Row from "./Row.ts"

export type Input = "csv" | "ndjson" | "json"

export interface Options {
  readonly input: Input
  /** Undefined if the header decides. */
  readonly separator: Cells.Separator | undefined
  readonly ignoreOtherColumns: boolean
  /** The fields of emails that do not have them. */
  readonly defaults: Row.Fields
}

/** What a record is. `Nothing` is a header, or a blank line. `Unreadable` ends the work. */
export type Read =
  | { readonly _tag: "Email"; readonly email: Row.Email; readonly original: Original; readonly line: number }
  | Reading.Unusable

export interface Reader {
  readonly splitter: Records.Splitter
  /** The columns of CSV, as soon as they are known. */
  readonly header: () => ReadonlyArray<string>
  /** Whether the header of CSV, or a record of another format, has been read. */
  readonly hasBegun: () => boolean
  readonly read: (record: Records.Record) => Read
}

const decided = (
  line: number,
  original: Original,
  given: Either.Either<Row.Given, string>,
  { defaults }: Options
): Read =>
  Either.match(Either.flatMap(given, (given) => Row.make(given, defaults)), {
    onLeft: (reason): Read => Reading.refused({ line }, reason, original),
    onRight: (email) => ({ _tag: "Email", email, original, line })
  })

const csv = (options: Options): Reader => {
  let layout: { readonly header: ReadonlyArray<string>; readonly separator: Cells.Separator } | undefined
  let columns: ReadonlyArray<Columns.Column> = []
  const readHeader = (record: Records.Record): Read => {
    const text = Records.textOf(record)
    if (text === undefined) return Reading.unreadable(`line ${record.line} is ${Reading.notText}`)
    if (text.trim() === "") return Reading.nothing
    const separator = options.separator ?? Cells.separatorOf(text)
    const { cells, problem } = Cells.parse(text, separator)
    if (problem !== undefined) return Reading.unreadable(`the header cannot be read: ${problem}`)
    const header = cells.map((name) => name.trim())
    const found = Columns.assign(header, options)
    if (Either.isLeft(found)) return Reading.unreadable(found.left)
    columns = found.right
    layout = { header, separator }
    return Reading.nothing
  }
  return {
    splitter: Records.csv(options.separator),
    header: () => layout?.header ?? [],
    hasBegun: () => layout !== undefined,
    read: (record) => {
      if (record.isUnclosed) return Reading.unclosed(record)
      return layout === undefined ? readHeader(record) : Either.match(Reading.cellsOf(record, layout), {
        onLeft: identity<Read>,
        onRight: (cells) => decided(record.line, cells, Columns.fieldsOf(columns, cells), options)
      })
    }
  }
}

const ndjson = (options: Options): Reader => {
  let hasBegun = false
  return {
    splitter: Records.lines(),
    header: () => [],
    hasBegun: () => hasBegun,
    read: (record) => {
      hasBegun = true
      return Either.match(Reading.objectOf(record), {
        onLeft: identity<Read>,
        onRight: (object) => decided(record.line, object, Either.right({ fields: object, variables: {} }), options)
      })
    }
  }
}

const notArray = "is not a JSON array of emails; if it has one object per line, add --input ndjson"

const json = (options: Options): Reader => {
  const splitter = Elements.make()
  let hasBegun = false
  return {
    splitter,
    header: () => [],
    hasBegun: () => hasBegun,
    read: (record) => {
      const isFirst = !hasBegun
      hasBegun = true
      if (splitter.isRest(record)) {
        if (record.isUnclosed) return Reading.unreadable(isFirst ? notArray : "ends before its JSON array does")
        return Records.textOf(record)?.trim() === ""
          ? Reading.nothing
          : Reading.unreadable("has more than one JSON array; if it has one object per line, add --input ndjson")
      }
      if (record.size > Records.limit) return Reading.tooLong(record)
      const text = Records.textOf(record)
      if (text === undefined) return Reading.unreadable(`line ${record.line} is ${Reading.notText}`)
      const [, before, element = "", end] = /^(\s*\[)?([^]*)([,\]])$/.exec(text.replace(/^\ufeff/, "")) ?? []
      if (isFirst && before === undefined || end === undefined) return Reading.unreadable(notArray)
      const inside = isFirst ? element : `${before ?? ""}${element}`
      if (inside.trim() === "") {
        return isFirst && end === "]" ? Reading.nothing : Reading.unreadable(`line ${record.line}: an email is missing`)
      }
      const found = `${isFirst ? before : ""}${inside}`
      const line = record.line + (/^[\s[]*/.exec(found)?.[0].split("\n").length ?? 1) - 1
      return Either.match(Reading.objectIn({ line }, inside, "the element is not a JSON object"), {
        onLeft: identity<Read>,
        onRight: (object) => decided(line, object, Either.right({ fields: object, variables: {} }), options)
      })
    }
  }
}

const readers = { csv, ndjson, json }

/** Reads the records of an input, which are given in their order. */
export const make = (options: Options): Reader => readers[options.input](options)
