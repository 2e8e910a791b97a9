/**
 * Which cluster a command is about. The code that opens its database is imported when it is needed.
 *
 * @since 1.0.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Copy from "../mirror/Copy.ts"
import type * as StoreLocation from "../service/StoreLocation.ts"
import * as Flag from "../usage/Flag.ts"
import type * as UsageError from "../usage/UsageError.ts"
import type { Value } from "../usage/Value.ts"
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

const value: Value<Postgres> = {
  name: "DATABASE",
  values: Values.oneOf(["postgres://"]),
  isSecret: true,
  parse: (text) =>
    Either.filterOrLeft(
      Copy.value.parse(text),
      (database): database is Postgres => database._tag === "Postgres",
      () => "must be postgres://USER:PASSWORD@HOST/DATABASE: workers need PostgreSQL"
    )
}

/**
 * The options that name a cluster.
 *
 * @since 1.0.0
 * @category options
 */
export const flags = {
  database: Flag.optional(
    "database",
    value,
    "The PostgreSQL database that all workers share: postgres://USER:PASSWORD@HOST/DATABASE. Default: MAILSTREAM_DATABASE_URL."
  ),
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
  Effect.map(Copy.databaseOr(database, value, "--database postgres://…"), (database) => ({ database, prefix }))
