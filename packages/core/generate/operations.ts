/** Generates the table of all operations, by the names of the lists. */
import { descriptionsOf, entries, lines, mark, separated, sorted } from "./table.ts"

const keyOf = (name: string): string => /-/.test(name) ? `"${name}"` : name

const modules = entries.flatMap(({ operations, resource }) =>
  operations === undefined ? [] : [{ operations, resource }]
)

export const operations: string = lines(
  "/**",
  " * The operations of all objects, for code that works with any of them. The module of each kind, such as `ContactOperations`,",
  " * has them with their types.",
  " *",
  ` * ${mark}.`,
  " *",
  " * @since 1.0.0",
  " */",
  sorted([...modules.map(({ operations }) => operations), "Operation"]).map((name) =>
    `import ${name === "Operation" ? "type " : ""}* as ${name} from "./${name}.ts"`
  ),
  "",
  "/**",
  " * The operations on the objects of each list, by its name.",
  " *",
  " * @since 1.0.0",
  " * @category operations",
  " */",
  "export const all: { readonly [list: string]: Operation.Table } = {",
  separated(modules.map(({ operations, resource }) => `  ${keyOf(resource.name)}: ${operations}.operations`)),
  "}",
  "",
  "/**",
  " * What the fields of their inputs are, by the names of the lists.",
  " *",
  " * @since 1.0.0",
  " * @category descriptions",
  " */",
  "export const descriptions: { readonly [list: string]: Operation.Descriptions } = {",
  separated(
    modules.flatMap(({ operations, resource }) =>
      descriptionsOf(resource) === undefined ? [] : [`  ${keyOf(resource.name)}: ${operations}.descriptions`]
    )
  ),
  "}"
)
