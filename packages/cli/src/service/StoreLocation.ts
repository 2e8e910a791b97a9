/**
 * Where the service stores its objects.
 *
 * @since 1.0.0
 */
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import type { Value } from "../usage/Value.ts"
import * as Values from "../usage/Values.ts"

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
 * `memory`, `sqlite:FILE` or `postgres://…`.
 *
 * @since 1.0.0
 * @category parsers
 */
export const value: Value<StoreLocation> = {
  name: "STORE",
  values: Values.location("memory"),
  isSecret: true,
  parse: (text) =>
    Either.fromNullable(
      text === "memory" ? memory : database(text),
      () => "must be memory, sqlite:FILE or postgres://USER:PASSWORD@HOST/DATABASE"
    )
}

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
