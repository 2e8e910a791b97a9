/**
 * Generates code from the table of lists: one service, one module of streams and one group of the
 * contract for each entry of `Resource`. Run it with `npm run generate`; a test checks that its output is current.
 */
import * as Resource from "@mailstream/core/Resource"
import { Option, SchemaAST, String } from "effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

type AnyResource = (typeof Resource.all)[number]

/** A list, with its names in code. */
interface Entry {
  readonly resource: AnyResource
  /** As in `apiKeys`. */
  readonly name: string
  /** As in `ApiKeys`. */
  readonly service: string
  /** The types of an item and of its id, as in `ApiKey` and `ApiKeyId`. */
  readonly item: string
  readonly id: string
  readonly filter: Filter | undefined
  /** Lists that can do more than list have a hand-written service. */
  readonly isHandWritten: boolean
}

interface Filter {
  /** As in `SegmentFilter`. */
  readonly type: string
  readonly required: boolean
  /** As in `Resource.contactsOfSegment`. */
  readonly scope: string
  /** As in `listOfSegment`. */
  readonly endpoint: string
  readonly noun: string
}

const root = fileURLToPath(new URL("../../..", import.meta.url))

const nameOf = (schema: { readonly ast: SchemaAST.AST }): string =>
  Option.getOrThrow(SchemaAST.getIdentifierAnnotation(schema.ast))

const filterOf = ({ scope }: AnyResource): Filter | undefined => {
  if (scope === undefined) return undefined
  const noun = String.capitalize(scope.noun)
  const [exported] = Object.entries(Resource).find(([, value]) => value === scope) ?? []
  if (exported === undefined) throw new Error(`The scope of ${scope.owner} must be exported from Resource.ts.`)
  return {
    type: `Resource.${noun}Filter`,
    required: scope.required,
    scope: `Resource.${exported}`,
    endpoint: `listOf${noun}`,
    noun: scope.noun
  }
}

const entries: ReadonlyArray<Entry> = Resource.all.map((resource) => ({
  resource,
  name: String.uncapitalize(resource.identifier),
  service: resource.identifier,
  item: nameOf(resource.item),
  id: nameOf(resource.id),
  filter: filterOf(resource),
  isHandWritten: existsSync(join(root, `packages/http/src/${resource.identifier}.ts`))
}))

const mark = "Generated from the table of lists by `npm run generate`"

const sorted = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...names].sort((a, b) => a.toLowerCase() < b.toLowerCase() ? -1 : 1)

const lines = (...parts: ReadonlyArray<string | ReadonlyArray<string>>): string => `${parts.flat().join("\n")}\n`

/** The id that the filter of a list holds: `SegmentId`. */
const paramOf = ({ scope }: AnyResource): string => {
  const ast = scope?.params.ast
  const [field] = ast !== undefined && SchemaAST.isTypeLiteral(ast) ? ast.propertySignatures : []
  return field === undefined ? "string" : nameOf({ ast: field.type })
}

const exampleFilter = ({ resource }: Entry): string => `{ ${resource.scope?.field}: ${paramOf(resource)}.make("…") }`

/** With commas between them, but not after the last. */
const separated = (parts: ReadonlyArray<string>): ReadonlyArray<string> =>
  parts.map((part, index) => index === parts.length - 1 ? part : `${part},`)

/** On one line if it fits, as the formatter does it. */
const joined = (head: string, tail: string): ReadonlyArray<string> =>
  head.length + 1 + tail.length <= 120 ? [`${head} ${tail}`] : [head, `  ${tail}`]

const filterTypeOf = ({ filter }: Entry): string =>
  filter === undefined ? "undefined" : filter.required ? filter.type : `${filter.type} | undefined`

/** As in `All contacts, or those of one segment`. */
const titleOf = ({ filter, resource: { title } }: Entry): string =>
  filter === undefined
    ? `All ${title}`
    : filter.required
    ? `The ${title} of one ${filter.noun}`
    : `All ${title}, or those of one ${filter.noun}`

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

const services = lines(
  "/**",
  " * One service for each list, with its layers.",
  " *",
  ` * ${mark}.`,
  " *",
  " * @since 0.1.0",
  " */",
  "import * as Resource from \"@mailstream/core/Resource\"",
  "import * as ListService from \"./ListService.ts\"",
  entries.filter(({ isHandWritten }) => !isHandWritten).flatMap((entry) => [
    "",
    "/**",
    ` * ${titleOf(entry)}.`,
    " *",
    " * @since 0.1.0",
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

const mailstream = lines(
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
  "export const layer: Layer.Layer<Services, never, ApiClient> = Layer.mergeAll(",
  separated(entries.map(({ service }) => `  ${service}.layer`)),
  ")",
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

const contract = lines(
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

/** The module of streams of one list. */
const streams = (entry: Entry): string => {
  const { filter, id, isHandWritten, item, name, resource, service } = entry
  const { title } = resource
  const isOptionalLimit = resource.pagination === "optional"
  const filterType = filterTypeOf(entry)
  const given = filter === undefined ? "undefined" : filter.required ? "options.filter" : "options?.filter"
  const optional = filter?.required === true ? "" : "?"
  const options = (type: string): string =>
    filter === undefined
      ? `options?: ${type} & Resource.NoFilter`
      : `options${optional}: ${type} & Resource.${filter.required ? "Required" : "Optional"}Filter<${filter.type}>`
  const example = filter?.required === true ? `{ filter: ${exampleFilter(entry)} }` : ""
  const documented = (doc: ReadonlyArray<string>): ReadonlyArray<string> => [
    "",
    "/**",
    ...doc.map((line) => ` * ${line}`.trimEnd()),
    " */"
  ]
  /** A way to walk the list, as a Stream. */
  const walk = (
    fn: string,
    doc: ReadonlyArray<string>,
    optionsType: string,
    emitted: string
  ): ReadonlyArray<string> => [
    ...documented(doc),
    `export const ${fn} = (`,
    `  ${options(optionsType)}`,
    ...joined(`): Stream.Stream<${emitted}, ListError, ${service}> =>`, `List.${fn}(list, ${given}, options)`)
  ]
  /** A way to process the list, by a function. */
  const processing = (
    fn: string,
    doc: ReadonlyArray<string>,
    given: {
      readonly types: string
      readonly callback: string
      readonly signature: ReadonlyArray<string>
      readonly options: string
      readonly result: readonly [success: string, failure: string]
      readonly filter: string
    }
  ): ReadonlyArray<string> => [
    ...documented(doc),
    `export const ${fn} = <${given.types}>(`,
    "  key: string,",
    ...given.signature,
    `  ${options(given.options)}`,
    "): Effect.Effect<",
    `  ${given.result[0]},`,
    `  ${given.result[1]},`,
    `  ${service} | R | KeyValueStore.KeyValueStore`,
    `> => List.${fn}(list, key, ${given.filter}, ${given.callback}, options)`
  ]
  return lines(
    "/**",
    ` * ${titleOf(entry)}, as Streams.`,
    " *",
    ` * ${mark}.`,
    " *",
    " * @since 0.1.0",
    " */",
    "import type * as KeyValueStore from \"@effect/platform/KeyValueStore\"",
    `import type { ${sorted([item, id, "ValidationError"]).join(", ")} } from "@mailstream/core"`,
    "import * as Resource from \"@mailstream/core/Resource\"",
    `import { ${service} } from "@mailstream/http/${isHandWritten ? service : "Services"}"`,
    "import type * as Effect from \"effect/Effect\"",
    "import type * as Stream from \"effect/Stream\"",
    "import type * as Commit from \"./Commit.ts\"",
    "import type * as Follow from \"./Follow.ts\"",
    "import * as List from \"./List.ts\"",
    "import type { ListError } from \"./ListError.ts\"",
    "import type * as Walk from \"./Walk.ts\"",
    isOptionalLimit ? ["import type * as Whole from \"./Whole.ts\""] : [],
    "",
    "/**",
    " * The list itself, for code that works with any list.",
    " *",
    " * @since 0.1.0",
    " * @category models",
    " */",
    `export const list: List.${isOptionalLimit ? "OptionalLimit" : "List"}<`,
    `  ${item},`,
    `  typeof ${item}.Encoded,`,
    `  ${filterType},`,
    `  ${service}`,
    `> = /* #__PURE__ */ List.${
      isOptionalLimit ? "fromOptionalLimitService" : "fromService"
    }(Resource.${name}, ${service})`,
    walk(
      "items",
      [
        `${titleOf(entry)}, newest first. Strictly lazy: no page is requested`,
        "before it is needed.",
        "",
        "@since 0.1.0",
        "@category streams",
        "@example",
        "```ts",
        ...(filter?.required === true ? [`import { ${paramOf(resource)} } from "@mailstream/core"`] : []),
        `import { ${name} } from "@mailstream/stream"`,
        "import { Effect, Stream } from \"effect\"",
        "",
        `const program = ${name}.items(${example}).pipe(`,
        "  Stream.take(500),",
        `  Stream.runForEach((item) => Effect.log(item.id))`,
        ")",
        "```"
      ],
      `Walk.Options<${id}>`,
      item
    ),
    walk(
      "pages",
      [
        `${titleOf(entry)}, in pages, each with the position after it.`,
        "See `Walk.pages`.",
        "",
        "@since 0.1.0",
        "@category streams"
      ],
      `Walk.Options<${id}>`,
      `Walk.WalkedPage<${item}>`
    ),
    processing(
      "process",
      [
        `Runs \`handle\` for ${String.uncapitalize(titleOf(entry))}, from where the last run with this key`,
        "stopped. After a crash nothing is lost, and only uncommitted work is repeated. See `Commit.process`.",
        "",
        "@since 0.1.0",
        "@category processing",
        "@example",
        "```ts",
        ...(filter?.required === true ? [`import { ${paramOf(resource)} } from "@mailstream/core"`] : []),
        `import { ${name} } from "@mailstream/stream"`,
        "import { Effect } from \"effect\"",
        "",
        `const program = ${name}.process("export-2026-11", (item) => Effect.log(item.id), {`,
        ...(filter?.required === true ? [`  filter: ${exampleFilter(entry)},`] : []),
        "  concurrency: 8",
        "})",
        "```"
      ],
      {
        types: "E, R",
        signature: [`  handle: (item: ${item}) => Effect.Effect<unknown, E, R>,`],
        callback: "handle",
        options: `Commit.Options<${id}>`,
        result: ["void", "ListError | Commit.CommitError | E"],
        filter: given
      }
    ),
    processing(
      "processPages",
      [
        `${titleOf(entry)}, in pages that can be committed behind any operators, from where the`,
        "last run with this key stopped. See `Commit.processPages`.",
        "",
        "@since 0.1.0",
        "@category processing",
        "@example",
        "```ts",
        ...(filter?.required === true ? [`import { ${paramOf(resource)} } from "@mailstream/core"`] : []),
        `import { ${name} } from "@mailstream/stream"`,
        "import { Effect, Stream } from \"effect\"",
        "",
        `const program = ${name}.processPages("export-2026-11", (pages) =>`,
        "  pages.pipe(",
        "    Stream.mapEffect((page) => Effect.zipRight(Effect.log(page.data.length), page.commit), { concurrency: 4 }),",
        "    Stream.runDrain",
        ...(filter?.required === true ? [`  ), { filter: ${exampleFilter(entry)} })`] : ["  ))"]),
        "```"
      ],
      {
        types: "A, E, R",
        signature: [
          "  use: (",
          `    pages: Stream.Stream<Commit.CommittablePage<${item}>, ListError, ${service}>`,
          "  ) => Effect.Effect<A, E, R>,"
        ],
        callback: "use",
        options: `Walk.Options<${id}>`,
        result: ["A", "ValidationError | Commit.CommitError | E"],
        filter: given
      }
    ),
    walk(
      "follow",
      [
        `New ${title} as they are created, oldest first. See \`Follow.items\`.`,
        "",
        "@since 0.1.0",
        "@category streams"
      ],
      `Follow.Options<${id}>`,
      item
    ),
    isOptionalLimit
      ? walk(
        "whole",
        [
          `${titleOf(entry)}, from one request without a limit, decoded as the`,
          "response arrives. See `Whole.items`.",
          "",
          "@since 0.1.0",
          "@category streams"
        ],
        "Whole.Options",
        item
      )
      : []
  )
}

const lists = lines(
  "/**",
  " * The lists of the API, each a module of Streams.",
  " *",
  ` * ${mark}.`,
  " *",
  " * @since 0.1.0",
  " */",
  "import type * as Mailstream from \"@mailstream/http/Mailstream\"",
  sorted(["List", ...entries.map(({ name }) => name)]).map((name) =>
    `import ${name === "List" ? "type " : ""}* as ${name} from "./${name}.ts"`
  ),
  "",
  "export {",
  separated(
    [...entries].sort((a, b) => a.name < b.name ? -1 : 1).map((entry) =>
      [
        "  /**",
        `   * ${titleOf(entry)}.`,
        "   *",
        "   * @since 0.1.0",
        "   * @category lists",
        "   */",
        `  ${entry.name}`
      ].join("\n")
    )
  ),
  "}",
  "",
  "/**",
  " * Applies a function to every list, for code that works with any of them.",
  " *",
  " * @since 0.1.0",
  " * @category combinators",
  " */",
  "export const mapLists = <A>(",
  "  f: <",
  "    Item extends { readonly id: string },",
  "    Encoded,",
  "    Filter,",
  "    Service extends Mailstream.Mailstream",
  "  >(list: List.List<Item, Encoded, Filter, Service>) => A",
  "): readonly [A, ...Array<A>] => [",
  separated(entries.map(({ name }) => `  f(${name}.list)`)),
  "]"
)

/** The generated files, by their paths below the repository's root. */
export const files: ReadonlyMap<string, string> = new Map([
  ["packages/http/src/Services.ts", services],
  ["packages/http/src/internal/services.ts", mailstream],
  ["packages/http/src/internal/lists.ts", contract],
  ["packages/stream/src/Lists.ts", lists],
  ...entries.map((entry) => [`packages/stream/src/${entry.name}.ts`, streams(entry)] as const)
])

/** Stream modules that no longer have an entry in the table. */
export const stale: ReadonlyArray<string> = readdirSync(join(root, "packages/stream/src"))
  .filter((name) => /^[a-z].*\.ts$/.test(name) && name !== "index.ts")
  .map((name) => `packages/stream/src/${name}`)
  .filter((path) => !files.has(path))

export const read = (path: string): string => {
  const file = join(root, path)
  return existsSync(file) ? readFileSync(file, "utf8") : ""
}

export const write = (): void => {
  for (const [path, text] of files) {
    if (read(path) === text) continue
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`wrote ${path}`)
  }
  for (const path of stale) {
    rmSync(join(root, path))
    console.log(`removed ${path}`)
  }
}
