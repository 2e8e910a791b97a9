/** Checks what types cannot say. */
import type * as SqlClient from "@effect/sql/SqlClient"
import * as InvalidOption from "@mailstream/core/InvalidOption"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Lists from "../Lists.ts"
import type { SyncOptions } from "../Sync.ts"
import type { Naming } from "./database.ts"
import type { Table } from "./tables.ts"

type Checked<A> = Either.Either<A, InvalidOption.InvalidOption>

/** PostgreSQL cannot index text of any length. */
const maxName = 255

/** A name that tells rows apart. */
export const name = (option: string, name: string): Checked<string> =>
  Either.map(
    InvalidOption.unless(
      name !== "" && name.length <= maxName && !name.includes("\0"),
      option,
      `must be text of 1 to ${maxName} characters, without NUL`
    ),
    () => name
  )

/** PostgreSQL cuts longer names. */
const maxIdentifier = 63

/** With a longer prefix, names of tables and indexes would collide. */
const maxPrefix = 24

const identifier = (option: string, name: string | undefined): Checked<void> =>
  InvalidOption.unless(
    name === undefined || /^[a-z_][a-z0-9_]*$/.test(name),
    option,
    "must consist of lower-case letters, digits and underscores"
  )

export const naming = (
  sql: SqlClient.SqlClient,
  { prefix, schema }: { readonly prefix?: string | undefined; readonly schema?: string | undefined }
): Checked<Naming> =>
  Either.gen(function*() {
    yield* identifier("prefix", prefix === "" ? undefined : prefix)
    yield* identifier("schema", schema)
    yield* sql.onDialectOrElse({
      pg: () =>
        Either.all([
          InvalidOption.unless(
            (prefix ?? "").length <= maxPrefix,
            "prefix",
            `must have at most ${maxPrefix} characters on PostgreSQL`
          ),
          InvalidOption.unless(
            (schema ?? "").length <= maxIdentifier && schema?.startsWith("pg_") !== true,
            "schema",
            `must have at most ${maxIdentifier} characters, and not begin with pg_`
          )
        ]),
      orElse: () => InvalidOption.unless(schema === undefined, "schema", "needs PostgreSQL; use a prefix instead")
    })
    return { prefix: prefix ?? "", schema }
  })

/** The options of a pass, complete. */
export type Pass = Effect.Effect.Success<ReturnType<typeof pass>>

export const pass = (
  { dryRun = false, full = false, lanes = 1, maxDeleted = 0.5, pageSize = 100, patience = "1 minute", retry }:
    SyncOptions
) =>
  Either.gen(function*() {
    yield* InvalidOption.integer("pageSize", pageSize, { min: 1, max: 100 })
    yield* InvalidOption.integer("lanes", lanes, { min: 1, max: 100 })
    yield* InvalidOption.unless(maxDeleted >= 0 && maxDeleted <= 1, "maxDeleted", "must be a number from 0 to 1")
    const limit = yield* InvalidOption.duration("patience", patience)
    return { dryRun, full, lanes, maxDeleted, pageSize, patience: limit, retry }
  })

/**
 * The feeds that are chosen, in their order: to copy none of them would look like success, and so would a name that is not copied.
 * By default, those that take a request for each of many owners are left out.
 */
export const chosen = <Feed extends { readonly table: Table }>(
  feeds: ReadonlyArray<Feed>,
  { lists }: SyncOptions
): Checked<ReadonlyArray<Feed>> =>
  Either.gen(function*() {
    const unknown = lists?.find((name) => !Lists.names.includes(name))
    yield* InvalidOption.unless(unknown === undefined, "lists", unknown === undefined ? "" : refusal(unknown))
    const found = feeds.filter(({ table }) => (lists ?? Lists.defaults).includes(table.name))
    const names = feeds.map(({ table }) => table.name).join(", ")
    yield* InvalidOption.unless(found.length > 0, "lists", `must have at least one of ${names}`)
    return found
  })

const refusal = (name: string): string =>
  Lists.uncopied.includes(name)
    ? `cannot have ${name}, a report whose items have cursors in place of ids: a pass could not tell which it has seen before`
    : `must be some of ${Lists.names.join(", ")}, not "${name}"`
