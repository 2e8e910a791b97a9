/** Generates what client has for each list: the plain types of its items, and the lists as one record. */
import { SchemaAST, String } from "effect"
import { entries, type Entry, lines, mark, queryOf, separated, sorted, titleOf, valuesOf } from "./table.ts"

/** A field of an item, on one line if it fits, as the formatter does it. */
const fieldOf = (signature: SchemaAST.PropertySignature, indent: string): ReadonlyArray<string> => {
  const head = `${indent}readonly ${signature.name.toString()}${signature.isOptional ? "?" : ""}:`
  const parts = typeOf(signature.type, indent)
  const line = `${head} ${parts.join(" | ")}`
  const isListed = parts.length > 1 && (line.includes("\n") ? !parts[0]!.startsWith("{") : line.length > 120)
  return isListed
    ? [head, ...typeOf(signature.type, `${indent}  `).map((part) => `${indent}  | ${part}`)]
    : [line]
}

/** The members of a type, as TypeScript writes them: ids and timestamps are strings here. */
const typeOf = (ast: SchemaAST.AST, indent: string): ReadonlyArray<string> => {
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
    case "Literal":
      return [JSON.stringify(ast.literal)]
    case "Refinement":
      return typeOf(ast.from, indent)
    case "UndefinedKeyword":
      return ["undefined"]
    case "Union":
      return ast.types.flatMap((member) => typeOf(member, indent))
    case "TupleType":
      return ast.rest.map(({ type }) => arrayOf(typeOf(type, indent), indent))
    case "TypeLiteral":
      return [["{", ...fieldsOf(ast, `${indent}  `), `${indent}}`].join("\n")]
    default:
      throw new Error(`An item of a list has a field of a kind that has no plain type yet: ${ast._tag}.`)
  }
}

/** On one line if it fits, as the formatter does it. */
const arrayOf = (members: ReadonlyArray<string>, indent: string): string => {
  const line = `ReadonlyArray<${members.join(" | ")}>`
  return members.length === 1 || line.length <= 90
    ? line
    : ["ReadonlyArray<", ...members.map((member) => `${indent}  | ${member}`), `${indent}>`].join("\n")
}

const fieldsOf = (ast: SchemaAST.TypeLiteral, indent: string): ReadonlyArray<string> =>
  ast.propertySignatures.flatMap((signature) => fieldOf(signature, indent))

const itemOf = ({ item, name, resource }: Entry): ReadonlyArray<string> => {
  const { ast } = resource.item
  if (!SchemaAST.isTypeLiteral(ast)) throw new Error(`The items of ${name} must be structs.`)
  return [
    "",
    "/**",
    ` * An item of \`${name}\`.`,
    " *",
    " * @since 1.0.0",
    " * @category models",
    " */",
    `export interface ${item} {`,
    ...fieldsOf(ast, "  "),
    "}"
  ]
}

/** The filters, each once. */
export const filters = [
  ...new Map(
    entries.flatMap(({ filter, resource }) =>
      filter === undefined
        ? []
        : [[plainFilterOf(filter.type), { noun: filter.noun, fields: filterFields(resource) }] as const]
    )
  )
]

/** The fields of a filter: the id of an owner, and what is sent in the query. */
function filterFields(resource: Entry["resource"]): ReadonlyArray<string> {
  const owner = resource.scope === undefined ? [] : [`  readonly ${resource.scope.field}: string`]
  const query = queryOf(resource).map(({ field, isOptional, type }) =>
    `  readonly ${field}${isOptional ? "?" : ""}: ${typeOf(type, "  ").join(" | ")}`
  )
  return [...owner, ...query]
}

/** As in `SegmentFilter`. */
function plainFilterOf(type: string): string {
  return type.replace(/^Resource\./, "")
}

const filterOf = ([name, { fields, noun }]: (typeof filters)[number]): ReadonlyArray<string> => [
  "",
  "/**",
  ` * Selects the items of one ${noun}.`,
  " *",
  " * @since 1.0.0",
  " * @category filters",
  " */",
  `export interface ${name} {`,
  ...fields,
  "}"
]

export const isOptionalLimit = ({ resource }: Entry): boolean => resource.pagination === "optional"

/** The type of the filter of a list, as in `SegmentFilter | undefined`. */
export const filterTypeOf = ({ filter }: Entry): string =>
  filter === undefined ? "undefined" : `${plainFilterOf(filter.type)}${filter.required ? "" : " | undefined"}`

/** The type of a list, as in `OptionalLimitList<Contact, SegmentFilter | undefined>`. */
const listTypeOf = (entry: Entry): string => {
  const { filter, hasClient, item, service } = entry
  if (hasClient) return service
  const type = isOptionalLimit(entry) ? "OptionalLimitList" : "List"
  return filter === undefined ? `${type}<${item}>` : `${type}<${item}, ${filterTypeOf(entry)}>`
}

const header = (title: string): ReadonlyArray<string> => [
  "/**",
  ` * ${title}.`,
  " *",
  ` * ${mark}.`,
  " *",
  " * @since 1.0.0",
  " */"
]

/** The public types of the items. */
export const clientItems: string = lines(
  header("The items of the lists, as plain types"),
  entries.flatMap(itemOf),
  filters.flatMap(filterOf)
)

const derived = entries.filter(({ hasClient }) => !hasClient)
const handWritten = sorted(entries.filter(({ hasClient }) => hasClient).map(({ service }) => service))

/** The public types of the lists. */
export const clientTypes: string = lines(
  header("The lists of the API"),
  "import type {",
  separated(
    sorted([
      ...derived.map(({ item }) => item),
      ...filters.map(([name]) => name)
    ]).map((name) => `  ${name}`)
  ),
  "} from \"./Items.ts\"",
  `import type { ${
    sorted([...new Set(derived.map((entry) => listTypeOf(entry).split("<")[0]!))]).join(", ")
  } } from "./List.ts"`,
  handWritten.map((service) => `import type { ${service} } from "./${service}.ts"`),
  "",
  "/**",
  " * Every list of the API.",
  " *",
  " * @since 1.0.0",
  " * @category models",
  " */",
  "export interface Lists {",
  entries.flatMap((entry) => [`  /** ${titleOf(entry)}. */`, `  readonly ${entry.name}: ${listTypeOf(entry)}`]),
  "}"
)

/** The lists themselves. */
export const clientLists: string = lines(
  `/** The lists on a connection. ${mark}. */`,
  sorted(entries.map(({ name }) => name)).map((name) => `import * as ${name} from "@mailstream/stream/${name}"`),
  "import type { Lists } from \"../Lists.ts\"",
  "import type { Connection } from \"./connection.ts\"",
  "import * as List from \"./list.ts\"",
  handWritten.map((service) => `import * as ${service} from "./${String.uncapitalize(service)}.ts"`),
  "",
  "export const make = (connection: Connection): Lists => ({",
  separated(
    entries.map((entry) =>
      `  ${entry.name}: ${
        entry.hasClient ? `${entry.service}.make` : isOptionalLimit(entry) ? "List.makeOptionalLimit" : "List.make"
      }(connection, ${entry.name}.descriptor)`
    )
  ),
  "})"
)
