/** Generates what client has for each list: the plain types of its items, and the lists as one record. */
import { String } from "effect"
import { imported } from "./methods.ts"
import { methodsOf, objectImports } from "./objects.ts"
import * as Plain from "./plain.ts"
import { entries, type Entry, lines, mark, queryOf, separated, sorted, titleOf } from "./table.ts"

const itemOf = ({ item, name, resource }: Entry): ReadonlyArray<string> =>
  Plain.declarationOf({ name: item, doc: `An item of \`${name}\`.` }, resource.item.ast, Plain.item)

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
  const owner = resource.scope === undefined ? [] : [
    `  readonly ${resource.scope.field}: string${
      resource.scope.other === undefined ? "" : ` | { readonly ${resource.scope.other}: string }`
    }`
  ]
  const query = queryOf(resource).map(({ field, isOptional, type }) =>
    `  readonly ${field}${isOptional ? "?" : ""}: ${Plain.typeOf(type, "  ", Plain.item).join(" | ")}`
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

/** The kind of a list. One without an order has no `follow`. */
export const kindOf = (entry: Entry): "OptionalLimitList" | "UnorderedList" | "List" => {
  const isOptional = isOptionalLimit(entry)
  if (entry.resource.isUnordered !== true) return isOptional ? "OptionalLimitList" : "List"
  if (isOptional) throw new Error(`There is no type yet for an unordered list without a limit: ${entry.name}.`)
  return "UnorderedList"
}

/** The type of a list, as in `OptionalLimitList<Contact, SegmentFilter | undefined>`. */
const listTypeOf = (entry: Entry): string => {
  const { filter, item } = entry
  const type = kindOf(entry)
  return filter === undefined ? `${type}<${item}>` : `${type}<${item}, ${filterTypeOf(entry)}>`
}

/** The public types of the items. */
export const clientItems: string = lines(
  Plain.header("The items of the lists, as plain types", mark),
  entries.flatMap(itemOf),
  filters.flatMap(filterOf)
)

const interfaces = entries.flatMap((entry) =>
  entry.operations === undefined ? [] : methodsOf(entry, listTypeOf(entry), titleOf(entry))
)

/** The public types of the lists, with their operations. */
export const clientTypes: string = lines(
  Plain.header("The lists of the API, and the operations on one of their objects", mark),
  imported(sorted([...entries.map(({ item }) => item), ...filters.map(([name]) => name)]), "./Items.ts"),
  imported(
    sorted(["CallOptions", ...new Set(entries.map((entry) => listTypeOf(entry).split("<")[0]!))]),
    "./List.ts"
  ),
  objectImports(interfaces.join("\n")),
  "",
  "/**",
  " * Every list of the API.",
  " *",
  " * @since 1.0.0",
  " * @category models",
  " */",
  "export interface Lists {",
  entries.flatMap((entry) => [
    `  /** ${titleOf(entry)}. */`,
    `  readonly ${entry.name}: ${entry.operations === undefined ? listTypeOf(entry) : entry.service}`
  ]),
  "}",
  interfaces
)

/** The lists themselves. */
export const clientLists: string = lines(
  `/** The lists on a connection. ${mark}. */`,
  sorted(entries.flatMap(({ operations }) => operations === undefined ? [] : [operations])).map((name) =>
    `import { operations as ${operationsName(name)} } from "@mailstream/core/${name}"`
  ),
  "import * as Services from \"@mailstream/http/Services\"",
  sorted(entries.map(({ name }) => name)).map((name) => `import * as ${name} from "@mailstream/stream/${name}"`),
  "import type { Lists } from \"../Lists.ts\"",
  "import type { Connection } from \"./connection.ts\"",
  "import * as List from \"./list.ts\"",
  "import * as Objects from \"./objects.ts\"",
  "",
  "export const make = (connection: Connection): Lists => ({",
  separated(entries.map(madeOf)),
  "})"
)

/** As in `contactOperations`. */
function operationsName(module: string): string {
  return String.uncapitalize(module)
}

/** A call, on one line if it fits, as the formatter does it. */
function called(head: string, args: ReadonlyArray<string>): ReadonlyArray<string> {
  const line = `${head}(${args.join(", ")})`
  const indent = head.replace(/\S.*/, "  ")
  return line.length <= 120
    ? [line]
    : [`${head}(`, ...separated(args).map((arg) => `${indent}${arg}`), `${indent.slice(2)})`]
}

function madeOf(entry: Entry): string {
  const { name, operations, service } = entry
  const list = `List.${isOptionalLimit(entry) ? "makeOptionalLimit" : "make"}(connection, ${name}.descriptor)`
  return operations === undefined ? `  ${name}: ${list}` : [
    `  ${name}: {`,
    `    ...${list},`,
    ...called("    ...Objects.make", [
      "connection",
      `${name}.descriptor`,
      `Services.${service}`,
      operationsName(operations)
    ]),
    "  }"
  ].join("\n")
}
