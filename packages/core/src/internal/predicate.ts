import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"

/**
 * A fast check of a value against a schema. `true` means that the schema accepts the value; `false` means that only the
 * schema can tell.
 */
export interface Predicate {
  (value: unknown): boolean
}

/**
 * The annotation of a schema that transforms: a faster way to decode most values, and `undefined` for those that only the schema
 * can decode or refuse.
 */
export const quickly = Symbol.for("@mailstream/core/quickly")

/**
 * Compiles a schema into a predicate that is about ten times as fast as decoding, because it builds neither output nor
 * errors. The schema must validate without transforming. Returns a predicate only if the schema consists of the kinds
 * that list items are made of, or that `inner` compiles.
 */
export const compile = (ast: AST.AST, inner: Compile = compileAlike): Option.Option<Predicate> => {
  switch (ast._tag) {
    case "UnknownKeyword":
      return Option.some(() => true)
    case "UndefinedKeyword":
      return Option.some((value) => value === undefined)
    case "StringKeyword":
      return Option.some((value) => typeof value === "string")
    case "NumberKeyword":
      return Option.some((value) => typeof value === "number")
    case "BooleanKeyword":
      return Option.some((value) => typeof value === "boolean")
    case "Literal":
      return Option.some((value) => value === ast.literal)
    case "Refinement":
      return Option.map(
        inner(ast.from),
        (from) => (value) => from(value) && Option.isNone(ast.filter(value, AST.defaultParseOption, ast))
      )
    case "Union":
      return Option.map(Option.all(ast.types.map(inner)), anyOf)
    case "TupleType":
      return ast.elements.length === 0 && ast.rest.length === 1
        ? Option.map(inner(ast.rest[0]!.type), arrayOf)
        : Option.none()
    case "TypeLiteral":
      return ast.indexSignatures.length === 0 && ast.propertySignatures.length > 0
        ? Option.map(fieldsOf(ast, inner), structOf)
        : Option.none()
    default:
      return Option.none()
  }
}

/** How the parts of a schema are compiled. */
interface Compile {
  (ast: AST.AST): Option.Option<Predicate>
}

const compileAlike: Compile = (ast) => compile(ast)

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
export const fieldsOf = (ast: AST.TypeLiteral, inner: Compile): Option.Option<ReadonlyArray<Field>> =>
  Option.all(
    ast.propertySignatures.map(({ isOptional, name, type }) =>
      typeof name === "string" && !(name in Object.prototype)
        ? Option.map(inner(type), (type) => ({ name, isOptional, type }))
        : Option.none()
    )
  )

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
