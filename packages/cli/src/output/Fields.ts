/**
 * The fields of items: which are printed, and in which order.
 *
 * @since 1.0.0
 */
import * as SchemaAST from "effect/SchemaAST"

/**
 * The name for all fields of an item that its schema does not know, as one object.
 *
 * @since 1.0.0
 * @category constants
 */
export const others = "other_fields"

/**
 * The fields of a schema, in order.
 *
 * @since 1.0.0
 * @category getters
 */
export const ofSchema = ({ ast }: { readonly ast: SchemaAST.AST }): ReadonlyArray<string> =>
  SchemaAST.getPropertySignatures(ast).map(({ name }) => String(name))

/**
 * Which fields of items are printed.
 *
 * @since 1.0.0
 * @category models
 */
export interface Fields {
  /** Those that the schema knows. */
  readonly known: ReadonlyArray<string>
  /** Those that the user wants, in this order. Default: all. */
  readonly chosen?: ReadonlyArray<string> | undefined
}

/**
 * Picks fields from an item, as pairs of a name and a value, which is undefined if the item does not have the field.
 *
 * @since 1.0.0
 * @category combinators
 */
export const pick = (
  { known }: Fields,
  wanted: ReadonlyArray<string>
): (item: object) => ReadonlyArray<readonly [name: string, value: unknown]> => {
  const isKnown = new Set(known)
  return (item) => {
    const entries = Object.entries(item)
    const values = new Map<string, unknown>(entries)
    const unknown = wanted.includes(others) ? entries.filter(([field]) => !isKnown.has(field)) : []
    return wanted.map((field) => [
      field,
      field === others && !isKnown.has(others)
        ? unknown.length === 0 ? undefined : Object.fromEntries(unknown)
        : values.get(field)
    ])
  }
}
