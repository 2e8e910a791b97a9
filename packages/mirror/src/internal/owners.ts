/** The owners of a list that is read within them: which is next, and which have been asked. */
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Copy } from "./copy.ts"
import { type Database, quote } from "./database.ts"
import type * as Feeds from "./feeds.ts"
import type { Key } from "./state.ts"
import type { Table } from "./tables.ts"

export interface Owner {
  readonly id: string
  /** Its place in the order in which owners were first seen. */
  readonly ordinal: string
}

/** The owner after this one. If items are fixed, owners that have been asked are left out. */
export const next = (
  { name, run }: Database,
  { account, list }: Key,
  { isFixed, table }: Feeds.Owned,
  last: string
): Effect.Effect<Owner | undefined, SqlError> =>
  Effect.map(
    run(
      `SELECT o.id AS id, o.ordinal AS ordinal FROM ${name(table.owner?.table ?? "")} o
       WHERE o.account = ? AND o.deleted_at IS NULL AND o.ordinal > ?${
        isFixed
          ? ` AND NOT EXISTS (
           SELECT 1 FROM ${name("mirror_asked")} a WHERE a.account = o.account AND a.list = ? AND a.owner = o.id
         )`
          : ""
      }
       ORDER BY o.ordinal LIMIT 1`,
      [account, Number(last), ...(isFixed ? [list] : [])]
    ),
    ([row]) => row === undefined ? undefined : { id: String(row["id"]), ordinal: String(row["ordinal"]) }
  )

/** Notes that an owner has been asked. */
export const remember = (
  { name, run }: Database,
  { account, list }: Key,
  owner: string
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(run(
    `INSERT INTO ${name("mirror_asked")} (account, list, owner) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
    [account, list, owner]
  ))

/** Forgets the owners that are gone, so that they are asked if they come back. */
export const forget = (
  { name, run }: Database,
  { account, list }: Key,
  { owner }: Table
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(run(
    `DELETE FROM ${name("mirror_asked")} WHERE account = ? AND list = ? AND NOT EXISTS (
       SELECT 1 FROM ${name(owner?.table ?? "")} o
       WHERE o.account = ${name("mirror_asked")}.account AND o.id = ${
      name("mirror_asked")
    }.owner AND o.deleted_at IS NULL
     )`,
    [account, list]
  ))

/** The rows whose owners are gone. */
export const findOrphans = (
  { database: { name, run }, key: { account }, table }: Copy
): Effect.Effect<ReadonlyArray<number>, SqlError> =>
  Effect.map(
    run(
      `SELECT t.ordinal AS ordinal FROM ${name(table.table)} t
       WHERE t.account = ? AND t.deleted_at IS NULL AND NOT EXISTS (
         SELECT 1 FROM ${name(table.owner?.table ?? "")} o
         WHERE o.account = t.account AND o.id = t.${quote(table.owner?.column ?? "")} AND o.deleted_at IS NULL
       )`,
      [account]
    ),
    (rows) => rows.map(({ ordinal }) => Number(ordinal))
  )
