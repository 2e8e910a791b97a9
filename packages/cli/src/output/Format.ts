/**
 * The output formats. Each is made of a few pieces of text, so that items can be written as they arrive.
 *
 * @since 1.0.0
 */
import type { Target } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Csv from "./Csv.ts"
import * as Fields from "./Fields.ts"
import * as Table from "./Table.ts"

/**
 * @since 1.0.0
 * @category models
 */
export type Format = "table" | "ndjson" | "csv" | "json"

/**
 * @since 1.0.0
 * @category models
 */
export const all: readonly [Format, Format, Format, Format] = ["table", "ndjson", "csv", "json"]

/**
 * @since 1.0.0
 * @category models
 */
export interface Formatter {
  /** What comes before the first item. */
  readonly begin: string
  /** A batch of items. `isFirst` if no item has been written before. */
  readonly items: (items: ReadonlyArray<object>, isFirst: boolean) => string
  /** What comes after the last item. */
  readonly end: string
  /** The fields that a table has no room for. They are known once the first items have been written. */
  readonly hidden: () => ReadonlyArray<string>
}

/**
 * A file or a pipe: no window, no colors.
 *
 * @since 1.0.0
 * @category constructors
 */
export const noTerminal: Target = { isTerminal: false, columns: 0, hasColors: false }

/**
 * The format that is used unless one is given: a table on a terminal, otherwise ndjson.
 *
 * @since 1.0.0
 * @category getters
 */
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
 *
 * @since 1.0.0
 * @category getters
 */
export const ofFile = (file: string): Format | undefined => {
  const [, extension] = /[^/\\]\.([a-z][a-z0-9]*)$/i.exec(file) ?? []
  return extension === undefined ? "ndjson" : extensions[extension.toLowerCase()]
}

/**
 * Without a format, the fallback is used.
 *
 * @since 1.0.0
 * @category constructors
 */
export const make = (format: Format | undefined, fields: Fields.Fields, target: Target): Formatter => {
  switch (format ?? fallback(target)) {
    case "ndjson":
      return ndjson(fields)
    case "json":
      return json(fields)
    case "csv":
      return csv(fields, target)
    case "table":
      return table(fields, target)
  }
}

const nothing = (): ReadonlyArray<string> => []

/** An item as JSON: with every field that the service sent, or with those that are chosen. */
const asJson = (fields: Fields.Fields): (item: object) => string => {
  if (fields.chosen === undefined) return Text.json
  const pick = Fields.pick(fields, fields.chosen)
  return (item) => Text.json(Object.fromEntries(pick(item)))
}

/** One item per line. */
const ndjson = (fields: Fields.Fields): Formatter => {
  const text = asJson(fields)
  return { begin: "", items: (items) => items.map((item) => `${text(item)}\n`).join(""), end: "", hidden: nothing }
}

/** One array, one item per line. */
const json = (fields: Fields.Fields): Formatter => {
  const text = asJson(fields)
  return {
    begin: "[",
    items: (items, isFirst) =>
      items.map((item, index) => `${isFirst && index === 0 ? "\n" : ",\n"}${text(item)}`).join(""),
    end: "\n]\n",
    hidden: nothing
  }
}

const csv = (fields: Fields.Fields, target: Target): Formatter => {
  const names = fields.chosen ?? [...fields.known, Fields.others]
  const pick = Fields.pick(fields, names)
  // In a file, a control character is part of the value; on a terminal it could do anything.
  const shown = (value: unknown) => target.isTerminal && typeof value === "string" ? Text.printable(value) : value
  return {
    begin: Csv.line(names),
    items: (items) => items.map((item) => Csv.line(pick(item).map(([, value]) => shown(value)))).join(""),
    end: "",
    hidden: nothing
  }
}

const table = (fields: Fields.Fields, target: Target): Formatter => {
  const names = fields.chosen ?? fields.known
  const pick = Fields.pick(fields, names)
  const window = target.isTerminal ? target.columns : undefined
  let layout: Table.Layout | undefined
  return {
    begin: "",
    items: (items) => {
      if (items.length === 0) return ""
      const rows = items.map((item) => Object.fromEntries(pick(item)))
      const header = layout === undefined
      layout ??= fields.chosen === undefined ? Table.layout(names, rows, window) : Table.complete(names, rows, window)
      return (header ? headerOf(layout, target) : "") + rows.map(Table.row(layout)).join("")
    },
    end: "",
    hidden: () => layout?.hidden ?? []
  }
}

/**
 * The header of a table, bold where there are colors.
 *
 * @since 1.0.0
 * @category conversions
 */
export const headerOf = (layout: Table.Layout, { hasColors }: Target): string => {
  const text = Table.header(layout)
  return hasColors ? `${Text.bold(text.trimEnd())}\n` : text
}
