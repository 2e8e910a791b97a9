import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"
import * as Issue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { checksOf } from "./said.ts"

/** How values are checked. `isExact` refuses the fields of objects that a schema does not know. */
export interface Options {
  readonly isExact: boolean
}

const reporting = { reportInput: true }

/**
 * The first issue of a value with a schema that does not transform, and `undefined` for a valid one: fields in the order of the
 * schema, and for a union the issue with its first member. Only an object's own fields count. So messages depend neither on the
 * version of Effect nor on how it chooses among the members of a union.
 */
export const issueOf = (ast: AST.AST, value: unknown, options: Options): Issue.Issue | undefined => {
  const issue = typeIssue(ast, value, options)
  if (issue !== undefined) return issue
  for (const check of checksOf(ast)) {
    const failed = checkIssue(check, ast, value)
    if (failed !== undefined) return new Issue.Composite(ast, [failed], value, reporting)
  }
  return undefined
}

const checkIssue = (check: AST.Check<unknown>, ast: AST.AST, value: unknown): Issue.Filter | undefined => {
  if (check._tag === "FilterGroup") {
    for (const each of check.checks) {
      const failed = checkIssue(each, ast, value)
      if (failed !== undefined) return failed
    }
    return undefined
  }
  const issue = check.run(value, ast, reporting)
  return issue === undefined ? undefined : new Issue.Filter(check, issue, value, reporting)
}

const typeIssue = (ast: AST.AST, value: unknown, options: Options): Issue.Issue | undefined => {
  switch (ast._tag) {
    case "Objects":
      return objectIssue(ast, value, options)
    case "Arrays":
      return arrayIssue(ast, value, options)
    case "Union":
      return unionIssue(ast, value, options)
    default:
      return isOfType(ast)(value) ? undefined : new Issue.InvalidType(ast, value, reporting)
  }
}

const isOfType = (ast: AST.AST): (value: unknown) => boolean => {
  switch (ast._tag) {
    case "Unknown":
      return () => true
    case "Undefined":
      return (value) => value === undefined
    case "Null":
      return (value) => value === null
    case "String":
      return (value) => typeof value === "string"
    case "Number":
      return (value) => typeof value === "number"
    case "Boolean":
      return (value) => typeof value === "boolean"
    case "Literal":
      return (value) => value === ast.literal
    default:
      return (value) =>
        Result.isSuccess(SchemaParser.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(ast))(value))
  }
}

const unionIssue = (ast: AST.Union, value: unknown, options: Options): Issue.Issue | undefined => {
  let first: Issue.Issue | undefined
  for (const type of ast.types) {
    const issue = issueOf(type, value, options)
    if (issue === undefined) return undefined
    first ??= issue
  }
  return new Issue.AnyOf(ast, first === undefined ? [] : [first], value, reporting)
}

const arrayIssue = (ast: AST.Arrays, value: unknown, options: Options): Issue.Issue | undefined => {
  if (!Array.isArray(value)) return new Issue.InvalidType(ast, value, reporting)
  const at = (index: number, issue: Issue.Issue) =>
    new Issue.Composite(ast, [new Issue.Pointer([index], issue)], value, reporting)
  const { elements, rest: [rest] } = ast
  const missing = elements[value.length]
  if (missing !== undefined && !isOptional(missing)) {
    return at(value.length, new Issue.MissingKey(missing.context?.annotations))
  }
  if (rest === undefined && value.length > elements.length) {
    return at(elements.length, new Issue.UnexpectedKey(ast, value[elements.length], reporting))
  }
  for (let index = 0; index < value.length; index++) {
    const type = elements[index] ?? rest
    const issue = type === undefined ? undefined : issueOf(type, value[index], options)
    if (issue !== undefined) return at(index, issue)
  }
  return undefined
}

const isOptional = (type: AST.AST): boolean => type.context?.isOptional === true

/** Any object but an array. */
export const isRecord = (value: unknown): value is { readonly [name: PropertyKey]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const objectIssue = (ast: AST.Objects, value: unknown, options: Options): Issue.Issue | undefined => {
  const { indexSignatures: [index], propertySignatures } = ast
  if (propertySignatures.length === 0 && index === undefined) {
    return value === undefined || value === null ? new Issue.InvalidType(ast, value, reporting) : undefined
  }
  if (!isRecord(value)) return new Issue.InvalidType(ast, value, reporting)
  const at = (name: PropertyKey, issue: Issue.Issue) =>
    new Issue.Composite(ast, [new Issue.Pointer([name], issue)], value, reporting)
  if (options.isExact) {
    const unexpected = Reflect.ownKeys(value).find((key) =>
      !propertySignatures.some(({ name }) => name === key) && (index === undefined || typeof key !== "string")
    )
    if (unexpected !== undefined) return at(unexpected, new Issue.UnexpectedKey(ast, value[unexpected], reporting))
  }
  for (const { name, type } of propertySignatures) {
    const isOwn = Object.hasOwn(value, name)
    if (!isOwn && isOptional(type)) continue
    const issue = issueOf(type, value[name], options)
    if (issue !== undefined) return at(name, isOwn ? issue : new Issue.MissingKey(type.context?.annotations))
  }
  for (const name of index === undefined ? [] : Object.keys(value)) {
    const issue = issueOf(index!.type, value[name], options)
    if (issue !== undefined) return at(name, issue)
  }
  return undefined
}
