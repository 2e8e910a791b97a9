/**
 * Tables for a terminal: aligned, one line per item, and not wider than the window, unless an id is. In a window that is too
 * narrow for that, an item has a line for each of its fields.
 *
 * Which columns there are depends on the list and the window, not on what the items hold; how wide they are depends on the
 * first items, so that rows can be printed as they arrive. Rows that are complete decide both.
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

/** Half an id is of no use, and neither is half the number of a change. */
const isId = (field: string): boolean => field === "id" || field === "seq" || field.endsWith("_id")

/** Room for the numbers of later changes, which are longer than those of the first ones. */
const leastSeq = 7

/** In a narrower window, there is no room for an id beside what names an item. */
export const narrow = 58

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
const rankOf = (
  field: string,
  index: number,
  { content, order, values }: {
    readonly values: ReadonlyArray<unknown>
    readonly content: number
    readonly order: ReadonlyArray<string>
  }
): number => {
  if (index === 0) return 0
  if (content === 0) return empty
  if (order.includes(field)) return placeIn(order, field)
  if (index === 1) return 1
  if (values.every((value) => typeof value === "boolean")) return 2
  return field.endsWith("_at") ? 4 : 3
}

/** The rank of a field whose importance is known: between those of the first field and of those that are not named. */
const placeIn = (order: ReadonlyArray<string>, field: string): number => 1 + (order.indexOf(field) + 1) / 1000

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
const measure = (
  fields: ReadonlyArray<string>,
  first: ReadonlyArray<object>,
  order: ReadonlyArray<string>
): ReadonlyArray<Measured> =>
  fields.map((field, index) => {
    const values = first.map((item) => valueOf(item, field))
    const content = values.reduce<number>((most, value) => Math.max(most, Text.width(cell(value))), 0)
    const width = Math.max(content, Text.width(field), field === "seq" ? leastSeq : 0)
    const least = isId(field) ? width : Math.min(width, index <= 1 ? leastLabel : leastOther)
    return { field, width, least, rank: rankOf(field, index, { values, content, order }) }
  })

/** What names an item, if it has it. Otherwise, its second field does. */
const labels = ["subject", "email", "name", "filename"]

/** The least width of a column whose items are not known. */
const nominal = { id: 36, label: 20, time: 19, other: 12 }

/**
 * The fields of a list that a window has room for, whatever its items hold: first its id and what names an item, then those in
 * `order`, flags, what else there is, times, and other ids last. A wider window has all that a narrower one has. None if there
 * is no room for the first two.
 */
export const fitting = (
  fields: ReadonlyArray<string>,
  flags: ReadonlyArray<string>,
  window: number,
  order: ReadonlyArray<string> = []
): ReadonlyArray<string> | undefined => {
  const label = labels.find((field) => fields.includes(field)) ?? fields[1]
  const columns = fields.map((field, index): Measured => {
    const width = Text.width(field)
    if (index === 0) return { field, width, least: isId(field) ? nominal.id : nominal.label, rank: 0 }
    if (field === label) return { field, width, least: nominal.label, rank: 1 }
    const { least, rank } = flags.includes(field)
      ? { least: width, rank: 2 }
      : isId(field)
      ? { least: nominal.id, rank: 5 }
      : field.endsWith("_at")
      ? { least: nominal.time, rank: 4 }
      : { least: Math.max(width, nominal.other), rank: 3 }
    return { field, width, least, rank: order.includes(field) ? placeIn(order, field) : rank }
  })
  const kept = withRoom(columns, window).map(({ field }) => field)
  return label === undefined || kept.includes(label) ? kept : undefined
}

/**
 * The layout for the first items, in a window of `window` columns. Ids are complete.
 *
 * If not all fields fit, those without content are left out, then times, then the last ones, or the last ones of `order`; the
 * remaining columns are cut evenly, and so are later items that are longer. With `only`, these fields are kept, and no others. If that
 * is all of them, as for fields that the user has chosen, lines may become longer than the window.
 */
export const layout = (
  fields: ReadonlyArray<string>,
  first: ReadonlyArray<object>,
  { only, order = [], window = Infinity }: {
    readonly order?: ReadonlyArray<string> | undefined
    readonly only?: ReadonlyArray<string> | undefined
    readonly window?: number | undefined
  } = {}
): Layout => {
  const measured = measure(fields, first, order)
  const kept = only !== undefined
    ? measured.filter(({ field }) => only.includes(field))
    : fits(measured.map(({ width }) => width), window)
    ? measured
    : withRoom(measured.filter(({ rank }) => rank < empty), window)
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

/** The most important columns that there is room for. None of them is skipped for one that is less important but narrower. */
const withRoom = (measured: ReadonlyArray<Measured>, window: number): ReadonlyArray<Measured> => {
  const sorted = [...measured].sort((a, b) => a.rank - b.rank)
  const missing = sorted.findIndex((_, index) =>
    index > 0 && !fits(sorted.slice(0, index + 1).map(({ least }) => least), window)
  )
  const kept = missing === -1 ? sorted : sorted.slice(0, missing)
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

/** An item in a narrow window: its first field, and below it a line for each of the others that it has. Ids are complete. */
export const lines = (fields: ReadonlyArray<string>, window: number) => (item: object): string => {
  const [first = "", ...others] = fields
  const names = Math.max(...others.map((field) => Text.width(field))) + gap
  const rest = others.flatMap((field) => {
    const text = cell(valueOf(item, field))
    if (text === "") return []
    return [`  ${Text.pad(field, names)}${isId(field) ? text : Text.truncate(text, Math.max(1, window - 2 - names))}`]
  })
  return [cell(valueOf(item, first)), ...rest, ""].join("\n")
}
