/** Generates what stream has for each list: a module with every way to walk it. */
import { String } from "effect"
import {
  entries,
  type Entry,
  exampleFilter,
  filterTypeOf,
  joined,
  lines,
  mark,
  paramOf,
  separated,
  sorted,
  titleOf
} from "./table.ts"

/** The module of streams of one list. */
export const streams = (entry: Entry): string => {
  const { filter, id, isHandWritten, item, name, resource, service } = entry
  const { title } = resource
  const isOptionalLimit = resource.pagination === "optional"
  const filterType = filterTypeOf(entry)
  const given = filter === undefined ? "undefined" : filter.required ? "options.filter" : "options?.filter"
  const optional = filter?.required === true ? "" : "?"
  const options = (type: string): string =>
    filter === undefined
      ? `options?: ${type} & Filter.None`
      : `options${optional}: ${type} & Filter.${filter.required ? "Required" : "Optional"}<${filter.type}>`
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
    parts: {
      readonly types: string
      readonly callback: string
      readonly signature: ReadonlyArray<string>
      readonly options: string
      readonly result: readonly [success: string, failure: string]
    }
  ): ReadonlyArray<string> => [
    ...documented(doc),
    `export const ${fn} = <${parts.types}>(`,
    "  key: string,",
    ...parts.signature,
    `  ${options(parts.options)}`,
    "): Effect.Effect<",
    `  ${parts.result[0]},`,
    `  ${parts.result[1]},`,
    `  ${service} | R | KeyValueStore.KeyValueStore`,
    `> => List.${fn}(list, key, ${given}, ${parts.callback}, options)`
  ]
  return lines(
    "/**",
    ` * ${titleOf(entry)}, as Streams.`,
    " *",
    ` * ${mark}.`,
    " *",
    " * @since 1.0.0",
    " */",
    "import type * as KeyValueStore from \"@effect/platform/KeyValueStore\"",
    `import type { ${sorted([item, id, "ValidationError"]).join(", ")} } from "@mailstream/core"`,
    "import type * as Filter from \"@mailstream/core/Filter\"",
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
    " * @since 1.0.0",
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
        "@since 1.0.0",
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
        "@since 1.0.0",
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
        "@since 1.0.0",
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
        result: ["void", "ListError | Commit.CommitError | E"]
      }
    ),
    processing(
      "processPages",
      [
        `${titleOf(entry)}, in pages that can be committed behind any operators, from where the`,
        "last run with this key stopped. See `Commit.processPages`.",
        "",
        "@since 1.0.0",
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
        options: `Commit.PagesOptions<${id}>`,
        result: ["A", "ValidationError | Commit.CommitError | E"]
      }
    ),
    walk(
      "follow",
      [
        `New ${title} as they are created, oldest first. See \`Follow.items\`.`,
        "",
        "@since 1.0.0",
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
          "@since 1.0.0",
          "@category streams"
        ],
        "Whole.Options",
        item
      )
      : []
  )
}

export const lists: string = lines(
  "/**",
  " * The lists of the API, each a module of Streams.",
  " *",
  ` * ${mark}.`,
  " *",
  " * @since 1.0.0",
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
        "   * @since 1.0.0",
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
  " * @since 1.0.0",
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
