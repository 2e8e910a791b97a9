/** Generates what effect4 has for each list: its service, the functions that use it, and how a client becomes it. */
import { String } from "effect"
import { filters, filterTypeOf, kindOf } from "./clients.ts"
import { entries, type Entry, lines, mark, separated, sorted, titleOf } from "./table.ts"

const derived = entries.filter(({ hasEffect4 }) => !hasEffect4)
const handWritten = entries.filter(({ hasEffect4 }) => hasEffect4)

/** The functions of `internal/list.ts`, by the kinds of lists. */
const makers = { List: "make", OptionalLimitList: "makeOptionalLimit", UnorderedList: "makeUnordered" }
const users = { List: "using", OptionalLimitList: "usingWhole", UnorderedList: "usingUnordered" }

/** The type of a service, as in `OptionalLimitList<Client.Contact, Client.SegmentFilter | undefined>`. */
const typeOf = (entry: Entry): string => {
  const filter = entry.filter === undefined ? "" : `, Client.${filterTypeOf(entry)}`
  return `${kindOf(entry)}<Client.${entry.item}${filter}>`
}

const documented = (entry: Entry, category: string, ...more: ReadonlyArray<string>): ReadonlyArray<string> => [
  "",
  "/**",
  ` * ${titleOf(entry)}.`,
  " *",
  " * @since 1.0.0",
  ` * @category ${category}`,
  ...more.map((line) => ` * ${line}`.trimEnd()),
  " */"
]

const serviceOf = (entry: Entry): ReadonlyArray<string> => {
  const { service } = entry
  const [head, tail] = [`export class ${service} extends Context.Service<`, `>()("@mailstream/effect4/${service}") {}`]
  const line = `${head}${service}, ${typeOf(entry)}${tail}`
  return [
    ...documented(entry, "services"),
    ...(line.length <= 120 ? [line] : [head, `  ${service},`, `  ${typeOf(entry)}`, tail])
  ]
}

/** The example of the module is one for every list without a filter. */
const exampleOf = ({ filter, name }: Entry): ReadonlyArray<string> =>
  filter === undefined ? [] : [
    "@example",
    "```ts",
    `import { ${name} } from "@mailstream/effect4"`,
    "import { Effect, Stream } from \"effect\"",
    "",
    `const program = ${name}.items({ filter: ${filter.example.replace(/\w+\.make\("…"\)/, "\"…\"")} }).pipe(`,
    "  Stream.take(500),",
    "  Stream.runForEach((item) => Effect.log(item.id))",
    ")",
    "```"
  ]

const functionsOf = (entry: Entry): ReadonlyArray<string> => [
  ...documented(entry, "lists", ...exampleOf(entry)),
  ...called(
    `export const ${entry.name}: Using<typeof ${entry.service}> = /* #__PURE__ */ Lists.${users[kindOf(entry)]}(`,
    entry.service
  )
]

/** A call, on one line if it fits, as the formatter does it. */
const called = (head: string, argument: string): ReadonlyArray<string> => {
  const line = `${head}${argument})`
  return line.length <= 120 ? [line] : [head, `  ${argument}`, ")"]
}

/** The public services, and the functions that use them. */
export const effect4Lists: string = lines(
  "/**",
  " * The lists of the API: for each a service, and the functions that use it.",
  " *",
  ` * ${mark}.`,
  " *",
  " * @since 1.0.0",
  " * @example",
  " * ```ts",
  " * import { Domains, domains } from \"@mailstream/effect4\"",
  " * import { Effect, Stream } from \"effect\"",
  " *",
  " * const functions = domains.items().pipe(",
  " *   Stream.take(500),",
  " *   Stream.runForEach((item) => Effect.log(item.id))",
  " * )",
  " *",
  " * const service = Effect.gen(function*() {",
  " *   const domains = yield* Domains",
  " *   return yield* domains.list()",
  " * })",
  " * ```",
  " */",
  "import type * as Client from \"@mailstream/client\"",
  "import * as Context from \"effect/Context\"",
  "import * as Lists from \"./internal/list.ts\"",
  "import type { List, OptionalLimitList, UnorderedList, Using } from \"./List.ts\"",
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
  "import * as Lists from \"../Lists.ts\"",
  "import * as List from \"./list.ts\"",
  sorted(handWritten.map(({ service }) => service)).map((service) =>
    `import * as ${String.uncapitalize(service)} from "./${String.uncapitalize(service)}.ts"`
  ),
  "",
  "export const fromClient = (client: Mailstream) =>",
  "  Context.mergeAll(",
  separated(entries.map((entry) =>
    `    Lists.${entry.service}.context(${
      entry.hasEffect4
        ? `${String.uncapitalize(entry.service)}.make`
        : `List.${makers[kindOf(entry)]}`
    }(client.${entry.name}))`
  )),
  "  )",
  "",
  "export type Services = ReturnType<typeof fromClient> extends Context.Context<infer Services> ? Services : never"
)
