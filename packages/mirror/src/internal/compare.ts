/** How items compare with their rows. */
import * as Option from "effect/Option"
import type { Item } from "./copy.ts"
import { isSame, parse, storableId, toJson } from "./json.ts"

/** The row of an item. */
export interface Found {
  readonly ordinal: number
  readonly isGone: boolean
  /** What it holds, unless that is the item to the letter. */
  readonly json: string | undefined
  /** Whether it holds text that is not UTF-8. */
  readonly isDamaged: boolean
}

export type Rows = ReadonlyMap<string, Found>

export const noRows: Rows = new Map()

/** Of items with the same id, the last one counts. */
export const distinct = (items: ReadonlyArray<Item>): ReadonlyArray<Item> => {
  const byId = new Map(items.map((item) => [storableId(item.id), item]))
  return byId.size === items.length ? items : Array.from(byId.values())
}

export interface Difference {
  /** Without a row. */
  readonly created: ReadonlyArray<Item>
  /** With a row that differs. */
  readonly updated: ReadonlyArray<Item>
  /** With a row that is marked as deleted. */
  readonly revived: ReadonlyArray<Item>
  /** The ordinals of the rows that are about to change. */
  readonly changing: ReadonlyArray<number>
  /** The ordinals of the rows that exist, and are not marked as deleted. */
  readonly present: ReadonlyArray<number>
  /** The ordinals that the rows of all items have once the difference is written, in the order of the items. */
  readonly ordinals: ReadonlyArray<number>
}

/** Nothing differs. */
export const same: Difference = { created: [], updated: [], revived: [], changing: [], present: [], ordinals: [] }

/** Compares distinct items with their rows. New rows get the ordinals after the last one. */
export const compare = (items: ReadonlyArray<Item>, rows: Rows, last: number): Difference => {
  const created: Array<Item> = []
  const updated: Array<Item> = []
  const revived: Array<Item> = []
  const changing: Array<number> = []
  const present: Array<number> = []
  const ordinals: Array<number> = []
  for (const item of items) {
    const row = rows.get(storableId(item.id))
    ordinals.push(row?.ordinal ?? last + created.length + 1)
    if (row?.isGone === false) present.push(row.ordinal)
    if (row === undefined) created.push(item)
    else if (row.isGone || differs(item, row)) {
      changing.push(row.ordinal)
      const changed = row.isGone ? revived : updated
      changed.push(item)
    }
  }
  return { created, updated, revived, changing, present, ordinals }
}

/** SQLite compares JSON as text, in which fields have an order; and another program may have made it something else. */
const differs = (item: Item, { isDamaged, json }: Found): boolean =>
  json !== undefined &&
  (isDamaged || !Option.exists(parse(json), (stored) => isSame(stored, JSON.parse(toJson(item)))))
