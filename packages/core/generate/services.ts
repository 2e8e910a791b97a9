/** Generates what http has for each list: its service, its layers, and its group of the contract. */
import { entries, exampleFilter, filterTypeOf, lines, mark, paramOf, separated, sorted, titleOf } from "./table.ts"
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

export const services: string = lines(
  "/**",
  " * One service for each list, with its layers.",
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
    " * @example",
    " * ```ts",
    ...(entry.filter?.required === true ? [` * import { ${paramOf(entry.resource)} } from "@mailstream/core"`] : []),
    ` * import { ${entry.service} } from "@mailstream/http"`,
    " * import { Effect } from \"effect\"",
    " *",
    " * const program = Effect.gen(function*() {",
    ` *   const ${entry.name} = yield* ${entry.service}`,
    ` *   return yield* ${entry.name}.list({ limit: 10${
      entry.filter?.required === true ? `, filter: ${exampleFilter(entry)}` : ""
    } })`,
    " * })",
    " * ```",
    " */",
    ...classOf(entry)
  ]),
  "",
  entries.filter(({ isHandWritten }) => isHandWritten).map(({ service }) =>
    `export { ${service} } from "./${service}.ts"`
  )
)

export const mailstream: string = lines(
  `/** All services at once. ${mark}. */`,
  "import type {",
  separated(sorted(entries.map(({ item }) => item)).map((item) => `  ${item}`)),
  "} from \"@mailstream/core\"",
  "import type * as Resource from \"@mailstream/core/Resource\"",
  "import * as Layer from \"effect/Layer\"",
  "import type { ApiClient } from \"../ApiClient.ts\"",
  "import type { Items } from \"../ListService.ts\"",
  "import {",
  separated(sorted(entries.map(({ service }) => service)).map((service) => `  ${service}`)),
  "} from \"../Services.ts\"",
  "",
  "export type Services =",
  entries.map(({ service }) => `  | ${service}`),
  "",
  "/** Fresh: every client has services of its own. */",
  "export const layer: Layer.Layer<Services, never, ApiClient> = Layer.fresh(Layer.mergeAll(",
  separated(entries.map(({ service }) => `  ${service}.layer`)),
  "))",
  "",
  "export interface TestItems {",
  entries.map((entry) => `  readonly ${entry.name}?: Items<${entry.item}, ${filterTypeOf(entry)}> | undefined`),
  "}",
  "",
  "export const layerTest = (items: TestItems): Layer.Layer<Services> =>",
  "  Layer.mergeAll(",
  separated(entries.map(({ name, service }) => `    ${service}.layerTest(items.${name} ?? [])`)),
  "  )"
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
