import type * as AST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { layerAt, layerName, nameOf } from "./names.ts"
import { annotation, checksOf, saidOf } from "./said.ts"

/** Where and how a body differs from its schema. It never contains values of the body: they may be personal data. */
export interface Mismatch {
  readonly field: string
  readonly description: string
}

/** The first mismatch in an issue. */
export const mismatch = (issue: SchemaIssue.Issue, field = ""): Mismatch => {
  switch (issue._tag) {
    case "Pointer":
      return mismatch(issue.issue, issue.path.reduce<string>(append, field))
    case "Composite": {
      const failed = failedCheck(issue)
      return failed === undefined
        ? mismatch(issue.issues[0], field)
        : unlike(layerName(issue.ast, failed), "other text", field)
    }
    case "Filter":
      return unlike(annotation(issue.filter, "identifier") ?? "a valid value", "other text", field)
    case "Encoding":
      return mismatch(issue.issue, field)
    case "MissingKey":
      return { field, description: "is missing" }
    case "UnexpectedKey":
      return { field, description: "is unexpected" }
    case "InvalidType":
    case "AnyOf":
    case "OneOf":
      return unlike(layerName(issue.ast, 0), kind(actualOf(issue)), field)
    default:
      return { field, description: "is not valid" }
  }
}

const unlike = (expected: string, found: string, field: string): Mismatch => ({
  field,
  description: `expected ${expected}, found ${found}`
})

/** What is said about an invalid input: where it is wrong, and why. It contains no value of the input. */
export interface Complaint {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/** What is found on the way to the issue. */
interface Place {
  readonly path: ReadonlyArray<PropertyKey>
  /** What a value may be instead. */
  readonly or: string
}

/**
 * An issue reduced to its first complaint. Its message names the field and contains no value of the input, unless the schema's own
 * message does: values may be personal data, and a deeply nested one cannot even be printed.
 */
export const complaint = (issue: SchemaIssue.Issue, place: Place = { path: [], or: "" }): Complaint => {
  switch (issue._tag) {
    case "Pointer":
      return complaint(issue.issue, { path: [...place.path, ...issue.path], or: "" })
    case "Encoding":
      return complaint(issue.issue, place)
    case "MissingKey":
      return { path: place.path, message: messageOfMissing(issue) }
    case "UnexpectedKey":
      return { path: place.path, message: `Unknown field \`${String(place.path.at(-1))}\`.` }
    case "InvalidType":
    case "AnyOf":
    case "OneOf":
    case "Composite":
      return layered(issue, place)
    case "Filter":
      return { path: place.path, message: ownMessage(issue) ?? mustBe("a valid value", place) }
    default:
      return { path: place.path, message: mustBe("a valid value", place) }
  }
}

type Layered = SchemaIssue.InvalidType | SchemaIssue.AnyOf | SchemaIssue.OneOf | SchemaIssue.Composite

/** The layers of a schema, from its last check to the one that failed, or to its type. */
const layered = (issue: Layered, place: Place): Complaint => {
  const { ast } = issue
  const actual = actualOf(issue)
  const failed = failedCheck(issue) ?? 0
  for (let at = checksOf(ast).length; at > failed; at--) {
    const layer = layerAt(ast, at)
    const said = saidOf(layer, actual)
    if (said?.override === true) return { path: place.path, message: said.message }
    const description = annotation(layer, "description")
    // An id that is not even a string is described as an id.
    if (said === undefined && description !== undefined) {
      return { path: place.path, message: mustBe(description, place) }
    }
  }
  const said = saidOf(layerAt(ast, failed), actual)
  const isWithin = failed === 0 && "issues" in issue
  if (said !== undefined && (said.override || !isWithin)) return { path: place.path, message: said.message }
  if (isWithin) return within(issue, place)
  const message = "issues" in issue ? ownMessage(issue.issues[0]) : undefined
  return { path: place.path, message: message ?? mustBe(described(ast, failed), place) }
}

const within = (issue: SchemaIssue.AnyOf | SchemaIssue.Composite, place: Place): Complaint => {
  const [first] = issue.issues
  if (first === undefined) return { path: place.path, message: mustBe(described(issue.ast, 0), place) }
  const isNullable = issue.ast._tag === "Union" && issue.ast.types.some(({ _tag }) => _tag === "Null")
  return complaint(first, isNullable ? { ...place, or: ", or null" } : place)
}

/** The number of the check that failed, if it was one of the schema itself. */
const failedCheck = (issue: Layered): number | undefined => {
  const [first] = issue._tag === "Composite" ? issue.issues : []
  if (first?._tag !== "Filter") return undefined
  const index = checksOf(issue.ast).findIndex((check) => includes(check, first.filter))
  return index === -1 ? undefined : index + 1
}

const includes = (check: AST.Check<unknown>, filter: AST.Filter<unknown>): boolean =>
  check === filter || (check._tag === "FilterGroup" && check.checks.some((each) => includes(each, filter)))

/** The message of a check that makes its own. */
const ownMessage = (issue: SchemaIssue.Issue | undefined): string | undefined => {
  const message = issue?._tag === "Filter" && issue.issue._tag === "InvalidValue"
    ? issue.issue.annotations?.message
    : undefined
  return typeof message === "string" ? message : undefined
}

const messageOfMissing = ({ annotations }: SchemaIssue.MissingKey): string => {
  const message = annotations?.messageMissingKey
  return typeof message === "string" ? message : "is missing"
}

const mustBe = (what: string, { or, path }: Place): string => {
  const field = path.reduce<string>(append, "")
  return `${field === "" ? "The input" : `The \`${field}\` field`} must be ${what}${or}.`
}

const described = (ast: AST.AST, checks: number): string =>
  annotation(layerAt(ast, checks), "description") ??
    (checks > 0
      ? layerName(ast, checks)
      : ast._tag === "Objects"
      ? "an object"
      : ast._tag === "Arrays"
      ? "an array"
      : ast._tag === "String"
      ? "a string"
      : layerName(ast, 0))

/** What elements of a list are called, if a message has to say which of them it is about. */
export const titleOf = (issue: SchemaIssue.Issue): string | undefined =>
  "ast" in issue ? annotation(layerAt(issue.ast, checksOf(issue.ast).length), "title") : undefined

const actualOf = (issue: SchemaIssue.Issue): unknown => SchemaIssue.hasInput(issue) ? issue.input : undefined

const append = (field: string, key: PropertyKey): string =>
  typeof key === "number" ? `${field}[${key}]` : field === "" ? String(key) : `${field}.${String(key)}`

const kind = (value: unknown): string => value === null ? "null" : Array.isArray(value) ? "array" : typeof value

export { nameOf }
