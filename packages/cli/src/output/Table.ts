/**
 * Tables for a terminal: aligned, one line per item, never wider than the window.
 *
 * The first items decide the layout, so that rows can be printed as they arrive.
 *
 * @since 0.1.0
 */
import * as Text from "../terminal/Text.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Column {
  readonly field: string
  readonly width: number
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Layout {
  readonly columns: ReadonlyArray<Column>
  /** Whether cells are cut to the width of their column. Outside a terminal they are not. */
  readonly cut: boolean
}

const gap = 2

/** A column that would be cut to less than this is left out. */
const least = 16

/**
 * The text of a cell.
 *
 * @since 0.1.0
 * @category conversions
 */
export const cell = (value: unknown): string => {
  if (value === undefined || value === null) return ""
  if (typeof value === "string") return Text.printable(value)
  return Array.isArray(value) && value.every((element) => typeof element === "string")
    ? Text.printable(value.join(", "))
    : Text.json(value)
}

const valueOf = (item: object, field: string): unknown => Object.hasOwn(item, field) ? Reflect.get(item, field) : ""

/**
 * The layout for the first items, in a window of `window` columns, or without a limit.
 *
 * If not all fields fit, empty ones are left out, then the last ones; the remaining columns are cut evenly.
 *
 * @since 0.1.0
 * @category constructors
 */
export const layout = (
  fields: ReadonlyArray<string>,
  first: ReadonlyArray<object>,
  window?: number | undefined
): Layout => {
  const measured = fields.map((field) => {
    const content = first.reduce((most, item) => Math.max(most, Text.width(cell(valueOf(item, field)))), 0)
    return { field, content, width: Math.max(content, Text.width(field)) }
  })
  if (window === undefined) return { columns: measured.map(({ field, width }) => ({ field, width })), cut: false }

  const full = measured.filter(({ content }) => content > 0)
  const candidates = fits(measured, window) || full.length === 0 ? measured : full
  const kept = candidates.filter((_, index) => index === 0 || fits(narrow(candidates.slice(0, index + 1)), window))
  const most = evenly(kept.map(({ width }) => width), window - gap * (kept.length - 1))
  return { columns: kept.map(({ field, width }) => ({ field, width: Math.min(width, most) })), cut: true }
}

const narrow = (columns: ReadonlyArray<Column>): ReadonlyArray<Column> =>
  columns.map(({ field, width }) => ({ field, width: Math.min(width, least) }))

const fits = (columns: ReadonlyArray<Column>, window: number): boolean =>
  columns.reduce((sum, { width }) => sum + width, gap * (columns.length - 1)) <= window

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

/**
 * One line, with its line break.
 *
 * @since 0.1.0
 * @category conversions
 */
export const line = ({ columns, cut }: Layout, textOf: (field: string) => string): string => {
  const cells = columns.map(({ field, width }, index) => {
    const text = textOf(field)
    const shown = cut ? Text.truncate(text, width) : text
    return index === columns.length - 1 ? shown : Text.pad(shown, width)
  })
  return `${cells.join(" ".repeat(gap)).trimEnd()}\n`
}

/**
 * The header line.
 *
 * @since 0.1.0
 * @category conversions
 */
export const header = (layout: Layout): string => line(layout, (field) => field)

/**
 * The line of one item.
 *
 * @since 0.1.0
 * @category conversions
 */
export const row = (layout: Layout, item: object): string => line(layout, (field) => cell(valueOf(item, field)))
