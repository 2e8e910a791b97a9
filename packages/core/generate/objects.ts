/** Generates what client has for each operation: the plain types of what is sent and received, and its method. */
import { Option, SchemaAST, String } from "effect"
import { imported, interfaceOf, mentioned, type Style, typeAst } from "./methods.ts"
import * as Plain from "./plain.ts"
import { entries, type Entry, lines, mark, operationsOf } from "./table.ts"

/** Where a type occurs. */
interface Named {
  readonly name: string
  readonly ast: SchemaAST.AST
  readonly direction: Plain.Direction
  readonly uses: Array<string>
}

const items = new Map(entries.map(({ item, resource }) => [item, SchemaAST.typeAST(resource.item.ast)]))

const types = new Map<string, Named>()

/** Whether a type has a name of its own: structs, and the unions of them, but no ids. */
const isObject = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast) ? ast.types.some(isObject) : Plain.structOf(ast) !== undefined

/** Finds the named types within a type, the innermost first. */
const collect = (ast: SchemaAST.AST, direction: Plain.Direction, use: string): void => {
  const name = Plain.identifierOf(ast)
  if (name !== undefined && items.has(name)) return
  const within = SchemaAST.isTupleType(ast) ? use.replace(/^\w+/, "part") : use
  for (const part of partsOf(ast)) collect(part, direction, name === undefined ? within : `part of \`${name}\``)
  if (name === undefined || !isObject(ast)) return
  const known = types.get(name)
  if (known === undefined) types.set(name, { name, ast, direction, uses: [use] })
  else if (!known.uses.includes(use)) known.uses.push(use)
}

const partsOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "Refinement":
      return [ast.from]
    case "Union":
      return ast.types
    case "TupleType":
      return [...ast.elements, ...ast.rest].map(({ type }) => type)
    case "TypeLiteral":
      return [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type)
    default:
      return []
  }
}

for (const entry of entries) {
  for (const { name, params, payload, success } of operationsOf(entry)) {
    const method = `\`${entry.name}.${name}\``
    for (const { schema } of params) collect(typeAst(schema), "sent", "")
    if (payload !== undefined) collect(typeAst(payload), "sent", `input of ${method}`)
    collect(typeAst(success), "received", `result of ${method}`)
  }
}

const isNamed = (name: string): boolean => types.has(name) || items.has(name)

const kindOf = (use: string): string => use.replace(/ `.*/, "")

/** As in `The result of …`; what has a description says it. */
const docOf = ({ ast, uses }: Named): string =>
  Option.match(SchemaAST.getDescriptionAnnotation(ast), {
    onNone: () => {
      const [kind = ""] = uses.map(kindOf)
      const names = uses.filter((use) => kindOf(use) === kind).map((use) => use.replace(/^[^`]*/, ""))
      return `${kind.startsWith("part") ? "A" : "The"} ${kind} ${
        names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
      }.`
    },
    onSome: (text) => `${String.capitalize(text)}.`
  })

/** The item whose fields are all in this type. */
const parentOf = ({ ast, name }: Named) => {
  const parent = name.endsWith("Details") ? name.slice(0, -"Details".length) : ""
  const item = items.get(parent)
  const fieldsOf = (ast: SchemaAST.AST) => Plain.structOf(ast)!.propertySignatures
  return item !== undefined &&
      fieldsOf(item).every(({ name, type }) => fieldsOf(ast).some((each) => each.name === name && each.type === type))
    ? { name: parent, ast: item }
    : undefined
}

const declarations = [...types.values()].map((named) =>
  Plain.declarationOf({ name: named.name, doc: docOf(named), parent: parentOf(named) }, named.ast, {
    direction: named.direction,
    isNamed
  })
)

const text = declarations.flat().join("\n")

/** The public types of what operations take and return. */
export const clientObjects: string = lines(
  Plain.header("What operations take and return, as plain types", mark),
  imported(mentioned(items.keys(), text), "./Items.ts"),
  imported(mentioned(["Secret"], text), "./Secret.ts"),
  text
)

/** Imports of what the text of another module mentions. */
export const objectImports = (text: string): ReadonlyArray<string> =>
  imported(mentioned(types.keys(), text), "./Objects.ts")

const style: Style = {
  isNamed,
  options: "CallOptions",
  result: (type) => `Promise<${type}>`
}

/** The interface of a list with operations. */
export const methodsOf = (entry: Entry, list: string, doc: string): ReadonlyArray<string> =>
  interfaceOf(entry, `export interface ${entry.service} extends ${list}`, doc, style)
