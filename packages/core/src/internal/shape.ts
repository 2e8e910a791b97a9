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
 * A parse issue reduced to its first mismatch, at the same path. Its message names the field and contains no value of the
 * body, unless the schema's own message does: values may be personal data, and a deeply nested one cannot even be printed.
 */
export const first = (issue: ParseResult.ParseIssue, field = "", or = ""): ParseResult.ParseIssue => {
  switch (issue._tag) {
    case "Pointer": {
      const inside = Array.ensure(issue.path).reduce<string>(append, field)
      return new ParseResult.Pointer(issue.path, issue.actual, first(issue.issue, inside))
    }
    case "Composite": {
      const reduced = first(Array.ensure(issue.issues)[0]!, field, isNullable(issue.ast) ? ", or null" : or)
      return new ParseResult.Composite(issue.ast, issue.actual, reduced, issue.output)
    }
    case "Refinement": {
      // An id that is not even a string is described as an id.
      const inner = isDescribed(issue.ast) ? new ParseResult.Type(issue.ast, issue.actual) : issue.issue
      return new ParseResult.Refinement(
        issue.ast,
        issue.actual,
        issue.kind,
        first(issue.kind === "From" ? inner : issue.issue, field, or)
      )
    }
    case "Transformation":
      return new ParseResult.Transformation(issue.ast, issue.actual, issue.kind, first(issue.issue, field, or))
    case "Type": {
      const what = field === "" ? "The input" : `The \`${field}\` field`
      return new ParseResult.Type(
        issue.ast,
        issue.actual,
        issue.message ?? `${what} must be ${described(issue.ast)}${or}.`
      )
    }
    default:
      return issue
  }
}

const isNullable = (ast: AST.AST): boolean =>
  AST.isUnion(ast) && ast.types.some((member) => AST.isLiteral(member) && member.literal === null)

/** Whether a schema says in words what its values are, and has no message of its own. */
const isDescribed = (ast: AST.AST): boolean =>
  Option.isSome(AST.getDescriptionAnnotation(ast)) && Option.isNone(AST.getMessageAnnotation(ast))

const described = (ast: AST.AST): string =>
  Option.getOrElse(
    AST.getDescriptionAnnotation(ast),
    () => AST.isTypeLiteral(ast) ? "an object" : AST.isTupleType(ast) ? "an array" : name(ast)
  )

const append = (field: string, key: PropertyKey): string =>
  typeof key === "number" ? `${field}[${key}]` : field === "" ? String(key) : `${field}.${String(key)}`

const name = (ast: AST.AST): string =>
  AST.getIdentifierAnnotation(ast).pipe(
    Option.orElse(() => AST.isTypeLiteral(ast) ? AST.getTitleAnnotation(ast) : Option.none()),
    Option.getOrElse(() =>
      AST.isUnion(ast) ? ast.types.map(name).join(" or ") : AST.isTransformation(ast) ? name(ast.from) : String(ast)
    )
  )

const kind = (value: unknown): string => value === null ? "null" : Array.isArray(value) ? "array" : typeof value
