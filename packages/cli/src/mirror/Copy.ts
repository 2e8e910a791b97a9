/**
 * Which copy a command is about: its database, and where in it. The code that opens it is imported when it is needed.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Connection from "../api/Connection.ts"
import * as StoreLocation from "../service/StoreLocation.ts"
import * as Flag from "../usage/Flag.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Value from "../usage/Value.ts"
import * as Values from "../usage/Values.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Copy {
  readonly database: StoreLocation.Database
  readonly account: string | undefined
  readonly schema: string | undefined
  readonly prefix: string | undefined
}

/**
 * The location of a database. Errors do not repeat it: it may hold a password.
 *
 * @since 1.0.0
 * @category parsers
 */
export const value: Value.Value<StoreLocation.Database> = {
  name: "DATABASE",
  values: Values.location(),
  isSecret: true,
  parse: (text) => {
    const database = StoreLocation.database(text)
    if (database === undefined) return Either.left("must be sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE")
    // The rest of a password that holds a slash looks like the name of a database.
    return database._tag === "Postgres" && new URL(Redacted.value(database.url)).pathname.includes("@")
      ? Either.left("must have a percent-encoded password: write %2F for a slash")
      : Either.right(database)
  }
}

/**
 * The database that an option names, or the environment.
 *
 * @since 1.0.0
 * @category constructors
 */
export const databaseOr = <Database>(
  given: Database | undefined,
  { parse }: Value.Value<Database>,
  example: string
): Effect.Effect<Database, UsageError.UsageError> =>
  Effect.gen(function*() {
    if (given !== undefined) return given
    const variable = "MAILSTREAM_DATABASE_URL"
    const url = yield* Connection.variable(variable)
    return url === undefined
      ? yield* UsageError.fail(`No database given: use ${example}, or set ${variable}.`)
      : yield* Either.mapLeft(parse(url), (expected) => UsageError.invalid(variable, expected))
  })

const name = Value.text("NAME", { canBeEmpty: true })

/**
 * The options that name a copy.
 *
 * @since 1.0.0
 * @category options
 */
export const flags = {
  to: Flag.optional(
    "to",
    value,
    "The database of the copy: sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. Default: MAILSTREAM_DATABASE_URL."
  ),
  account: Flag.optional("account", name, "Account of the copy, if the database holds several. Default: default."),
  schema: Flag.optional("schema", name, "The PostgreSQL schema of the tables. Default: the current one."),
  prefix: Flag.optional("prefix", name, "Prefix of all table names. Default: none.")
}

/**
 * The copy that the options name, or the environment.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromFlags = (
  { account, prefix, schema, to }: Flag.Given<typeof flags>
): Effect.Effect<Copy, UsageError.UsageError> =>
  Effect.map(
    databaseOr(to, value, "--to sqlite:FILE, --to postgres://…"),
    (database) => ({ database, account, schema, prefix })
  )
