/** The tables of a cluster, next to those of the copy. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { type InvalidOption, unless } from "@mailstream/core/InvalidOption"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"

export interface Names {
  /** When each account is due, and which worker has it. */
  readonly accounts: string
  /** How many passes ended when. */
  readonly passes: string
  /** What became of the last passes of each account. */
  readonly history: string
  /** The workers. */
  readonly workers: string
  /** The encrypted API keys. */
  readonly keys: string
}

const identifier = /^[a-z_][a-z0-9_]*$/

/** PostgreSQL cuts names after 63 characters; those of indexes are the longest. */
const maxLength = 24

/** Two clusters in one database need different prefixes. */
export const names = (
  { prefix = "" }: { readonly prefix?: string | undefined }
): Either.Either<Names, InvalidOption> => {
  const cluster = `${prefix}cluster`
  return Either.map(
    unless(
      prefix === "" || (identifier.test(prefix) && prefix.length <= maxLength),
      "prefix",
      `must consist of at most ${maxLength} lower-case letters, digits and underscores`
    ),
    () => ({
      accounts: `${cluster}_accounts`,
      passes: `${cluster}_passes`,
      history: `${cluster}_history`,
      workers: `${cluster}_workers`,
      keys: `${cluster}_keys`
    })
  )
}

/** Whether the tables of this version exist: those who only read them create nothing. */
export const exist = (client: SqlClient.SqlClient, { workers }: Names): Effect.Effect<boolean, SqlError> =>
  Effect.map(
    client.withoutTransforms()<{ readonly exists: boolean }>`SELECT EXISTS (SELECT FROM pg_attribute
      WHERE attrelid = to_regclass(${workers}) AND attname = 'alive_until' AND NOT attisdropped) AS exists`,
    ([row]) => row?.exists === true
  )

/** A parameter that is an interval. */
export const seconds = (duration: Duration.Duration): string => `${Duration.toMillis(duration) / 1000} seconds`

/** The message of the innermost cause: the outer ones only say that a statement failed. An attempt at several addresses has a code only. */
export const reasonOf = (error: unknown): string =>
  Predicate.hasProperty(error, "cause") && error.cause !== undefined
    ? reasonOf(error.cause)
    : Predicate.hasProperty(error, "message") && error.message !== ""
    ? String(error.message)
    : Predicate.hasProperty(error, "code")
    ? String(error.code)
    : String(error)
