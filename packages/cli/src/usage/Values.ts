/**
 * The values that an option takes, as far as they are known in advance: what a shell offers for them.
 *
 * @since 1.0.0
 */

/**
 * - `Any`: nothing is known.
 * - `OneOf`: one of these words.
 * - `Several`: some of these words, separated by commas.
 * - `File`: the name of a file.
 * - `Location`: one of these words; `sqlite:` is followed by the name of a file.
 *
 * @since 1.0.0
 * @category models
 */
export type Values =
  | { readonly _tag: "Any" }
  | { readonly _tag: "File" }
  | { readonly _tag: "OneOf" | "Several" | "Location"; readonly words: ReadonlyArray<string> }

/**
 * @since 1.0.0
 * @category constructors
 */
export const any: Values = { _tag: "Any" }

/**
 * @since 1.0.0
 * @category constructors
 */
export const file: Values = { _tag: "File" }

/**
 * @since 1.0.0
 * @category constructors
 */
export const oneOf = (words: ReadonlyArray<string>): Values => ({ _tag: "OneOf", words })

/**
 * @since 1.0.0
 * @category constructors
 */
export const several = (words: ReadonlyArray<string>): Values => ({ _tag: "Several", words })

/**
 * A database, or one of other words.
 *
 * @since 1.0.0
 * @category constructors
 */
export const location = (...others: ReadonlyArray<string>): Values => ({
  _tag: "Location",
  words: [...others, "sqlite:", "postgres://"]
})
