/** The tables of a cluster, next to those of the copy. */
import { type InvalidOption, unless } from "@mailstream/core/InvalidOption"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"

export interface Names {
  /** What the engine puts in front of the names of its own tables, with an underscore in between. */
  readonly engine: string
  /** When each account is due. */
  readonly accounts: string
  /** How many passes ended when. */
  readonly passes: string
  /** What workers say about themselves. */
  readonly workers: string
  /** The encrypted API keys. */
  readonly keys: string
}

const identifier = /^[a-z_][a-z0-9_]*$/

/** PostgreSQL cuts names after 63 characters; the longest one is that of an index of the engine. */
const maxLength = 24

/** Two clusters in one database need different prefixes. */
export const names = (
  { prefix = "" }: { readonly prefix?: string | undefined }
): Either.Either<Names, InvalidOption> => {
  const engine = `${prefix}cluster`
  return Either.map(
    unless(
      prefix === "" || (identifier.test(prefix) && prefix.length <= maxLength),
      "prefix",
      `must consist of at most ${maxLength} lower-case letters, digits and underscores`
    ),
    () => ({
      engine,
      accounts: `${engine}_accounts`,
      passes: `${engine}_passes`,
      workers: `${engine}_workers`,
      keys: `${engine}_keys`
    })
  )
}

/** The message of the innermost cause: the outer ones only say that a statement failed. */
export const reasonOf = (error: unknown): string =>
  Predicate.hasProperty(error, "cause") && error.cause !== undefined
    ? reasonOf(error.cause)
    : Predicate.hasProperty(error, "message")
    ? String(error.message)
    : String(error)
