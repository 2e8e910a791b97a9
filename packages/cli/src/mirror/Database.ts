/**
 * Opens the database of a copy, and describes why it cannot be opened.
 *
 * @since 1.0.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import type { MigrationError } from "@effect/sql/Migrator"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import type * as Mirrors from "@mailstream/mirror"
import { Mirror } from "@mailstream/mirror"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as StoreLocation from "../service/StoreLocation.ts"
import * as Text from "../terminal/Text.ts"
import * as UsageError from "../usage/UsageError.ts"
import type { Copy } from "./Copy.ts"

/**
 * The database cannot be used.
 *
 * @since 1.0.0
 * @category errors
 */
export class DatabaseError extends Data.TaggedError("DatabaseError")<{
  readonly database: string
  readonly description: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return `${this.database}: ${this.description}`
  }
}

/**
 * The database has a table of the same name that is not a copy.
 *
 * @since 1.0.0
 * @category errors
 */
export class TableInUse extends Data.TaggedError("TableInUse")<{
  readonly table: string
  readonly hasSchemas: boolean
}> {
  override get message(): string {
    return `The table ${this.table} already exists and is not a copy of a list. Choose another --prefix${
      this.hasSchemas ? " or --schema" : ""
    }, or another database.`
  }
}

/**
 * Why a copy cannot be opened.
 *
 * @since 1.0.0
 * @category errors
 */
export type OpenError = DatabaseError | TableInUse | UsageError.UsageError

/**
 * What a command does with a copy: with `readonly`, this user may be one who can only read it.
 *
 * @since 1.0.0
 * @category models
 */
export interface Access {
  readonly readonly: boolean
}

/**
 * A copy that is opened with the layer, and closed with it.
 *
 * @since 1.0.0
 * @category models
 */
export type Opened = Layer.Layer<Mirror.Mirror, OpenError, FileSystem.FileSystem | Path.Path>

/**
 * What stands for a database in messages: never its user or password.
 *
 * @since 1.0.0
 * @category getters
 */
export const nameOf = (database: StoreLocation.Database): string =>
  database._tag === "Sqlite"
    ? database.filename
    : `PostgreSQL at ${new URL(Redacted.value(database.url)).host || "the default host"}`

/**
 * Turns failures of the database into those of the program.
 *
 * @since 1.0.0
 * @category combinators
 */
export const failing = ({ database }: Copy) => (cause: { readonly _tag: string; readonly message: string }) =>
  new DatabaseError({ database: nameOf(database), description: Text.reasonOf(cause), cause })

/** Whether there is a database. A file may be missing, but not its folder. */
const fileExists = ({ database }: Copy) =>
  Effect.gen(function*() {
    if (database._tag === "Postgres") return true
    const { filename } = database
    const fs = yield* FileSystem.FileSystem
    const { dirname } = yield* Path.Path
    const fail = (description: string) => new DatabaseError({ database: filename, description })
    const type = (path: string) =>
      Effect.map(fs.stat(path), ({ type }) => type).pipe(
        Effect.catchAll((error) =>
          error._tag === "SystemError" && error.reason === "PermissionDenied"
            ? fail(`no permission to look into ${dirname(path)}`)
            : Effect.succeed(undefined)
        )
      )
    const found = yield* type(filename)
    if (found === "Directory") return yield* fail("is a directory; name a file in it")
    if (found === undefined && (yield* type(dirname(filename))) !== "Directory") {
      return yield* fail(`the directory ${dirname(filename)} does not exist; create it first`)
    }
    return found !== undefined
  })

const clientOf = (
  copy: Copy,
  access: Access
): Layer.Layer<SqlClient.SqlClient, DatabaseError> => {
  const { database } = copy
  // A driver is loaded if it is used.
  const client = database._tag === "Sqlite"
    ? Effect.map(
      Effect.promise(() => import("@mailstream/sql/Sqlite")),
      (Sqlite): Layer.Layer<SqlClient.SqlClient, SqlError> => Sqlite.layer({ filename: database.filename, ...access })
    )
    : Effect.map(
      Effect.promise(() => import("@effect/sql-pg/PgClient")),
      (PgClient): Layer.Layer<SqlClient.SqlClient, SqlError> =>
        PgClient.layer({ url: database.url, connectTimeout: "5 seconds" })
    )
  return Layer.mapError(disconnected(Layer.unwrapEffect(client)), failing(copy))
}

/**
 * Connecting cannot be interrupted, but waiting for it can.
 *
 * @since 1.0.0
 * @category combinators
 */
export const disconnected = <A, E>(layer: Layer.Layer<A, E>): Layer.Layer<A, E> =>
  Layer.unwrapScoped(Effect.gen(function*() {
    const scope = yield* Effect.scope
    // A fiber that fails by itself would be logged.
    const exit = yield* Effect.disconnect(Effect.exit(Layer.buildWithScope(layer, scope)))
    return Layer.succeedContext(yield* exit)
  }))

/** The copy, in a database that is open. What is missing is created. */
const copyIn = (copy: Copy): Layer.Layer<Mirror.Mirror, OpenError, SqlClient.SqlClient> =>
  Layer.mapError(Mirror.layer(copy), openError(copy))

const openError =
  (copy: Copy) => (error: SqlError | MigrationError | InvalidOption | Mirrors.TableInUse): OpenError => {
    switch (error._tag) {
      case "InvalidOption":
        return usage(error)
      case "TableInUse":
        return new TableInUse({ table: error.table, hasSchemas: copy.database._tag === "Postgres" })
      default:
        return failing(copy)(error)
    }
  }

/**
 * An option that the mirror refuses is one of the command line.
 *
 * @since 1.0.0
 * @category conversions
 */
export const usage = ({ message }: InvalidOption): UsageError.UsageError => UsageError.make(`--${message}`)

/**
 * The copy, created if there is none.
 *
 * @since 1.0.0
 * @category layers
 */
export const created = (copy: Copy): Opened =>
  copyIn(copy).pipe(
    Layer.provide(clientOf(copy, { readonly: false })),
    Layer.provide(Layer.effectDiscard(fileExists(copy)))
  )

/** The copy if there is one, or else something else. Nothing is created. */
const ifExists = (copy: Copy, access: Access, otherwise: Opened): Opened =>
  Layer.unwrapEffect(Effect.map(fileExists(copy), (hasFile) =>
    hasFile
      ? Layer.unwrapEffect(
        Effect.map(
          Effect.mapError(Mirror.exists(copy), openError(copy)),
          (exists): Layer.Layer<Mirror.Mirror, OpenError, SqlClient.SqlClient | FileSystem.FileSystem | Path.Path> =>
            exists ? copyIn(copy) : otherwise
        )
      ).pipe(Layer.provide(clientOf(copy, access)))
      : otherwise))

/**
 * A copy that exists.
 *
 * @since 1.0.0
 * @category layers
 */
export const existing = (copy: Copy, access: Access): Opened =>
  ifExists(
    copy,
    access,
    Layer.fail(
      new DatabaseError({
        database: nameOf(copy.database),
        description: "there is no copy; make one with `mailstream sync`, or check --to, --schema and --prefix"
      })
    )
  )

/**
 * The copy, or an empty one in a temporary file if there is none: for what only looks at it.
 *
 * @since 1.0.0
 * @category layers
 */
export const orEmpty = (copy: Copy): Opened =>
  ifExists(
    copy,
    { readonly: true },
    Layer.unwrapScoped(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { join } = yield* Path.Path
      const folder = yield* Effect.mapError(fs.makeTempDirectoryScoped(), failing(copy))
      return created({ ...copy, schema: undefined, database: { _tag: "Sqlite", filename: join(folder, "empty.db") } })
    }))
  )
