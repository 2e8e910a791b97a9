/**
 * Which cluster a command is about. The code that opens its database is imported when it is needed.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import * as Copy from "../mirror/Copy.ts"
import type * as StoreLocation from "../service/StoreLocation.ts"
import * as Flag from "../usage/Flag.ts"
import type * as UsageError from "../usage/UsageError.ts"
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

const parse = (name: string) => (text: Redacted.Redacted): Either.Either<Postgres, string> =>
  Either.filterOrLeft(
    Copy.parse(name, expected)(text),
    (database): database is Postgres => database._tag === "Postgres",
    () => `${name} must be ${expected}.`
  )

/**
 * The options that name a cluster.
 *
 * @since 1.0.0
 * @category options
 */
export const flags = {
  database: Flag.optional(Flag.redacted("database", {
    value: "DATABASE",
    values: Values.oneOf(["postgres://"]),
    description:
      "The PostgreSQL database that all workers share: postgres://USER:PASSWORD@HOST/DATABASE. Default: MAILSTREAM_DATABASE_URL.",
    parse: parse("--database")
  })),
  prefix: Copy.flags.prefix
}

/**
 * The cluster that the options name, or the environment.
 *
 * @since 1.0.0
 * @category constructors
 */
export const fromFlags = (
  { database, prefix }: Flag.Given<typeof flags>
): Effect.Effect<Cluster, UsageError.UsageError> =>
  Effect.map(Copy.databaseOr(database, parse, "--database postgres://…"), (database) => ({ database, prefix }))
