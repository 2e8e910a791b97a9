/** The copy of one list of one account, and the fragments that its statements have in common. */
import type { Fragment, Identifier } from "@effect/sql/Statement"
import type { Database } from "./database.ts"
import type { Table } from "./tables.ts"

export interface Item {
  readonly id: string
}

export interface Copy {
  readonly database: Database
  readonly key: { readonly account: string; readonly list: string }
  readonly table: Table
  /** The table of its rows. */
  readonly rows: Identifier
  /** The condition for what is stored about the list besides its rows. */
  readonly own: Fragment
  /** The condition for the rows that exist. */
  readonly existing: Fragment
  /** The names of the columns that rows are told apart by, after the account. */
  readonly identity: ReadonlyArray<string>
}

export const make = (database: Database, account: string, table: Table): Copy => {
  const { name, sql } = database
  const { id, name: list, owner } = table
  return {
    database,
    key: { account, list },
    table,
    rows: name(table.table),
    own: sql`account = ${account} AND list = ${list}`,
    existing: sql`account = ${account} AND deleted_at IS NULL`,
    identity: owner === undefined ? [id] : [owner.column, id]
  }
}

/** The row `t` of each item `e` of an owner. */
export const rowsOf = ({ database: { lookUp, sql }, key: { account }, rows, table }: Copy, owner: string): Fragment => {
  const row = sql`t.account = ${account} AND ${sql(`t.${table.id}`)} = e.value ->> 'id'`
  return lookUp(
    rows,
    "t",
    table.owner === undefined ? row : sql`${row} AND ${sql(`t.${table.owner.column}`)} = ${owner}`
  )
}
