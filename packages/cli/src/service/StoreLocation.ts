/**
 * Where the service stores its objects.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"

/**
 * @since 0.1.0
 * @category models
 */
export type StoreLocation =
  | { readonly _tag: "Memory" }
  | { readonly _tag: "Sqlite"; readonly filename: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

/**
 * @since 0.1.0
 * @category constructors
 */
export const memory: StoreLocation = { _tag: "Memory" }

/**
 * Parses `memory`, `sqlite:FILE` or `postgres://…`. The error does not repeat the text: it may hold a password.
 *
 * @since 0.1.0
 * @category parsers
 */
export const parse = (text: string): Either.Either<StoreLocation, string> => {
  if (text === "memory") return Either.right(memory)
  const [, filename] = /^sqlite:(.+)$/.exec(text) ?? []
  if (filename !== undefined) return Either.right({ _tag: "Sqlite", filename })
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)
    ? Either.right({ _tag: "Postgres", url: Redacted.make(text) })
    : Either.left("--store must be memory, sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE.")
}
