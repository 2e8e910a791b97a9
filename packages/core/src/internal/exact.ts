import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { compile, type Field, fieldsOf, isPlainObject, type Predicate } from "./predicate.ts"

/**
 * Compiles a schema into a predicate as `compile` does, but refuses unknown fields, and leaves to its schema what cannot be
 * compiled. `true` means that the schema accepts the value.
 */
export const compileExact = (ast: AST.AST): Predicate =>
  Option.getOrElse(
    AST.isTypeLiteral(ast) ? compileObject(ast) : compile(ast, inner),
    () => ParseResult.is(Schema.make(ast), { onExcessProperty: "error" })
  )

const inner = (ast: AST.AST): Option.Option<Predicate> => Option.some(compileExact(ast))

const compileObject = (ast: AST.TypeLiteral): Option.Option<Predicate> => {
  const [index, ...others] = ast.indexSignatures
  if (index === undefined) {
    return ast.propertySignatures.length === 0 ? Option.none() : Option.map(fieldsOf(ast, inner), objectOf)
  }
  return others.length === 0 && ast.propertySignatures.length === 0 && AST.isStringKeyword(index.parameter)
    ? Option.some(recordOf(compileExact(index.type)))
    : Option.none()
}

const recordOf = (type: Predicate): Predicate => (value) =>
  isPlainObject(value) && hasNoSymbols(value) && Object.getOwnPropertyNames(value).every((name) => type(value[name]))

/** If an object has no more fields than those that are known, it has no unknown one. */
const objectOf = (fields: ReadonlyArray<Field>): Predicate => (value) => {
  if (!isPlainObject(value)) return false
  let known = 0
  for (let index = 0; index < fields.length; index++) {
    const { isOptional, name, type } = fields[index]!
    const field = value[name]
    if (field === undefined && !Object.hasOwn(value, name)) {
      if (!isOptional) return false
    } else {
      if (!type(field)) return false
      known++
    }
  }
  return known === Object.getOwnPropertyNames(value).length && hasNoSymbols(value)
}

/** With the names, six times as fast as `Reflect.ownKeys`. */
const hasNoSymbols = (value: object): boolean => Object.getOwnPropertySymbols(value).length === 0
