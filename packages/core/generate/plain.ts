/** Writes the types of schemas as plain TypeScript: no brands, no types of Effect. */
import type * as Operation from "@mailstream/core/Operation"
import { Option, SchemaAST } from "effect"
import { lines, valuesOf } from "./table.ts"

/** What is sent may have fields that are undefined, as if they were absent. What is received has none. */
export type Direction = "sent" | "received"

export interface Context {
  readonly direction: Direction
  /** The types that have a name in the generated code. */
  readonly isNamed: (name: string) => boolean
}

/** Items are received, and do not refer to each other. */
export const item: Context = { direction: "received", isNamed: () => false }

export const identifierOf = (ast: SchemaAST.AST): string | undefined =>
  Option.getOrUndefined(SchemaAST.getIdentifierAnnotation(ast))

/** The members of a type, as TypeScript writes them: ids and timestamps are strings here. */
export const typeOf = (ast: SchemaAST.AST, indent: string, context: Context): ReadonlyArray<string> => {
  const name = identifierOf(ast)
  return name !== undefined && context.isNamed(name) ? [name] : structureOf(ast, indent, context)
}

/** The same, without the name that the type itself may have. */
export const structureOf = (ast: SchemaAST.AST, indent: string, context: Context): ReadonlyArray<string> => {
  switch (ast._tag) {
    case "StringKeyword":
      return [
        ...valuesOf(ast).map((value) => JSON.stringify(value)),
        ...(valuesOf(ast).length > 0 ? ["(string & {})"] : ["string"])
      ]
    case "NumberKeyword":
      return ["number"]
    case "BooleanKeyword":
      return ["boolean"]
    case "UnknownKeyword":
      return ["unknown"]
    case "Literal":
      return [JSON.stringify(ast.literal)]
    case "Refinement":
      return typeOf(ast.from, indent, context)
    case "UndefinedKeyword":
      return ["undefined"]
    case "Union":
      return [...new Set(ast.types.flatMap((member) => typeOf(member, indent, context)))]
    case "TupleType":
      return ast.rest.map(({ type }) => arrayOf(typeOf(type, indent, context), indent))
    case "TypeLiteral":
      return [["{", ...fieldsOf(ast, `${indent}  `, context), `${indent}}`].join("\n")]
    case "Declaration":
      return classOf(ast)
    default:
      throw new Error(`There is a field of a kind that has no plain type yet: ${ast._tag}.`)
  }
}

/** The classes that have a plain one. Times of Effect have none: a plain program has dates. */
const classOf = (ast: SchemaAST.Declaration): ReadonlyArray<string> => {
  const name = identifierOf(ast) ?? Option.getOrElse(SchemaAST.getDescriptionAnnotation(ast), () => "")
  if (name.startsWith("Redacted(")) return ["Secret"]
  if (name === "DateFromSelf") return ["Date"]
  if (name.startsWith("DateTime")) return []
  if (name === "ValidationError" || name === "undefined") return [name]
  throw new Error(`There is a field of a class that has no plain type yet: ${name}.`)
}

/** On one line if it fits, as the formatter does it. */
const arrayOf = (members: ReadonlyArray<string>, indent: string): string => {
  const line = `ReadonlyArray<${members.join(" | ")}>`
  return members.length === 1 || line.length <= 90
    ? line
    : ["ReadonlyArray<", ...members.map((member) => `${indent}  | ${member}`), `${indent}>`].join("\n")
}

/** A field, on one line if it fits, as the formatter does it. */
const fieldOf = (
  head: string,
  type: SchemaAST.AST,
  indent: string,
  isOptional: boolean,
  context: Context
): ReadonlyArray<string> => {
  const orAbsent = isOptional && context.direction === "sent" ? ["undefined"] : []
  const membersOf = (indent: string) => [...new Set([...typeOf(type, indent, context), ...orAbsent])]
  const parts = membersOf(indent)
  const line = `${head} ${parts.join(" | ")}`
  const isListed = parts.length > 1 && (line.includes("\n") ? !parts[0]!.startsWith("{") : line.length > 120)
  return isListed ? [head, ...membersOf(`${indent}  `).map((part) => `${indent}  | ${part}`)] : [line]
}

const fieldsOf = (
  ast: SchemaAST.TypeLiteral,
  indent: string,
  context: Context,
  descriptions: Operation.Descriptions = {}
): ReadonlyArray<string> => [
  ...ast.propertySignatures.flatMap(({ isOptional, name, type }) => [
    ...commentOf(descriptions[name.toString()], indent),
    ...fieldOf(`${indent}readonly ${name.toString()}${isOptional ? "?" : ""}:`, type, indent, isOptional, context)
  ]),
  ...ast.indexSignatures.flatMap(({ type }) =>
    fieldOf(`${indent}readonly [name: string]:`, type, indent, context.direction === "sent", context)
  )
]

/** What a field or a method is, on one line if it fits. */
export const commentOf = (text: string | undefined, indent: string): ReadonlyArray<string> =>
  text === undefined
    ? []
    : text.length + indent.length <= 113
    ? [`${indent}/** ${text} */`]
    : [`${indent}/**`, ...wrapped(text, 117 - indent.length).map((line) => `${indent} * ${line}`), `${indent} */`]

/** The struct that a type is, whatever else is required of it. */
export const structOf = (ast: SchemaAST.AST): SchemaAST.TypeLiteral | undefined =>
  SchemaAST.isRefinement(ast) ? structOf(ast.from) : SchemaAST.isTypeLiteral(ast) ? ast : undefined

/** An interface, or a type where there can be none. What it has in common with its parent is inherited. */
export const declarationOf = (
  { descriptions, doc, name, parent }: {
    readonly name: string
    readonly doc: string
    /** What its fields are. */
    readonly descriptions?: Operation.Descriptions | undefined
    readonly parent?: { readonly name: string; readonly ast: SchemaAST.AST } | undefined
  },
  ast: SchemaAST.AST,
  context: Context
): ReadonlyArray<string> => {
  const head = [
    "",
    "/**",
    ...wrapped(doc, 117).map((line) => ` * ${line}`),
    " *",
    " * @since 1.0.0",
    " * @category models",
    " */"
  ]
  const struct = structOf(ast)
  if (struct === undefined) {
    const line = `export type ${name} = ${structureOf(ast, "", context).join(" | ")}`
    return [...head, line]
  }
  const inherited = parent === undefined ? [] : structOf(parent.ast)!.propertySignatures
  const own = struct.propertySignatures.filter((field) => !inherited.some(({ name }) => name === field.name))
  const fields = fieldsOf(new SchemaAST.TypeLiteral(own, struct.indexSignatures), "  ", context, descriptions)
  const title = `export interface ${name}${parent === undefined ? "" : ` extends ${parent.name}`} {`
  return [...head, ...(fields.length === 0 ? [`${title}}`] : [title, ...fields, "}"])]
}

/** Lines of at most so many characters. */
export const wrapped = (text: string, width: number): ReadonlyArray<string> =>
  text.split(" ").reduce<ReadonlyArray<string>>((lines, word) => {
    const last = lines.at(-1)
    return last === undefined || last.length + 1 + word.length > width
      ? [...lines, word]
      : [...lines.slice(0, -1), `${last} ${word}`]
  }, [])

/** The opening comment of a generated module. */
export const header = (title: string, mark: string): string =>
  lines("/**", ` * ${title}.`, " *", ` * ${mark}.`, " *", " * @since 1.0.0", " */").trimEnd()
