/** Generates what http has for each list: its service, its layers, and its group of the contract. */
import { entries, exampleFilter, lines, mark, paramOf, titleOf } from "./table.ts"
import type { Entry } from "./table.ts"

/** The class of a service, wrapped as the formatter does it. */
const classOf = ({ name, service }: Entry): ReadonlyArray<string> => {
  const head = `export class ${service}`
  const parent = `extends /* #__PURE__ */ ListService.Service<${service}>()(`
  const [first, second] = [`"${service}"`, `Resource.${name}`]
  const line = `${head} ${parent}${first}, ${second}) {}`
  const inner = `  ${parent}${first}, ${second})`
  return line.length <= 120
    ? [line]
    : inner.length <= 120
    ? [head, inner, "{}"]
    : [`${head} ${parent}`, `  ${first},`, `  ${second}`, ") {}"]
}

/** The lists without a filter are all called like the one in the introduction. */
const example = (entry: Entry): ReadonlyArray<string> => [
  " * @example",
  " * ```ts",
  ` * import { ${paramOf(entry.resource)} } from "@mailstream/core"`,
  ` * import { ${entry.service} } from "@mailstream/http"`,
  " * import { Effect } from \"effect\"",
  " *",
  " * const program = Effect.gen(function*() {",
  ` *   const ${entry.name} = yield* ${entry.service}`,
  ` *   return yield* ${entry.name}.list({ limit: 10, filter: ${exampleFilter(entry)} })`,
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
  "import * as Resource from \"@mailstream/core/Resource\"",
  "import * as ListService from \"./ListService.ts\"",
  entries.filter(({ isHandWritten }) => !isHandWritten).flatMap((entry) => [
    "",
    "/**",
    ` * ${titleOf(entry)}.`,
    " *",
    " * @since 1.0.0",
    " * @category services",
    ...(entry.filter === undefined ? [] : example(entry)),
    " */",
    ...classOf(entry)
  ]),
  "",
  entries.filter(({ isHandWritten }) => isHandWritten).map(({ service }) =>
    `export { ${service} } from "./${service}.ts"`
  )
)

export const contract: string = lines(
  `/** The lists of the contract. ${mark}. */`,
  "import * as HttpApi from \"@effect/platform/HttpApi\"",
  "import * as Resource from \"@mailstream/core/Resource\"",
  "import * as Group from \"./group.ts\"",
  "",
  "export const Lists = HttpApi.make(\"lists\")",
  entries.filter(({ isHandWritten }) => !isHandWritten).map(({ filter, name }) =>
    filter === undefined
      ? `  .add(Group.list(Resource.${name}))`
      : filter.required
      ? `  .add(Group.listWithin(Resource.${name}, ${filter.scope}))`
      : `  .add(Group.listAlsoWithin(Resource.${name}, "${filter.endpoint}", ${filter.scope}))`
  )
)
