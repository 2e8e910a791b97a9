/** Opens the database of a copy, and describes why it cannot be opened. Those of campaigns are opened in the same way. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import type { MigrationError } from "@effect/sql/Migrator"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { UnsuitableDatabase } from "@mailstream/cluster/ClusterError"
import type { InvalidOption } from "@mailstream/core/InvalidOption"
import type * as Mirrors from "@mailstream/mirror"
import { Mirror } from "@mailstream/mirror"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { DatabaseError, hasReason, TableInUse } from "../terminal/Errors.ts"
import * as Text from "../terminal/Text.ts"
import type * as Location from "../usage/Location.ts"
import type { Copy } from "./Flags.ts"

/** Why a copy cannot be used. */
export type OpenError = DatabaseError | TableInUse | InvalidOption

/** A copy that is opened with the layer, and closed with it. */
type Opened = Layer.Layer<Mirror.Mirror, OpenError, FileSystem.FileSystem | Path.Path>

/** What the library fails with while a copy is opened or used. */
export type LibraryError =
  | SqlError
  | MigrationError
  | PlatformError
  | UnsuitableDatabase
  | Mirrors.TableInUse
  | InvalidOption

/** What stands for a database in messages: never its user or password. */
export const nameOf = (database: Location.Database): string =>
  database._tag === "Sqlite"
    ? database.filename
    : `PostgreSQL at ${new URL(Redacted.value(database.url)).host || "the default host"}`

/** Any database, whatever it holds. */
export type Place = Pick<Copy, "database">

/** Turns failures of the library into those of the program. The tables of a cluster have no `--schema`. */
export const failing = (place: Copy | Place) => (error: LibraryError): OpenError => {
  const { database } = place
  switch (error._tag) {
    case "InvalidOption":
      return error
    case "TableInUse": {
      const others = "schema" in place && database._tag === "Postgres" ? "--prefix or --schema" : "--prefix"
      return new TableInUse({
        message: `The table ${error.table} already exists and is not a copy of a list. Choose another ${others}, or ` +
          "another database."
      })
    }
    default:
      return new DatabaseError({ subject: nameOf(database), description: Text.reasonOf(error), cause: error })
  }
}

/** Whether there is a database. A file may be missing, but not its folder. */
export const fileExists = (
  { database }: Place
): Effect.Effect<boolean, DatabaseError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    if (database._tag === "Postgres") return true
    const { filename } = database
    const fs = yield* FileSystem.FileSystem
    const { dirname } = yield* Path.Path
    const fail = (description: string) => new DatabaseError({ subject: filename, description })
    const type = (path: string) =>
      Effect.map(fs.stat(path), ({ type }) => type).pipe(
        Effect.catchAll((error) =>
          hasReason("PermissionDenied")(error)
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

/** The client of a database. Its driver is loaded if it is used. */
export const clientOf = (place: Place, readonly: boolean): Layer.Layer<SqlClient.SqlClient, OpenError> => {
  const { database } = place
  const client: Effect.Effect<Layer.Layer<SqlClient.SqlClient, SqlError>> = Effect.gen(function*() {
    if (database._tag === "Sqlite") {
      const Sqlite = yield* Effect.promise(() => import("@mailstream/sql/Sqlite"))
      return Sqlite.layer({ filename: database.filename, readonly })
    }
    const Postgres = yield* Effect.promise(() => import("@mailstream/sql/Postgres"))
    return Postgres.layer({ url: database.url })
  })
  return Layer.mapError(disconnected(Layer.unwrapEffect(client)), failing(place))
}

/** Connecting cannot be interrupted, but waiting for it can. */
export const disconnected = <A, E>(layer: Layer.Layer<A, E>): Layer.Layer<A, E> =>
  Layer.unwrapScoped(Effect.gen(function*() {
    const scope = yield* Effect.scope
    // A fiber that fails by itself would be logged.
    const exit = yield* Effect.disconnect(Effect.exit(Layer.buildWithScope(layer, scope)))
    return Layer.succeedContext(yield* exit)
  }))

/** The copy, in a database that is open. What is missing is created. */
const copyIn = (
  copy: Copy
): Layer.Layer<Mirror.Mirror, OpenError, SqlClient.SqlClient | FileSystem.FileSystem | Path.Path> =>
  Layer.mapError(Mirror.layer(copy), failing(copy))

/** The copy, created if there is none. */
export const created = (copy: Copy): Opened =>
  copyIn(copy).pipe(
    Layer.provide(clientOf(copy, false)),
    Layer.provide(Layer.effectDiscard(fileExists(copy)))
  )

/** The copy if there is one, or else something else. Nothing is created. */
const ifExists = (copy: Copy, readonly: boolean, otherwise: Opened): Opened =>
  Layer.unwrapEffect(Effect.gen(function*() {
    if (!(yield* fileExists(copy))) return otherwise
    const found = Effect.map(
      Effect.mapError(Mirror.exists(copy), failing(copy)),
      (exists) => exists ? copyIn(copy) : otherwise
    )
    return Layer.provide(Layer.unwrapEffect(found), clientOf(copy, readonly))
  }))

/** A copy that exists: with `readonly`, this user may be one who can only read it. */
export const existing = (copy: Copy, { readonly }: { readonly readonly: boolean }): Opened =>
  ifExists(
    copy,
    readonly,
    Layer.fail(
      new DatabaseError({
        subject: nameOf(copy.database),
        description: "there is no copy; make one with `mailstream sync`, or check --to, --schema and --prefix"
      })
    )
  )

/** The copy, or an empty one in a temporary file if there is none: for what only looks at it. */
export const orEmpty = (copy: Copy): Opened =>
  ifExists(
    copy,
    true,
    Layer.unwrapScoped(Effect.gen(function*() {
      const fs = yield* FileSystem.FileSystem
      const { join } = yield* Path.Path
      const folder = yield* Effect.mapError(fs.makeTempDirectoryScoped(), failing(copy))
      return created({ ...copy, schema: undefined, database: { _tag: "Sqlite", filename: join(folder, "empty.db") } })
    }))
  )
