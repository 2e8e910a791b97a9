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
 * Parses the location of a database. The error does not repeat the text: it may hold a password.
 *
 * @since 1.0.0
 * @category parsers
 */
export const parse = (name: string, expected = "sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE") =>
(
  text: Redacted.Redacted
): Either.Either<StoreLocation.Database, string> => {
  const database = StoreLocation.database(Redacted.value(text))
  if (database === undefined) return Either.left(`${name} must be ${expected}.`)
  // The rest of a password that holds a slash looks like the name of a database.
  return database._tag === "Postgres" && new URL(Redacted.value(database.url)).pathname.includes("@")
    ? Either.left(`The password in ${name} must be percent-encoded: write %2F for a slash.`)
    : Either.right(database)
}

/**
 * The database that an option names, or the environment.
 *
 * @since 1.0.0
 * @category constructors
 */
export const databaseOr = <Database>(
  given: Database | undefined,
  parse: (name: string) => (text: Redacted.Redacted) => Either.Either<Database, string>,
  example: string
): Effect.Effect<Database, UsageError.UsageError> =>
  Effect.gen(function*() {
    if (given !== undefined) return given
    const url = yield* Connection.variable("MAILSTREAM_DATABASE_URL")
    if (url === undefined) {
      return yield* UsageError.fail(`No database given: use ${example}, or set MAILSTREAM_DATABASE_URL.`)
    }
    return yield* Either.mapLeft(parse("MAILSTREAM_DATABASE_URL")(Redacted.make(url)), UsageError.make)
  })

const name = (option: string, description: string) =>
  Flag.optional(Flag.text(option, { value: "NAME", description, canBeEmpty: true }))

/**
 * The options that name a copy.
 *
 * @since 1.0.0
 * @category options
 */
export const flags = {
  to: Flag.optional(Flag.redacted("to", {
    value: "DATABASE",
    values: Values.location(),
    description:
      "The database of the copy: sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. Default: MAILSTREAM_DATABASE_URL.",
    parse: parse("--to")
  })),
  account: name("account", "Account of the copy, if the database holds several. Default: default."),
  schema: name("schema", "The PostgreSQL schema of the tables. Default: the current one."),
  prefix: name("prefix", "Prefix of all table names. Default: none.")
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
    databaseOr(to, parse, "--to sqlite:FILE, --to postgres://…"),
    (database) => ({ database, account, schema, prefix })
  )
