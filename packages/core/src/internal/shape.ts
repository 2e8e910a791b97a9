import * as Array from "effect/Array"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as AST from "effect/SchemaAST"

/** Where and how a body differs from its schema. It never contains values of the body: they may be personal data. */
export interface Mismatch {
  readonly field: string
  readonly description: string
}

/** The first mismatch in a parse issue. */
export const mismatch = (issue: ParseResult.ParseIssue, field = ""): Mismatch => {
  switch (issue._tag) {
    case "Pointer": {
      return mismatch(issue.issue, Array.ensure(issue.path).reduce<string>(append, field))
    }
    case "Composite":
      return AST.isUnion(issue.ast) ? unlike(issue, field) : mismatch(Array.ensure(issue.issues)[0]!, field)
    case "Refinement":
    case "Transformation":
      return issue.kind === "Predicate" ? unlike(issue, field, "other text") : mismatch(issue.issue, field)
    case "Missing":
      return { field, description: "is missing" }
    case "Unexpected":
      return { field, description: "is unexpected" }
    default:
      return unlike(issue, field)
  }
}

const unlike = (
  { actual, ast }: { readonly actual: unknown; readonly ast: AST.AST },
  field: string,
  found = kind(actual)
): Mismatch => ({ field, description: `expected ${name(ast)}, found ${found}` })

/**
 * A parse issue reduced to its first mismatch, at the same path. Its message contains no value of the body, unless the
 * schema's own message does: values may be personal data, and a deeply nested one cannot even be printed.
 */
export const first = (issue: ParseResult.ParseIssue): ParseResult.ParseIssue => {
  switch (issue._tag) {
    case "Pointer":
      return new ParseResult.Pointer(issue.path, issue.actual, first(issue.issue))
    case "Composite":
      return new ParseResult.Composite(issue.ast, issue.actual, first(Array.ensure(issue.issues)[0]!), issue.output)
    case "Refinement":
      return new ParseResult.Refinement(issue.ast, issue.actual, issue.kind, first(issue.issue))
    case "Transformation":
      return new ParseResult.Transformation(issue.ast, issue.actual, issue.kind, first(issue.issue))
    case "Type":
      return new ParseResult.Type(issue.ast, issue.actual, issue.message ?? mismatch(issue).description)
    default:
      return issue
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
