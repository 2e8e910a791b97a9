/** Generates what effect4 has for each list: its service, the functions that use it, and how a client becomes it. */
import { String } from "effect"
import { filters, filterTypeOf, isOptionalLimit } from "./clients.ts"
import { entries, type Entry, lines, mark, separated, sorted, titleOf } from "./table.ts"

const derived = entries.filter(({ hasEffect4 }) => !hasEffect4)
const handWritten = entries.filter(({ hasEffect4 }) => hasEffect4)

const typeOf = (entry: Entry): string => isOptionalLimit(entry) ? "OptionalLimitList" : "List"

const documented = (entry: Entry, category: string, example: ReadonlyArray<string>): ReadonlyArray<string> => [
  "",
  "/**",
  ` * ${titleOf(entry)}.`,
  " *",
  " * @since 1.0.0",
  ` * @category ${category}`,
  " * @example",
  " * ```ts",
  ...example.map((line) => ` * ${line}`.trimEnd()),
  " * ```",
  " */"
]

const exampleOptions = ({ filter, resource }: Entry): string =>
  filter?.required === true ? `{ filter: { ${resource.scope?.field}: "…" } }` : ""

const serviceOf = (entry: Entry): ReadonlyArray<string> => [
  ...documented(entry, "services", [
    `import { ${entry.service} } from "@mailstream/effect4"`,
    "import { Effect } from \"effect\"",
    "",
    "const program = Effect.gen(function*() {",
    `  const ${entry.name} = yield* ${entry.service}`,
    `  return yield* ${entry.name}.list(${exampleOptions(entry)})`,
    "})"
  ]),
  `export class ${entry.service} extends Context.Service<`,
  `  ${entry.service},`,
  `  ${typeOf(entry)}<${entry.item}, ${filterTypeOf(entry)}>`,
  `>()("@mailstream/effect4/${entry.service}") {}`
]

const functionsOf = (entry: Entry): ReadonlyArray<string> => [
  ...documented(entry, "lists", [
    `import { ${entry.name} } from "@mailstream/effect4"`,
    "import { Effect, Stream } from \"effect\"",
    "",
    `const program = ${entry.name}.items(${exampleOptions(entry)}).pipe(`,
    "  Stream.take(500),",
    "  Stream.runForEach((item) => Effect.log(item.id))",
    ")"
  ]),
  `export const ${entry.name}: ${typeOf(entry)}<`,
  `  ${entry.item},`,
  `  ${filterTypeOf(entry)},`,
  `  ${entry.service}`,
  `> = /* #__PURE__ */ Lists.${isOptionalLimit(entry) ? "usingOptionalLimit" : "using"}(${entry.service})`
]

/** The public services, and the functions that use them. */
export const effect4Lists: string = lines(
  "/**",
  " * The lists of the API: for each a service, and the functions that use it.",
  " *",
  ` * ${mark}.`,
  " *",
  " * @since 1.0.0",
  " */",
  "import type {",
  separated(sorted([...derived.map(({ item }) => item), ...filters.map(([name]) => name)]).map((name) => `  ${name}`)),
  "} from \"@mailstream/client\"",
  "import * as Context from \"effect/Context\"",
  "import * as Lists from \"./internal/list.ts\"",
  `import type { ${sorted([...new Set(derived.map(typeOf))]).join(", ")} } from "./List.ts"`,
  "",
  "export type {",
  separated(sorted([...entries.map(({ item }) => item), ...filters.map(([name]) => name)]).map((name) => `  ${name}`)),
  "} from \"@mailstream/client\"",
  sorted(handWritten.map(({ service }) => service)).map((service) => `export * from "./${service}.ts"`),
  derived.flatMap((entry) => [...serviceOf(entry), ...functionsOf(entry)])
)

/** All services at once. */
export const effect4Services: string = lines(
  `/** All services at once. ${mark}. */`,
  "import type { Mailstream } from \"@mailstream/client\"",
  "import * as Context from \"effect/Context\"",
  "import {",
  separated(sorted(entries.map(({ service }) => service)).map((service) => `  ${service}`)),
  "} from \"../Lists.ts\"",
  "import * as List from \"./list.ts\"",
  sorted(handWritten.map(({ service }) => service)).map((service) =>
    `import * as ${String.uncapitalize(service)} from "./${String.uncapitalize(service)}.ts"`
  ),
  "",
  "export type Services =",
  entries.map(({ service }) => `  | ${service}`),
  "",
  "export const fromClient = (client: Mailstream): Context.Context<Services> =>",
  "  Context.mergeAll(",
  separated(entries.map((entry) =>
    `    ${entry.service}.context(${
      entry.hasEffect4
        ? `${String.uncapitalize(entry.service)}.make`
        : isOptionalLimit(entry)
        ? "List.makeOptionalLimit"
        : "List.make"
    }(client.${entry.name}))`
  )),
  "  )"
)
