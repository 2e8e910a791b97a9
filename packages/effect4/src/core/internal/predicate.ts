import type * as AST from "effect/SchemaAST"
import { checksOf } from "./said.ts"

/**
 * A fast check of a value against a schema. `true` means that the schema accepts the value; `false` means that only the
 * schema can tell.
 */
export interface Predicate {
  (value: unknown): boolean
}

/**
 * Compiles a schema into a predicate that is many times as fast as decoding, because it builds neither output nor
 * errors. The schema must validate without transforming. Returns a predicate only if the schema consists of the kinds
 * that list items are made of.
 */
export const compile = (ast: AST.AST): Predicate | undefined => {
  const type = compileType(ast, compile)
  return type && checked(ast, type)
}

/** A predicate for the type of a schema, and for its checks. */
export const checked = (ast: AST.AST, type: Predicate): Predicate =>
  checksOf(ast).reduce<Predicate>((before, check) => (value) => before(value) && passes(check, ast, value), type)

const passes = (check: AST.Check<unknown>, ast: AST.AST, value: unknown): boolean =>
  check._tag === "Filter"
    ? check.run(value, ast, {}) === undefined
    : check.checks.every((each) => passes(each, ast, value))

/** How the parts of a schema are compiled. */
interface Compile {
  (ast: AST.AST): Predicate | undefined
}

/** Compiles the type of a schema, without its checks. */
export const compileType = (ast: AST.AST, inner: Compile): Predicate | undefined => {
  if (ast.encoding !== undefined) return undefined
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
    case "Union": {
      const members = all(ast.types.map(inner))
      return members && anyOf(members)
    }
    case "Arrays": {
      const [rest] = ast.elements.length === 0 && ast.rest.length === 1 ? ast.rest : []
      const element = rest && inner(rest)
      return element && arrayOf(element)
    }
    case "Objects": {
      const fields = ast.indexSignatures.length === 0 && ast.propertySignatures.length > 0
        ? fieldsOf(ast, inner)
        : undefined
      return fields && structOf(fields)
    }
    default:
      return undefined
  }
}

const all = <A>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> | undefined => {
  const known = values.filter((value) => value !== undefined)
  return known.length === values.length ? known : undefined
}

const anyOf = (members: ReadonlyArray<Predicate>): Predicate => {
  const [first, second] = members
  return members.length === 2
    ? (value) => first!(value) || second!(value)
    : (value) => members.some((member) => member(value))
}

const arrayOf = (element: Predicate): Predicate => (value) => {
  if (!Array.isArray(value)) return false
  for (let index = 0; index < value.length; index++) if (!element(value[index])) return false
  return true
}

export interface Field {
  readonly name: string
  readonly isOptional: boolean
  readonly type: Predicate
}

/** The fields of an object, if all of them can be compiled. */
export const fieldsOf = (ast: AST.Objects, inner: Compile): ReadonlyArray<Field> | undefined =>
  all(ast.propertySignatures.map(({ name, type }) => {
    const predicate = typeof name === "string" && !(name in Object.prototype) ? inner(type) : undefined
    return predicate && { name: String(name), isOptional: type.context?.isOptional === true, type: predicate }
  }))

const structOf = (fields: ReadonlyArray<Field>): Predicate => (value) => {
  if (!isPlainObject(value)) return false
  for (let index = 0; index < fields.length; index++) {
    const { isOptional, name, type } = fields[index]!
    const field = value[name]
    if (!type(field) && !(isOptional && field === undefined && !(name in value))) return false
  }
  return true
}

/** Whether a value is an object as `JSON.parse` builds them. Inherited fields of other objects do not count. */
export const isPlainObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
