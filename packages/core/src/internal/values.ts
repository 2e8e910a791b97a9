import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"

type Ast = Schema.Schema.Any["ast"] | Schema.PropertySignature.AST

/** The values that a field is known to have; empty if it may be any string. */
export const valuesOf = ({ ast }: { readonly ast: Ast }): ReadonlyArray<string> => {
  const type = "type" in ast && typeof ast.type === "object" ? ast.type : ast
  return "types" in type ? type.types.flatMap((member) => "literal" in member ? [String(member.literal)] : []) : []
}

/** Whether a field may be absent. */
export const isOptional = ({ ast }: { readonly ast: Ast }): boolean => "isOptional" in ast && ast.isOptional

/** What a schema says about its values. */
export const descriptionOf = ({ ast }: Schema.Schema.Any): string | undefined =>
  Option.getOrUndefined(AST.getDescriptionAnnotation(ast))
