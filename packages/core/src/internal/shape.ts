import * as Array from "effect/Array"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"

/** Where a body is not as promised, and how. Values are never repeated: they may be personal. */
export interface Mismatch {
  readonly field: string
  readonly description: string
}

/** The first mismatch that a schema found. */
export const mismatch = (issue: ParseResult.ParseIssue, field = ""): Mismatch => {
  switch (issue._tag) {
    case "Pointer": {
      return mismatch(issue.issue, Array.ensure(issue.path).reduce<string>(append, field))
    }
    case "Composite":
      return AST.isUnion(issue.ast)
        ? { field, description: `expected ${name(issue.ast)}, found ${kind(issue.actual)}` }
        : mismatch(Array.ensure(issue.issues)[0]!, field)
    case "Refinement":
    case "Transformation":
      return issue.kind === "Predicate"
        ? { field, description: `expected ${name(issue.ast)}, found other text` }
        : mismatch(issue.issue, field)
    case "Missing":
      return { field, description: "is missing" }
    case "Unexpected":
      return { field, description: "is not known" }
    default:
      return { field, description: `expected ${name(issue.ast)}, found ${kind(issue.actual)}` }
  }
}

const append = (field: string, key: PropertyKey): string =>
  typeof key === "number" ? `${field}[${key}]` : field === "" ? String(key) : `${field}.${String(key)}`

const name = (ast: AST.AST): string =>
  AST.getIdentifierAnnotation(ast).pipe(
    Option.orElse(() => AST.isTypeLiteral(ast) ? AST.getTitleAnnotation(ast) : Option.none()),
    Option.getOrElse(() => AST.isUnion(ast) ? ast.types.map(name).join(" or ") : String(ast))
  )

const kind = (value: unknown): string => value === null ? "null" : Array.isArray(value) ? "array" : typeof value
