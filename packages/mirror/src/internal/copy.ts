/** The copy of one list of one account, and the fragments that its statements have in common. */
import type { Fragment } from "@effect/sql/Statement"
import type { Database } from "./database.ts"
import type { Table } from "./tables.ts"

export interface Item {
  readonly id: string
}

export type Copy = ReturnType<typeof make>

export const make = (database: Database, account: string, table: Table) => {
  const { name, sql } = database
  const { id, name: list, owner } = table
  return {
    database,
    key: { account, list },
    table,
    /** The table of its rows. */
    rows: name(table.table),
    /** The condition for what is stored about the list besides its rows. */
    own: sql`account = ${account} AND list = ${list}`,
    /** The condition for the rows that exist. */
    existing: sql`account = ${account} AND deleted_at IS NULL`,
    /** The names of the columns that rows are told apart by, after the account. */
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
