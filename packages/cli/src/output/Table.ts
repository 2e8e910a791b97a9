/**
 * Tables for a terminal: aligned, one line per item, and not wider than the window, unless an id is.
 *
 * The first items decide the layout, so that rows can be printed as they arrive.
 */
import * as Text from "../terminal/Text.ts"

interface Column {
  readonly field: string
  readonly width: number
  /** Whether cells are cut to the width of the column. */
  readonly isCut: boolean
}

export interface Layout {
  readonly columns: ReadonlyArray<Column>
  /** The fields that there is no room for. */
  readonly hidden: ReadonlyArray<string>
}

const gap = 2

/** A label, which names an item, keeps at least this width. */
const leastLabel = 30

/** A column that would be cut to less than this is left out. */
const leastOther = 16

/** Half an id is of no use. */
const isId = (field: string): boolean => field === "id" || field.endsWith("_id")

interface Measured {
  readonly field: string
  readonly width: number
  /** The least width that it can be cut to. */
  readonly least: number
  /** The lower, the longer it is kept. */
  readonly rank: number
}

/** The rank of a field without content. */
const empty = 5

/** The first two fields are what an item is; flags take little room; times are rarely what users look for. */
const rankOf = (field: string, index: number, values: ReadonlyArray<unknown>, content: number): number => {
  if (index === 0) return 0
  if (content === 0) return empty
  if (index === 1) return 1
  if (values.every((value) => typeof value === "boolean")) return 2
  return field.endsWith("_at") ? 4 : 3
}

/** The text of a cell. */
const cell = (value: unknown): string => {
  if (value === undefined || value === null) return ""
  if (typeof value === "string") return Text.printable(value)
  return Array.isArray(value) && value.every((element) => typeof element === "string")
    ? Text.printable(value.join(", "))
    : Text.json(value)
}

const valueOf = (item: object, field: string): unknown => Object.hasOwn(item, field) ? Reflect.get(item, field) : ""

/** The columns as they are without a limit. */
const measure = (fields: ReadonlyArray<string>, first: ReadonlyArray<object>): ReadonlyArray<Measured> =>
  fields.map((field, index) => {
    const values = first.map((item) => valueOf(item, field))
    const content = values.reduce<number>((most, value) => Math.max(most, Text.width(cell(value))), 0)
    const width = Math.max(content, Text.width(field))
    const least = isId(field) ? width : Math.min(width, index <= 1 ? leastLabel : leastOther)
    return { field, width, least, rank: rankOf(field, index, values, content) }
  })

/**
 * The layout for the first items, in a window of `window` columns. Ids are complete.
 *
 * If not all fields fit, those without content are left out, then times, then the last ones that have no room; the remaining
 * columns are cut evenly, and so are later items that are longer. With `all`, as for fields that the user has chosen, none is
 * left out, even if lines become longer than the window.
 */
export const layout = (
  fields: ReadonlyArray<string>,
  first: ReadonlyArray<object>,
  { all = false, window = Infinity }: { readonly all?: boolean; readonly window?: number | undefined } = {}
): Layout => {
  const measured = measure(fields, first)
  const kept = all || fits(measured.map(({ width }) => width), window) ? measured : fitting(measured, window)
  const ids = kept.filter(({ field }) => isId(field))
  const room = ids.reduce((left, { width }) => left - width, window - gap * (kept.length - 1))
  const most = evenly(kept.filter(({ field }) => !isId(field)).map(({ width }) => width), room)
  return {
    columns: kept.map(({ field, width }) =>
      isId(field)
        ? { field, width, isCut: false }
        : { field, width: Math.min(width, most), isCut: window !== Infinity }
    ),
    hidden: measured.filter((column) => !kept.includes(column)).map(({ field }) => field)
  }
}

/** The columns that there is room for, the most important ones first. */
const fitting = (measured: ReadonlyArray<Measured>, window: number): ReadonlyArray<Measured> => {
  const kept = measured.filter(({ rank }) => rank < empty).sort((a, b) => a.rank - b.rank).reduce<
    ReadonlyArray<Measured>
  >(
    (kept, column) =>
      kept.length === 0 || fits([...kept, column].map(({ least }) => least), window) ? [...kept, column] : kept,
    []
  )
  return measured.filter((column) => kept.includes(column))
}

const fits = (widths: ReadonlyArray<number>, window: number): boolean =>
  widths.reduce((sum, width) => sum + width, gap * (widths.length - 1)) <= window

/** The largest width limit under which all columns fit together. */
const evenly = (widths: ReadonlyArray<number>, room: number): number => {
  let left = room
  const sorted = [...widths].sort((a, b) => a - b)
  for (const [index, width] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - index))
    if (width > share) return Math.max(1, share)
    left -= width
  }
  return Infinity
}

/** One line, with its line break. */
const line = ({ columns }: Layout, textOf: (field: string) => string): string => {
  const cells = columns.map(({ field, isCut, width }, index) => {
    const text = textOf(field)
    const shown = isCut ? Text.truncate(text, width) : text
    return index === columns.length - 1 ? shown : Text.pad(shown, width)
  })
  return `${cells.join(" ".repeat(gap)).trimEnd()}\n`
}

/** The header line. */
export const header = (layout: Layout): string => line(layout, (field) => field)

/** The line of one item. */
export const row = (layout: Layout) => (item: object): string => line(layout, (field) => cell(valueOf(item, field)))
