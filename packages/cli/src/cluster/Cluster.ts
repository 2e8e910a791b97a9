/**
 * Which cluster a command is about. The code that opens its database is imported when it is needed.
 *
 * @since 1.0.0
 */
import * as Options from "@effect/cli/Options"
import type * as ValidationError from "@effect/cli/ValidationError"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Copy from "../mirror/Copy.ts"
import type * as StoreLocation from "../service/StoreLocation.ts"
import * as UsageError from "../usage/UsageError.ts"
import * as Values from "../usage/Values.ts"

/**
 * @since 1.0.0
 * @category models
 */
export interface Cluster {
  readonly database: Postgres
  readonly prefix: string | undefined
}

/**
 * @since 1.0.0
 * @category models
 */
export type Postgres = Extract<StoreLocation.Database, { readonly _tag: "Postgres" }>

const expected = "postgres://USER:PASSWORD@HOST/DATABASE: workers need PostgreSQL"

const parse = (name: string) => (text: Redacted.Redacted): Either.Either<Postgres, ValidationError.ValidationError> =>
  Either.flatMap(
    Copy.parse(name, expected)(text),
    (database) =>
      database._tag === "Postgres"
        ? Either.right(database)
        : Either.left(UsageError.make(`${name} must be ${expected}.`))
  )

/**
 * The options that name a cluster.
 *
 * @since 1.0.0
 * @category options
 */
export const options = {
  database: Options.redacted("database").pipe(
    Options.withPseudoName("DATABASE"),
    Options.mapEffect(parse("--database")),
    Options.withDescription(
      "The PostgreSQL database that all workers share: postgres://USER:PASSWORD@HOST/DATABASE. Default: MAILSTREAM_DATABASE_URL."
    ),
    Options.optional
  ),
  prefix: Copy.options.prefix
}

/**
 * What a shell offers for these options.
 *
 * @since 1.0.0
 * @category options
 */
export const values = { database: Values.oneOf(["postgres://"]) }

/**
 * The cluster that the options name, or the environment.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromOptions = ({ database, prefix }: {
  readonly database: Option.Option<Postgres>
  readonly prefix: string | undefined
}): Effect.Effect<Cluster, ValidationError.ValidationError> =>
  Effect.map(Copy.databaseOr(database, parse, "--database postgres://…"), (database) => ({ database, prefix }))
