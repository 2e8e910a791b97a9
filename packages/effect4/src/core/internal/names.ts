import type * as AST from "effect/SchemaAST"
import { annotation, checksOf, type Layer } from "./said.ts"

/** What a schema is called in a message: its name, or its type. */
export const nameOf = (ast: AST.AST): string => layerName(ast, checksOf(ast).length)

/** What the first checks of a schema are called, together with its type. */
export const layerName = (ast: AST.AST, checks: number): string => {
  const layer = layerAt(ast, checks)
  const identifier = annotation(layer, "identifier")
  if (identifier !== undefined) return identifier
  if (checks > 0) return printed(ast, checks)
  if (ast._tag === "Objects") return annotation(ast, "title") ?? printed(ast, 0)
  return ast._tag === "Union" ? ast.types.map(nameOf).join(" or ") : printed(ast, 0)
}

/** A layer by its number: 0 is the type, the rest are its checks. */
export const layerAt = (ast: AST.AST, checks: number): Layer => checks === 0 ? ast : checksOf(ast)[checks - 1] ?? ast

/** A schema as a TypeScript type. */
const printed = (ast: AST.AST, checks = checksOf(ast).length): string => {
  const layer = layerAt(ast, checks)
  const identifier = annotation(layer, "identifier")
  if (identifier !== undefined) return identifier
  const expected = annotation(layer, "title") ?? annotation(layer, "description")
  if (checks > 0) {
    return expected === undefined
      ? `{ ${printed(ast, checks - 1)} | filter }`
      : checks > 1
      ? `${printed(ast, checks - 1)} & ${expected}`
      : expected
  }
  return expected ?? typeName(ast)
}

const typeName = (ast: AST.AST): string => {
  switch (ast._tag) {
    case "Literal":
      return JSON.stringify(ast.literal)
    case "Union":
      return ast.types.map((type) => printed(type)).join(" | ")
    case "Arrays":
      return arrayName(ast)
    case "Objects":
      return objectName(ast)
    default:
      return ast._tag.toLowerCase()
  }
}

const arrayName = ({ elements, rest: [rest] }: AST.Arrays): string => {
  const first = elements.map((element) => printed(element)).join(", ")
  if (rest === undefined) return `readonly [${first}]`
  const name = printed(rest)
  return elements.length === 0
    ? `ReadonlyArray<${name}>`
    : `readonly [${first}, ...${name.includes(" | ") ? `(${name})` : name}[]]`
}

const objectName = ({ indexSignatures, propertySignatures }: AST.Objects): string => {
  const parts = [
    ...propertySignatures.map(({ name, type }) =>
      `readonly ${String(name)}${type.context?.isOptional === true ? "?" : ""}: ${printed(type)}`
    ),
    ...indexSignatures.map(({ parameter, type }) => `readonly [x: ${printed(parameter)}]: ${printed(type)}`)
  ]
  return parts.length === 0 ? "{}" : `{ ${parts.join("; ")} }`
}
