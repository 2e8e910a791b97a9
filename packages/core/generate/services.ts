/** Generates what http has for each list: its service, its methods, its layers, and its group of the contract. */
import * as Core from "@mailstream/core"
import { imported, interfaceOf, mentioned, optionTypesOf, type Style, withOperations } from "./methods.ts"
import { entries, lines, mark, operationsOf, separated, sorted, titleOf } from "./table.ts"
import type { Entry } from "./table.ts"

const imports = sorted([
  ...entries.flatMap(({ operations }) => operations === undefined ? [] : [operations]),
  "Resource"
]).map((name) => `import * as ${name} from "@mailstream/core/${name}"`)

/** The class of a service, wrapped as the formatter does it. */
const classOf = ({ name, operations, service }: Entry): ReadonlyArray<string> => {
  const head = `export class ${service}`
  const methods = operations === undefined ? "" : `, Methods.${service}`
  const parent = `extends /* #__PURE__ */ Service.make<${service}${methods}>()(`
  const args = [`"${service}"`, `Resource.${name}`, operations === undefined ? "{}" : `${operations}.operations`]
  const line = `${head} ${parent}${args.join(", ")}) {}`
  const inner = `  ${parent}${args.join(", ")})`
  return line.length <= 120
    ? [line]
    : inner.length <= 120
    ? [head, inner, "{}"]
    : `${head} ${parent}`.length <= 120
    ? [`${head} ${parent}`, ...separated(args).map((arg) => `  ${arg}`), ") {}"]
    : [head, `  ${parent}`, ...separated(args).map((arg) => `    ${arg}`), "  )", "{}"]
}

/** The lists without a filter are all called like the one in the introduction. */
const example = ({ filter, name, service }: Entry): ReadonlyArray<string> =>
  filter === undefined ? [] : [
    " * @example",
    " * ```ts",
    ...(filter.id === undefined ? [] : [` * import { ${filter.id} } from "@mailstream/core"`]),
    ` * import { ${service} } from "@mailstream/http"`,
    " * import { Effect } from \"effect\"",
    " *",
    " * const program = Effect.gen(function*() {",
    ` *   const ${name} = yield* ${service}`,
    ` *   return yield* ${name}.list({ limit: 10, filter: ${filter.example} })`,
    " * })",
    " * ```"
  ]

export const services: string = lines(
  "/**",
  " * One service for each list, with its layers: `domains.list({ limit: 10 })`, with `domains` from `yield* Domains`.",
  " *",
  ` * ${mark}.`,
  " *",
  " * @since 1.0.0",
  " */",
  imports,
  "import type * as Methods from \"./Methods.ts\"",
  "import * as Service from \"./Service.ts\"",
  entries.flatMap((entry) => [
    "",
    "/**",
    ` * ${titleOf(entry)}.`,
    " *",
    " * @since 1.0.0",
    " * @category services",
    ...example(entry),
    " */",
    ...classOf(entry)
  ])
)

/** The modules of core, by the types that they export beside a schema of the same name. */
const modules = new Map([
  ...Object.keys(Core).map((name) => [name, "@mailstream/core"] as const),
  ...withOperations.flatMap(({ operations = "" }) =>
    Object.keys((Core as { readonly [name: string]: object })[operations] ?? {}).map((name) =>
      [name, `@mailstream/core/${operations}`] as const
    )
  )
])

const style: Style = {
  isNamed: (name) => modules.has(name),
  options: "Options",
  result: (type) => `Effect.Effect<${type}, RequestError>`
}

const interfaces = withOperations.flatMap((entry) => [
  ...interfaceOf(entry, `export interface ${entry.service}`, `The operations of \`${entry.service}\``, style),
  ...optionTypesOf(entry, style)
])

const named = [...mentioned(modules.keys(), interfaces.join("\n"))]

/** The types of the methods of all services. */
export const methods: string = lines(
  "/**",
  " * The operations of each service as methods, with the names of their parameters. All of them check their arguments before any",
  " * request, and repeat it as `ObjectService.Method` describes.",
  " *",
  ` * ${mark}.`,
  " *",
  " * @since 1.0.0",
  " */",
  sorted([...new Set(named.map((name) => modules.get(name)!))]).flatMap((module) =>
    imported(named.filter((name) => modules.get(name) === module), module)
  ),
  "import type * as Effect from \"effect/Effect\"",
  "import type { Options } from \"./ObjectService.ts\"",
  interfaces
)

/** The tables that the services are made from, for a test of their types. */
export const methodTables: string = lines(
  `/** The tables that the services are made from. ${mark}. */`,
  "import type * as Core from \"@mailstream/core\"",
  "",
  "export interface Tables {",
  withOperations.map(({ operations, service }) => `  readonly ${service}: typeof Core.${operations}.operations`),
  "}"
)

const endpointsOf = (entry: Entry): ReadonlyArray<string> => {
  const { filter, name } = entry
  const list = filter?.scope === undefined
    ? `Group.list(Resource.${name})`
    : filter.required
    ? `Group.listWithin(Resource.${name}, ${filter.scope.name})`
    : `Group.listAlsoWithin(Resource.${name}, "${filter.scope.endpoint}", ${filter.scope.name})`
  const operations = operationsOf(entry).map(({ name, params, payload }) => {
    const kind = params.length === 0 ? "creation" : payload === undefined ? "operation" : "operationWith"
    const fields = params.map(({ field }) => `, "${field}"`).join("")
    return `      .add(Group.${kind}("${name}", ${entry.operations}.operations.${name}${fields}))`
  })
  return ["  .add(", `    ${list}`, ...operations, "  )"]
}

export const contract: string = lines(
  `/** The lists of the contract, and the operations. ${mark}. */`,
  "import * as HttpApi from \"@effect/platform/HttpApi\"",
  imports,
  "import * as Group from \"./group.ts\"",
  "",
  "export const Lists = HttpApi.make(\"lists\")",
  entries.flatMap(endpointsOf)
)
