/** Generates what client has for each operation: the plain types of what is sent and received, and its method. */
import type * as Operation from "@mailstream/core/Operation"
import { Option, SchemaAST, String } from "effect"
import { imported, interfaceOf, mentioned, optionTypesOf, type Style, typeAst } from "./methods.ts"
import * as Plain from "./plain.ts"
import { descriptionsOf, entries, type Entry, lines, mark, operationsOf } from "./table.ts"

/** Where a type occurs. */
interface Named {
  readonly name: string
  readonly ast: SchemaAST.AST
  readonly direction: Plain.Direction
  /** What its fields are, if it is sent. */
  readonly descriptions: Operation.Descriptions | undefined
  readonly uses: Array<string>
}

/** What is looked for: where it occurs, and what the fields are that are sent there. */
interface Use extends Pick<Named, "descriptions" | "direction"> {
  readonly as: string
}

const items = new Map(entries.map(({ item, resource }) => [item, SchemaAST.typeAST(resource.item.ast)]))

const types = new Map<string, Named>()

/** Whether a type has a name of its own: structs, and the unions of them, but no ids. */
const isObject = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUnion(ast) ? ast.types.some(isObject) : Plain.structOf(ast) !== undefined

/** Finds the named types within a type, the innermost first. */
const collect = (ast: SchemaAST.AST, use: Use): void => {
  const name = Plain.identifierOf(ast)
  if (name !== undefined && items.has(name)) return
  const within = SchemaAST.isTupleType(ast) ? use.as.replace(/^\w+/, "part") : use.as
  for (const part of partsOf(ast)) collect(part, { ...use, as: name === undefined ? within : `part of \`${name}\`` })
  if (name === undefined || !isObject(ast)) return
  const known = types.get(name)
  if (known === undefined) types.set(name, { ...use, name, ast, uses: [use.as] })
  else if (!known.uses.includes(use.as)) known.uses.push(use.as)
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
  const sent = { direction: "sent", descriptions: descriptionsOf(entry.resource) } as const
  for (const { name, params, payload, success } of operationsOf(entry)) {
    const method = `\`${entry.name}.${name}\``
    for (const { schema } of params) collect(typeAst(schema), { ...sent, as: "" })
    if (payload !== undefined) collect(typeAst(payload), { ...sent, as: `input of ${method}` })
    collect(typeAst(success), { direction: "received", descriptions: undefined, as: `result of ${method}` })
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
  Plain.declarationOf({ ...named, doc: docOf(named), parent: parentOf(named) }, named.ast, {
    direction: named.direction,
    isNamed
  })
)

const text = declarations.flat().join("\n")

/** The public types of what operations take and return. */
export const clientObjects: string = lines(
  Plain.header("What operations take and return, as plain types", mark),
  imported(mentioned(items.keys(), text), "./Items.ts"),
  imported(mentioned(["ValidationError"], text), "./MailstreamError.ts"),
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
export const methodsOf = (entry: Entry, list: string, doc: string): ReadonlyArray<string> => [
  ...interfaceOf(entry, `export interface ${entry.service} extends ${list}`, doc, style),
  ...optionTypesOf(entry, style)
]
