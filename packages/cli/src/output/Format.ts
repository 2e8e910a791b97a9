/**
 * The output formats, and the fields of items that they print. Each is made of a few pieces of text, so that items can be written as they arrive.
 */
import { identity } from "effect/Function"
import * as SchemaAST from "effect/SchemaAST"
import type { Target } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Csv from "./Csv.ts"
import * as Table from "./Table.ts"

/** The name for all fields of an item that its schema does not know, as one object. */
export const otherFields = "other_fields"

/** The fields of a schema, in order. */
export const fieldsOf = ({ ast }: { readonly ast: SchemaAST.AST }): ReadonlyArray<string> =>
  SchemaAST.getPropertySignatures(ast).map(({ name }) => String(name))

/** The fields of a schema that are true or false. */
export const flagsOf = ({ ast }: { readonly ast: SchemaAST.AST }): ReadonlyArray<string> =>
  SchemaAST.getPropertySignatures(ast)
    .filter(({ type }) => SchemaAST.isBooleanKeyword(SchemaAST.encodedAST(type)))
    .map(({ name }) => String(name))

/** Which fields of items are printed. */
export interface Fields {
  /** Those that the schema knows. */
  readonly known: ReadonlyArray<string>
  /**
   * Those that are true or false, if the items come from a list: then a table has the columns that fit into the window,
   * whatever they hold. Otherwise, the first items decide.
   */
  readonly flags?: ReadonlyArray<string> | undefined
  /** The most important ones first: a table keeps these when it has no room for all. */
  readonly order?: ReadonlyArray<string> | undefined
  /** Those that the user wants, in this order. Default: all. */
  readonly chosen?: ReadonlyArray<string> | undefined
}

/** Picks fields from an item, as pairs of a name and a value, which is undefined if the item does not have the field. */
const pickFrom = (
  { known }: Fields,
  wanted: ReadonlyArray<string>
): (item: object) => ReadonlyArray<readonly [name: string, value: unknown]> => {
  const isKnown = new Set(known)
  return (item) => {
    const entries = Object.entries(item)
    const values = new Map<string, unknown>(entries)
    const unknown = wanted.includes(otherFields) ? entries.filter(([field]) => !isKnown.has(field)) : []
    if (unknown.length > 0 && !isKnown.has(otherFields)) values.set(otherFields, Object.fromEntries(unknown))
    return wanted.map((field) => [field, values.get(field)])
  }
}

export type Format = "table" | "ndjson" | "csv" | "json"

export const all: readonly [Format, Format, Format, Format] = ["table", "ndjson", "csv", "json"]

export interface Formatter {
  /** What comes before the first item. */
  readonly begin: string
  /** A batch of items. `isFirst` if no item has been written before. */
  readonly items: (items: ReadonlyArray<object>, isFirst: boolean) => string
  /** What comes after the last item. */
  readonly end: string
  /** The fields that a table has no room for. They are known once the first items have been written. */
  readonly hidden?: () => ReadonlyArray<string>
}

/** A file or a pipe: no window, no colors. */
export const noTerminal: Target = { isTerminal: false, columns: 0, hasColors: false }

/** The format that is used unless one is given: a table on a terminal, otherwise ndjson. */
export const fallback = (target: Target): Format => target.isTerminal ? "table" : "ndjson"

const extensions: { readonly [extension: string]: Format } = {
  csv: "csv",
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  txt: "ndjson",
  log: "ndjson"
}

/**
 * The format for the name of a file: ndjson if it has no extension, undefined if its extension is not that of a format.
 */
export const ofFile = (file: string): Format | undefined => {
  const [, extension] = /[^/\\]\.([a-z][a-z0-9]*)$/i.exec(file) ?? []
  return extension === undefined ? "ndjson" : extensions[extension.toLowerCase()]
}

/** Whether the name of a file promises another format. */
export const contradicts = (file: string, format: Format): boolean =>
  /\.(csv|json|ndjson|jsonl)$/i.test(file) && ofFile(file) !== format

/** Without a format, the fallback is used. */
export const make = (format: Format | undefined, fields: Fields, target: Target): Formatter => {
  switch (format ?? fallback(target)) {
    case "ndjson":
      return json(fields, { begin: "", before: () => "", after: "\n", end: "" })
    case "json":
      return json(fields, { begin: "[", before: (isFirst) => isFirst ? "\n" : ",\n", after: "", end: "\n]\n" })
    case "csv":
      return csv(fields, target)
    case "table":
      return table(fields, target)
  }
}

/** One item per line: with every field that the service sent, or with those that are chosen. */
const json = (fields: Fields, { after, before, begin, end }: {
  readonly begin: string
  readonly before: (isFirst: boolean) => string
  readonly after: string
  readonly end: string
}): Formatter => {
  const pick = fields.chosen === undefined ? undefined : pickFrom(fields, fields.chosen)
  const text = (item: object) => Text.json(pick === undefined ? item : Object.fromEntries(pick(item)))
  return {
    begin,
    items: (items, isFirst) =>
      items.map((item, index) => `${before(isFirst && index === 0)}${text(item)}${after}`).join(""),
    end
  }
}

/**
 * - The columns are the fields of the list's schema, in order, unless others are chosen. A field that is absent or
 *   `null` is an empty cell; a nested value is JSON.
 * - Unknown fields are kept in the last column, `other_fields`, as one JSON object: the header is written before any of
 *   them has been seen.
 */
const csv = (fields: Fields, target: Target): Formatter => {
  const names = fields.chosen ?? [...fields.known, otherFields]
  const pick = pickFrom(fields, names)
  const shown = (value: unknown) => target.isTerminal && typeof value === "string" ? Text.printable(value) : value
  return {
    begin: Csv.line(names),
    items: (items) => items.map((item) => Csv.line(pick(item).map(([, value]) => shown(value)))).join(""),
    end: ""
  }
}

const table = (fields: Fields, target: Target): Formatter => {
  const { chosen, flags, known, order } = fields
  const names = chosen ?? idFirst(known)
  const pick = pickFrom(fields, names)
  const rowsOf = (items: ReadonlyArray<object>) => items.map((item) => Object.fromEntries(pick(item)))
  const window = target.isTerminal ? target.columns : undefined
  const isList = chosen === undefined && flags !== undefined && window !== undefined
  const only = isList ? Table.fitting(known, flags, window, order) : chosen
  if (isList && only === undefined) return vertical(names, window, rowsOf)
  let formatter: Formatter | undefined
  return {
    begin: "",
    items: (items, isFirst) => {
      if (items.length === 0) return ""
      const rows = rowsOf(items)
      if (formatter !== undefined) return formatter.items(rows, isFirst)
      const layout = Table.layout(names, rows, { window, only, order })
      const hasRoom = window === undefined || window >= Table.narrow || chosen !== undefined
      formatter = hasRoom || layout.hidden.length === 0 ? horizontal(layout) : vertical(names, window)
      return (formatter.hidden === undefined ? "" : headerOf(layout, target)) + formatter.items(rows, isFirst)
    },
    end: "",
    hidden: () => formatter?.hidden?.() ?? []
  }
}

/** What is known by an id begins with it, whatever the order of its fields. */
export const idFirst = (fields: ReadonlyArray<string>): ReadonlyArray<string> =>
  fields.includes("id") ? ["id", ...fields.filter((field) => field !== "id")] : fields

/** A line for each item. The header comes before the first one. */
const horizontal = (layout: Table.Layout): Formatter => ({
  begin: "",
  items: (rows) => rows.map(Table.row(layout)).join(""),
  end: "",
  hidden: () => layout.hidden
})

/** A line for each field, and an empty one between items. */
export const vertical = (
  fields: ReadonlyArray<string>,
  window: number,
  rowsOf: (items: ReadonlyArray<object>) => ReadonlyArray<object> = identity
): Formatter => {
  const lines = Table.lines(fields, window)
  return { begin: "", items: (items) => rowsOf(items).map((item) => `${lines(item)}\n`).join(""), end: "" }
}

/** The header of a table, bold where there are colors. */
export const headerOf = (layout: Table.Layout, target: Target): string =>
  `${Text.styled(target, "bold", Table.header(layout).trimEnd())}\n`
