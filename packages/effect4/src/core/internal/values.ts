import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

/** The values that a field is known to have; empty if it may be any string. */
export const valuesOf = ({ ast }: Schema.Constraint): ReadonlyArray<string> =>
  ast._tag === "Union" ? ast.types.flatMap((member) => member._tag === "Literal" ? [String(member.literal)] : []) : []

/** Whether a field may be absent. */
export const isOptional = ({ ast }: Schema.Constraint): boolean => ast.context?.isOptional === true

/** What a schema says about its values. */
export const descriptionOf = ({ ast }: Schema.Constraint): string | undefined => AST.resolveDescription(ast)
