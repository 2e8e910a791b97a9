/**
 * Which copy a command is about: its database, and where in it. The code that opens it is imported when it is needed.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import type * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Connection from "../api/Connection.ts"
import * as StoreLocation from "../service/StoreLocation.ts"
import * as OptionParser from "../usage/OptionParser.ts"
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
): Either.Either<StoreLocation.Database, ValidationError.ValidationError> => {
  const database = StoreLocation.database(Redacted.value(text))
  if (Option.isNone(database)) {
    return Either.left(UsageError.make(`${name} must be ${expected}.`))
  }
  // The rest of a password that holds a slash looks like the name of a database.
  return database.value._tag === "Postgres" && new URL(Redacted.value(database.value.url)).pathname.includes("@")
    ? Either.left(UsageError.make(`The password in ${name} must be percent-encoded: write %2F for a slash.`))
    : Either.right(database.value)
}

/**
 * The database that an option names, or the environment.
 *
 * @since 1.0.0
 * @category constructors
 */
export const databaseOr = <Database>(
  given: Option.Option<Database>,
  parse: (name: string) => (text: Redacted.Redacted) => Either.Either<Database, ValidationError.ValidationError>,
  example: string
): Effect.Effect<Database, ValidationError.ValidationError> =>
  Effect.gen(function*() {
    if (Option.isSome(given)) return given.value
    const url = yield* Effect.orElse(yield* Connection.variable("MAILSTREAM_DATABASE_URL"), () =>
      UsageError.fail(`No database given: use ${example}, or set MAILSTREAM_DATABASE_URL.`))
    return yield* parse("MAILSTREAM_DATABASE_URL")(Redacted.make(url))
  })

const text = (name: string, description: string) => OptionParser.optional(OptionParser.text(name, "NAME"), description)

/**
 * The options that name a copy.
 *
 * @since 1.0.0
 * @category options
 */
export const options = {
  to: Options.redacted("to").pipe(
    Options.withPseudoName("DATABASE"),
    Options.mapEffect(parse("--to")),
    Options.withDescription(
      "The database of the copy: sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE. Default: MAILSTREAM_DATABASE_URL."
    ),
    Options.optional
  ),
  account: text("account", "Which of several accounts in the same database. Default: default."),
  schema: text("schema", "The PostgreSQL schema of the tables. Default: the current one."),
  prefix: text("prefix", "What the names of all tables begin with. Default: nothing.")
}

/**
 * What a shell offers for these options.
 *
 * @since 1.0.0
 * @category options
 */
export const values = { to: Values.location() }

/**
 * The copy that the options name, or the environment.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromOptions = ({ account, prefix, schema, to }: Omit<Copy, "database"> & {
  readonly to: Option.Option<StoreLocation.Database>
}): Effect.Effect<Copy, ValidationError.ValidationError> =>
  Effect.map(
    databaseOr(to, parse, "--to sqlite:FILE, --to postgres://…"),
    (database) => ({ database, account, schema, prefix })
  )
