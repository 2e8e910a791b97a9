import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"

/**
 * A quick look at a value. `true` means that the schema accepts it; `false` means that the schema must be asked.
 */
export interface Test {
  (value: unknown): boolean
}

/**
 * Makes the quick look for a schema that checks and changes nothing, of the kinds that lists are made of. Where it
 * meets anything else, there is none.
 *
 * It is some ten times as fast as decoding, because it makes no output and no account of what is wrong.
 */
export const make = (ast: AST.AST): Option.Option<Test> => {
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
        make(ast.from),
        (from) => (value) => from(value) && Option.isNone(ast.filter(value, AST.defaultParseOption, ast))
      )
    case "Union":
      return Option.map(Option.all(ast.types.map(make)), anyOf)
    case "TupleType":
      return ast.elements.length === 0 && ast.rest.length === 1
        ? Option.map(make(ast.rest[0]!.type), arrayOf)
        : Option.none()
    case "TypeLiteral":
      return ast.indexSignatures.length === 0 && ast.propertySignatures.length > 0
        ? Option.map(Option.all(ast.propertySignatures.map(property)), recordOf)
        : Option.none()
    default:
      return Option.none()
  }
}

const anyOf = (tests: ReadonlyArray<Test>): Test => {
  const [first, second] = tests
  return tests.length === 2
    ? (value) => first!(value) || second!(value)
    : (value) => tests.some((test) => test(value))
}

const arrayOf = (test: Test): Test => (value) => {
  if (!Array.isArray(value)) return false
  for (let index = 0; index < value.length; index++) if (!test(value[index])) return false
  return true
}

interface Property {
  readonly name: string
  readonly isOptional: boolean
  readonly test: Test
}

const property = ({ isOptional, name, type }: AST.PropertySignature): Option.Option<Property> =>
  typeof name === "string" && !(name in Object.prototype)
    ? Option.map(make(type), (test) => ({ name, isOptional, test }))
    : Option.none()

const recordOf = (properties: ReadonlyArray<Property>): Test => (value) => {
  if (!isPlain(value)) return false
  for (let index = 0; index < properties.length; index++) {
    const { isOptional, name, test } = properties[index]!
    const field = value[name]
    if (!test(field) && !(isOptional && field === undefined && !(name in value))) return false
  }
  return true
}

/** What `JSON.parse` makes. Others may have fields that they only inherit. */
const isPlain = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
