/** Generates what stream has for each list: a module with every way to walk it. */
import { String } from "effect"
import { entries, type Entry, filterTypeOf, joined, lines, mark, queryOf, separated, sorted, titleOf } from "./table.ts"

/** The module of streams of one list. */
export const streams = (entry: Entry): string => {
  const { filter, isHandWritten, item, name, resource, service } = entry
  const isOptionalLimit = resource.pagination === "optional"
  const isOrdered = resource.isUnordered !== true
  const filterType = filterTypeOf(entry).replace("Resource.", "")
  const given = filter === undefined ? "undefined" : filter.required ? "options.filter" : "options?.filter"
  const all = titleOf(entry)
  const made = `List.${isOptionalLimit ? "fromOptionalLimitService" : "fromService"}(Resource.${name}, ${service})`
  /** A way to walk the list: its function takes a source first. */
  const walk = (fn: string, call: string, category: string, text: string, args: ReadonlyArray<string> = []) => [
    "",
    "/**",
    ...wrapped(`${text} See \`List.Ways\`.`),
    " *",
    " * @since 1.0.0",
    ` * @category ${category}`,
    " */",
    ...joined(
      `export const ${fn}: Ways["${fn}"] = (${[...args, "options"].join(", ")}) =>`,
      `${call}(${[`descriptor.source(${given})`, ...args, "options"].join(", ")})`
    )
  ]
  return lines(
    "/**",
    ` * ${all}, as Streams.`,
    " *",
    ` * ${mark}.`,
    " *",
    " * @since 1.0.0",
    " */",
    `import type { ${item} } from "@mailstream/core"`,
    "import * as Resource from \"@mailstream/core/Resource\"",
    filter === undefined
      ? []
      : [`import type { ${filter.type.slice("Resource.".length)} } from "@mailstream/core/Resource"`],
    `import { ${service} } from "@mailstream/http/${isHandWritten ? service : "Services"}"`,
    "import * as Commit from \"./Commit.ts\"",
    isOrdered ? ["import * as Follow from \"./Follow.ts\""] : [],
    "import * as List from \"./List.ts\"",
    "import * as Walk from \"./Walk.ts\"",
    isOptionalLimit ? ["import * as Whole from \"./Whole.ts\""] : [],
    "",
    "/**",
    " * The list itself, for code that works with any list.",
    " *",
    " * @since 1.0.0",
    " * @category models",
    " */",
    `export const descriptor: List.${isOptionalLimit ? "OptionalLimit" : "List"}<`,
    separated([item, `typeof ${item}.Encoded`, filterType, service].map((type) => `  ${type}`)),
    `> = /* #__PURE__ */ ${isOrdered ? made : `List.unordered(/* #__PURE__ */ ${made})`}`,
    "",
    `type Ways = List.Ways<${[item, filterType, service].join(", ")}>`,
    walk(
      "items",
      "Walk.items",
      "streams",
      `${all}, ${isOrdered ? "newest first" : "in the order of the service"}; no page is requested before it is needed.`
    ),
    walk("pages", "Walk.pages", "streams", `${all}, in pages, each with the position after it.`),
    walk(
      "process",
      "Commit.process",
      "processing",
      `Runs \`handle\` for ${String.uncapitalize(all)}, from where the last run with this key stopped.`,
      ["key", "handle"]
    ),
    walk(
      "processPages",
      "Commit.processPages",
      "processing",
      `${all}, in pages to be committed, from where the last run with this key stopped.`,
      ["key", "use"]
    ),
    isOrdered
      ? walk("follow", "Follow.items", "streams", `New ${resource.title} as they are created, oldest first.`)
      : [],
    isOptionalLimit
      ? walk(
        "whole",
        "Whole.items",
        "streams",
        `${all}, from one request without a limit, decoded as the response arrives.`
      )
      : []
  )
}

/** The lines of a comment. */
const wrapped = (text: string): ReadonlyArray<string> =>
  text.split(" ").reduce<ReadonlyArray<string>>((done, word) => {
    const line = `${done.at(-1) ?? " *"} ${word}`
    return line.length <= 120 ? [...done.slice(0, -1), line] : [...done, ` * ${word}`]
  }, [])

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
  separated(sorted(entries.map(({ name }) => name)).map((name) => `  ${name}`)),
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
  separated(entries.map(({ name }) => `  f(${name}.descriptor)`)),
  "]"
)

/** A row about a list: its paths have the fields of filters in braces. */
const rowOf = ({ name, resource, service }: Entry): string => {
  const { pagination, path, scope } = resource
  const fields = queryOf(resource).map(({ field }) => field)
  const query = fields.length === 0 ? "" : `{?${fields.join(",")}}`
  const paths = [path, ...(scope === undefined || scope.required ? [] : [scope.path])].map((path) =>
    `\`${path.replace(/:(\w+)/g, "{$1}")}${query}\``
  )
  const ways = [
    ...(pagination === "optional" ? ["`whole`"] : []),
    ...(resource.isUnordered === true ? [] : ["`follow`"])
  ]
  return `| \`${name}\` | \`${service}\` | ${paths.join(", ")} | ${ways.join(", ")} |`
}

/** A text with the table of lists in its place. */
export const tableIn = (text: string): string =>
  text.replace(
    /(?<=<!-- lists -->\n)[^]*?(?=\n<!-- \/lists -->)/,
    () => ["", "| stream | service | path | also has |", "|---|---|---|---|", ...entries.map(rowOf), ""].join("\n")
  )
