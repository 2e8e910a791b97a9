/** The tables of a cluster, next to those of the copy. */
import type { SqlError } from "@effect/sql/SqlError"
import { InvalidOption } from "@mailstream/mirror/MirrorError"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

export interface Names {
  /** What the engine puts in front of the names of its own tables, with an underscore in between. */
  readonly engine: string
  /** The engine's tables. */
  readonly messages: string
  readonly replies: string
  readonly runners: string
  readonly locks: string
  /** When each account is due. */
  readonly accounts: string
  /** The encrypted API keys. */
  readonly keys: string
}

const identifier = /^[a-z_][a-z0-9_]*$/

/** PostgreSQL cuts names after 63 characters; the longest one is that of an index of the engine. */
const maxLength = 24

/** Two clusters in one database need different prefixes. */
export const names = (
  { prefix = "" }: { readonly prefix?: string | undefined }
): Effect.Effect<Names, InvalidOption> => {
  if (prefix !== "" && (!identifier.test(prefix) || prefix.length > maxLength)) {
    return new InvalidOption({
      option: "prefix",
      description: `must consist of at most ${maxLength} lower-case letters, digits and underscores.`
    })
  }
  const engine = `${prefix}cluster`
  return Effect.succeed({
    engine,
    messages: `${engine}_messages`,
    replies: `${engine}_replies`,
    runners: `${engine}_runners`,
    locks: `${engine}_locks`,
    accounts: `${engine}_accounts`,
    keys: `${engine}_keys`
  })
}

/** The message of the innermost cause: the outer ones only say that a statement failed. */
export const reasonOf = (error: SqlError): string => {
  const innermost = (error: unknown): string =>
    Predicate.hasProperty(error, "cause") && error.cause !== undefined
      ? innermost(error.cause)
      : Predicate.hasProperty(error, "message")
      ? String(error.message)
      : String(error)
  return innermost(error)
}
