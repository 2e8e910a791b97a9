/**
 * Where the service stores its objects.
 *
 * @since 1.0.0
 */
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"

/**
 * @since 1.0.0
 * @category models
 */
export type StoreLocation = { readonly _tag: "Memory" } | Database

/**
 * A database.
 *
 * @since 1.0.0
 * @category models
 */
export type Database =
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

/**
 * @since 1.0.0
 * @category constructors
 */
export const memory: StoreLocation = { _tag: "Memory" }

/**
 * Parses `memory`, `sqlite:FILE` or `postgres://…`. The error does not repeat the text: it may hold a password.
 *
 * @since 1.0.0
 * @category parsers
 */
export const parse = (text: Redacted.Redacted): Either.Either<StoreLocation, string> =>
  Redacted.value(text) === "memory"
    ? Either.right(memory)
    : Either.fromNullable(
      database(Redacted.value(text)),
      () => "--store must be memory, sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE."
    )

/**
 * Parses `sqlite:FILE` or `postgres://…`.
 *
 * @since 1.0.0
 * @category parsers
 */
export const database = (text: string): Database | undefined => {
  const [, filename] = /^sqlite:(?!\/\/)(.+)$/.exec(text) ?? []
  if (filename !== undefined) return { _tag: "Sqlite", filename }
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)
    ? { _tag: "Postgres", url: Redacted.make(text) }
    : undefined
}
