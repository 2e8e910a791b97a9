/**
 * Which copy a command is about: its database, and where in it. The code that opens it is imported when it is needed.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import type * as ValidationError from "@effect/cli/ValidationError"
import { Resource } from "@mailstream/core"
import type { Mirror } from "@mailstream/mirror"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Connection from "../api/Connection.ts"
import * as StoreLocation from "../service/StoreLocation.ts"
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
 * The lists that a copy can hold. Which contacts are in which segments is one of them.
 *
 * @since 1.0.0
 * @category constants
 */
export const lists: ReadonlyArray<Mirror.Name> = [...Resource.all.map(({ name }) => name), "segment-contacts"]

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

const text = (name: string, pseudoName: string, description: string) =>
  Options.text(name).pipe(
    Options.withPseudoName(pseudoName),
    Options.withDescription(description),
    Options.optional,
    Options.map(Option.getOrUndefined)
  )

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
  account: text("account", "NAME", "Which of several accounts in the same database. Default: default."),
  schema: text("schema", "NAME", "The PostgreSQL schema of the tables. Default: the current one."),
  prefix: text("prefix", "NAME", "What the names of all tables begin with. Default: nothing.")
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
export const fromOptions = (given: {
  readonly to: Option.Option<StoreLocation.Database>
  readonly account: string | undefined
  readonly schema: string | undefined
  readonly prefix: string | undefined
}): Effect.Effect<Copy, ValidationError.ValidationError> =>
  Effect.gen(function*() {
    const { account, prefix, schema } = given
    if (Option.isSome(given.to)) return { database: given.to.value, account, schema, prefix }
    const url = yield* Effect.orElse(yield* Connection.variable("MAILSTREAM_DATABASE_URL"), () =>
      UsageError.fail("No database given: use --to sqlite:FILE, --to postgres://…, or set MAILSTREAM_DATABASE_URL."))
    const database = yield* parse("MAILSTREAM_DATABASE_URL")(Redacted.make(url))
    return { database, account, schema, prefix }
  })
