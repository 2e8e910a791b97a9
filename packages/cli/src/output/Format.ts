/**
 * The output formats. Each is made of a few pieces of text, so that items can be written as they arrive.
 *
 * @since 0.1.0
 */
import * as SchemaAST from "effect/SchemaAST"
import type { Target } from "../terminal/Stdio.ts"
import * as Text from "../terminal/Text.ts"
import * as Csv from "./Csv.ts"
import * as Table from "./Table.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Format = "table" | "ndjson" | "csv" | "json"

/**
 * @since 0.1.0
 * @category models
 */
export const all: readonly [Format, Format, Format, Format] = ["table", "ndjson", "csv", "json"]

/**
 * @since 0.1.0
 * @category models
 */
export interface Formatter {
  /** What comes before the first item. */
  readonly begin: string
  /** A batch of items. `isFirst` says that no item has been written before. */
  readonly items: (items: ReadonlyArray<object>, isFirst: boolean) => string
  /** What comes after the last item. */
  readonly end: string
}

/**
 * A file or a pipe: no window, no colors.
 *
 * @since 0.1.0
 * @category constructors
 */
export const noTerminal: Target = { isTerminal: false, columns: 0, hasColors: false }

/**
 * The fields of a schema, in order.
 *
 * @since 0.1.0
 * @category getters
 */
export const fieldsOf = ({ ast }: { readonly ast: SchemaAST.AST }): ReadonlyArray<string> =>
  SchemaAST.getPropertySignatures(ast).map(({ name }) => String(name))

/**
 * The format that is used unless one is given: the one that a file name says, a table on a terminal, otherwise ndjson.
 *
 * @since 0.1.0
 * @category getters
 */
export const fallback = (target: Target, file?: string | undefined): Format => {
  if (file?.endsWith(".csv")) return "csv"
  if (file?.endsWith(".json")) return "json"
  return target.isTerminal ? "table" : "ndjson"
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const make = (format: Format, fields: ReadonlyArray<string>, target: Target): Formatter => {
  switch (format) {
    case "ndjson":
      return ndjson
    case "json":
      return json
    case "csv":
      return csv(fields, target)
    case "table":
      return table(fields, target)
  }
}

/** One item per line, with every field that the service sent. */
const ndjson: Formatter = {
  begin: "",
  items: (items) => items.map((item) => `${Text.json(item)}\n`).join(""),
  end: ""
}

/** One array, one item per line, with every field that the service sent. */
const json: Formatter = {
  begin: "[",
  items: (items, isFirst) =>
    items.map((item, index) => `${isFirst && index === 0 ? "\n" : ",\n"}${Text.json(item)}`).join(""),
  end: "\n]\n"
}

const csv = (fields: ReadonlyArray<string>, target: Target): Formatter => {
  const valuesOf = Csv.valuesOf(fields)
  // In a file, a control character is part of the value; on a terminal it could do anything.
  const shown = (value: unknown) => target.isTerminal && typeof value === "string" ? Text.printable(value) : value
  return {
    begin: Csv.line([...fields, Csv.otherFields]),
    items: (items) => items.map((item) => Csv.line(valuesOf(item).map(shown))).join(""),
    end: ""
  }
}

const table = (fields: ReadonlyArray<string>, target: Target): Formatter => {
  let layout: Table.Layout | undefined
  const header = (layout: Table.Layout): string => {
    const text = Table.header(layout)
    return target.hasColors ? `${Text.bold(text.trimEnd())}\n` : text
  }
  return {
    begin: "",
    items: (items) => {
      if (items.length === 0) return ""
      if (layout !== undefined) return rows(layout, items)
      layout = Table.layout(fields, items, target.isTerminal ? target.columns : undefined)
      return header(layout) + rows(layout, items)
    },
    end: ""
  }
}

const rows = (layout: Table.Layout, items: ReadonlyArray<object>): string =>
  items.map((item) => Table.row(layout, item)).join("")
