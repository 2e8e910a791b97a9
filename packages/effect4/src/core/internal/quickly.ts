import type * as AST from "effect/SchemaAST"

const key = "~mailstream/core/quickly"

/** Decodes most values, and is `undefined` for those that only the schema can decode or refuse. */
interface Quick {
  (value: unknown): unknown
}

const isQuick = (value: unknown): value is Quick => typeof value === "function"

/** The annotation of a schema that transforms: a way to decode that keeps unknown fields, or is faster. */
export const annotation = (quick: Quick) => ({ [key]: quick })

/** The faster way to decode a value of a schema, if it has one. */
export const quickly = (ast: AST.AST): Quick | undefined => {
  const quick = ast.annotations?.[key]
  return isQuick(quick) ? quick : undefined
}
